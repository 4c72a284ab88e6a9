"""The opponents for people: house bots, by strength."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ordago import v1
from ordago.scene import Sentence, sentence
from ordago_bot.bot import BotFactory, answer_of
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.seat import Seat


class Difficulty(NamedTuple):
    """A house bot with fixed settings, which bound the cost of a decision."""

    title: Sentence
    """The name in the list of opponents."""
    about: Sentence
    """Its style of play, in one sentence."""
    bot: str
    """The name of the house bot."""
    settings: Mapping[str, int] = MappingProxyType({})

    @property
    def version(self) -> str:
        """The version in records and at the table: the bot and its settings."""
        return " ".join([self.bot, *(f"{name}={value}" for name, value in self.settings.items())])

    def factory(self) -> BotFactory:
        """Return the factory of this bot."""
        bot = HOUSE_BOTS[self.bot]
        return bot.load({**{name: setting.default for name, setting in bot.settings.items()}, **self.settings})


STRENGTHS: Final[Mapping[str, Difficulty]] = MappingProxyType(
    {
        "chance": Difficulty(sentence("Random"), sentence("Plays any legal action at random."), "random"),
        "habit": Difficulty(sentence("Habit"), sentence("Always plays the default of the rules."), "default"),
        "beginner": Difficulty(
            sentence("Beginner"),
            sentence("Knows the game, but plays at random in every other decision."),
            "house",
            MappingProxyType({"level": 1}),
        ),
        "regular": Difficulty(
            sentence("Regular"),
            sentence("Considers few possible deals at each decision."),
            "house",
            MappingProxyType({"level": 2}),
        ),
        "strong": Difficulty(
            sentence("Strong"),
            sentence("Plays as well as the house can, and makes no mistakes on purpose."),
            "house",
            MappingProxyType({"level": 5}),
        ),
    }
)
"""The strengths by name, weakest first."""
DEFAULT_STRENGTH: Final = "regular"
"""The strength without a choice."""
NAMES: Final = ("Ada", "Bela", "Cleo", "Dario", "Emre")
"""The names of the bots, in the order of play after the person."""


def thought(start: v1.MatchStart, decision: v1.Decision, strength: str) -> v1.Answer:
    """Return the answer of a house bot. A decision is complete, so a new bot can answer each."""
    chosen = Seat(start, STRENGTHS[strength].factory()).think(decision)
    return answer_of(chosen, decision)
