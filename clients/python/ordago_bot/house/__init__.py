"""House bots: opponents that come with Ordago. ``python -m ordago_bot NAME`` starts one."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from ordago.names import nearest
from ordago_bot.bot import BotFactory


@dataclass(frozen=True, slots=True)
class Setting:
    """An integer setting of a house bot, from ``min`` to ``max``."""

    default: int
    min: int
    max: int
    sentence: str
    """The help of the setting, in one sentence."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot, with its description and a function that loads it."""

    sentence: str
    """A description of its play, in one sentence."""
    load: Callable[[Mapping[str, int]], BotFactory]
    """A function that imports the bot, for a value of each setting."""
    settings: Mapping[str, Setting] = field(default_factory=dict)


def _load_random(_settings: Mapping[str, int]) -> BotFactory:
    from ordago_bot.house.baselines import RandomBot

    return RandomBot


def _load_default(_settings: Mapping[str, int]) -> BotFactory:
    from ordago_bot.house.baselines import DefaultBot

    return DefaultBot


def _load_solid(settings: Mapping[str, int]) -> BotFactory:
    from functools import partial

    from ordago_bot.house.solid import SolidBot

    return partial(SolidBot, worlds=settings["worlds"], noise=settings["noise"])


def _load_level(settings: Mapping[str, int]) -> BotFactory:
    from functools import partial

    from ordago_bot.house.levels import LevelBot

    return partial(LevelBot, level=settings["level"], budget_ms=settings["budget_ms"])


_WORLDS: Final = Setting(
    default=4, min=1, max=256, sentence="How many deals it imagines for each decision; more play better and slower."
)
_NOISE: Final = Setting(
    default=0, min=0, max=100, sentence="How often it takes any legal action instead, in per cent of its decisions."
)
_LEVEL: Final = Setting(
    default=3, min=1, max=5, sentence="How well it plays; a game with fewer levels plays its strongest."
)
_BUDGET: Final = Setting(
    default=0,
    min=0,
    max=60_000,
    sentence="How many milliseconds a decision may take at most; 0 leaves it to the clock of the match.",
)

HOUSE_BOTS: Final[Mapping[str, HouseBot]] = MappingProxyType(
    {
        "random": HouseBot("Takes any legal action; plays every game.", _load_random),
        "default": HouseBot("Always takes the default answer; plays every game.", _load_default),
        "solid": HouseBot(
            "Imagines deals that fit what it has seen and takes what does best in them.",
            _load_solid,
            MappingProxyType({"worlds": _WORLDS, "noise": _NOISE}),
        ),
        "house": HouseBot(
            "Plays each game at a level from 1 to 5.",
            _load_level,
            MappingProxyType({"level": _LEVEL, "budget_ms": _BUDGET}),
        ),
    }
)
"""The house bots by name."""


PAUSE: Final = "pause"
"""The option of all house bots for the milliseconds to wait before each answer. It does not change their play."""


class HouseBotError(ValueError):
    """A user's mistake: an unknown house bot, setting or value."""


def house_command(name: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """Return the command that starts a house bot with some settings, and the others at their defaults.

    Raises:
        HouseBotError: the bot is unknown, or has no such setting, or does not allow the value.
    """
    if name not in HOUSE_BOTS:
        raise HouseBotError(f"there is no house bot {name!r}; {nearest(name, HOUSE_BOTS)}")
    known = HOUSE_BOTS[name].settings
    for key, value in settings.items():
        if key not in known:
            raise HouseBotError(f"the house bot {name!r} has no setting {key!r}; {nearest(key, known)}")
        least, most = known[key].min, known[key].max
        if type(value) is not int or not least <= value <= most:
            raise HouseBotError(f"{key!r} takes a whole number from {least} to {most}, not {value!r}")
    words = (word for key, value in settings.items() for word in (f"--{key}", str(value)))
    return (sys.executable, "-m", "ordago_bot", name, *words)
