"""Mittlere Jass shown to a person: three hands, the trick between them, and the trump suit once it is found."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, holds, sign
from ordago.game import LegalAction
from ordago.games.mittlere.following import SUIT_WORDS
from ordago.games.mittlere.pack import BEATEN_BY, NO_TRUMP, SUIT_OF, high_to_low
from ordago.games.mittlere.values import SEATS, TRICKS, EventKind, MittlereEvent, MittlereOptions, PlayCard, ScoringRule
from ordago.games.shown import TrickShown, present, signed
from ordago.scene import (
    Figure,
    Group,
    Mark,
    Offer,
    Scene,
    SeatScene,
    Section,
    Telling,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)

_SCORED: Final = {
    ScoringRule.ALL_TRICKS: sentence("one took every trick"),
    ScoringRule.NO_TRICK: sentence("one took no trick"),
    ScoringRule.HUNDRED: sentence("one reached a hundred"),
    ScoringRule.MIDDLE: sentence("one is in the middle"),
    ScoringRule.EQUAL: sentence("two are equal, and nobody is in the middle"),
}


class MittlereStage:
    """A match of Mittlere Jass as it is shown."""

    def __init__(self, players: Sequence[str], options: MittlereOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._deals = options.deals
        self._deal = 0
        self._totals = [0] * SEATS
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._tricks = [0] * SEATS
        self._trump = NO_TRUMP
        self._taken = True
        self._trick = TrickShown(SEATS)

    def apply(self, event: MittlereEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                return self._deal_started(event)
            case EventKind.HAND_DEALT:
                hand = tuple(high_to_low(event.cards)) or unseen(TRICKS)
                self._hands[present(event.seat)] = hand
                return Telling()
            case EventKind.CARD_PLAYED:
                return self._card_played(event)
            case EventKind.TRUMP_SET:
                return self._trump_set(event)
            case EventKind.TRICK_TAKEN:
                self._taken = True
                self._tricks[present(event.seat)] += 1
                return Telling(sentence("{player} takes the trick.", player=self._name(event)), present(event.seat))
            case EventKind.DEAL_SCORED:
                return self._deal_scored(event)

    def _name(self, event: MittlereEvent) -> str:
        return self._players[present(event.seat)]

    def _deal_started(self, event: MittlereEvent) -> Telling:
        self._deal = event.deal
        self._begin_deal(dealer=event.seat)
        mark = Mark(Section.DEAL, sentence("Deal {number}", number=event.deal + 1))
        return Telling(sentence("{player} deals.", player=self._name(event)), event.seat, mark)

    def _card_played(self, event: MittlereEvent) -> Telling:
        seat, mark = present(event.seat), None
        if self._taken:
            self._trick = TrickShown(SEATS)
            self._taken = False
            mark = Mark(Section.PART, sentence("Trick {number}", number=sum(self._tricks) + 1))
        self._hands[seat] = without(self._hands[seat], [event.card])
        self._trick.play(seat, event.card)
        self._stress_best(event.card)
        told = sentence("{player} plays {card}.", player=self._name(event), card=sign(event.card))
        return Telling(told, seat, mark)

    def _stress_best(self, card: int) -> None:
        best = self._trick.best
        if best == NO_CARD or holds(BEATEN_BY[self._trump][card], best):
            self._trick.best = card

    def _trump_set(self, event: MittlereEvent) -> Telling:
        self._trump = SUIT_OF[event.card]
        self._trick.best = event.card
        suit = sentence(SUIT_WORDS[self._trump])
        return Telling(sentence("{player} makes {suit} trump.", player=self._name(event), suit=suit), event.seat)

    def _deal_scored(self, event: MittlereEvent) -> Telling:
        self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
        self._trick = TrickShown(SEATS)
        told = sentence(
            "Points {points}: {rule}. Scores {scores}.",
            points=", ".join(map(str, event.points)),
            rule=_SCORED[event.rule or ScoringRule.EQUAL],
            scores=", ".join(map(signed, event.scores)),
        )
        return Telling(told)

    def scene(self) -> Scene:
        """Return what lies on the table now."""
        figures = _figures(self._deal, self._deals, self._trump)
        return Scene(tuple(map(self._seat_scene, range(SEATS))), figures=figures)

    def _seat_scene(self, seat: int) -> SeatScene:
        front = self._trick.front(seat)
        return _seat_scene(seat, self._hands[seat], front, self._dealer, self._tricks[seat], self._totals[seat])


_NOT_YET: Final = sentence("not yet")


@kept
def _figures(deal: int, deals: int, trump: int) -> tuple[Figure, ...]:
    return (
        Figure(sentence("deal"), sentence("{number} of {all}", number=deal + 1, all=deals)),
        Figure(sentence("trump"), sentence(SUIT_WORDS[trump]) if trump != NO_TRUMP else _NOT_YET),
    )


@kept
def _seat_scene(
    seat: int, hand: tuple[int, ...], front: Group, dealer: int | None, tricks: int, total: int
) -> SeatScene:
    return SeatScene(
        hand=Group(hand, seen_by=1 << seat),
        front=front,
        roles=(sentence("dealer"),) if seat == dealer else (),
        figures=(
            Figure(sentence("tricks"), untranslated(tricks)),
            Figure(sentence("score"), untranslated(signed(total))),
        ),
    )


class MittlereStaging:
    """How Mittlere Jass is shown."""

    faces = "jass"
    """A pack of 36 cards with French suits."""

    def begin(self, *, players: Sequence[str], options: MittlereOptions) -> MittlereStage:
        """Return the stage of a match before its first event."""
        return MittlereStage(players, options)

    def offer(self, legal: LegalAction[PlayCard]) -> Offer:
        """Return how a legal action is offered to a person."""
        card = legal.action.card
        return Offer(sentence("Play {card}", card=sign(card)), (card,))


STAGING: Final = MittlereStaging()
"""How Mittlere Jass is shown."""
