"""Findings of the doctor, for people and for programs."""

from collections.abc import Mapping
from enum import Enum, unique
from typing import NamedTuple


class ProblemError(Exception):
    """The bot did not do what was expected. The sentence says what it did instead."""


class NotTriedError(Exception):
    """A case cannot be tried here. The sentence gives the reason."""


class LeftOutError(Exception):
    """A case does not concern this bot, or is tried on request only. The sentence gives the reason."""


@unique
class Mark(Enum):
    """The result of a case."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"
    """It could not be tried, and counts as not passed."""
    LEFT_OUT = "left out"
    """It does not concern this bot, or was not requested."""


class Finding(NamedTuple):
    """The finding of one case."""

    name: str
    mark: Mark
    seconds: float
    """The duration of the case."""
    came: str = ""
    """The actual behaviour, or the reason why it was not tried; empty if it passed."""
    course: tuple[str, ...] = ()
    """The last messages between the doctor and the bot, shortened."""
    output: tuple[str, ...] = ()
    """The last lines that the bot printed."""
    figures: Mapping[str, float] = {}
    """The measurements, by name."""
