"""The options of a command that say what its matches are played under: the times, and what comes of faults."""

import functools
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

import click

from ordago.match import FaultTerms, TimeTerms

_DECISION_MS: Final = 10_000
_DISCONNECT_BANK_MS: Final = 30_000
_MOST: Final = 86_400_000
"""A day, in milliseconds. Far more could not be told to a bot."""


def _number(name: str, default: int, text: str, *, least: int = 0) -> Callable[[Callable[..., None]], Any]:
    return click.option(name, default=default, show_default=True, type=click.IntRange(least, _MOST), help=text)


_OPTIONS: Final = (
    _number("--decision-ms", _DECISION_MS, "Time for a decision.", least=1),
    _number("--bank-ms", 0, "Time for a whole match, used up after that of a decision."),
    _number("--increment-ms", 0, "What each decision adds to the bank."),
    _number("--lag-credit-ms", 0, "Travelling time of a decision that is not charged, at most."),
    _number("--lag-bank-ms", 0, "Travelling time of a whole match that is not charged, at most."),
    _number("--disconnect-bank-ms", _DISCONNECT_BANK_MS, "How long the table waits for a bot that is disconnected."),
    _number("--strikes", FaultTerms().strikes, "Illegal answers to a decision until the default is taken.", least=1),
    _number("--forfeit-after", FaultTerms().forfeit_after, "Decisions taken for a bot until it forfeits; 0: never."),
)


def terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command. They come to it as ``time``, some ``TimeTerms``, and ``faults``, ``FaultTerms``."""

    @functools.wraps(command)
    def with_terms(*, strikes: int, forfeit_after: int, **others: Any) -> None:  # noqa: ANN401 - all other options of the command
        time = TimeTerms(**{field.name: others.pop(field.name) for field in fields(TimeTerms)})
        command(time=time, faults=FaultTerms(strikes=strikes, forfeit_after=forfeit_after), **others)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), with_terms)
