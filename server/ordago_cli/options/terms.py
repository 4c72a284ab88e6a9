"""The options for the terms of matches: times, and consequences of faults."""

import functools
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, Final

import click

from ordago.match import TERM_BOUNDS, FaultTerms, TimeTerms

_DEFAULTS: Final = asdict(TimeTerms(decision_ms=10_000, disconnect_bank_ms=30_000)) | asdict(FaultTerms())


def _option(name: str) -> Callable[[Callable[..., None]], Any]:
    least, most, sentence = TERM_BOUNDS[name]
    return click.option(
        f"--{name.replace('_', '-')}",
        default=_DEFAULTS[name],
        show_default=True,
        type=click.IntRange(least, most),
        help=sentence,
    )


def terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as ``time``, a ``TimeTerms``, and ``faults``, a ``FaultTerms``."""

    @functools.wraps(command)
    def with_terms(**given: Any) -> None:  # noqa: ANN401 - the terms and all other options of the command
        time = TimeTerms(**{field.name: given.pop(field.name) for field in fields(TimeTerms)})
        faults = FaultTerms(**{field.name: given.pop(field.name) for field in fields(FaultTerms)})
        command(time=time, faults=faults, **given)

    return functools.reduce(lambda decorated, name: _option(name)(decorated), reversed(list(TERM_BOUNDS)), with_terms)
