"""Mittlere Jass in words: what happened, and what may be done."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import sign
from ordago.game import LegalAction
from ordago.games.mittlere.pack import NO_TRUMP, SUIT_OF
from ordago.games.mittlere.values import SEATS, MittlereEvent, PlayCard, ScoringRule
from ordago.games.shown import SCORE, Words, present
from ordago.scene import Offer, Sentence, Telling, sentence

SUITS: Final = (sentence("clubs"), sentence("diamonds"), sentence("hearts"), sentence("spades"))
_VERDICTS: Final = {
    ScoringRule.ALL_TRICKS: sentence("{player} took every trick: {scores}."),
    ScoringRule.NO_TRICK: sentence("{player} took no trick: {scores}."),
    ScoringRule.HUNDRED: sentence("{player} reached a hundred: {scores}."),
    ScoringRule.MIDDLE: sentence("{player} is in the middle: {scores}."),
    ScoringRule.EQUAL: sentence("Two are level, so nobody is in the middle and nobody scores."),
}


class MittlereWords(Words):
    """Sentences for the events of a match."""

    def sets_trump(self, event: MittlereEvent) -> Telling:
        """Describe the suit that has become trump, and the player who set it."""
        return self.says(
            sentence("{player} cannot follow, so {suit} are trump."), event.seat, suit=SUITS[SUIT_OF[event.card]]
        )

    def scored(self, event: MittlereEvent, *, trump: int, totals: Sequence[int]) -> Telling:
        """Describe the value of a deal, the rule that decided it, and the totals."""
        words = sentence("Card points: {points}. {verdict} Totals: {totals}.")
        if trump == NO_TRUMP:
            words = sentence(
                "No trump was ever set: each eight counts 8. Card points: {points}. {verdict} Totals: {totals}."
            )
        text = words.filled(
            points=self.each(event.points), verdict=self._verdict(event), totals=self.each_signed(totals)
        )
        return Telling(text, mark=SCORE)

    def _verdict(self, event: MittlereEvent) -> Sentence:
        apart = max(range(SEATS), key=lambda seat: abs(event.scores[seat]))
        scores = self.each_signed(event.scores)
        return _VERDICTS[present(event.rule)].filled(player=self.players[apart], scores=scores)


def offer(legal: LegalAction[PlayCard]) -> Offer:
    """Return the presentation of a legal action."""
    card = legal.action.card
    return Offer(sentence("Play {card}", card=sign(card)), (card,))
