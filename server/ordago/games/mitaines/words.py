"""Mitaines told to a person, the way the card column of a newspaper would tell it.

For each deal: the cards laid on the table; then for each hand who holds what, from the strongest rank down, and a table
of the cards played, a line for each round. In it ``›`` stands before the first card of the round and ``*`` after a card
that cleared the pile; a combination stands after the card that it was declared with, ``+`` before one that was added.
Beside the line stands who stole and who scored what for what. In the end the points of the deal and the totals.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import sign, signs
from ordago.games.mitaines.pack import RANK_OF, RANKS_LOW_TO_HIGH
from ordago.games.mitaines.state import side_count
from ordago.games.mitaines.values import Clear, EventKind, MitainesEvent

_DECLARED_WORDS: Final = ("", "mitten", "glove", "sock", "+glove", "+sock")
_ORDINALS: Final = ("First", "Second", "Third", "Fourth")
_CARD_WIDTH: Final = 3
_CELL_WIDTH: Final = 1 + _CARD_WIDTH + 1 + max(map(len, _DECLARED_WORDS))


class _Teller:
    """What has to be remembered between two events to tell the second."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._name_width = max(len(player) for player in players)
        self._column_width = max(self._name_width, _CELL_WIDTH)
        self._hands_told = 0
        self._begin_hands()

    def _begin_hands(self) -> None:
        self._rounds = 0
        self._clear_row()

    def _clear_row(self) -> None:
        self._cells: dict[int | None, str] = {}
        self._remarks: list[str] = []

    def tell(self, event: MitainesEvent) -> Iterator[str]:
        """Tell an event, as far as it completes a line."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                yield from self._deal_started(event)
            case EventKind.TABLE_LAID:
                yield f"  On the table: {signs(event.cards)}"
            case EventKind.HAND_DEALT:
                yield from self._hand_dealt(event)
            case EventKind.CARD_PLAYED:
                yield from self._card_played(event)
            case EventKind.DECLARATION_STOLEN:
                self._remarks.append(f"{self._name(event.seat)} steals from {self._name(event.robbed_seat)}.")
            case EventKind.PILE_CLEARED:
                self._pile_cleared(event)
            case EventKind.LAST_TEN:
                yield from self.tell_row()
                yield f"  The ten of diamonds is left for {self._name(event.seat)}, who cleared last: {event.points}."
            case EventKind.DEAL_SCORED:
                yield from self._deal_scored(event)

    def _name(self, seat: int | None) -> str:
        if seat is None:
            raise ValueError("an event of this kind names its seats")
        return self._players[seat]

    def _deal_started(self, event: MitainesEvent) -> Iterator[str]:
        self._hands_told = 0
        if event.deal:
            yield ""
        yield f"Deal {event.deal + 1}, dealt by {self._name(event.seat)}."
        yield ""

    def _hand_dealt(self, event: MitainesEvent) -> Iterator[str]:
        if event.seat == 0 or not self._hands_told:
            yield from self.tell_row()
            yield ""
            yield f"  {_ORDINALS[self._hands_told]} hand"
            self._hands_told += 1
            self._begin_hands()
        yield f"  {self._name(event.seat):{self._name_width}}  {_strongest_first(event.cards) or '(not shown)'}"

    def _card_played(self, event: MitainesEvent) -> Iterator[str]:
        if len(self._cells) == len(self._players):
            yield from self.tell_row()
        if not self._rounds and not self._cells:
            names = "  ".join(f"{player:{self._column_width}}" for player in self._players)
            yield ""
            yield f"      {names}".rstrip()
        first = " " if self._cells else "›"
        self._cells[event.seat] = f"{first}{sign(event.card):>{_CARD_WIDTH}} {_DECLARED_WORDS[event.combination]}"

    def _pile_cleared(self, event: MitainesEvent) -> None:
        if event.seat in self._cells:
            self._cells[event.seat] = self._cells[event.seat].rstrip() + "*"
        if event.points:
            self._remarks.append(f"{self._name(event.seat)} {event.points}: {', '.join(_parts(event))}.")

    def tell_row(self) -> Iterator[str]:
        """Tell the round on the table, if there is one."""
        if self._cells:
            self._rounds += 1
            cells = (f"{self._cells.get(seat, ''):{self._column_width}}" for seat in range(len(self._players)))
            yield f"  {self._rounds:2}  {'  '.join(cells)}  {' '.join(self._remarks)}".rstrip()
            self._clear_row()

    def _deal_scored(self, event: MitainesEvent) -> Iterator[str]:
        yield from self.tell_row()
        yield ""
        yield f"  Points: {self._each(event.scores)}."
        yield f"  Totals: {self._each(event.totals)}."

    def _each(self, points: Sequence[int]) -> str:
        """Name each side and its points."""
        sides = side_count(len(self._players))
        return ", ".join(f"{' and '.join(self._players[side::sides])} {points[side]}" for side in range(sides))


def _strongest_first(cards: Iterable[int]) -> str:
    return signs(sorted(cards, key=lambda card: (-RANKS_LOW_TO_HIGH.index(RANK_OF[card]), card)))


def _parts(event: MitainesEvent) -> Iterator[str]:
    """Name what the points of a clear consist of."""
    if event.declared_points:
        deed = "stolen" if event.clear is Clear.STEAL else "completed"
        yield f"{deed}{' and doubled' if event.doubled else ''} {event.declared_points}"
    if event.single_points:
        yield f"single card {event.single_points}"
    if event.laid_points:
        yield f"laid cards {event.laid_points}"
    if event.ten_points:
        yield f"ten of diamonds {event.ten_points}"


class MitainesWords:
    """How Mitaines reads to a person."""

    def tell(self, events: Iterable[MitainesEvent], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one that begins with a deal, line by line from its events in full."""
        teller = _Teller(players)
        for event in events:
            yield from teller.tell(event)
        yield from teller.tell_row()


WORDS: Final = MitainesWords()
"""The words of Mitaines."""
