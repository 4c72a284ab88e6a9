"""Mus in words: events, the state of the lances, and legal actions."""

from collections.abc import Sequence
from typing import Final

from ordago.game import LegalAction
from ordago.games.mus.refusals import LANCE_WORDS
from ordago.games.mus.values import SIDES, ActionKind, Lance, MusAction, MusEvent, Reason, Result, Signal
from ordago.games.shown import Words, cards_written, present, together
from ordago.scene import Mark, Offer, Section, Sentence, Telling, sentence, untranslated

# Statements of players and names of lances stay Spanish in every language.
_SAID: Final = {
    ActionKind.MUS: untranslated("Mus"),
    ActionKind.NO_MUS: untranslated("No mus"),
    ActionKind.PASO: untranslated("Paso"),
    ActionKind.ORDAGO: untranslated("Órdago"),
    ActionKind.QUIERO: untranslated("Quiero"),
    ActionKind.NO_QUIERO: untranslated("No quiero"),
}
_BINDING: Final = {
    ActionKind.ORDAGO: untranslated("Echamos órdago"),
    ActionKind.QUIERO: untranslated("Queremos"),
    ActionKind.NO_QUIERO: untranslated("No queremos"),
}
TITLES: Final = {lance: untranslated(words.capitalize()) for lance, words in LANCE_WORDS.items()}
"""The titles of the lances."""
ASKING: Final = Mark(Section.PART, untranslated("Mus"))
"""The players are asked for mus."""
SHOWDOWN: Final = Mark(Section.PART, sentence("Showdown"))
"""The hands are shown."""
_ENDED: Final = {
    Result.PASSED: sentence("all pass"),
    Result.CALLED: sentence("called at {stake}"),
    Result.REFUSED: sentence("refused, {stake} to {side}"),
    Result.UNCONTESTED: sentence("{side} alone"),
    Result.NOBODY: sentence("nobody"),
    Result.ORDAGO: sentence("the órdago is called"),
}
_SCORED: Final = {
    Reason.CALLED: sentence("{side} win {lance} with {player}'s {cards}: {points} points."),
    Reason.BONUS: sentence("{side} score {points} for {lance}."),
    Reason.ORDAGO: sentence("{side} win the órdago with {player}'s {cards}."),
}


_SIGNALS: Final = {
    Signal.TWO_KINGS: sentence("two kings"),
    Signal.TWO_ACES: sentence("two aces"),
    Signal.MEDIAS_OF_KINGS: sentence("medias of kings"),
    Signal.MEDIAS_OF_ACES: sentence("medias of aces"),
    Signal.MEDIAS: sentence("medias"),
    Signal.DUPLES: sentence("duples"),
    Signal.JUEGO: sentence("juego"),
    Signal.THIRTY_ONE: sentence("thirty-one"),
    Signal.THIRTY: sentence("thirty"),
    Signal.TWENTY_NINE: sentence("twenty-nine"),
    Signal.CIEGO: sentence("ciego, nothing"),
    Signal.CUT_MUS: sentence("cut the mus"),
    Signal.BET_MORE: sentence("bet more"),
    Signal.THREE_KINGS: sentence("three kings"),
    Signal.THREE_ACES: sentence("three aces"),
    Signal.SOLOMILLO: sentence("solomillo"),
}


class MusWords(Words):
    """Sentences for the events of a match."""

    def __init__(self, players: Sequence[str], *, several: bool) -> None:
        """Describe a match of these players, of several games or of one."""
        super().__init__(players, sides=len(SIDES))
        self._several = several

    def begins(self, event: MusEvent) -> Telling:
        """Begin a deal."""
        telling = self.deals(event.seat, event.deal)
        if not self._several:
            return telling
        title = sentence("Game {game}, deal {number}", game=event.game + 1, number=event.deal + 1)
        return telling._replace(mark=Mark(Section.DEAL, title))

    def signals(self, event: MusEvent) -> Telling:
        """Describe a signal."""
        return self.says(sentence("{player} signals: {signal}."), event.seat, signal=_signal(event))

    def discards(self, event: MusEvent, cards: Sequence[int]) -> Telling:
        """Describe a discard."""
        return self.says(sentence("{player} discards {cards}."), event.seat, cards=cards_written(cards))

    def reshuffles(self, event: MusEvent) -> Telling:
        """Describe a stock that ran out."""
        return Telling(sentence("The stock runs out: {number} discards are shuffled.", number=event.amount))

    def draws(self, event: MusEvent, cards: Sequence[int]) -> Telling:
        """Describe the cards drawn."""
        return self.says(sentence("{player} draws {cards}."), event.seat, cards=cards_written(cards))

    def announces(self, lance: Lance, seats: Sequence[int]) -> Telling:
        """Begin a lance with the players who have it."""
        words = sentence("{players} have {lance}.") if len(seats) > 1 else sentence("{players} has {lance}.")
        having = together([self.players[seat] for seat in seats])
        text = (words if seats else sentence("Nobody has {lance}.")).filled(players=having, lance=LANCE_WORDS[lance])
        return Telling(text, mark=lance_mark(lance))

    def ends_lance(self, event: MusEvent) -> Telling:
        """End the betting on a lance. If nobody has it, that was said before."""
        if event.result is Result.NOBODY:
            return Telling()
        return Telling(sentence("{lance}: {ended}.", lance=TITLES[present(event.lance)], ended=self.ended(event)))

    def ended(self, event: MusEvent) -> Sentence:
        """Return a description of the settlement of a lance."""
        side = self.sides[event.side] if event.side is not None else ""
        return _ENDED[present(event.result)].filled(stake=event.amount, side=side)

    def shows(self, event: MusEvent, cards: Sequence[int], *, first: bool) -> Telling:
        """Describe a hand at the showdown."""
        mark = SHOWDOWN if first else None
        return self.says(sentence("{player} shows {cards}."), event.seat, mark=mark, cards=cards_written(cards))

    def scores(self, event: MusEvent, *, best: int, hand: Sequence[int], mark: Mark | None) -> Telling:
        """Describe the points for a lance, with the winning hand where hands were compared."""
        if event.reason is Reason.REFUSED:
            return Telling(sentence("Score: {points}.", points=self.each(event.points)))
        text = _SCORED[present(event.reason)].filled(
            side=self.sides[present(event.side)],
            lance=LANCE_WORDS[present(event.lance)],
            player=self.players[best],
            cards=cards_written(hand),
            points=event.amount,
        )
        return Telling(text, mark=mark)

    def dentro(self, event: MusEvent) -> Telling:
        """Describe a side near the target."""
        return Telling(sentence("{side} are dentro.", side=self.sides[present(event.side)]))

    def ends(self, event: MusEvent, mark: Mark | None) -> Telling:
        """Describe the score after a deal; a mark says already that it is one."""
        points = self.each(event.points)
        text = sentence("Score: {points}.", points=points) if mark is None else sentence("{told}.", told=points)
        return Telling(text, mark=mark)

    def wins(self, event: MusEvent, mark: Mark | None) -> Telling:
        """Describe the winner of the game."""
        text = sentence("{side} win the game: {points}.").filled(
            side=self.sides[present(event.side)], points=self.each(event.points)
        )
        if event.reason is Reason.DEAL_CAP:
            text = sentence("No more deals are played. {told}", told=text)
        if self._several:
            text = sentence("{told} Games: {games}.", told=text, games=self.each(event.games))
        return Telling(text, mark=mark)


def lance_mark(lance: Lance) -> Mark:
    """Return the mark at the beginning of a lance."""
    return Mark(Section.PART, TITLES[lance])


def said(event: MusEvent, *, raises: bool = False) -> Sentence:
    """Return a player's statement, in the player's words. To raise is to bet more."""
    kind = present(event.said)
    if kind is ActionKind.ENVIDO:
        words = sentence("Envido {amount}")
        if raises:
            words = sentence("Envidamos {amount} more") if event.binding else sentence("Envido {amount} more")
        return words.filled(amount=event.amount)
    return _BINDING[kind] if event.binding else _SAID[kind]


def _signal(made: MusEvent | MusAction) -> Sentence:
    return _SIGNALS[present(made.signal)]


def offer(legal: LegalAction[MusAction]) -> Offer:
    """Return the presentation of a legal action, or of a signal as one."""
    action = legal.action
    match action.kind:
        case None:
            return Offer(sentence("Signal: {signal}", signal=_signal(action)))
        case ActionKind.DISCARD:
            return Offer(sentence("Discard…"))
        case ActionKind.ENVIDO:
            return Offer(sentence("Envidamos…") if action.binding else sentence("Envido…"))
        case kind:
            return Offer(_BINDING[kind] if action.binding else _SAID[kind])
