"""Mitigati told to a person, the way the card column of a newspaper would tell it.

For each deal: the hands before each bargain, and the statements with a column for each player; then the complete hands,
what the dealer laid away and what was declared; then the tricks, again with a column for each player; then the points
and the chips. ``›`` stands before the statement or card that began a row, ``*`` after the card that took the trick.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import FOOL, sign
from ordago.games.mitigati.phrases import cards_phrase, hand_phrase, holding_phrase, statement_phrase
from ordago.games.mitigati.values import SEATS, EventKind, MitigatiEvent
from ordago.games.shown import signed

_CARD_WIDTH: Final = len("›XVIII*")
_STATEMENT_WIDTH: Final = len("›receive 99")


class _Row:
    """A row of a table with a column for each player, filled in from the player who begins it."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.taker: int | None = None
        self.remark = ""
        self._cells = [""] * SEATS

    def put(self, seat: int, text: str) -> None:
        """Fill in a cell."""
        if self.first is None:
            self.first = seat
        self._cells[seat] = text

    def has(self, seat: int) -> bool:
        """Say whether a cell is filled in."""
        return bool(self._cells[seat])

    def written(self, head: str, *, width: int) -> str:
        """Write the row after its head, the columns this wide."""
        return (
            f"  {head:>2}  {'  '.join(f'{self._cell(seat):{width}}' for seat in range(SEATS))}  {self.remark}".rstrip()
        )

    def _cell(self, seat: int) -> str:
        begins = "›" if seat == self.first else " "
        takes = "*" if seat == self.taker else ""
        return f"{begins}{self._cells[seat]}{takes}"


class _Teller:
    """What has to be remembered between two events to tell the second."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._name_width = max(len(player) for player in players)
        self._chips = [0] * SEATS
        self._first_deal: int | None = None
        self._begin_deal()

    def _begin_deal(self) -> None:
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._held = [0] * SEATS
        self._seats_dealt = 0
        self._tricks = 0
        self._statements = _Row()
        self._trick = _Row()

    def tell(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell an event, as far as it completes a line."""
        yield from _TELL[event.kind](self, event)

    def tell_rest(self) -> Iterator[str]:
        """Tell the round of statements or the trick that is under way, if there is one."""
        if self._statements.first is not None:
            yield from self._end_round()
        if self._trick.first is not None:
            yield self._trick_row()

    def deal_started(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell who deals."""
        self._begin_deal()
        if self._first_deal is None:
            self._first_deal = event.deal
        else:
            yield ""
        yield f"Deal {event.deal + 1}, turn {event.turn + 1}, dealt by {self._name(event)}."

    def cards_dealt(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell all hands once each seat has its cards."""
        seat = _seat(event)
        self._hands[seat] += event.cards
        self._held[seat] += event.number
        self._seats_dealt += 1
        if self._seats_dealt % SEATS == 0:
            yield ""
            yield f"  {min(self._held)} cards each{self._and_the_dealer()}:"
            for player, cards in zip(self._players, self._hands, strict=True):
                yield f"  {player:{self._name_width}}  {hand_phrase(cards) or '(not shown)'}"

    def _and_the_dealer(self) -> str:
        most = max(self._held)
        return f", {self._players[self._held.index(most)]} {most}" if most > min(self._held) else ""

    def statement_made(self, event: MitigatiEvent) -> Iterator[str]:
        """Note a statement; tell the round before it, if it begins another."""
        yield from self._speak(_seat(event), statement_phrase(event.amount or 0))

    def play_said(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell the round in which somebody said play."""
        yield from self._speak(_seat(event), "play")
        yield from self._end_round()

    def _speak(self, seat: int, text: str) -> Iterator[str]:
        if self._statements.has(seat):
            yield from self._end_round()
        elif self._statements.first is None:
            yield from self._heading(self._statement_width)
        self._statements.put(seat, text)

    def _end_round(self) -> Iterator[str]:
        yield self._statements.written("", width=self._statement_width)
        self._statements = _Row()

    @property
    def _statement_width(self) -> int:
        return max(self._name_width + 1, _STATEMENT_WIDTH)

    def bargain_failed(self, _event: MitigatiEvent) -> Iterator[str]:
        """Tell the round after which no agreement could come."""
        self._statements.remark = "Below zero: no agreement can come."
        yield from self._end_round()

    def bargain_struck(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell the round in which the bargain was struck, and the chips."""
        self._statements.remark = "Struck."
        yield from self._end_round()
        yield ""
        yield f"  The deal is over without play: {self._move(event.scores)}."
        yield self._chips_line()

    def cards_discarded(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell what the dealer laid away."""
        cards = cards_phrase(event.cards) or f"{event.number} cards"
        yield ""
        yield f"  {self._name(event)} lays away {cards}."

    def holding_declared(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell a declaration and what was paid for it."""
        yield f"  {self._name(event)} declares {holding_phrase(event)}: {self._move(event.scores)}."

    def card_played(self, event: MitigatiEvent) -> Iterator[str]:
        """Note a card played."""
        if not self._tricks and self._trick.first is None:
            yield from self._heading(self._card_width)
        if event.card == FOOL:
            self._trick.remark = f"{self._name(event)} keeps the Fool."
        self._trick.put(_seat(event), sign(event.card))

    def trick_taken(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell the trick."""
        self._trick.taker = _seat(event)
        yield self._trick_row()
        self._tricks += 1
        self._trick = _Row()

    def _trick_row(self) -> str:
        return self._trick.written(str(self._tricks + 1), width=self._card_width)

    @property
    def _card_width(self) -> int:
        return max(self._name_width + 1, _CARD_WIDTH)

    def _heading(self, width: int) -> Iterator[str]:
        yield ""
        yield f"      {'  '.join(f' {player:{width - 1}}' for player in self._players)}".rstrip()

    def deal_scored(self, event: MitigatiEvent) -> Iterator[str]:
        """Tell the points of a deal and the chips."""
        yield ""
        yield f"  Points: {self._each(map(str, event.points))}."
        yield f"  From the middle: {self._move(event.scores)}."
        yield self._chips_line()

    def _move(self, scores: Sequence[int]) -> str:
        self._chips = [chips + score for chips, score in zip(self._chips, scores, strict=True)]
        return self._each(map(signed, scores))

    def _chips_line(self) -> str:
        since = f" since deal {self._first_deal + 1}" if self._first_deal else ""
        return f"  Chips{since}: {self._each(map(signed, self._chips))}."

    def _each(self, figures: Iterable[str]) -> str:
        return ", ".join(f"{player} {figure}" for player, figure in zip(self._players, figures, strict=True))

    def _name(self, event: MitigatiEvent) -> str:
        return self._players[_seat(event)]


_TELL: Final = {
    EventKind.DEAL_STARTED: _Teller.deal_started,
    EventKind.CARDS_DEALT: _Teller.cards_dealt,
    EventKind.STATEMENT_MADE: _Teller.statement_made,
    EventKind.PLAY_SAID: _Teller.play_said,
    EventKind.BARGAIN_FAILED: _Teller.bargain_failed,
    EventKind.BARGAIN_STRUCK: _Teller.bargain_struck,
    EventKind.CARDS_DISCARDED: _Teller.cards_discarded,
    EventKind.HOLDING_DECLARED: _Teller.holding_declared,
    EventKind.CARD_PLAYED: _Teller.card_played,
    EventKind.TRICK_TAKEN: _Teller.trick_taken,
    EventKind.DEAL_SCORED: _Teller.deal_scored,
}


def _seat(event: MitigatiEvent) -> int:
    if event.seat is None:
        raise ValueError(f"an event of kind {event.kind.name} names a seat")
    return event.seat


class MitigatiWords:
    """How Mitigati reads to a person."""

    def tell(self, events: Iterable[MitigatiEvent], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one that begins with a deal, line by line from its events in full."""
        teller = _Teller(players)
        for event in events:
            yield from teller.tell(event)
        yield from teller.tell_rest()


WORDS: Final = MitigatiWords()
"""The words of Mitigati."""
