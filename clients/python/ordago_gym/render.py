"""The table as text, or as a picture of it, with all hands: what the pages of matches show, in a few lines."""

import sys
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ordago.cards import NO_CARD, signs
from ordago.event import Event
from ordago.games import find_game
from ordago.scene import Figure, Group, Scene, SeatScene
from ordago_gym.table import Table

_SIZE: Final = 960, 400
"""The width and height of a picture, in pixels: room for the longest hands, and the lines of five players."""
_TEXT_HEIGHT: Final = 15
_LETTERS: Final = str.maketrans("♣♦♥♠−", "cdhs-")
"""Suits as letters, and the minus: the font that comes with Pillow lacks these signs."""


class Renderer:
    """Shows the match at a table: it sees all events in full."""

    modes: ClassVar[Sequence[str]] = ("ansi", "human", "rgb_array")
    """Text that is returned, text that is printed, and a picture of it."""

    def __init__(self, table: Table, mode: str) -> None:
        """Show a table in one of the modes. It has to be made before a match begins there."""
        self._mode: Final = mode
        self._staging: Final = find_game(table.encoding.name).staging
        self._options: Final = table.options
        self._players: Final = [f"player_{seat}" for seat in range(table.seats)]
        table.watch = self._apply
        self.begin()

    def begin(self) -> None:
        """Clear the table for a new match."""
        self._stage = self._staging.begin(players=self._players, options=self._options)
        self._last = ""

    def _apply(self, events: Sequence[Event[Any]]) -> None:
        for event in events:
            words = self._stage.apply(event.full).sentence
            if words is not None:
                self._last = words.written()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as text or as a picture, rows × columns × colours, or print it and return ``None``."""
        text = "\n".join(_lines(self._stage.scene(), self._players, self._last)) + "\n"
        if self._mode == "human":
            sys.stdout.write(text)
            return None
        return text if self._mode == "ansi" else _picture(text)


def _picture(text: str) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw, ImageFont  # Those that look at no pictures do not wait for it.

    image, font = Image.new("RGB", _SIZE, "white"), ImageFont.load_default(_TEXT_HEIGHT)
    ImageDraw.Draw(image).text((_TEXT_HEIGHT, _TEXT_HEIGHT), text.translate(_LETTERS), fill="black", font=font)
    return np.array(image)


def _lines(scene: Scene, players: Sequence[str], last: str) -> list[str]:
    lines = [_figures(scene.figures), *[_group("table", group) for group in scene.table]]
    for player, seat in zip(players, scene.seats, strict=True):
        lines.append(_seat(player, seat))
        lines += [_group(f"  {player}", group) for group in (seat.front, *seat.piles) if group.cards]
    return [line for line in (*lines, last) if line]


def _seat(player: str, seat: SeatScene) -> str:
    roles = [role.written() for role in seat.roles]
    said = [] if seat.said is None else [f"“{seat.said.written()}”"]
    rest = ", ".join([*roles, *said, _figures(seat.figures)]).strip(", ")
    return f"{player}: {_cards(seat.hand)}" + (f"  ({rest})" if rest else "")


def _figures(figures: Sequence[Figure]) -> str:
    return ", ".join(f"{figure.title.written()}: {figure.value.written()}" for figure in figures)


def _group(owner: str, group: Group) -> str:
    title = owner if group.title is None else f"{owner}, {group.title.written()}"
    return f"{title}: {_cards(group)}"


def _cards(group: Group) -> str:
    if group.cards and all(card == NO_CARD for card in group.cards):
        return f"{len(group.cards)} cards"
    return signs(group.cards) or "–"
