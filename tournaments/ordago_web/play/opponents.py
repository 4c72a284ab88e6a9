"""Whom a person can play against: the bots of the house, by their strength."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ordago import v1
from ordago.scene import Sentence, sentence
from ordago_bot.bot import BotFactory, answer_of
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.seat import Seat


class Difficulty(NamedTuple):
    """A bot of the house with settings. Nobody sets them otherwise: they bound what a decision costs."""

    title: Sentence
    """What it is called where one is chosen."""
    about: Sentence
    """How it plays, in one sentence."""
    bot: str
    """The bot of the house."""
    settings: Mapping[str, int] = MappingProxyType({})

    @property
    def version(self) -> str:
        """What the table and the record say of it: the bot and its settings."""
        return " ".join([self.bot, *(f"{name}={value}" for name, value in self.settings.items())])

    def factory(self) -> BotFactory:
        """Return what makes such a bot."""
        bot = HOUSE_BOTS[self.bot]
        return bot.load({**{name: setting.default for name, setting in bot.settings.items()}, **self.settings})


STRENGTHS: Final[Mapping[str, Difficulty]] = MappingProxyType(
    {
        "chance": Difficulty(sentence("Chance"), sentence("Takes anything that is legal."), "random"),
        "habit": Difficulty(sentence("Habit"), sentence("Always takes the default of the rules."), "default"),
        "beginner": Difficulty(
            sentence("Beginner"),
            sentence("Knows the game, but errs in two of five decisions."),
            "solid",
            MappingProxyType({"worlds": 2, "noise": 40}),
        ),
        "regular": Difficulty(
            sentence("Regular"),
            sentence("Thinks about a few deals, and errs in one of eight decisions."),
            "solid",
            MappingProxyType({"worlds": 6, "noise": 12}),
        ),
        "strong": Difficulty(
            sentence("Strong"),
            sentence("Imagines many deals for each decision, and does not err on purpose."),
            "solid",
            MappingProxyType({"worlds": 40}),
        ),
    }
)
"""The strengths by name, from the weakest on."""
USUAL_STRENGTH: Final = "regular"
"""What is chosen where nobody chooses."""
NAMES: Final = ("Ada", "Bela", "Cleo", "Dario", "Emre")
"""What the bots are called, in the order of play after the person."""


def thought(start: v1.MatchStart, decision: v1.Decision, strength: str) -> v1.Answer:
    """Return what a bot of the house answers. A decision is complete, so that a new bot can answer each."""
    chosen = Seat(start, STRENGTHS[strength].factory()).think(decision)
    return answer_of(chosen)
