"""Taihe A Bao told to a person, the way the card column of a newspaper would tell it.

For each deal: the hands from the highest card down; the bidding; the play with a line for each round, in which whoever
is not named between two combinations has passed; then who went out, what it earned, and the totals.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import sign, signs
from ordago.games.shown import signed
from ordago.games.taihe.pack import high_to_low
from ordago.games.taihe.values import EventKind, TaiheEvent

_CARD_WIDTH: Final = 3
_BETWEEN_PLAYS: Final = " · "


class _Teller:
    """What has to be remembered between two events to tell the second."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._name_width = max(len(player) for player in players)
        self._totals = [0] * len(players)
        self._first_scored: int | None = None
        self._deal: int | None = None
        self._begin_deal()

    def _begin_deal(self) -> None:
        self._declarer: int | None = None
        self._bids = 0
        self._bids_of_round: list[str] = []
        self._exchanged = False
        self._rounds = 0
        self._plays_of_round: list[str] = []

    def tell(self, event: TaiheEvent) -> Iterator[str]:
        """Tell an event, as far as it completes a line."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                yield from self._deal_started(event)
            case EventKind.HAND_DEALT:
                yield self._hand(event)
            case EventKind.BIDDING_STARTED:
                yield ""
            case EventKind.DECLARER_FOUND:
                yield from self._declarer_found(event)
            case EventKind.PASSED_OUT:
                yield "  Everybody has passed twice."
            case EventKind.PLAYED:
                self._plays_of_round.append(f"{self._name(event)} {signs(high_to_low(event.cards))}")
            case EventKind.ROUND_ENDED:
                yield from self._end_round()
            case EventKind.DEAL_SCORED:
                yield from self._deal_scored(event)
            case _:
                yield from self._bid(event)

    def tell_rest(self) -> Iterator[str]:
        """Tell the round of bids or of play that was not finished, if there is one."""
        yield from self._end_round_of_bids()
        yield from self._end_round()

    def _name(self, event: TaiheEvent) -> str:
        return self._players[_seat(event.seat)]

    def _deal_started(self, event: TaiheEvent) -> Iterator[str]:
        if self._deal is not None:
            yield ""
        again = ", dealt anew" if event.deal == self._deal else ""
        yield f"Deal {event.deal + 1}{again}. {self._name(event)} takes the first card."
        yield ""
        self._deal = event.deal
        self._begin_deal()

    def _hand(self, event: TaiheEvent) -> str:
        hand = " ".join(f"{sign(card):>{_CARD_WIDTH}}" for card in high_to_low(event.cards)) or "(not shown)"
        return f"  {self._name(event):{self._name_width}}  {hand}"

    def _bid(self, event: TaiheEvent) -> Iterator[str]:
        if self._declarer is not None:
            return
        match event.kind:
            case EventKind.ASKED:
                self._exchanged = True
                giver = self._players[_seat(event.holder)]
                self._bids_of_round.append(f"{self._name(event)} asks for {sign(event.card)}, {giver} gives it")
                return
            case EventKind.GAVE_BACK:
                self._bids_of_round[-1] += f" and gets {sign(event.card) if event.card else 'a card'} back"
            case EventKind.DECLARED:
                self._bids_of_round.append(f"{self._name(event)} declares")
            case _:
                self._bids_of_round.append(f"{self._name(event)} passes")
        self._bids += 1
        if self._bids % len(self._players) == 0:
            yield from self._end_round_of_bids()

    def _end_round_of_bids(self) -> Iterator[str]:
        if self._bids_of_round:
            second = self._exchanged or self._bids > len(self._players)
            title = f"  {'Second' if second else 'First'} round: "
            # Exchanges are long: where there are any, each bid takes a line of its own.
            between = ";\n" + " " * len(title) if self._exchanged else "; "
            yield from f"{title}{between.join(self._bids_of_round)}.".split("\n")
        self._bids_of_round = []

    def _declarer_found(self, event: TaiheEvent) -> Iterator[str]:
        yield from self._end_round_of_bids()
        yield f"  {self._name(event)} is the declarer. The game value is {event.value}."
        yield ""
        self._declarer = event.seat

    def _end_round(self) -> Iterator[str]:
        if self._plays_of_round:
            self._rounds += 1
            yield f"  {self._rounds:2}  {_BETWEEN_PLAYS.join(self._plays_of_round)}"
        self._plays_of_round = []

    def _deal_scored(self, event: TaiheEvent) -> Iterator[str]:
        yield from self._end_round()
        if self._first_scored is None:
            self._first_scored = event.deal
        self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
        since = f" since deal {self._first_scored + 1}" if self._first_scored else ""
        yield ""
        yield f"  {self._verdict(event)}"
        yield f"  Totals{since}: {self._each(self._totals)}."

    def _verdict(self, event: TaiheEvent) -> str:
        if event.seat is None:
            return "The deal counts as played: nobody scores."
        declarer = event.scores.index(max(event.scores, key=abs))
        if event.seat == declarer:
            return f"{self._name(event)}, the declarer, goes out: {self._each(event.scores)}."
        return f"{self._name(event)} goes out and beats {self._players[declarer]}: {self._each(event.scores)}."

    def _each(self, figures: Iterable[int]) -> str:
        return ", ".join(f"{player} {signed(figure)}" for player, figure in zip(self._players, figures, strict=True))


def _seat(seat: int | None) -> int:
    if seat is None:
        raise ValueError("this event names a seat")
    return seat


class TaiheWords:
    """How Taihe A Bao reads to a person."""

    def tell(self, events: Iterable[TaiheEvent], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one that begins with a deal, line by line from its events in full."""
        teller = _Teller(players)
        for event in events:
            yield from teller.tell(event)
        yield from teller.tell_rest()


WORDS: Final = TaiheWords()
"""The words of Taihe A Bao."""
