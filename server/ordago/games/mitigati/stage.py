"""Mitigati shown to a person: the bargains over growing hands, what was laid away and declared, and the tricks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago.cards import holds, sign
from ordago.game import LegalAction
from ordago.games.mitigati.pack import BEATEN_BY, high_to_low
from ordago.games.mitigati.phrases import holding_phrase
from ordago.games.mitigati.values import (
    SEATS,
    ActionKind,
    EventKind,
    MitigatiAction,
    MitigatiEvent,
    MitigatiOptions,
)
from ordago.games.shown import TrickShown, present, signed
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
    cards_words,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)

_PLAY: Final = sentence("Play")


class MitigatiStage:
    """A match of Mitigati as it is shown."""

    def __init__(self, players: Sequence[str], options: MitigatiOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._beaten_by = BEATEN_BY[options.round_suits]
        self._chips = [0] * SEATS
        self._deal = 0
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._discard: tuple[int, ...] = ()
        self._tricks = [0] * SEATS
        self._bargains = 0
        self._bargaining = False
        self._trick_over = True
        self._silence()
        self._trick = TrickShown(SEATS)

    def _silence(self) -> None:
        self._said: list[Sentence | None] = [None] * SEATS

    def apply(self, event: MitigatiEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        return _APPLY[event.kind](self, event)

    def deal_started(self, event: MitigatiEvent) -> Telling:
        """Clear the table."""
        self._deal = event.deal
        self._begin_deal(dealer=event.seat)
        mark = Mark(Section.DEAL, sentence("Deal {number}", number=event.deal + 1))
        return Telling(sentence("{player} deals.", player=self._name(event)), event.seat, mark)

    def cards_dealt(self, event: MitigatiEvent) -> Telling:
        """Give a seat its next cards."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.number)
        self._hands[seat] = tuple(high_to_low((*self._hands[seat], *cards)))
        self._bargaining = False
        return Telling()

    def statement_made(self, event: MitigatiEvent) -> Telling:
        """Hear a statement."""
        said = _stated(event.amount or 0)
        return self._speak(
            event, said, sentence("{player} says: {statement}.", player=self._name(event), statement=said)
        )

    def play_said(self, event: MitigatiEvent) -> Telling:
        """Hear that the deal goes on."""
        return self._speak(event, _PLAY, sentence("{player} says play.", player=self._name(event)))

    def _speak(self, event: MitigatiEvent, said: Sentence, told: Sentence) -> Telling:
        mark = None
        if not self._bargaining:
            self._bargaining = True
            self._bargains += 1
            self._silence()
            mark = Mark(Section.PART, sentence("Bargain {number}", number=self._bargains))
        self._said[present(event.seat)] = said
        return Telling(told, event.seat, mark)

    def bargain_failed(self, _event: MitigatiEvent) -> Telling:
        """Hear that no agreement can come."""
        return Telling(sentence("They ask for less than nothing together: no agreement can come."))

    def bargain_struck(self, event: MitigatiEvent) -> Telling:
        """End the deal by agreement."""
        self._move(event.scores)
        return Telling(sentence("The bargain is struck: {scores}.", scores=self._each(event.scores)))

    def cards_discarded(self, event: MitigatiEvent) -> Telling:
        """Lay cards of the dealer away."""
        seat = present(event.seat)
        self._discard = event.cards or unseen(event.number)
        self._hands[seat] = without(self._hands[seat], self._discard)
        self._silence()
        told = sentence("{player} lays away {cards}.", player=self._name(event), cards=cards_words(self._discard))
        return Telling(told, seat, Mark(Section.PART, sentence("Discard")))

    def holding_declared(self, event: MitigatiEvent) -> Telling:
        """Hear a declaration, and see what is shown of it."""
        seat = present(event.seat)
        self._move(event.scores)
        # The holdings have no other name in any language.
        self._said[seat] = held = untranslated(holding_phrase(event))
        scores = self._each(event.scores)
        told = sentence("{player} declares {holding}: {scores}.", player=self._name(event), holding=held, scores=scores)
        return Telling(told, seat)

    def card_played(self, event: MitigatiEvent) -> Telling:
        """Put a card on the table."""
        seat, mark = present(event.seat), None
        if self._trick_over:
            self._trick_over = False
            self._silence()
            self._trick = TrickShown(SEATS)
            mark = Mark(Section.PART, sentence("Trick {number}", number=sum(self._tricks) + 1))
        self._hands[seat] = without(self._hands[seat], [event.card])
        self._trick.play(seat, event.card)
        if holds(self._beaten_by[event.card], self._trick.best):
            self._trick.best = event.card
        told = sentence("{player} plays {card}.", player=self._name(event), card=sign(event.card))
        return Telling(told, seat, mark)

    def trick_taken(self, event: MitigatiEvent) -> Telling:
        """Give the trick to whoever took it."""
        self._trick_over = True
        self._tricks[present(event.seat)] += 1
        return Telling(sentence("{player} takes the trick.", player=self._name(event)), event.seat)

    def deal_scored(self, event: MitigatiEvent) -> Telling:
        """Count the points of a deal."""
        self._move(event.scores)
        points = ", ".join(f"{player} {own}" for player, own in zip(self._players, event.points, strict=True))
        return Telling(sentence("Points {points}: {scores}.", points=points, scores=self._each(event.scores)))

    def _move(self, scores: Sequence[int]) -> None:
        self._chips = [chips + score for chips, score in zip(self._chips, scores, strict=True)]

    def _each(self, scores: Sequence[int]) -> str:
        return ", ".join(f"{player} {signed(score)}" for player, score in zip(self._players, scores, strict=True))

    def _name(self, event: MitigatiEvent) -> str:
        return self._players[present(event.seat)]

    def scene(self) -> Scene:
        """Return what lies on the table now."""
        deal = Figure(sentence("deal"), untranslated(self._deal + 1))
        return Scene(tuple(map(self._seat_scene, range(SEATS))), figures=(deal,))

    def _seat_scene(self, seat: int) -> SeatScene:
        discard = self._discard if seat == self._dealer else None
        lying = _Lying(self._hands[seat], self._trick.front(seat), discard)
        return _seat_scene(seat, lying, self._said[seat], self._chips[seat], self._tricks[seat])


class _Lying(NamedTuple):
    """The cards at a place."""

    hand: tuple[int, ...]
    front: Group
    discard: tuple[int, ...] | None
    """What the dealer laid away; ``None`` at the places of the others."""


@kept
def _seat_scene(seat: int, lying: _Lying, said: Sentence | None, chips: int, tricks: int) -> SeatScene:
    discard = Group(lying.discard or (), title=sentence("laid away"), seen_by=1 << seat, spread=False)
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
    EventKind.STATEMENT_MADE: MitigatiStage.statement_made,
    EventKind.PLAY_SAID: MitigatiStage.play_said,
    EventKind.BARGAIN_FAILED: MitigatiStage.bargain_failed,
    EventKind.BARGAIN_STRUCK: MitigatiStage.bargain_struck,
    EventKind.CARDS_DISCARDED: MitigatiStage.cards_discarded,
    EventKind.HOLDING_DECLARED: MitigatiStage.holding_declared,
    EventKind.CARD_PLAYED: MitigatiStage.card_played,
    EventKind.TRICK_TAKEN: MitigatiStage.trick_taken,
    EventKind.DEAL_SCORED: MitigatiStage.deal_scored,
}


def _stated(amount: int) -> Sentence:
    if amount == 0:
        return sentence("zero")
    return sentence("receive {amount}", amount=amount) if amount > 0 else sentence("pay {amount}", amount=-amount)


class MitigatiStaging:
    """How Mitigati is shown."""

    faces = "tarot"
    """A pack of 78 cards."""

    def begin(self, *, players: Sequence[str], options: MitigatiOptions) -> MitigatiStage:
        """Return the stage of a match before its first event."""
        return MitigatiStage(players, options)

    def offer(self, legal: LegalAction[MitigatiAction]) -> Offer:
        """Return how a legal action is offered to a person."""
        match legal.action.kind:
            case ActionKind.CARD:
                card = legal.action.card
                return Offer(sentence("Play {card}", card=sign(card)), (card,))
            case ActionKind.DISCARD:
                return Offer(sentence("Lay away…"))
            case ActionKind.STATEMENT:
                return Offer(sentence("State…"))
            case ActionKind.PLAY:
                return Offer(_PLAY)


STAGING: Final = MitigatiStaging()
"""How Mitigati is shown."""
