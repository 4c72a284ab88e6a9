"""Mitigati shown to people: the bargains over growing hands, the discard, the declarations, and the tricks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago.cards import FOOL, holds
from ordago.games.mitigati.pack import BEATEN_BY, high_to_low
from ordago.games.mitigati.values import SEATS, EventKind, MitigatiEvent, MitigatiOptions
from ordago.games.mitigati.words import MitigatiWords, holding, statement
from ordago.games.shown import DEALT, Tricks, present, signed
from ordago.scene import (
    Figure,
    Group,
    Scene,
    SeatScene,
    Sentence,
    Telling,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)


class MitigatiStage:
    """A match of Mitigati as it is shown."""

    def __init__(self, players: Sequence[str], options: MitigatiOptions) -> None:
        """Begin before the first deal."""
        self._words = MitigatiWords(players)
        self._beaten_by = BEATEN_BY[options.is_piedmont]
        self._chips = [options.chips] * SEATS
        self._deal, self._turn = 0, -1
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._discard: tuple[int, ...] = ()
        self._bargains = 0
        self._statements: list[int] = []
        self._bargaining = False
        self._silence()
        self._trick = Tricks(SEATS)

    def _silence(self) -> None:
        self._said: list[Sentence | None] = [None] * SEATS

    def apply(self, event: MitigatiEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        return _APPLY[event.kind](self, event)

    def deal_started(self, event: MitigatiEvent) -> Telling:
        """Clear the table."""
        again = event.turn == self._turn
        self._deal, self._turn = event.deal, event.turn
        self._begin_deal(dealer=event.seat)
        return self._words.deals_again(event) if again else self._words.deals(event.seat, event.deal)

    def cards_dealt(self, event: MitigatiEvent) -> Telling:
        """Deal a seat its next cards."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.number)
        self._hands[seat] = tuple(high_to_low((*self._hands[seat], *cards)))
        self._bargaining = False
        return DEALT

    def spoken(self, event: MitigatiEvent) -> Telling:
        """Note a statement, or *play*."""
        begins = not self._bargaining
        if begins:
            self._bargaining = True
            self._bargains += 1
            self._statements = []
            self._silence()
        if event.amount is not None:
            self._statements.append(event.amount)
        seat = present(event.seat)
        self._said[seat] = said = statement(event.amount)
        return self._words.bargains(seat, said, number=self._bargains if begins else None)

    def bargain_failed(self, _event: MitigatiEvent) -> Telling:
        """Note that no agreement is possible any more."""
        return self._words.fails(sum(self._statements[-SEATS:]))

    def bargain_struck(self, event: MitigatiEvent) -> Telling:
        """End the deal by agreement."""
        self._move(event.scores)
        return self._words.struck(event, self._chips)

    def cards_discarded(self, event: MitigatiEvent) -> Telling:
        """Lay cards of the dealer away."""
        seat = present(event.seat)
        self._discard = event.cards or unseen(event.number)
        self._hands[seat] = without(self._hands[seat], self._discard)
        self._silence()
        return self._words.lays_away(seat, self._discard)

    def holding_declared(self, event: MitigatiEvent) -> Telling:
        """Note a declaration, and the cards that it shows."""
        self._move(event.scores)
        self._said[present(event.seat)] = holding(event)
        return self._words.declares(event)

    def card_played(self, event: MitigatiEvent) -> Telling:
        """Put a card on the table."""
        seat, card = present(event.seat), event.card
        self._hands[seat] = without(self._hands[seat], [card])
        self._trick.play(seat, card)
        if self._trick.size == 1:
            self._silence()
        if holds(self._beaten_by[card], self._trick.best):
            self._trick.best = card
        return (
            self._words.plays_fool(self._trick, seat) if card == FOOL else self._words.plays_to(self._trick, seat, card)
        )

    def trick_taken(self, event: MitigatiEvent) -> Telling:
        """Give the trick to the seat that took it."""
        seat = present(event.seat)
        self._trick.take(seat)
        return self._words.takes(self._trick, seat)

    def deal_scored(self, event: MitigatiEvent) -> Telling:
        """Count the points of a deal."""
        self._move(event.scores)
        return self._words.scored(event, self._chips)

    def _move(self, scores: Sequence[int]) -> None:
        self._chips = [chips + score for chips, score in zip(self._chips, scores, strict=True)]

    def scene(self) -> Scene:
        """Return the scene now."""
        deal = Figure(sentence("deal"), untranslated(self._deal + 1))
        return Scene(tuple(map(self._seat_scene, range(SEATS))), figures=(deal,))

    def _seat_scene(self, seat: int) -> SeatScene:
        discard = self._discard if seat == self._dealer else None
        lying = _Lying(self._hands[seat], self._trick.front(seat), discard)
        return _seat_scene(seat, lying, self._said[seat], self._chips[seat], self._trick.taken[seat])


class _Lying(NamedTuple):
    """The cards at a place."""

    hand: tuple[int, ...]
    front: Group
    discard: tuple[int, ...] | None
    """The dealer's discard; ``None`` for the other seats."""


@kept
def _seat_scene(seat: int, lying: _Lying, said: Sentence | None, chips: int, tricks: int) -> SeatScene:
    discard = Group(lying.discard or (), title=sentence("discard"), seen_by=1 << seat, spread=False)
    return SeatScene(
        hand=Group(lying.hand, seen_by=1 << seat),
        front=lying.front,
        piles=(discard,) if lying.discard else (),
        said=said,
        roles=(sentence("dealer"),) if lying.discard is not None else (),
        figures=(
            Figure(sentence("chips"), untranslated(signed(chips))),
            Figure(sentence("tricks"), untranslated(tricks)),
        ),
    )


_APPLY: Final = {
    EventKind.DEAL_STARTED: MitigatiStage.deal_started,
    EventKind.CARDS_DEALT: MitigatiStage.cards_dealt,
    EventKind.STATEMENT_MADE: MitigatiStage.spoken,
    EventKind.PLAY_SAID: MitigatiStage.spoken,
    EventKind.BARGAIN_FAILED: MitigatiStage.bargain_failed,
    EventKind.BARGAIN_STRUCK: MitigatiStage.bargain_struck,
    EventKind.CARDS_DISCARDED: MitigatiStage.cards_discarded,
    EventKind.HOLDING_DECLARED: MitigatiStage.holding_declared,
    EventKind.CARD_PLAYED: MitigatiStage.card_played,
    EventKind.TRICK_TAKEN: MitigatiStage.trick_taken,
    EventKind.DEAL_SCORED: MitigatiStage.deal_scored,
}
