"""The history of a deal in tricks, for games of three players."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from ordago_gym.fields import Field, Layout, Row

SEATS: Final = 3
_ORDERS: Final = tuple(tuple((leader + place) % SEATS for place in range(SEATS)) for leader in range(SEATS))
"""The seats in order of play, by the seat that leads."""

Marks: TypeAlias = tuple[int, int]
"""The number of completed tricks that were written, and the seat that leads next, counted from the one that sees."""


def trick_fields(*, cards: int, tricks: int) -> tuple[Field, ...]:
    """Declare the tricks of a deal, for a pack of so many cards."""
    return (
        Field("played_by", (SEATS, cards), "The cards that each seat has played in this deal, this trick included."),
        Field("played_at", (cards,), f"The place of each card in the order of play, from 1, divided by {cards}."),
        Field("trick", (SEATS - 1, cards), "The cards of the trick on the table, in the order of play."),
        Field("takers", (tricks, SEATS), "The seat that took each completed trick."),
        Field("won_by", (SEATS, cards), "The cards of the tricks that each seat has taken in this deal."),
    )


class TrickHistory:
    """Writes these fields: completed tricks once, the trick on the table at each decision."""

    def __init__(self, layout: Layout, *, cards: int) -> None:
        """Take the layout in which they are, and the number of cards of the pack."""
        by = layout.at["played_by"]
        self._rows: Final = [tuple([by + cards * seat for seat in order]) for order in _ORDERS]
        """The place of each seat's first card, in order of play, by the seat that leads."""
        self._at: Final = layout.at["played_at"]
        self._trick: Final = layout.at["trick"]
        self._takers: Final = layout.at["takers"]
        self._won: Final = layout.at["won_by"]
        self._cards: Final = cards
        self._times: Final = [(place + 1) / cards for place in range(cards)]

    def remember(self, row: Row, view: Any, places: Sequence[int], marks: Marks | None) -> Marks:  # noqa: ANN401 - of either game
        """Write the tricks completed since the marks, given the place of each card; return the marks up to now."""
        takers, own = view.takers, view.seat
        done, leads = marks or (0, (view.dealer + 1 - own) % SEATS)
        if done == len(takers):
            return done, leads
        at, times, played = self._at, self._times, view.played
        for trick in range(done, len(takers)):
            number, rows = SEATS * trick, self._rows[leads]
            leads = (takers[trick] - own) % SEATS
            row[self._takers + number + leads] = 1.0
            won = self._won + self._cards * leads
            for start, card in zip(rows, played[number : number + SEATS], strict=True):
                place = places[card]
                row[start + place] = row[won + place] = 1.0
                row[at + place] = times[number]
                number += 1
        return len(takers), leads

    def observe(self, row: Row, view: Any, places: Sequence[int]) -> None:  # noqa: ANN401 - of either game
        """Write the trick on the table."""
        number, trick = len(view.played), self._trick
        for start, card in zip(self._rows[(view.leader - view.seat) % SEATS], view.trick, strict=False):
            place = places[card]
            row[start + place] = row[trick + place] = 1.0
            row[self._at + place] = self._times[number]
            number, trick = number + 1, trick + self._cards
