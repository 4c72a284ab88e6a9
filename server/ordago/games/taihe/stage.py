"""Taihe A Bao shown to people: the bidding with its exchanges, and the combinations of each round."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, sign
from ordago.games.shown import DEALT, present, signed
from ordago.games.taihe.pack import high_to_low, pack_of
from ordago.games.taihe.values import EventKind, TaiheEvent, TaiheOptions
from ordago.games.taihe.words import DECLARE, PASS, TaiheWords
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


class TaiheStage:
    """A match of Taihe A Bao as it is shown."""

    def __init__(self, players: Sequence[str], options: TaiheOptions) -> None:
        """Begin before the first deal."""
        self._words = TaiheWords(players)
        self._seats = len(players)
        self._deals = options.deals
        self._deal = 0
        self._passed_out = False
        self._totals = [0] * self._seats
        self._begin_deal(taker=0)

    def _begin_deal(self, *, taker: int) -> None:
        self._taker = taker
        self._hands: list[tuple[int, ...]] = [()] * self._seats
        self._declarer: int | None = None
        self._value = 0
        self._rounds = 0
        self._received = NO_CARD
        self._begin_round()
        self._round_over = True

    def _begin_round(self) -> None:
        self._round_over = False
        self._fronts: list[tuple[int, ...]] = [()] * self._seats
        self._to_beat: int | None = None
        self._said: list[Sentence | None] = [None] * self._seats

    def apply(self, event: TaiheEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        return _APPLY[event.kind](self, event)

    def deal_started(self, event: TaiheEvent) -> Telling:
        """Clear the table."""
        anew = self._passed_out and event.deal == self._deal
        self._deal, self._passed_out = event.deal, False
        self._begin_deal(taker=present(event.seat))
        return self._words.takes_first(event, anew=anew)

    def hand_dealt(self, event: TaiheEvent) -> Telling:
        """Deal a seat its hand."""
        seat = present(event.seat)
        # They take the cards one by one, from the taker on, until there are none.
        place = (seat - self._taker) % self._seats
        number = len(pack_of(self._seats)[place :: self._seats])
        self._hands[seat] = tuple(high_to_low(event.cards)) or unseen(number)
        return DEALT

    def bidding_started(self, event: TaiheEvent) -> Telling:
        """Open the bidding."""
        return self._words.bids_first(event)

    def passed(self, event: TaiheEvent) -> Telling:
        """Note a pass."""
        self._said[present(event.seat)] = PASS
        return self._words.passes(present(event.seat))

    def declared(self, event: TaiheEvent) -> Telling:
        """Note a declaration."""
        self._said[present(event.seat)] = DECLARE
        return self._words.declares(event)

    def asked(self, event: TaiheEvent) -> Telling:
        """Move the card that was asked for."""
        self._received = event.card
        self._move(event.card, giver=present(event.holder), to=present(event.seat))
        self._said[present(event.seat)] = sentence("{card}?", card=sign(event.card))
        return self._words.asks(event)

    def gave_back(self, event: TaiheEvent) -> Telling:
        """Move the card that was given back."""
        giver = present(event.seat)
        if event.card == NO_CARD:
            # It may be any but the one just received, so one that was seen to come into this hand may be gone now.
            self._hands[giver] = _held([card if card == self._received else NO_CARD for card in self._hands[giver]])
        self._move(event.card, giver=giver, to=present(event.holder))
        return self._words.gives_back(event)

    def _move(self, card: int, *, giver: int, to: int) -> None:
        self._hands[giver] = without(self._hands[giver], [card])
        self._hands[to] = _held((*self._hands[to], card))

    def declarer_found(self, event: TaiheEvent) -> Telling:
        """Note the declarer, and the game value."""
        self._declarer, self._value = event.seat, event.value
        return self._words.plays_alone(event)

    def passed_out(self, _event: TaiheEvent) -> Telling:
        """Note that the cards are dealt again."""
        self._passed_out = True
        return self._words.passed_out()

    def played(self, event: TaiheEvent) -> Telling:
        """Put a combination on the table."""
        seat, cards = present(event.seat), tuple(high_to_low(event.cards))
        leads = self._round_over
        if leads:
            self._begin_round()
            self._rounds += 1
        self._hands[seat] = without(self._hands[seat], cards)
        self._fronts[seat], self._to_beat, self._said[seat] = cards, seat, None
        if leads:
            return self._words.leads(seat, cards, sentence("Round {number}", number=self._rounds))
        return self._words.plays(seat, cards)

    def round_ended(self, event: TaiheEvent) -> Telling:
        """Note the next leader."""
        self._round_over = True
        seat = present(event.seat)
        return self._words.wins_round(seat, self._fronts[seat])

    def deal_scored(self, event: TaiheEvent) -> Telling:
        """Count a deal."""
        self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
        return self._words.scored(event, self._totals)

    def scene(self) -> Scene:
        """Return the scene now."""
        figures = _figures(self._deal, self._deals, self._value)
        return Scene(tuple(map(self._seat_scene, range(self._seats))), figures=figures)

    def _seat_scene(self, seat: int) -> SeatScene:
        front = self._fronts[seat]
        shown = Group(front, marked=front if seat == self._to_beat else ())
        return _seat_scene(seat, self._hands[seat], shown, self._said[seat], self._declarer, self._totals[seat])


@kept
def _figures(deal: int, deals: int, value: int) -> tuple[Figure, ...]:
    return (
        Figure(sentence("deal"), sentence("{number} of {all}", number=deal + 1, all=deals)),
        Figure(sentence("game value"), untranslated(value or "–")),
    )


@kept
def _seat_scene(
    seat: int, hand: tuple[int, ...], front: Group, said: Sentence | None, declarer: int | None, total: int
) -> SeatScene:
    return SeatScene(
        hand=Group(hand, seen_by=1 << seat),
        front=front,
        said=said,
        roles=(sentence("declarer"),) if seat == declarer else (),
        figures=(
            Figure(sentence("score"), untranslated(signed(total))),
            Figure(sentence("cards"), untranslated(len(hand))),
        ),
    )


_APPLY: Final = {
    EventKind.DEAL_STARTED: TaiheStage.deal_started,
    EventKind.HAND_DEALT: TaiheStage.hand_dealt,
    EventKind.BIDDING_STARTED: TaiheStage.bidding_started,
    EventKind.PASSED: TaiheStage.passed,
    EventKind.DECLARED: TaiheStage.declared,
    EventKind.ASKED: TaiheStage.asked,
    EventKind.GAVE_BACK: TaiheStage.gave_back,
    EventKind.DECLARER_FOUND: TaiheStage.declarer_found,
    EventKind.PASSED_OUT: TaiheStage.passed_out,
    EventKind.PLAYED: TaiheStage.played,
    EventKind.ROUND_ENDED: TaiheStage.round_ended,
    EventKind.DEAL_SCORED: TaiheStage.deal_scored,
}


def _held(cards: Sequence[int]) -> tuple[int, ...]:
    """Return a hand as a player holds it, with unseen cards last."""
    seen = high_to_low(card for card in cards if card != NO_CARD)
    return (*seen, *unseen(len(cards) - len(seen)))
