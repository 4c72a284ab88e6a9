"""Mittlere Jass told to a person, the way the card column of a newspaper would tell it.

For each deal: the hands, suit by suit; a table of the tricks with a column for each player, where ``›`` stands before
the card that was led and ``*`` after the card that took the trick; then the points, what they earned, and the totals.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import FRENCH_SUITS, NO_CARD, french_suit, sign
from ordago.games.mittlere.following import SUIT_WORDS
from ordago.games.mittlere.pack import NO_TRUMP, SUIT_OF, high_to_low
from ordago.games.mittlere.values import SEATS, EventKind, MittlereEvent, ScoringRule
from ordago.games.shown import signed

_SUIT_SIGNS: Final = "♣♦♥♠"
_CARD_WIDTH: Final = 3
_MARKS_WIDTH: Final = 2
_REASONS: Final = {
    ScoringRule.ALL_TRICKS: "took every trick",
    ScoringRule.NO_TRICK: "took no trick",
    ScoringRule.HUNDRED: "reached a hundred",
    ScoringRule.MIDDLE: "is in the middle",
}


class _Teller:
    """What has to be remembered between two events to tell the second."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._name_width = max(len(player) for player in players)
        self._column_width = max(self._name_width, _CARD_WIDTH + _MARKS_WIDTH)
        self._totals = [0] * SEATS
        self._first_deal: int | None = None
        self._begin_deal()

    def _begin_deal(self) -> None:
        self._tricks = [0] * SEATS
        self._trump = NO_TRUMP
        self._clear_table()

    def _clear_table(self) -> None:
        self._leader: int | None = None
        self._trick = [NO_CARD] * SEATS
        self._remark = ""

    def tell(self, event: MittlereEvent) -> Iterator[str]:
        """Tell an event, as far as it completes a line."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                yield from self._deal_started(event)
            case EventKind.HAND_DEALT:
                yield self._hand(event)
            case EventKind.CARD_PLAYED:
                yield from self._card_played(event)
            case EventKind.TRUMP_SET:
                self._trump_set(event)
            case EventKind.TRICK_TAKEN:
                yield self._trick_taken(event)
            case EventKind.DEAL_SCORED:
                yield from self._deal_scored(event)

    def tell_rest(self) -> Iterator[str]:
        """Tell the trick on the table, if there is one."""
        if self._leader is not None:
            yield self._row(taker=None)

    def _name(self, event: MittlereEvent) -> str:
        return self._players[_seat(event)]

    def _deal_started(self, event: MittlereEvent) -> Iterator[str]:
        self._begin_deal()
        if event.deal:
            yield ""
        yield f"Deal {event.deal + 1}, dealt by {self._name(event)}."
        yield ""

    def _hand(self, event: MittlereEvent) -> str:
        hand = "   ".join(_suits(event.cards)) or "(not shown)"
        return f"  {self._name(event):{self._name_width}}  {hand}"

    def _card_played(self, event: MittlereEvent) -> Iterator[str]:
        seat = _seat(event)
        if not any(self._tricks) and self._leader is None:
            yield from self._heading()
        if self._leader is None:
            self._leader = seat
        self._trick[seat] = event.card

    def _heading(self) -> Iterator[str]:
        names = "  ".join(f"{player:{self._column_width}}" for player in self._players)
        yield ""
        yield f"      {names}".rstrip()

    def _trump_set(self, event: MittlereEvent) -> None:
        self._trump = SUIT_OF[event.card]
        self._remark = f"{self._name(event)} makes {SUIT_WORDS[self._trump]} trump."

    def _trick_taken(self, event: MittlereEvent) -> str:
        taker = _seat(event)
        row = self._row(taker=taker)
        self._tricks[taker] += 1
        self._clear_table()
        return row

    def _row(self, *, taker: int | None) -> str:
        cells = "  ".join(f"{self._cell(seat, taker=taker):{self._column_width}}" for seat in range(SEATS))
        return f"  {sum(self._tricks) + 1:2}  {cells}  {self._remark}".rstrip()

    def _cell(self, seat: int, *, taker: int | None) -> str:
        card = sign(self._trick[seat]) if self._trick[seat] != NO_CARD else ""
        led = "›" if seat == self._leader else " "
        took = "*" if seat == taker else " "
        return f"{led}{card:>{_CARD_WIDTH}}{took}"

    def _deal_scored(self, event: MittlereEvent) -> Iterator[str]:
        if self._first_deal is None:
            self._first_deal = event.deal
        self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
        since = f" since deal {self._first_deal + 1}" if self._first_deal else ""
        yield ""
        if self._trump == NO_TRUMP:
            yield "  No trump was ever set: each eight counts 8."
        yield f"  Points: {self._each(str(points) for points in event.points)}."
        yield f"  {self._verdict(event)}."
        yield f"  Totals{since}: {self._each(map(signed, self._totals))}."

    def _verdict(self, event: MittlereEvent) -> str:
        if event.rule is None or event.rule is ScoringRule.EQUAL:
            return "Two are equal and nobody is in the middle: nobody scores"
        apart = max(range(SEATS), key=lambda seat: abs(event.scores[seat]))
        return f"{self._players[apart]} {_REASONS[event.rule]}: {self._each(map(signed, event.scores))}"

    def _each(self, figures: Iterable[str]) -> str:
        return ", ".join(f"{player} {figure}" for player, figure in zip(self._players, figures, strict=True))


def _seat(event: MittlereEvent) -> int:
    if event.seat is None:
        raise ValueError(f"an event of kind {event.kind.name} names a seat")
    return event.seat


def _suits(cards: Sequence[int]) -> Iterator[str]:
    for suit in FRENCH_SUITS:
        ranks = [sign(card)[:-1] for card in high_to_low(cards) if french_suit(card) == suit]
        if ranks:
            yield f"{_SUIT_SIGNS[suit]} {' '.join(ranks)}"


class MittlereWords:
    """How Mittlere Jass reads to a person."""

    def tell(self, events: Iterable[MittlereEvent], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one that begins with a deal, line by line from its events in full."""
        teller = _Teller(players)
        for event in events:
            yield from teller.tell(event)
        yield from teller.tell_rest()


WORDS: Final = MittlereWords()
"""The words of Mittlere Jass."""
