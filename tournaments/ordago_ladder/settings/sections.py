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
from ordago_ladder.settings.webhooks import Form, Kind, announce_key, announce_kinds, announce_url
from ordago_ladder.settings.written_values import (
    BY_ROUNDS,
    FinalFormat,
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
_RULES_ADDRESS: Final = "ORDAGO_RULES"
MOST_ENTERED: Final = 256
"""The most entrants of an event with ``open_entry``: with the longest texts their sections stay within a file."""
MOST_LOOKS: Final = 20
"""The most looks whether places are decided: then 99.3 % are needed, where 95 % would do after a single one."""
_PLAY_OFFS: Final = 3
"""Of two equally strong entrants, half of the sets of two matches end in a tie: after three play-offs one in 16 tables
of one set is still tied."""
_MOST_GROUPS: Final = 26
"""The most groups that are drawn: each is named by a letter."""


SCALED_BY_ODDS: Final = ("decision_ms", "bank_ms", "increment_ms")
"""The terms of a match that the time odds of an entrant multiply: its time to think, and not that of its network."""


class EventSettings(MatchTermSettings):
    """The terms of an event: the section ``[event]``."""

    name: Annotated[str, AfterValidator(slug_of)]
    """The short name: lower-case letters, digits and hyphens."""
    title: str = ""
    """The display name; empty for the short name."""
    format: Annotated[Format, BeforeValidator(one_of(get_args(Format)))] = "round-robin"
    """The format, which decides the tables that play."""
    repetitions: int = Field(default=1, ge=1)
    """The number of times that every table plays all its seatings; in a Swiss event or a knockout, every table of a
    round."""
    rounds: int | None = Field(default=None, ge=1)
    """The number of rounds of a Swiss event."""
    advance: int | None = Field(default=None, ge=1)
    """The number of entrants that go on from a table of a knockout or a double elimination, or from each group of a
    league. None: half of those at a table, rounded down; a league needs it."""
    groups: int | None = Field(default=None, ge=1, le=_MOST_GROUPS)
    """The number of groups that a league draws. None: every entrant names its ``group``."""
    final: Annotated[FinalFormat, BeforeValidator(one_of(get_args(FinalFormat)))] | None = None
    """The format in which those that go on from the groups of a league play its final. None: a knockout."""
    final_repetitions: int | None = Field(default=None, ge=1)
    """The ``repetitions`` in the final of a league. None: as many as in its groups."""
    play_offs: int | None = Field(default=None, ge=0, le=100)
    """The most sets that a tied table of a knockout or a double elimination, or of such a final, plays on top of its
    ``repetitions``. None: 3."""
    skip_decided: bool | None = None
    """True to skip the sets that can no longer change who goes on from a table of a knockout or a double elimination,
    or of such a final."""
    until_decided: int | None = Field(default=None, ge=1)
    """The number of first places, 1 for the winner, after whose decision a round robin ends. It looks after each
    ``repetitions``."""
    at_most: int | None = Field(default=None, ge=1)
    """The number of repetitions after which such a round robin ends, decided or not: at most 20 times
    ``repetitions``."""
    sets_wanted: int | None = Field(default=None, ge=1)
    """The number of duplicate sets after which an open event ends."""
    half_width: float | None = Field(default=None, gt=0, le=1_000)
    """Half the longest rating interval, in Elo, at which an open event ends."""
    until: Annotated[datetime, BeforeValidator(until_of)] | None = None
    """The time after which an open event begins no more rounds, as ``2027-01-31T18:00:00Z``."""
    duplicates: bool | None = None
    """Same deals for all seatings of a table in a repetition, unless a game sets its own. None: only in games where
    duplicates are more informative."""
    processes: int | None = Field(default=None, ge=1)
    """The most processes of an entrant at once. None: as many as the seatings of a set take."""
    parallel: int = Field(default=16, ge=1, le=10_000)
    """The number of matches played at once."""
    conceding: bool = False
    """True if bots may concede matches, in games whose rules settle the outcome: Mus, and Mitaines for two sides."""
    suspend_after: int = Field(default=10, ge=0, le=1_000_000)
    """The number of forfeited matches after which an entrant is suspended from the event. 0: never."""
    attempts: int = Field(default=3, ge=0, le=100)
    """The number of times that a run restarts a match in which the server failed, before it stops."""
    absentees_forfeit: bool = False
    """True if an entrant that does not check in forfeits its matches. Otherwise the run stops and names it."""
    isolation: Annotated[Isolation, BeforeValidator(one_of(get_args(Isolation)))] = "full"
    """The isolation of bots that are started here: with ``full`` each process reaches nothing but the server; ``none``
    is for organisers that trust all bots with their machine."""
    start_timeout: float = Field(default=20.0, gt=0, le=3_600)
    """Seconds for a bot to check in after it was started."""
    build_timeout: float = Field(default=600.0, gt=0, le=86_400)
    """Seconds that the build of an entrant may take."""
    begins: Annotated[datetime, PlainValidator(begins_of)] | None = None
    """The time when the event begins, with the entrants that have checked in, as ``2026-11-27T18:00:00Z``. None: once
    all remote entrants have."""
    open_entry: bool = False
    """True if authors may enter their bots themselves until the event ``begins``, at a server that plays it."""
    entrants_at_most: int | None = Field(default=None, ge=2, le=MOST_ENTERED)
    """The number of entrants, with those in the file, up to which authors may enter an event with ``open_entry``."""
    return_timeout: float = Field(default=300.0, ge=0, le=86_400)
    """Seconds that the matches of a remote entrant wait in total for bots that disconnected."""
    overall: Annotated[Overall, BeforeValidator(one_of(get_args(Overall)))] = "pairings"
    """The unit of equal weight in the overall ladder: pairings or games."""
    secret: Annotated[bytes, PlainValidator(secret_of)] | None = Field(default=None, repr=False)
    """The secret that the deals come from, 64 hexadecimal digits. None: the runner draws one. A secret in the file is
    for reproducible demonstrations only, since it gives the cards away."""

    beacon: Annotated[BeaconRound | None, BeforeValidator(beacon_of)] = None
    """The round of a public beacon, ``{ source = "…", round = 1 }``. Its value, which nobody knows before it is out, is
    mixed into the deals."""

    @property
    def heading(self) -> str:
        """The display name."""
        return self.title or self.name

    @property
    def final_format(self) -> FinalFormat:
        """The format of the final of a league."""
        return self.final or "knockout"

    @property
    def most_play_offs(self) -> int:
        """The most sets that a tied table plays on top of its ``repetitions``."""
        return _PLAY_OFFS if self.play_offs is None else self.play_offs

    @property
    def by_rounds(self) -> bool:
        """True if results decide who plays next, or how long."""
        return self.format in BY_ROUNDS or self.until_decided is not None

    @property
    def most_repetitions(self) -> int:
        """The most repetitions of a round robin."""
        return self.at_most or self.repetitions

    @property
    def looks(self) -> int:
        """The most times that a round robin is asked whether its places are decided."""
        return -(-self.most_repetitions // self.repetitions)

    def going_on(self, game: "GameSettings") -> int:
        """Return the number of entrants that go on from a table of a game."""
        return game.table_size // 2 if self.advance is None else self.advance


class LimitSettings(Section):
    """Resource limits of each process slot of a bot: the section ``[limits]``."""

    memory_mib: int = Field(default=_LIMITS.memory_mib, ge=64, le=1 << 20)
    """Memory in MiB."""
    cpu_seconds: int = Field(default=_LIMITS.cpu_seconds, ge=0, le=10**9)
    """CPU seconds from the start to the end of a process. 0: no limit."""
    processes: int = Field(default=_LIMITS.processes, ge=8, le=1 << 20)
    """The most processes and threads at once."""
    open_files: int = Field(default=_LIMITS.open_files, ge=32, le=1 << 20)
    """The most open files of each process, including connections."""
    scratch_mib: int = Field(default=_LIMITS.scratch_mib, ge=1, le=1 << 20)
    """The size of the scratch folder, in MiB; a file or folder counts for at least 4 KiB."""


class GameSettings(PlayedGame):
    """A game of an event: a section ``[[game]]``."""

    sets: int | None = Field(default=None, ge=1)
    """The number of duplicate sets. None: every table of entrants plays one in each repetition."""
    duplicates: bool | None = None
    """Same deals for all seatings of a table in a repetition. None: as the event sets it. True: processes of remote
    entrants take turns where they are too few, so that they get a deal again."""
    partners: Annotated[Partners, BeforeValidator(one_of(get_args(Partners)))] = "one"
    """The partners of a side: ``one`` entrant on all its seats, or ``mixed`` entrants, one on each seat."""

    @property
    def mixed(self) -> bool:
        """True if partners are different entrants."""
        return self.partners == "mixed"

    @property
    def places(self) -> tuple[int, ...]:
        """For each seat the number, from 0, of the entrant at the table that takes it."""
        return tuple(range(self.seats)) if self.mixed else self.sides

    @property
    def table_size(self) -> int:
        """The number of entrants at a table."""
        return len(set(self.places))

    @property
    def team_size(self) -> int:
        """The most seats of one entrant at a table."""
        return max(self.places.count(place) for place in self.places)


class EntrantSettings(Section):
    """An entrant of an event: a section ``[[entrant]]``. It is a house bot, a command or a remote entrant."""

    name: Annotated[str, AfterValidator(entrant_name)]
    """The name on the ladder."""
    version: str = ""
    """The version on the ladder. Empty: the version that the bot reports, if any."""
    author: Annotated[str, AfterValidator(shown_text)] = ""
    """The author of the bot, for the ladder."""
    language: Annotated[str, AfterValidator(shown_text)] = ""
    """The programming language of the bot, for the ladder."""
    house: Annotated[str, AfterValidator(lambda house: house.removeprefix("house:"))] | None = None
    """The house bot that plays, in place of a command."""
    settings: Values = ()
    """The settings of the house bot."""
    command: Annotated[tuple[str, ...], BeforeValidator(words_of), Field(min_length=1)] | None = None
    """The command that starts the bot, as a string or a list of words. No shell reads it: put variables into ``env``,
    pipes into ``sh -c '…'``."""
    build: Annotated[tuple[str, ...], BeforeValidator(words_of)] = ()
    """The command that runs once in the entrant's folder before its bots start, and may write there; empty for none."""
    remote: bool = False
    """True if the bots are started elsewhere and check in with tokens of an account."""
    account: str = ""
    """The account of a remote entrant; empty for one with the name of the entrant."""
    processes: int | None = Field(default=None, ge=1, validate_default=True)
    """The number of processes of the entrant. None: 1 for a remote entrant, otherwise as many as needed."""
    env: Annotated[tuple[tuple[str, str], ...], PlainValidator(environment_of)] = ()
    """Environment variables for the bot, on top of the few that every bot has."""

    folder: str = ""
    """The working folder of the bot, which it may read; relative to the runner's working directory, and empty for that
    directory. Other bots may not read it, unless they work in it or in a folder inside."""
    readable: Annotated[tuple[str, ...], BeforeValidator(listed)] = ()
    """Other files that the bot may read, and folders with all their contents."""
    rules: bool = False
    """True to start the rules as a service beside each process of a bot, within its limits. The bot finds their address
    in ``ORDAGO_RULES``."""
    time_odds: float = Field(default=1.0, ge=0.01, le=100)
    """The factor by which ``decision_ms``, ``bank_ms`` and ``increment_ms`` of the event are multiplied for this
    entrant, rounded to whole milliseconds; 1 ms is the shortest time for a decision."""
    newcomer: bool = False
    """True for a newcomer, which a gauntlet plays against the field of all others."""
    group: Annotated[str, AfterValidator(shown_text)] = ""
    """The group of a league that the entrant plays in. Empty: it is drawn, like those of all others."""
    withdrawn: bool = False
    """True from the time on when the entrant leaves an event that has begun: what it played stays, and it plays no
    more."""

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
            raise UnfitValueError("'settings' is for house bots; put the arguments into 'command'")
        return self


def _way_problem(entrant: EntrantSettings) -> str | None:
    """Return a sentence on a missing, double or inconsistent way to start an entrant's bots; ``None`` if none is."""
    ways = [entrant.house is not None, entrant.command is not None, entrant.remote].count(True)
    if ways != 1:
        found = "this one is more than one of them" if ways else "this one is none of them"
        wanted = "write 'house', 'command' or 'remote = true'"
        return f"an entrant is a house bot, a command or remote, and {found}; {wanted}"
    if entrant.build and entrant.command is None:
        return "'build' is for entrants with a 'command'; leave it out"
    if entrant.build and not entrant.folder:
        return "'build' needs a 'folder' of the entrant's own to work in and write to; name it"
    if entrant.rules and entrant.command is None:
        return "'rules' is for entrants with a 'command', which Ordago starts; leave it out"
    if entrant.rules and _RULES_ADDRESS in dict(entrant.env):
        return f"'rules' sets {_RULES_ADDRESS}; leave that out of 'env', or leave out 'rules'"
    if entrant.account and not entrant.remote:
        return "'account' is for remote entrants; write 'remote = true' instead of the bot, or leave it out"
    if entrant.remote and (entrant.env or entrant.folder or entrant.readable):
        return "'env', 'folder' and 'readable' are for bots that Ordago starts; leave them out for a remote entrant"
    return None


class AnnounceSettings(Section):
    """A URL that is told what happens in the event: a section ``[[announce]]``. It is never published."""

    url: Annotated[str, AfterValidator(announce_url)] = Field(repr=False)
    """The URL to post to."""
    form: Annotated[Form, BeforeValidator(one_of(get_args(Form)))] = "json"
    """The form of the body: JSON with a key for each fact, or the one that Discord or Slack shows in a channel."""
    kinds: Annotated[tuple[Kind, ...], PlainValidator(announce_kinds)] = get_args(Kind)
    """The kinds of announcements that are sent."""
    key: Annotated[str, AfterValidator(announce_key)] = Field(default="", repr=False)
    """The key that requests are signed with, as https://www.standardwebhooks.com describes: ``whsec_`` with 24 to 64
    random bytes in base 64. Empty: they are not signed."""
