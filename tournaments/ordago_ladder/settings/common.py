"""What event files and ladder files have in common: sections, the terms of a match, the games, and house bots.

The classes are sections of a file once it was read: complete, checked and frozen. Tables of a file are tuples of name
and value, ascending by name; ``dict(...)`` makes a mapping of them.
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
"""A table of values."""


class Section(BaseModel):
    """A section of a file: complete, checked and frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, hide_input_in_errors=True)


def within_bounds(term: str) -> object:
    """Return the bounds of one of the terms of a match, and what it is, as pydantic takes such."""
    least, most, sentence = TERM_BOUNDS[term]
    return Field(ge=least, le=most, description=sentence)


class MatchTermSettings(Section):
    """What each match is played under: ``TimeTerms`` and ``FaultTerms`` say what it is."""

    decision_ms: Annotated[int, within_bounds("decision_ms")] = 1_000
    bank_ms: Annotated[int, within_bounds("bank_ms")] = 0
    increment_ms: Annotated[int, within_bounds("increment_ms")] = 0
    lag_credit_ms: Annotated[int, within_bounds("lag_credit_ms")] = 0
    lag_bank_ms: Annotated[int, within_bounds("lag_bank_ms")] = 0
    disconnect_bank_ms: Annotated[int, within_bounds("disconnect_bank_ms")] = 5_000
    strikes: Annotated[int, within_bounds("strikes")] = 3
    forfeit_after: Annotated[int, within_bounds("forfeit_after")] = 10


class PlayedGame(Section):
    """A game and how it is played: what every section ``[[game]]`` says."""

    name: str
    """The short name of the game."""
    seats: int = Field(default=0, validate_default=True)
    """The number of players. 0 in the file: the first that the game can be played with."""
    options: Values = Field(default={}, validate_default=True)
    """The options of the matches, complete."""

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
        """The name of the game for people."""
        return find_game(self.name).rules.title

    @property
    def told_options(self) -> tuple[tuple[str, Value], ...]:
        """What each option does, in a sentence, and its value."""
        sentences = {spec.name: spec.sentence for spec in find_game(self.name).rules.option_specs}
        return tuple((sentences[name], value) for name, value in self.options)

    @property
    def rules_version(self) -> int:
        """The version of the game's rules, from 1."""
        return find_game(self.name).rules.version

    @property
    def duplicates_tell_more(self) -> bool:
        """Whether matches with the same deals tell more of the players than others."""
        return find_game(self.name).duplicates_tell_more

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays for, from 0."""
        return find_game(self.name).rules.sides(self.seats)


def check_house_bot(name: str, settings: Mapping[str, Value]) -> None:
    """Check that there is a house bot of this name that takes these settings.

    Raises:
        UnfitValueError: there is none.
    """
    try:
        house_command(name, settings)
    except HouseBotError as error:
        raise UnfitValueError(str(error)) from error
