"""The settings of the matches of a conformance file: every value of an option that is to occur, and all seats."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ordago.game import OptionError, OptionKind, OptionSpec
from ordago.games.definition import AnyGame
from ordago_cli.game.conformance.draws import Draws


class Settings(NamedTuple):
    """The options and the seats of a match."""

    seats: int
    options: Any
    """The options, in the type of the game."""


def values_of(spec: OptionSpec) -> tuple[int | str | bool, ...]:
    """Return the values of an option that have to occur: all of a few, or the least, the default and the greatest."""
    if spec.choices:
        return spec.choices
    if spec.kind is OptionKind.BOOLEAN:
        return (False, True)
    values = (spec.min, spec.default, spec.max)
    return tuple(dict.fromkeys(value for value in values if value is not None))


def settings(game: AnyGame, draws: Draws) -> Iterator[Settings]:
    """Yield settings without end. Each value comes once in as many matches as its option has values."""
    rules = game.rules
    seats = _cycled(rules.seat_counts, draws)
    cycles = {spec.name: _cycled(values_of(spec), draws) for spec in rules.option_specs}
    least = {spec.name: spec.min for spec in rules.option_specs if spec.min is not None}
    while True:
        for short in draws.shuffled((False, True)):
            chosen = {name: least[name] if short and name in least else next(cycle) for name, cycle in cycles.items()}
            try:
                yield Settings(next(seats), rules.options(chosen))
            except OptionError as error:
                raise ValueError(f"{game.name} refuses a value of its own option {error.name!r}: {error}") from error


def _cycled(values: tuple[Any, ...], draws: Draws) -> Iterator[Any]:
    """Yield values without end: all of them, then all again in another order."""
    while True:
        yield from draws.shuffled(values)
