"""Taihe A Bao in words: what happened, and what may be done."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, sign, signs
from ordago.game import LegalAction, Pick
from ordago.games.shown import SCORE, Words, present
from ordago.games.taihe.pack import high_to_low
from ordago.games.taihe.values import ActionKind, TaiheAction, TaiheEvent
from ordago.scene import Mark, Offer, Section, Telling, sentence

PASS: Final = sentence("Pass")
DECLARE: Final = sentence("Declare")
_BIDDING: Final = Mark(Section.PART, sentence("Bidding"))
_DEALS: Final = sentence("{player} takes the first card.")
_DEALS_ANEW: Final = sentence("The cards are dealt again, and {player} takes the first.")


class TaiheWords(Words):
    """Sentences for the events of a match."""

    def takes_first(self, event: TaiheEvent, *, anew: bool) -> Telling:
        """Describe the beginning of a deal, or of dealing it again."""
        return self.deals(event.seat, event.deal, words=_DEALS_ANEW if anew else _DEALS)

    def bids_first(self, event: TaiheEvent) -> Telling:
        """Open the bidding."""
        return self.says(sentence("{player} bids first."), event.seat, mark=_BIDDING)

    def declares(self, event: TaiheEvent) -> Telling:
        """Describe a declaration."""
        return self.says(sentence("{player} declares."), event.seat)

    def asks(self, event: TaiheEvent) -> Telling:
        """Describe a card received on request, and its former holder."""
        words = sentence("{player} asks for {card} and gets it from {holder}.")
        return self.says(words, event.seat, card=sign(event.card), holder=self.players[present(event.holder)])

    def gives_back(self, event: TaiheEvent) -> Telling:
        """Describe a card given in return."""
        holder = self.players[present(event.holder)]
        if event.card == NO_CARD:
            return self.says(sentence("{player} gives {holder} a card in return."), event.seat, holder=holder)
        words = sentence("{player} gives {holder} {card} in return.")
        return self.says(words, event.seat, holder=holder, card=sign(event.card))

    def plays_alone(self, event: TaiheEvent) -> Telling:
        """Describe the declarer, and the game value."""
        words = sentence("{player} is the declarer, and the game value is {value}.")
        return self.says(words, event.seat, value=event.value)

    def passed_out(self) -> Telling:
        """Describe a new deal of the cards."""
        return Telling(sentence("Everybody has passed twice."))

    def wins_round(self, seat: int, cards: Sequence[int]) -> Telling:
        """Describe the winner of a round, who leads next."""
        return self.says(sentence("{player} wins the round with {cards}."), seat, cards=signs(cards))

    def scored(self, event: TaiheEvent, totals: Sequence[int]) -> Telling:
        """Describe the player who went out, the gain, and the totals."""
        if event.seat is None:
            words = sentence("The deal counts as played, and nobody scores. Totals: {totals}.")
            return Telling(words.filled(totals=self.each_signed(totals)), mark=SCORE)
        declarer = event.scores.index(max(event.scores, key=abs))
        words = sentence("{player} goes out and beats {declarer}, the declarer: {scores}. Totals: {totals}.")
        if event.seat == declarer:
            words = sentence("{declarer}, the declarer, goes out: {scores}. Totals: {totals}.")
        return self.says(
            words,
            event.seat,
            mark=SCORE,
            declarer=self.players[declarer],
            scores=self.each_signed(event.scores),
            totals=self.each_signed(totals),
        )


def _ranks(pick: Pick) -> str:
    """Write the ranks of the cards to pick, for instance ``K K``."""
    return " ".join([sign(pick.cards[0])[:-1]] * pick.min)


def offer(legal: LegalAction[TaiheAction]) -> Offer:
    """Return the presentation of a legal action."""
    action = legal.action
    match action.kind:
        case ActionKind.PASS:
            return Offer(PASS)
        case ActionKind.DECLARE:
            return Offer(DECLARE)
        case ActionKind.ASK:
            return Offer(sentence("Ask for…"))
        case ActionKind.GIVE_BACK:
            return Offer(sentence("Give back…"))
        case ActionKind.PLAY if action.cards:
            cards = high_to_low(action.cards)
            return Offer(sentence("Play {cards}", cards=signs(cards)), tuple(cards))
        case ActionKind.PLAY:
            return Offer(sentence("Play {ranks}…", ranks=" ".join(map(_ranks, legal.picks))))
