"""Taihe A Bao shown to a person: the bidding with its exchanges, and what each seat plays in a round."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, sign, signs
from ordago.game import LegalAction, Pick
from ordago.games.shown import present, signed
from ordago.games.taihe.pack import high_to_low, pack_of
from ordago.games.taihe.values import ActionKind, EventKind, TaiheAction, TaiheEvent, TaiheOptions
from ordago.scene import (
    Figure,
    Group,
    Mark,
    Offer,
    Scene,
    SeatScene,
    Section,
    Sentence,
    Telling,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)

_PASS: Final = sentence("Pass")
_DECLARE: Final = sentence("Declare")


class TaiheStage:
    """A match of Taihe A Bao as it is shown."""

    def __init__(self, players: Sequence[str], options: TaiheOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._seats = len(players)
        self._deals = options.deals
        self._deal = 0
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
        self._deal = event.deal
        self._begin_deal(taker=present(event.seat))
        mark = Mark(Section.DEAL, sentence("Deal {number}", number=event.deal + 1))
        return Telling(sentence("{player} takes the first card.", player=self._name(event)), event.seat, mark)

    def hand_dealt(self, event: TaiheEvent) -> Telling:
        """Give a seat its hand."""
        seat = present(event.seat)
        # They take the cards one by one, from the taker on, until there are none.
        place = (seat - self._taker) % self._seats
        number = len(pack_of(self._seats)[place :: self._seats])
        self._hands[seat] = tuple(high_to_low(event.cards)) or unseen(number)
        return Telling()

    def bidding_started(self, event: TaiheEvent) -> Telling:
        """Open the bidding."""
        mark = Mark(Section.PART, sentence("Bidding"))
        return Telling(sentence("{player} bids first.", player=self._name(event)), event.seat, mark)

    def passed(self, event: TaiheEvent) -> Telling:
        """Hear a pass."""
        self._said[present(event.seat)] = _PASS
        return Telling(sentence("{player} passes.", player=self._name(event)), event.seat)

    def declared(self, event: TaiheEvent) -> Telling:
        """Hear a declaration."""
        self._said[present(event.seat)] = _DECLARE
        return Telling(sentence("{player} declares.", player=self._name(event)), event.seat)

    def asked(self, event: TaiheEvent) -> Telling:
        """Move the card that was asked for."""
        self._received = event.card
        self._move(event.card, giver=present(event.holder), to=present(event.seat))
        self._said[present(event.seat)] = sentence("{card}?", card=sign(event.card))
        told = sentence(
            "{player} asks for {card} and gets it from {holder}.",
            player=self._name(event),
            card=sign(event.card),
            holder=self._players[present(event.holder)],
        )
        return Telling(told, event.seat)

    def gave_back(self, event: TaiheEvent) -> Telling:
        """Move the card that was given back."""
        giver = present(event.seat)
        if event.card == NO_CARD:
            # It may be any but the one just received, so one that was seen to come into this hand may be gone now.
            self._hands[giver] = _held([card if card == self._received else NO_CARD for card in self._hands[giver]])
        self._move(event.card, giver=giver, to=present(event.holder))
        names = {"player": self._name(event), "holder": self._players[present(event.holder)]}
        if event.card == NO_CARD:
            return Telling(sentence("{player} gives {holder} a card back.", **names), event.seat)
        told = sentence("{player} gives {card} back to {holder}.", **names, card=sign(event.card))
        return Telling(told, event.seat)

    def _move(self, card: int, *, giver: int, to: int) -> None:
        self._hands[giver] = without(self._hands[giver], [card])
        self._hands[to] = _held((*self._hands[to], card))

    def declarer_found(self, event: TaiheEvent) -> Telling:
        """Note who plays against the others, and for how much."""
        self._declarer, self._value = event.seat, event.value
        words = "{player} is the declarer; the game value is {value}."
        return Telling(sentence(words, player=self._name(event), value=event.value), event.seat)

    def passed_out(self, _event: TaiheEvent) -> Telling:
        """Hear that the cards are dealt anew."""
        return Telling(sentence("Everybody has passed twice."))

    def played(self, event: TaiheEvent) -> Telling:
        """Put a combination on the table."""
        seat, mark = present(event.seat), None
        if self._round_over:
            self._begin_round()
            self._rounds += 1
            mark = Mark(Section.PART, sentence("Round {number}", number=self._rounds))
        cards = tuple(high_to_low(event.cards))
        self._hands[seat] = without(self._hands[seat], cards)
        self._fronts[seat], self._to_beat, self._said[seat] = cards, seat, None
        return Telling(sentence("{player} plays {cards}.", player=self._name(event), cards=signs(cards)), seat, mark)

    def round_ended(self, event: TaiheEvent) -> Telling:
        """Hear who leads anew."""
        self._round_over = True
        return Telling(sentence("All others pass: {player} leads anew.", player=self._name(event)), event.seat)

    def deal_scored(self, event: TaiheEvent) -> Telling:
        """Count a deal."""
        self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
        if event.seat is None:
            return Telling(sentence("The deal counts as played: nobody scores."))
        words = "{player} goes out: {scores}."
        return Telling(sentence(words, player=self._name(event), scores=self._each(event.scores)), event.seat)

    def _each(self, figures: Sequence[int]) -> str:
        return ", ".join(f"{player} {signed(figure)}" for player, figure in zip(self._players, figures, strict=True))

    def _name(self, event: TaiheEvent) -> str:
        return self._players[present(event.seat)]

    def scene(self) -> Scene:
        """Return what lies on the table now."""
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
    """Return a hand as a player holds it, the cards that are not seen last."""
    seen = high_to_low(card for card in cards if card != NO_CARD)
    return (*seen, *unseen(len(cards) - len(seen)))


def _ranks(pick: Pick) -> str:
    """Write the ranks of the cards that are to be picked, for instance ``K K``."""
    return " ".join([sign(pick.cards[0])[:-1]] * pick.min)


class TaiheStaging:
    """How Taihe A Bao is shown."""

    faces = "french"
    """40 cards of a pack with French suits."""

    def begin(self, *, players: Sequence[str], options: TaiheOptions) -> TaiheStage:
        """Return the stage of a match before its first event."""
        return TaiheStage(players, options)

    def offer(self, legal: LegalAction[TaiheAction]) -> Offer:
        """Return how a legal action is offered to a person."""
        action = legal.action
        match action.kind:
            case ActionKind.PASS:
                return Offer(_PASS)
            case ActionKind.DECLARE:
                return Offer(_DECLARE)
            case ActionKind.ASK:
                return Offer(sentence("Ask for…"))
            case ActionKind.GIVE_BACK:
                return Offer(sentence("Give back…"))
            case ActionKind.PLAY if action.cards:
                cards = high_to_low(action.cards)
                return Offer(sentence("Play {cards}", cards=signs(cards)), tuple(cards))
            case ActionKind.PLAY:
                return Offer(sentence("Play {ranks}…", ranks=" ".join(map(_ranks, legal.picks))))


STAGING: Final = TaiheStaging()
"""How Taihe A Bao is shown."""
