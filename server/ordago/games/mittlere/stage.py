"""Mittlere Jass shown to people: three hands, the trick between them, and the trump suit once it is found."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, holds
from ordago.games.mittlere.pack import BEATEN_BY, NO_TRUMP, SUIT_OF, high_to_low
from ordago.games.mittlere.values import SEATS, TRICKS, EventKind, MittlereEvent, MittlereOptions
from ordago.games.mittlere.words import SUITS, MittlereWords
from ordago.games.shown import DEALT, Tricks, present, signed
from ordago.scene import Figure, Group, Scene, SeatScene, Telling, kept, sentence, unseen, untranslated, without


class MittlereStage:
    """A match of Mittlere Jass as it is shown."""

    def __init__(self, players: Sequence[str], options: MittlereOptions) -> None:
        """Begin before the first deal."""
        self._words = MittlereWords(players)
        self._deals = options.deals
        self._deal = 0
        self._totals = [0] * SEATS
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._trump = NO_TRUMP
        self._trick = Tricks(SEATS)

    def apply(self, event: MittlereEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                self._deal = event.deal
                self._begin_deal(dealer=event.seat)
                return self._words.deals(event.seat, event.deal)
            case EventKind.HAND_DEALT:
                self._hands[present(event.seat)] = tuple(high_to_low(event.cards)) or unseen(TRICKS)
                return DEALT
            case EventKind.CARD_PLAYED:
                return self._card_played(present(event.seat), event.card)
            case EventKind.TRUMP_SET:
                self._trump = SUIT_OF[event.card]
                self._trick.best = event.card
                return self._words.sets_trump(event)
            case EventKind.TRICK_TAKEN:
                self._trick.take(present(event.seat))
                return self._words.takes(self._trick, present(event.seat))
            case EventKind.DEAL_SCORED:
                self._totals = [total + score for total, score in zip(self._totals, event.scores, strict=True)]
                self._trick.clear()
                return self._words.scored(event, trump=self._trump, totals=self._totals)

    def _card_played(self, seat: int, card: int) -> Telling:
        self._hands[seat] = without(self._hands[seat], [card])
        self._trick.play(seat, card)
        best = self._trick.best
        if best == NO_CARD or holds(BEATEN_BY[self._trump][card], best):
            self._trick.best = card
        return self._words.plays_to(self._trick, seat, card)

    def scene(self) -> Scene:
        """Return the scene now."""
        figures = _figures(self._deal, self._deals, self._trump)
        return Scene(tuple(map(self._seat_scene, range(SEATS))), figures=figures)

    def _seat_scene(self, seat: int) -> SeatScene:
        front = self._trick.front(seat)
        return _seat_scene(seat, self._hands[seat], front, self._dealer, self._trick.taken[seat], self._totals[seat])


_NOT_YET: Final = sentence("not yet")


@kept
def _figures(deal: int, deals: int, trump: int) -> tuple[Figure, ...]:
    return (
        Figure(sentence("deal"), sentence("{number} of {all}", number=deal + 1, all=deals)),
        Figure(sentence("trump"), SUITS[trump] if trump != NO_TRUMP else _NOT_YET),
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
