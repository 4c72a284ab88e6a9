"""Parts common to event files and ladder files: sections, match terms, games and house bots.

The classes are the sections of a file after reading: complete, checked and frozen. Tables of a file become tuples of
name and value, ascending by name; ``dict(...)`` makes a mapping of them.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationInfo, field_validator

from ordago.game import OptionError, option_values
from ordago.games import UnknownGameError, find_game
from ordago.match import TERM_BOUNDS
from ordago_bot.house import HouseBotError, house_command
from ordago_ladder.settings.written_values import UnfitValueError, Value, values_of

Values: TypeAlias = Annotated[tuple[tuple[str, Value], ...], PlainValidator(values_of)]
"""A table of options or settings, as pairs of name and value."""


class Section(BaseModel):
    """Base of the sections of a file: complete, checked and frozen."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        # Forms and the reference explain a key by the docstring below it.
        use_attribute_docstrings=True,
    )


def within_bounds(term: str) -> object:
    """Return the bounds and the description of a match term as a pydantic field."""
    least, most, sentence = TERM_BOUNDS[term]
    return Field(ge=least, le=most, description=sentence)


class MatchTermSettings(Section):
    """Time limits and fault rules of each match; ``TimeTerms`` and ``FaultTerms`` explain them."""

    decision_ms: Annotated[int, within_bounds("decision_ms")] = 1_000
    bank_ms: Annotated[int, within_bounds("bank_ms")] = 0
    increment_ms: Annotated[int, within_bounds("increment_ms")] = 0
    lag_credit_ms: Annotated[int, within_bounds("lag_credit_ms")] = 0
    lag_bank_ms: Annotated[int, within_bounds("lag_bank_ms")] = 0
    disconnect_bank_ms: Annotated[int, within_bounds("disconnect_bank_ms")] = 5_000
    strikes: Annotated[int, within_bounds("strikes")] = 3
    forfeit_after: Annotated[int, within_bounds("forfeit_after")] = 10


class PlayedGame(Section):
    """A game with its seats and options: the keys common to all sections ``[[game]]``."""

    name: str
    """The short name of the game, as ``ordago games`` lists it."""
    seats: int = Field(default=0, validate_default=True)
    """The number of players; 0 for the first number that the game allows."""
    options: Values = Field(default={}, validate_default=True)
    """The options of the matches; those missing from the file have their defaults."""

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        try:
            return find_game(name).name
        except UnknownGameError as error:
            raise UnfitValueError(str(error)) from error

    @field_validator("seats")
    @classmethod
    def _check_seats(cls, seats: int, info: ValidationInfo) -> int:
        if "name" not in info.data:
            return seats
        counts = find_game(info.data["name"]).rules.seat_counts
        if seats and seats not in counts:
            raise UnfitValueError(f"'seats' takes {' or '.join(map(str, counts))}, not {seats}")
        return seats or counts[0]

    @field_validator("options")
    @classmethod
    def _check_options(
        cls, options: tuple[tuple[str, Value], ...], info: ValidationInfo
    ) -> tuple[tuple[str, Value], ...]:
        if "name" not in info.data:
            return options
        rules = find_game(info.data["name"]).rules
        try:
            complete = option_values(rules.option_specs, dict(options))
            rules.options(complete)
        except OptionError as error:
            raise UnfitValueError(str(error)) from error
        return tuple(sorted(complete.items()))

    @property
    def title(self) -> str:
        """The display name of the game."""
        return find_game(self.name).rules.title

    @property
    def described_options(self) -> tuple[tuple[str, Value], ...]:
        """The description of each option, with its value."""
        sentences = {spec.name: spec.sentence for spec in find_game(self.name).rules.option_specs}
        return tuple((sentences[name], value) for name, value in self.options)

    @property
    def rules_version(self) -> int:
        """The version of the game's rules, from 1."""
        return find_game(self.name).rules.version

    @property
    def duplicates_tell_more(self) -> bool:
        """True if duplicate deals make the results of this game more informative."""
        return find_game(self.name).duplicates_tell_more

    @property
    def can_be_conceded(self) -> bool:
        """True if its rules settle the outcome of a match that a side concedes."""
        return find_game(self.name).can_be_conceded(self.seats)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays for, from 0."""
        return find_game(self.name).rules.sides(self.seats)


def check_house_bot(name: str, settings: Mapping[str, Value]) -> None:
    """Check that there is a house bot of this name, and that it takes these settings.

    Raises:
        UnfitValueError: there is none, or it does not take them.
    """
    try:
        house_command(name, settings)
    except HouseBotError as error:
        raise UnfitValueError(str(error)) from error
