"""Texts and table of High Card, for people."""

from collections.abc import Sequence

from ordago.cards import NO_CARD, sign
from ordago.game import LegalAction
from ordago.games.shown import DEALT, Tricks, Words
from ordago.scene import Figure, Group, Offer, Scene, SeatScene, Telling, sentence, unseen, untranslated, without

from .rules import HAND, beats
from .values import EventKind, HighcardEvent, HighcardOptions, PlayCard


class HighcardStage:
    """The words and the table of a match of High Card, event by event."""

    def __init__(self, players: Sequence[str], options: HighcardOptions) -> None:
        """Begin before the first deal."""
        self._words = Words(players)
        self._deals = options.deals
        self._deal = 0
        self._totals = [0] * len(players)
        self._begin_deal()

    def _begin_deal(self) -> None:
        self._hands: list[tuple[int, ...]] = [()] * len(self._totals)
        self._trick = Tricks(len(self._totals))

    def apply(self, event: HighcardEvent, /) -> Telling:
        """Follow an event, and return it in words."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                self._deal = event.deal
                self._begin_deal()
                return self._words.deals(event.seat, event.deal, words=sentence("{player} is to lead."))
            case EventKind.HAND_DEALT:
                self._hands[event.seat] = event.cards or unseen(HAND)
                return DEALT
            case EventKind.CARD_PLAYED:
                return self._card_played(event.seat, event.card)
            case EventKind.TRICK_TAKEN:
                self._totals[event.seat] += 1
                self._trick.take(event.seat)
                return self._words.takes(self._trick, event.seat)

    def _card_played(self, seat: int, card: int) -> Telling:
        self._hands[seat] = without(self._hands[seat], [card])
        self._trick.play(seat, card)
        if self._trick.best == NO_CARD or beats(card, self._trick.best):
            self._trick.best = card
        return self._words.plays_to(self._trick, seat, card)

    def scene(self) -> Scene:
        """Return the table as it is now."""
        number = sentence("{number} of {all}", number=self._deal + 1, all=self._deals)
        seats = tuple(map(self._seat_scene, range(len(self._totals))))
        return Scene(seats, figures=(Figure(sentence("deal"), number),))

    def _seat_scene(self, seat: int) -> SeatScene:
        return SeatScene(
            hand=Group(self._hands[seat], seen_by=1 << seat),
            front=self._trick.front(seat),
            figures=(Figure(sentence("score"), untranslated(self._totals[seat])),),
        )


def offer(legal: LegalAction[PlayCard]) -> Offer:
    """Return the words and cards that offer a legal action to a person."""
    card = legal.action.card
    return Offer(sentence("Play {card}", card=sign(card)), (card,))
