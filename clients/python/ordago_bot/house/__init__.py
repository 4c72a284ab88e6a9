"""The house bots: opponents that are always there. ``python -m ordago_bot NAME`` starts one."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from ordago.names import nearest
from ordago_bot.bot import BotFactory


@dataclass(frozen=True, slots=True)
class Setting:
    """A whole number that a house bot can be started with."""

    default: int
    min: int
    max: int
    sentence: str
    """What it does, in one sentence."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot."""

    sentence: str
    """How it plays, in one sentence."""
    load: Callable[[Mapping[str, int]], BotFactory]
    """Returns the bot for a value of each setting."""
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


_WORLDS: Final = Setting(
    default=4, min=1, max=256, sentence="How many deals it imagines for each decision; more play better and slower."
)
_NOISE: Final = Setting(
    default=0, min=0, max=100, sentence="How often it takes any legal action instead, in per cent of its decisions."
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
    }
)
"""The house bots by name."""


PAUSE: Final = "pause"
"""An option of all house bots: how many milliseconds they wait before each answer. They play the same with it."""


class HouseBotError(ValueError):
    """There is no such house bot, or it cannot be set like this. The user erred."""


def house_command(name: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """Return the command that starts a house bot with some settings; those that are not given take their defaults.

    Raises:
        HouseBotError: there is no such bot, or it has no such setting, or not with this value.
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
