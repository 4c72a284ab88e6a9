"""The sections of an event file, as values."""

from datetime import datetime
from typing import Annotated, Final, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidationInfo,
    field_validator,
    model_validator,
)

from ordago.arena.processes.isolation.confinement import Limits
from ordago.record.ledgers.event import BeaconRound
from ordago_ladder.settings.common import MatchTermSettings, PlayedGame, Section, Values, check_house_bot
from ordago_ladder.settings.written_values import (
    Format,
    Isolation,
    Overall,
    Partners,
    UnfitValueError,
    beacon_of,
    begins_of,
    entrant_name,
    environment_of,
    listed,
    one_of,
    secret_of,
    shown_text,
    slug_of,
    until_of,
    words_of,
)

_LIMITS: Final = Limits()


class EventSettings(MatchTermSettings):
    """The terms of an event: the section ``[event]``."""

    name: Annotated[str, AfterValidator(slug_of)]
    """The short name: small letters, digits and hyphens."""
    title: str = ""
    """The name for people; the short name where none is given."""
    format: Annotated[Format, BeforeValidator(one_of(get_args(Format)))] = "round-robin"
    """Which tables play; docs/formats.md says what each of the formats means."""
    repetitions: int = Field(default=1, ge=1)
    """How often every table of entrants plays all its seatings; in a Swiss event, every table of a round."""
    rounds: int | None = Field(default=None, ge=1)
    """The number of rounds of a Swiss event."""
    sets_wanted: int | None = Field(default=None, ge=1)
    """With so many duplicate sets an open event is over."""
    half_width: float | None = Field(default=None, gt=0, le=1_000)
    """With ratings as exact as this, half an interval in Elo, an open event is over."""
    until: Annotated[datetime, BeforeValidator(until_of)] | None = None
    """The time from which on an open event begins no more rounds."""
    duplicates: bool | None = None
    """Whether all seatings of a table in a repetition get the same deals, where a game says nothing of it. None: in the
    games in which that tells more."""
    processes: int | None = Field(default=None, ge=1)
    """How many processes an entrant has at once at most. None: as many as the seatings of a set take."""
    parallel: int = Field(default=16, ge=1, le=10_000)
    """How many matches are played at once."""
    suspend_after: int = Field(default=10, ge=0, le=1_000_000)
    """With this many forfeited matches an entrant is suspended from the event. 0: never."""
    attempts: int = Field(default=3, ge=0, le=100)
    """How often a run begins a match anew in which the server failed, before it stops."""
    absentees_forfeit: bool = False
    """Whether an entrant who does not check in forfeits his matches. Otherwise the run stops and names him."""
    isolation: Annotated[Isolation, BeforeValidator(one_of(get_args(Isolation)))] = "full"
    """Whether each process of a bot that is started is shut in, so that it reaches nothing but the server: ``full``,
    or ``none`` where the organiser trusts all of them with his machine."""
    start_timeout: float = Field(default=20.0, gt=0, le=3_600)
    """The time that a bot has to come to the table after it was started, in seconds."""
    build_timeout: float = Field(default=600.0, gt=0, le=86_400)
    """The time that the build of an entrant may take, in seconds."""
    begins: Annotated[datetime, PlainValidator(begins_of)] | None = None
    """When the event begins, with whoever is there. None: as soon as all remote entrants have checked in."""
    return_timeout: float = Field(default=300.0, ge=0, le=86_400)
    """How long the matches of a remote entrant wait in all for bots that went away, in seconds."""
    overall: Annotated[Overall, BeforeValidator(one_of(get_args(Overall)))] = "pairings"
    """What counts the same in the ladder of all games."""
    secret: Annotated[bytes, PlainValidator(secret_of)] | None = Field(default=None, repr=False)
    """The secret that the deals come from, 32 bytes. It is for demonstrations that are to be the same every time:
    whoever knows it knows the cards. Where none is given the runner draws one."""

    beacon: Annotated[BeaconRound | None, BeforeValidator(beacon_of)] = None
    """The round of a public beacon whose value is mixed into the deals, which nobody can know before it is out."""

    @property
    def heading(self) -> str:
        """The name for people."""
        return self.title or self.name


class LimitSettings(Section):
    """What each process life of a bot may use: the section ``[limits]``."""

    memory_mib: int = Field(default=_LIMITS.memory_mib, ge=64, le=1 << 20)
    """Memory in MiB."""
    cpu_seconds: int = Field(default=_LIMITS.cpu_seconds, ge=0, le=10**9)
    """Seconds of a processor, from the start to the end of a process. 0: no limit."""
    processes: int = Field(default=_LIMITS.processes, ge=8, le=1 << 20)
    """Processes and threads at once."""
    open_files: int = Field(default=_LIMITS.open_files, ge=32, le=1 << 20)
    """Open files of each process, connections among them."""
    scratch_mib: int = Field(default=_LIMITS.scratch_mib, ge=1, le=1 << 20)
    """The size of its scratch folder, in MiB."""


class GameSettings(PlayedGame):
    """A game of an event: a section ``[[game]]``."""

    sets: int | None = Field(default=None, ge=1)
    """The number of duplicate sets. None in the file: every table of entrants plays one in each repetition."""
    duplicates: bool | None = None
    """Whether all seatings of a table in a repetition get the same deals. None in the file: as the event says."""
    partners: Annotated[Partners, BeforeValidator(one_of(get_args(Partners)))] = "one"
    """Whether all seats of a side are one entrant's, or each seat another's, who have each other for partners."""

    @property
    def mixed(self) -> bool:
        """Whether partners are different entrants."""
        return self.partners == "mixed"

    @property
    def places(self) -> tuple[int, ...]:
        """Which of the entrants at a table takes each seat, from 0."""
        return tuple(range(self.seats)) if self.mixed else self.sides

    @property
    def table_size(self) -> int:
        """The number of entrants at a table."""
        return len(set(self.places))

    @property
    def team_size(self) -> int:
        """The greatest number of seats that one entrant has at a table."""
        return max(self.places.count(place) for place in self.places)


class EntrantSettings(Section):
    """An entrant of an event: a section ``[[entrant]]``. It is a house bot, a command, or comes from elsewhere."""

    name: Annotated[str, AfterValidator(entrant_name)]
    """The name on the ladder."""
    version: str = ""
    """The version on the ladder. Empty: what the bot says of itself, if anything."""
    author: Annotated[str, AfterValidator(shown_text)] = ""
    """Who made the bot, for the page."""
    language: Annotated[str, AfterValidator(shown_text)] = ""
    """What the bot is written in, for the page."""
    house: Annotated[str, AfterValidator(lambda house: house.removeprefix("house:"))] | None = None
    """The house bot that plays."""
    settings: Values = ()
    """The settings of the house bot."""
    command: Annotated[tuple[str, ...], BeforeValidator(words_of), Field(min_length=1)] | None = None
    """The command that starts the bot, and its arguments."""
    build: Annotated[tuple[str, ...], BeforeValidator(words_of)] = ()
    """The command that runs once in its folder, and may write there, before the bot is started; empty for none."""
    remote: bool = False
    """Whether the bots are started elsewhere, and come in with tokens of an account."""
    account: str = ""
    """The account of a remote entrant, where it is called otherwise."""
    processes: int | None = Field(default=None, ge=1, validate_default=True)
    """How many processes of the entrant there are. None in the file: 1 of a remote entrant, else as many as needed."""
    env: Annotated[tuple[tuple[str, str], ...], PlainValidator(environment_of)] = ()
    """The environment variables that the bot gets beside the runner's own."""

    folder: str = ""
    """Where the bot works, and what it may read; seen from where the runner was started, and empty for just there.
    Bots of others may not read it, unless they work there too, or further inside."""
    readable: Annotated[tuple[str, ...], BeforeValidator(listed)] = ()
    """What else the bot may read: files, and folders with all that lies in them."""
    newcomer: bool = False
    """Whether a gauntlet is about this entrant. All others are its field."""

    @field_validator("processes")
    @classmethod
    def _check_processes(cls, processes: int | None, info: ValidationInfo) -> int | None:
        return 1 if processes is None and info.data.get("remote") else processes

    @model_validator(mode="after")
    def _check_start(self) -> "EntrantSettings":
        if problem := _way_problem(self):
            raise UnfitValueError(problem)
        if self.house is not None:
            check_house_bot(self.house, dict(self.settings))
        elif self.settings:
            raise UnfitValueError("'settings' are for house bots; put the arguments into 'command'")
        return self


def _way_problem(entrant: EntrantSettings) -> str | None:
    """Return what is wrong with the way in which an entrant's bots come to play, if anything is."""
    ways = [entrant.house is not None, entrant.command is not None, entrant.remote].count(True)
    if ways != 1:
        found = "more than one of them is here" if ways else "none of them is here"
        wanted = "write 'house', 'command' or 'remote = true'"
        return f"an entrant is a house bot, a command or remote, and {found}; {wanted}"
    if entrant.build and entrant.command is None:
        return "'build' is for entrants with a 'command'; leave it out"
    if entrant.build and not entrant.folder:
        return "'build' needs a 'folder' of the entrant's own, which it works in and may write to; name it"
    if entrant.account and not entrant.remote:
        return "'account' is for remote entrants; write 'remote = true' in place of a bot, or leave it out"
    if entrant.remote and (entrant.env or entrant.folder or entrant.readable):
        return "'env', 'folder' and 'readable' are for bots that are started here; a remote entrant has none of them"
    return None
