"""Mitaines in words: what happened, and what may be done."""

from collections.abc import Iterator, Sequence
from typing import Final

from ordago.cards import sign
from ordago.game import LegalAction
from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.names import RANK_WORDS, combination_words
from ordago.games.mitaines.pack import RANK_OF
from ordago.games.mitaines.state import side_count
from ordago.games.mitaines.values import Clear, Declaration, MitainesEvent, PlayCard, Stolen
from ordago.games.shown import SCORE, Words, listed, present
from ordago.scene import Mark, Offer, Section, Sentence, Telling, sentence

_CLEARS: Final = {
    Clear.MATCH: sentence("{player} matches the top card and clears the pile"),
    Clear.JACK: sentence("{player} clears the pile with the jack"),
    Clear.COMPLETION: sentence("{player} completes the {combination} and clears the pile"),
    Clear.STEAL: sentence("{player} steals {robbed}'s {combination} and clears the pile"),
}
_DECLARED: Final = {
    Combination.MITTEN: sentence("a mitten of {rank}"),
    Combination.GLOVE: sentence("a glove of {rank}"),
    Combination.SOCK: sentence("a sock of {rank}"),
    Combination.ADDED_GLOVE: sentence("an added glove of {rank}"),
    Combination.ADDED_SOCK: sentence("an added sock of {rank}"),
}


class MitainesWords(Words):
    """Sentences for the events of a match."""

    def __init__(self, players: Sequence[str]) -> None:
        """Describe a match of these players."""
        super().__init__(players, sides=side_count(len(players)))

    def card(self, event: MitainesEvent, *, pile: int | None) -> Telling:
        """Describe a card played, with its declaration, and the number of the pile that it begins, if any."""
        mark = None if pile is None else Mark(Section.PART, sentence("Pile {number}", number=pile))
        if not event.combination:
            return self.plays(present(event.seat), [event.card], mark)
        words = sentence("{player} plays {card} and declares {combination}.")
        declared = _DECLARED[event.combination].filled(rank=RANK_WORDS[RANK_OF[event.card]])
        return self.says(words, event.seat, mark=mark, card=sign(event.card), combination=declared)

    def steals(self, event: MitainesEvent, stolen: Stolen) -> Telling:
        """Describe the theft of the standing declaration by a stronger one."""
        declared = combination_words(stolen.combination, stolen.rank)
        words = sentence("{player} steals {robbed}'s {combination}.")
        return self.says(words, event.seat, combination=declared, robbed=self.players[stolen.seat])

    def clears(self, event: MitainesEvent, standing: Declaration | None, total: int) -> Telling:
        """Describe the clearing of the pile, the points for it, and the total of the side."""
        telling = self.says(
            _CLEARS[present(event.clear)],
            event.seat,
            combination=combination_words(standing.combination, standing.rank) if standing else "",
            robbed=self.players[standing.seat] if standing else "",
        )
        if not event.points:
            return telling._replace(sentence=sentence("{told}.", told=telling.sentence))
        words = sentence("{told}: {parts}. Total: {total}.")
        return telling._replace(sentence=words.filled(told=telling.sentence, parts=listed(_parts(event)), total=total))

    def last_ten(self, event: MitainesEvent, total: int) -> Telling:
        """Describe the award of the ten of diamonds that lay in the pile at the end."""
        words = sentence("{player} cleared last and gets {points} points for the ten of diamonds. Total: {total}.")
        return self.says(words, event.seat, points=event.points, total=total)

    def scored(self, event: MitainesEvent) -> Telling:
        """Describe the points of each side in the deal, and the totals."""
        words = sentence("Points: {scores}. Totals: {totals}.")
        return Telling(words.filled(scores=self.each(event.scores), totals=self.each(event.totals)), mark=SCORE)


def _parts(event: MitainesEvent) -> Iterator[Sentence]:
    """Name what the points of a clear consist of."""
    if event.declared_points:
        declared = sentence("doubled declaration {points}") if event.doubled else sentence("declaration {points}")
        yield declared.filled(points=event.declared_points)
    if event.single_points:
        yield sentence("single card {points}", points=event.single_points)
    if event.laid_points:
        yield sentence("laid cards {points}", points=event.laid_points)
    if event.ten_points:
        yield sentence("ten of diamonds {points}", points=event.ten_points)


def offer(legal: LegalAction[PlayCard]) -> Offer:
    """Return the presentation of a legal action."""
    card, combination = legal.action
    if not combination:
        return Offer(sentence("Play {card}", card=sign(card)), (card,))
    declared = combination_words(combination, RANK_OF[card])
    return Offer(sentence("Play {card}: {combination}", card=sign(card), combination=declared), (card,))
