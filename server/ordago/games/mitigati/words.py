"""Mitigati in words: what happened, and what may be done."""

from collections.abc import Sequence

from ordago.cards import FOOL, sign, signs
from ordago.game import LegalAction
from ordago.games.mitigati.pack import high_to_low
from ordago.games.mitigati.values import ActionKind, Holding, MitigatiAction, MitigatiEvent
from ordago.games.shown import SCORE, Tricks, Words, cards_written, signed
from ordago.scene import Mark, Offer, Section, Sentence, Telling, sentence, untranslated


class MitigatiWords(Words):
    """Sentences for the events of a match. Statements and declarations are also captions of their seat."""

    def deals_again(self, event: MitigatiEvent) -> Telling:
        """Begin a deal after a bargain that was struck."""
        return self.deals(event.seat, event.deal, words=sentence("{player} deals again."))

    def bargains(self, seat: int, said: Sentence, *, number: int | None) -> Telling:
        """Describe a statement in a bargain, with the bargain's number if it begins one."""
        mark = None if number is None else Mark(Section.PART, sentence("Bargain {number}", number=number))
        return self.speaks(seat, said, mark)

    def fails(self, total: int) -> Telling:
        """Describe a bargain without a possible agreement, given the sum of the last three statements."""
        words = sentence("The last three statements come to {total}: there is no bargain, and the deal goes on.")
        return Telling(words.filled(total=signed(total)))

    def struck(self, event: MitigatiEvent, chips: Sequence[int]) -> Telling:
        """Describe an agreement: the amount of each player, and the chips."""
        words = sentence("The bargain is struck: {scores}. Chips: {chips}.")
        return Telling(words.filled(scores=self.each_signed(event.scores), chips=self.each_signed(chips)))

    def lays_away(self, seat: int, cards: Sequence[int]) -> Telling:
        """Describe the dealer's discard."""
        mark = Mark(Section.PART, sentence("Discard"))
        return self.says(
            sentence("{player}, the dealer, discards {cards}."), seat, mark=mark, cards=cards_written(cards)
        )

    def declares(self, event: MitigatiEvent) -> Telling:
        """Describe a declaration, and the payments of the others for it."""
        words = sentence("{player} declares {holding}, and gets {points} from each of the others.")
        return self.says(words, event.seat, holding=holding(event), points=-min(event.scores))

    def plays_fool(self, trick: Tricks, seat: int) -> Telling:
        """Describe the Fool played to a trick; its player keeps it."""
        leads, plays = (
            sentence("{player} leads the Fool and keeps it."),
            sentence("{player} plays the Fool and keeps it."),
        )
        telling = self.says(leads if trick.size == 1 else plays, seat)
        return telling._replace(mark=self.plays_to(trick, seat, FOOL).mark)

    def scored(self, event: MitigatiEvent, chips: Sequence[int]) -> Telling:
        """Describe the points of a deal, the gains and losses, and the chips."""
        words = sentence("Card points: {points}. From or to the middle: {scores}. Chips: {chips}.")
        text = words.filled(
            points=self.each(event.points), scores=self.each_signed(event.scores), chips=self.each_signed(chips)
        )
        return Telling(text, mark=SCORE)


def statement(amount: int | None) -> Sentence:
    """Return a statement as it is said; ``None`` is *play*."""
    if amount is None:
        return sentence("play")
    if amount == 0:
        return sentence("zero")
    return sentence("receive {amount}", amount=amount) if amount > 0 else sentence("pay {amount}", amount=-amount)


def holding(event: MitigatiEvent) -> Sentence:
    """Return the name of a holding, with the details that the others learn. Holdings are not translated."""
    match event.holding:
        case Holding.TAROCCHI:
            return untranslated(f"{event.number} tarocchi ({signs(high_to_low(event.cards))})")
        case Holding.REALE:
            return _with(event.number, "reale", sentence("one extra"), sentence("{number} extras"))
        case Holding.MITIGATI:
            return _with(event.number, "mitigati", sentence("one king"), sentence("{number} kings"))
        case _:
            return untranslated(f"{event.number} onori")


def _with(number: int, name: str, one: Sentence, several: Sentence) -> Sentence:
    if not number:
        return untranslated(name)
    extras = one if number == 1 else several.filled(number=number)
    return sentence("{holding} with {extras}", holding=name, extras=extras)


def offer(legal: LegalAction[MitigatiAction]) -> Offer:
    """Return the presentation of a legal action."""
    match legal.action.kind:
        case ActionKind.CARD:
            card = legal.action.card
            return Offer(sentence("Play {card}", card=sign(card)), (card,))
        case ActionKind.DISCARD:
            return Offer(sentence("Discard three cards…"))
        case ActionKind.STATEMENT:
            return Offer(sentence("State…"))
        case ActionKind.PLAY:
            return Offer(sentence("Play the deal"))
