"""What a standing ladder is: its terms, its games and the bots of its house.

The classes here are the ladder file once it was read; ``common_settings`` has what other files say, too.
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
"""Where the ladders lie that come with Ordago."""
_LONGEST_EPOCH_HOURS: Final = 24 * 366
_LEAST_EPOCH_HOURS: Final = 1e-4
_LEAST_EPOCH_MATCHES: Final = 100
"""The chain of secrets has 10,000 links, and a ladder is to last."""
_MOST_EPOCH_MATCHES: Final = 100_000
"""The ledger of so many has 80 MB as a rule; one is verified as a whole."""


class LadderSettings(MatchTermSettings):
    """The terms of a ladder: the section ``[ladder]``."""

    name: Annotated[str, AfterValidator(slug_of)]
    """The short name: small letters, digits and hyphens. It is part of every seed text, and never changes."""
    title: str = ""
    """The name for people; the short name where none is given."""
    season: Annotated[str, AfterValidator(lambda season: season and slug_of(season, "season"))] = ""
    """The short name of the season; empty where it has none. Another one begins with the next epoch."""
    epoch_hours: float = Field(default=24.0, ge=_LEAST_EPOCH_HOURS, le=_LONGEST_EPOCH_HOURS)
    """After so many hours the next epoch begins."""
    epoch_matches: int = Field(default=50_000, ge=_LEAST_EPOCH_MATCHES, le=_MOST_EPOCH_MATCHES)
    """After so many matches the next epoch begins, if it does not before."""
    # Bots come from elsewhere, so there is more time than in an event on one machine.
    decision_ms: Annotated[int, within_bounds("decision_ms")] = 10_000
    disconnect_bank_ms: Annotated[int, within_bounds("disconnect_bank_ms")] = 30_000
    delay: int = Field(default=0, ge=0, le=86_400)
    """So many seconds late the events of a running match are shown to those who look on."""
    lone_seconds: float = Field(default=2.0, ge=0, le=3_600)
    """After so many seconds bots of the house fill the table of a bot for whom there is nobody else."""
    exhibitions: bool = False
    """Whether bots of the house play among themselves while nobody else does, slowly, where a site shows it."""
    keep_records_days: float | None = Field(default=None, ge=0)
    """For so many days after their epoch records are kept in the store; ``None``: for ever."""
    keep_records_bytes: int | None = Field(default=None, ge=0)
    """So much room all records may take in the store; ``None``: whatever they take."""

    @property
    def gives_up_records(self) -> bool:
        """Whether old records make room while the server runs."""
        return self.keep_records_days is not None or self.keep_records_bytes is not None

    @property
    def heading(self) -> str:
        """The name for people."""
        return self.title or self.name


class HouseSettings(Section):
    """A bot of the house: a section ``[[house]]``."""

    name: Annotated[str, AfterValidator(entrant_name)]
    """Its name on the ladder."""
    house: Annotated[str, AfterValidator(lambda house: house.removeprefix("house:"))]
    """The house bot that plays."""
    settings: Values = ()
    """Its settings."""
    rating: float | None = Field(default=None, ge=-MOST_ELO, le=MOST_ELO)
    """Its rating, where that is known: an anchor of the ladder, in Elo."""

    @model_validator(mode="after")
    def _check_start(self) -> "HouseSettings":
        check_house_bot(self.house, dict(self.settings))
        return self

    @property
    def version(self) -> str:
        """Its version on the ladder: played otherwise it is another player."""
        return " ".join([self.house, *(f"{name}={value}" for name, value in self.settings)])

    @property
    def command(self) -> tuple[str, ...]:
        """How it is started."""
        return house_command(self.house, dict(self.settings))


class StandingSettings(Section):
    """A standing ladder, complete."""

    ladder: LadderSettings
    """The terms."""
    games: Annotated[tuple[PlayedGame, ...], BeforeValidator(listed), Field(alias="game", min_length=1)]
    """The games, in the order of the file."""
    houses: Annotated[tuple[HouseSettings, ...], BeforeValidator(listed), Field(alias="house", default=())]
    """The bots of the house, in the order of the file."""

    @field_validator("games")
    @classmethod
    def _check_games(cls, games: tuple[PlayedGame, ...]) -> tuple[PlayedGame, ...]:
        names = [game.name for game in games]
        for number, name in enumerate(names, start=1):
            if name in names[: number - 1]:
                raise UnfitValueError(f"[[game]] {number}: {name!r} is there already; a ladder plays each game once")
        return games

    @field_validator("houses")
    @classmethod
    def _check_names(cls, houses: tuple[HouseSettings, ...]) -> tuple[HouseSettings, ...]:
        keys = [name_key(house.name) for house in houses]
        for number, key in enumerate(keys, start=1):
            if key in keys[: number - 1]:
                name = houses[number - 1].name
                raise UnfitValueError(f"[[house]] {number}: there is a {name!r} already; give it another name")
        return houses

    @property
    def anchors(self) -> dict[str, float]:
        """The ratings of house bots that are known, by their names."""
        return {house.name: house.rating for house in self.houses if house.rating is not None}

    def game_named(self, name: str) -> PlayedGame:
        """Return what the ladder says of one of its games."""
        return next(game for game in self.games if game.name == name)

    def of_epoch(self) -> EpochSettings:
        """Return what all matches of an epoch are played under that begins with these settings."""
        return EpochSettings(
            ladder=self.ladder.name,
            games=tuple(_of_epoch(game) for game in sorted(self.games, key=lambda game: game.name)),
            anchors=self.anchors,
            **self.ladder.model_dump(include=set(MatchTermSettings.model_fields)),
        )


def _of_epoch(game: PlayedGame) -> GameOfEpoch:
    return GameOfEpoch(name=game.name, rules_version=game.rules_version, seats=game.seats, options=dict(game.options))


class LadderFileError(WrittenFileError):
    """A ladder file that describes no ladder. The organiser erred."""


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
    """Read a ladder file, by its path or, of those that come with Ordago, by its name.

    Raises:
        LadderFileError: it cannot be read, or it describes no ladder.
    """
    return _FORM.read(ladder_path(where))


def ladder_path(where: str) -> Path:
    """Return where a ladder file is: a name without dots and slashes is that of one that comes with Ordago."""
    ready = READY / f"{where}.toml"
    return ready if where.isidentifier() and ready.exists() else Path(where)


def parse_ladder(text: str, *, source: str = "ladder file") -> StandingSettings:
    """Return the ladder that the text of a ladder file describes.

    Raises:
        LadderFileError: it describes none. The message has a line for each thing that is wrong, and begins with the
            source.
    """
    return _FORM.parse(text, source=source)
