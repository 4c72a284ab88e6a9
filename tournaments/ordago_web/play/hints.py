"""Hints for a person: what the house would do at a decision, and the values of the choices.

The house gets the messages that a bot at the seat would get, never the state of the match.
"""

from collections.abc import Iterator
from typing import Final

import trio

from ordago.games.definition import AnyGame
from ordago.scene import Sentence, sentence
from ordago_bot.house.advice import Advice
from ordago_bot.house.analysis import words_of
from ordago_bot.house.weighing import Unit
from ordago_ladder.showing.scene_json import Translate
from ordago_web.play.thinking import Thinking, Thought

_VALUES: Final = {
    Unit.POINTS: sentence("{number} points"),
    Unit.CHIPS: sentence("{number} chips"),
    Unit.CHANCE: sentence("{number} % chance to win the game"),
    Unit.HAND: sentence("a hand worth {number}"),
}


class NoHintError(Exception):
    """There are no hints in this match: another person plays too, or the house does not play its game."""


class Hint:
    """The hint at one decision, computed once, however often it is asked for. For use in trio's thread only."""

    def __init__(self, question: Thought) -> None:
        """Prepare the hint.

        Args:
            question: the decision, as a bot at the seat of the person would get it.
        """
        self._question = question
        self._turn = trio.Lock()
        self._lines: list[str] | None = None

    async def lines(self, thinking: Thinking, game: AnyGame, translate: Translate) -> list[str]:
        """Return the hint in lines, the choice of the house first.

        Raises:
            NoHintError: the house does not play this game.
            ThinkingFailedError: the house failed.
        """
        async with self._turn:
            if self._lines is None:
                advised = await thinking.advise(self._question)
                if advised is None:
                    raise NoHintError
                self._lines = [line.written(translate) for line in _sentences(advised, game, translate)]
        return self._lines


def _sentences(advised: Advice, game: AnyGame, translate: Translate) -> Iterator[Sentence]:
    (best, value), *others = advised.options
    words = words_of(game, best, translate)
    if value is None:
        yield sentence("The house: {best}.", best=words)
        return
    worth = _worth(advised.unit, value)
    if advised.searched:
        yield sentence("The house: {best}, {worth} on average over imagined deals.", best=words, worth=worth)
    else:
        yield sentence("The house, by a rule of thumb: {best}, {worth}.", best=words, worth=worth)
    for action, other in others:
        if other is not None:
            yield sentence(
                "{choice}: {worth}.", choice=words_of(game, action, translate), worth=_worth(advised.unit, other)
            )


def _worth(unit: Unit, value: float) -> Sentence:
    number = f"{100 * value:.0f}" if unit is Unit.CHANCE else f"{value:.1f}"
    return _VALUES[unit].filled(number=number.replace("-", "−"))
