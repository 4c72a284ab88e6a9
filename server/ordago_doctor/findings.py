"""What the doctor finds: what became of each case, in words for people and for programs."""

from collections.abc import Mapping
from enum import Enum, unique
from typing import NamedTuple


class ProblemError(Exception):
    """The bot did not do what was expected. The sentence says what came in place of it."""


class NotTriedError(Exception):
    """A case cannot be tried here. The sentence says why."""


class LeftOutError(Exception):
    """A case does not concern this bot, or is tried only when it is asked for. The sentence says why."""


@unique
class Mark(Enum):
    """What became of a case."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"
    """It could not be tried, and is not passed."""
    LEFT_OUT = "left out"
    """It does not concern this bot, or was not asked for."""


class Finding(NamedTuple):
    """What became of one case."""

    name: str
    mark: Mark
    seconds: float
    """How long it took."""
    came: str = ""
    """What came, or why it was not tried; empty where it passed."""
    course: tuple[str, ...] = ()
    """The last messages that went between the doctor and the bot, in short."""
    output: tuple[str, ...] = ()
    """The last lines that the bot printed."""
    figures: Mapping[str, float] = {}
    """What was measured, by its name."""
