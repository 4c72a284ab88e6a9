"""The ladder file of a standing ladder: its terms, its games and its house bots.

The classes here are the parsed file; ``ordago_ladder.settings.common`` has the parts that other files share.
"""

from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from ordago_bot.house import house_command
from ordago_ladder.event_file.written_file import Form, WrittenFileError
from ordago_ladder.settings.common import (
    MatchTermSettings,
    PlayedGame,
    Section,
    Values,
    check_house_bot,
    within_bounds,
)
from ordago_ladder.settings.written_values import MOST_ELO, UnfitValueError, entrant_name, listed, name_key, slug_of
from ordago_ladder.standing.epoch_settings import EpochSettings, GameOfEpoch

READY: Final = Path(__file__).parents[1] / "ladders"
"""The folder of the ladder files that come with Ordago."""
_LONGEST_EPOCH_HOURS: Final = 24 * 366
"""A leap year."""
_LEAST_EPOCH_HOURS: Final = 1e-4
_LEAST_EPOCH_MATCHES: Final = 100
"""Each epoch uses one of the 10,000 links in the chain of secrets: shorter epochs would use them up too soon."""
_MOST_EPOCH_MATCHES: Final = 100_000
"""The ledger of so many matches takes about 80 MB, and a ledger is verified as a whole."""


_MOST_CHALLENGE_MATCHES: Final = 1_000
"""More than one bot can play: at 20 s a match and a rest of a minute, it would take a day."""


class LadderSettings(MatchTermSettings):
    """The terms of a ladder: the section ``[ladder]``."""

    name: Annotated[str, AfterValidator(slug_of)]
    """The short name: small letters, digits and hyphens. It is part of every seed text, and never changes."""
    title: str = ""
    """The name for people; the short name if left out."""
    season: Annotated[str, AfterValidator(lambda season: season and slug_of(season, "season"))] = ""
    """The short name of the season; empty for none. A new name takes effect with the next epoch."""
    epoch_hours: float = Field(default=24.0, ge=_LEAST_EPOCH_HOURS, le=_LONGEST_EPOCH_HOURS)
    """The length of an epoch, in hours."""
    epoch_matches: int = Field(default=50_000, ge=_LEAST_EPOCH_MATCHES, le=_MOST_EPOCH_MATCHES)
    """The most matches of an epoch. Once they are reached, the next epoch begins early."""
    # Bots come from elsewhere, so there is more time than in an event on one machine.
    decision_ms: Annotated[int, within_bounds("decision_ms")] = 10_000
    disconnect_bank_ms: Annotated[int, within_bounds("disconnect_bank_ms")] = 30_000
    delay: int = Field(default=0, ge=0, le=86_400)
    """The delay, in seconds, of the events that spectators of a running match see."""
    lone_seconds: float = Field(default=2.0, ge=0.1, le=3_600)
    """The seconds after which house bots fill the table of a bot that found no opponents."""
    exhibitions: bool = False
    """Let house bots play slow matches among themselves while nobody else plays, where a site shows them."""
    challenge_matches: int = Field(default=24, ge=0, le=_MOST_CHALLENGE_MATCHES)
    """The most unrated matches that an account may begin by challenges in 24 hours; 0 for no challenges."""
    keep_records_days: float | None = Field(default=None, ge=0)
    """The days for which the store keeps records after their epoch; without it, for ever."""
    keep_records_bytes: int | None = Field(default=None, ge=0)
    """The most bytes that all records in the store may take; without it, any number."""
    keep_archive_days: float | None = Field(default=None, ge=0)
    """The days for which published records stay after their epoch, once the store has dropped its own; without it, for
    ever."""
    keep_archive_bytes: int | None = Field(default=None, ge=0)
    """The most bytes that all published records may take, once the store has dropped its own; without it, any
    number."""

    @model_validator(mode="after")
    def _check_archive(self) -> "LadderSettings":
        for key in ("keep_archive_days", "keep_archive_bytes"):
            if getattr(self, key) is not None and not self.gives_up_records:
                raise UnfitValueError(
                    f"'{key}' needs 'keep_records_days' or 'keep_records_bytes': published records go after those in "
                    "the store"
                )
        return self

    @property
    def gives_up_records(self) -> bool:
        """True if old records are pruned while the server runs."""
        return self.keep_records_days is not None or self.keep_records_bytes is not None

    @property
    def heading(self) -> str:
        """The name for people."""
        return self.title or self.name


class HouseSettings(Section):
    """A house bot: a section ``[[house]]``."""

    name: Annotated[str, AfterValidator(entrant_name)]
    """Its name on the ladder."""
    house: Annotated[str, AfterValidator(lambda house: house.removeprefix("house:"))]
    """The program that plays, one of the bots that come with Ordago."""
    settings: Values = ()
    """The settings of that program."""
    rating: float | None = Field(default=None, ge=-MOST_ELO, le=MOST_ELO)
    """Its rating in Elo, where that is known: it is an anchor of the ladder then."""

    @model_validator(mode="after")
    def _check_start(self) -> "HouseSettings":
        check_house_bot(self.house, dict(self.settings))
        return self

    @property
    def version(self) -> str:
        """Its version on the ladder: the program with its settings, so that other settings make another player."""
        return " ".join([self.house, *(f"{name}={value}" for name, value in self.settings)])

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts it."""
        return house_command(self.house, dict(self.settings))


class StandingSettings(Section):
    """A whole ladder file."""

    ladder: LadderSettings
    """The terms."""
    games: Annotated[tuple[PlayedGame, ...], BeforeValidator(listed), Field(alias="game", min_length=1)]
    """The games, in the order of the file."""
    houses: Annotated[tuple[HouseSettings, ...], BeforeValidator(listed), Field(alias="house", default=())]
    """The house bots, in the order of the file."""

    @field_validator("games")
    @classmethod
    def _check_games(cls, games: tuple[PlayedGame, ...]) -> tuple[PlayedGame, ...]:
        names = [game.name for game in games]
        for number, name in enumerate(names, start=1):
            if name in names[: number - 1]:
                raise UnfitValueError(f"[[game]] {number}: {name!r} is a second time here; a ladder has each game once")
        return games

    @field_validator("houses")
    @classmethod
    def _check_names(cls, houses: tuple[HouseSettings, ...]) -> tuple[HouseSettings, ...]:
        keys = [name_key(house.name) for house in houses]
        for number, key in enumerate(keys, start=1):
            if key in keys[: number - 1]:
                name = houses[number - 1].name
                raise UnfitValueError(f"[[house]] {number}: the name {name!r} is taken; choose another")
        return houses

    @property
    def anchors(self) -> dict[str, float]:
        """The known ratings of house bots in Elo, by name."""
        return {house.name: house.rating for house in self.houses if house.rating is not None}

    def game_named(self, name: str) -> PlayedGame:
        """Return the settings of one of the ladder's games."""
        return next(game for game in self.games if game.name == name)

    def of_epoch(self) -> EpochSettings:
        """Return the settings of an epoch that begins with this ladder file."""
        return EpochSettings(
            ladder=self.ladder.name,
            games=tuple(_of_epoch(game) for game in sorted(self.games, key=lambda game: game.name)),
            anchors=self.anchors,
            **self.ladder.model_dump(include=set(MatchTermSettings.model_fields)),
        )


def _of_epoch(game: PlayedGame) -> GameOfEpoch:
    return GameOfEpoch(name=game.name, rules_version=game.rules_version, seats=game.seats, options=dict(game.options))


class LadderFileError(WrittenFileError):
    """An invalid ladder file. It is the organiser's mistake."""


_FORM: Final = Form(
    StandingSettings,
    {
        "ladder": ("[ladder]", LadderSettings),
        "game": ("[[game]]", PlayedGame),
        "house": ("[[house]]", HouseSettings),
    },
    "[ladder], [[game]] and [[house]]",
    LadderFileError,
)


def read_ladder(where: str) -> StandingSettings:
    """Read a ladder file by its path, or by its name if it comes with Ordago.

    Raises:
        LadderFileError: the file cannot be read, or is invalid.
    """
    return _FORM.read(ladder_path(where))


def ladder_path(where: str) -> Path:
    """Return the path of a ladder file. A name without dots and slashes may be that of one that comes with Ordago."""
    ready = READY / f"{where}.toml"
    return ready if where.isidentifier() and ready.exists() else Path(where)


def parse_ladder(text: str, *, source: str = "ladder file") -> StandingSettings:
    """Parse the text of a ladder file.

    Raises:
        LadderFileError: the text is invalid. The message begins with the source and has a line for each problem.
    """
    return _FORM.parse(text, source=source)
