"""Cases as data: the expected behaviour of a bot, the reason, the remedy, and the script that tests it.

``docs/doctor.md`` has an example, and ``docs/api/files.md`` shows the keys from here.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, unique
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ordago.games import find_game, game_names
from ordago.names import nearest
from ordago_doctor.server import STATUS_NAMES

_NAME: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_SHIPPED: Final = Path(__file__).parent / "cases"
_OF_A_GAME: Final = Path(__file__).parent / "game.toml"
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class CaseError(Exception):
    """A case that cannot be read. Its author erred."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Start(_Part):
    """The start of the bot for a case."""

    arguments: tuple[str, ...] = ()
    """Arguments added to its command."""
    launched: bool = True
    """True if it is told that a runner started it, as in an event."""
    token: bool = True
    """True if it is given a token."""
    tls: Literal["", "known", "strange", "mutual", "expired", "other-names", "untold", "refused"] = ""
    """The TLS of the server: none, with a certificate that the bot knows, or one of an unknown authority (``strange``),
    one that has expired, one for other names; TLS that asks for a certificate of the bot (``mutual``); TLS that the bot
    is not told of (``untold``); or none although the bot is told of it (``refused``).
    """
    environment: dict[str, str] = {}
    """Variables added to its environment, which replace those that point it to the doctor."""
    output: Literal["", "full", "unread"] = ""
    """The place of its output: read by the doctor, a device that is full, or a pipe that nobody reads."""
    unix_socket: bool = False
    """True if it connects by a Unix socket."""


class Step(_Part):
    """One step of a script: one of the verbs, and its parameters."""

    connect: str | None = None
    """The bot opens a connection and sends a Hello like this, which may name its ``metadata``."""
    send: str | None = None
    """The doctor sends these messages in one frame: JSON objects one after another."""
    hear: str | None = None
    """The next message of the bot is like this."""
    silence_ms: int | None = Field(default=None, ge=0)
    """The bot sends nothing for this time."""
    stay_away_ms: int | None = Field(default=None, ge=0)
    """The bot opens no connection for this time."""
    wait_ms: int | None = Field(default=None, ge=0)
    """The doctor waits."""
    end: str | None = None
    """The doctor ends the stream with this status."""
    wire: Literal["cut", "stall", "flow"] | None = None
    """The connection is lost, stalls, or flows again."""
    signal: Literal["TERM", "INT", "HUP"] | None = None
    """The bot gets this signal."""
    close_input: Literal[True] | None = None
    """The bot's standard input ends."""
    exit: Literal["any"] | tuple[int, ...] | None = None
    """The process ends with one of these codes."""
    prints: str | None = None
    """The bot has printed this."""
    never_prints: tuple[str, ...] | None = None
    """The bot has printed none of these."""

    within_ms: int | None = Field(default=None, gt=0)
    """The time for the bot. ``None``: that of the examination."""
    after_ms: int = Field(default=0, ge=0)
    """The minimal time for the bot."""
    sentence: str = ""
    """The message of the status."""
    retry_after_ms: int | None = Field(default=None, ge=0)
    """The time after which the bot may reconnect, sent with the status."""
    legal: bool = True
    """True if the choice has to be legal."""
    remember: str = ""
    """The name under which the answer of the choice is remembered."""
    same_as: str = ""
    """The remembered answer that a choice has to repeat."""
    other_than: str = ""
    """The remembered answer that a choice must not repeat, unless it is the default answer."""
    keeps_unknown: bool = False
    """True if a typed answer has to contain the unknown field of the default answer."""

    @model_validator(mode="after")
    def _has_one_verb(self) -> Self:
        found = [verb for verb in VERBS if getattr(self, verb) is not None]
        if len(found) != 1:
            raise ValueError(f"a step has one of the verbs {', '.join(VERBS)}, not {len(found)}: {found}")
        if self.end is not None and self.end not in STATUS_NAMES:
            raise ValueError(f"there is no status {self.end!r}; {nearest(self.end, STATUS_NAMES)}")
        return self

    @property
    def verb(self) -> str:
        """The verb of the step."""
        return next(verb for verb in VERBS if getattr(self, verb) is not None)


VERBS: Final = (
    *("connect", "send", "hear", "silence_ms", "stay_away_ms", "wait_ms", "end"),
    *("wire", "signal", "close_input", "exit", "prints", "never_prints"),
)
_OF_A_PROCESS: Final = ("signal", "close_input", "exit", "prints", "never_prints")


@unique
class Kind(Enum):
    """The weight of a case in the report."""

    REQUIRED = "required"
    ADVICE = "advice"


class Case(_Part):
    """One case."""

    name: str
    """The name of its file; not a key."""
    about: str
    """The subject, as a heading."""
    expected: str
    """The expected behaviour of the bot."""
    why: str
    """The reason why it matters."""
    mend: str
    """The remedy for a bot that fails."""
    required: bool
    """True if the bot has to pass it."""
    first: bool = False
    """True if all other cases are pointless when it fails."""
    slow: bool = False
    """True if it is tried on request only."""
    alone: bool = False
    """True if it runs alone, since it measures times."""
    session: bool = False
    """True if it runs in an open session without a match, perhaps after other cases of the same process.

    Otherwise a bot is started for it, and it begins with ``connect``.
    """
    start: Start = Start()
    """The start of the bot."""
    step: tuple[Step, ...] = ()
    """The script."""
    exercise: str = ""
    """The exercise in place of a script."""
    parameters: dict[str, Any] = {}
    """The parameters of the exercise."""

    @model_validator(mode="after")
    def _has_something_to_do(self) -> Self:
        if bool(self.step) == bool(self.exercise):
            raise ValueError("a case has either steps or an exercise")
        if self.session and self.start != Start():
            raise ValueError("a case within an open session cannot have 'start': leave it out")
        remembered: set[str] = set()
        for step in self.step:
            for name in filter(None, (step.same_as, step.other_than)):
                if name not in remembered:
                    raise ValueError(f"no earlier step remembers an answer as {name!r}")
            remembered.add(step.remember)
        return self

    @property
    def kind(self) -> Kind:
        """The weight in the report."""
        return Kind.REQUIRED if self.required else Kind.ADVICE

    @property
    def needs_process(self) -> bool:
        """True if it needs a bot that the doctor starts."""
        return self.start != Start() or any(step.verb in _OF_A_PROCESS for step in self.step)


def shipped_cases() -> list[Case]:
    """Return the cases that come with Ordago, and one for each game and number of players, sorted by name."""
    return sorted([*read_cases(_SHIPPED), *_cases_of_games()], key=lambda case: case.name)


def _cases_of_games() -> Iterator[Case]:
    content = tomllib.loads(_OF_A_GAME.read_text(encoding="utf-8"))
    for name in game_names():
        rules = find_game(name).rules
        for players in rules.seat_counts:
            number = _NUMBERS[players] if players < len(_NUMBERS) else str(players)
            words = {"title": rules.title, "number": number, "name": name}
            yield Case(
                name=f"{name}-{players}",
                **{key: text.format(**words) for key, text in content["case"].items()},
                required=True,
                session=True,
                exercise="matches",
                parameters={"game": name, "players": players, **content["parameters"].get(name, {})},
            )


def read_cases(folder: Path) -> list[Case]:
    """Read the cases of a folder, sorted by name.

    Raises:
        CaseError: there are none, or one cannot be read.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise CaseError(f"there are no cases in {folder}: a case is a file NAME.toml")
    return [read_case(file) for file in files]


def read_case(file: Path) -> Case:
    """Read a case from a file.

    Raises:
        CaseError: the name or the content is not that of a case.
    """
    if not _NAME.fullmatch(file.stem):
        raise CaseError(f"{file}: the name of a case has small letters, digits and hyphens")
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        return Case(name=file.stem, **content)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError) as error:
        raise CaseError(f"{file}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise CaseError(f"{file}: {place}: {first['msg']}".replace(": : ", ": ")) from None


def chosen(cases: Iterable[Case], names: Sequence[str]) -> list[Case]:
    """Return the cases of these names, or all without names.

    Raises:
        CaseError: a name is unknown.
    """
    by_name = {case.name: case for case in cases}
    for name in names:
        if name not in by_name:
            raise CaseError(f"there is no case {name!r}; {nearest(name, list(by_name))}")
    return [case for name, case in by_name.items() if not names or name in names]
