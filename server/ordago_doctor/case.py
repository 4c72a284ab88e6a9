"""Cases as data: what is expected of a bot, why, how to mend it, and the script that finds it out.

``docs/doctor.md`` tells the same to whoever writes one.
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
    """A case cannot be read. Whoever wrote it erred."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Start(_Part):
    """How the bot is started for a case."""

    arguments: tuple[str, ...] = ()
    """What is added to its command."""
    launched: bool = True
    """Whether it is told that a runner started it, as in an event."""
    token: bool = True
    """Whether it is given a token."""
    tls: Literal["", "known", "strange", "mutual"] = ""
    """Whether it connects over TLS: to a server that it can believe, or that it cannot, or that asks for a certificate
    of the bot."""
    unix_socket: bool = False
    """Whether it connects by a Unix socket."""


class Step(_Part):
    """One step of a script: one of the verbs, and what goes with it."""

    connect: str | None = None
    """The bot opens a connection and says a Hello like this."""
    send: str | None = None
    """The doctor sends these messages, as one frame."""
    hear: str | None = None
    """The bot says a message like this."""
    silence_ms: int | None = Field(default=None, ge=0)
    """The bot says nothing for so long."""
    stay_away_ms: int | None = Field(default=None, ge=0)
    """The bot opens no connection for so long."""
    wait_ms: int | None = Field(default=None, ge=0)
    """The doctor waits."""
    end: str | None = None
    """The doctor ends the stream with this status."""
    wire: Literal["cut", "stall", "flow"] | None = None
    """The connection is lost, stands still, or flows again."""
    signal: Literal["TERM", "INT"] | None = None
    """The bot gets this signal."""
    close_input: Literal[True] | None = None
    """The bot's standard input ends."""
    exit: Literal["any"] | tuple[int, ...] | None = None
    """The process ends, with one of these codes."""
    prints: str | None = None
    """The bot has printed this."""
    never_prints: tuple[str, ...] | None = None
    """The bot has printed none of these."""

    within_ms: int | None = Field(default=None, gt=0)
    """How long the bot may take; absent: what the doctor's patience is."""
    after_ms: int = Field(default=0, ge=0)
    """How long it has to take at least."""
    sentence: str = ""
    """What the status says."""
    retry_after_ms: int | None = Field(default=None, ge=0)
    """When the bot may come back, as it is told with the status."""
    legal: bool = True
    """Whether a choice that is heard has to be legal."""
    remember: str = ""
    """How the answer of a choice that is heard is called from now on."""
    same_as: str = ""
    """The remembered answer that a choice has to give again."""
    other_than: str = ""
    """The remembered answer that a choice must not give again, unless it is the default answer."""
    keeps_unknown: bool = False
    """Whether a typed answer has to hold the field that nobody knows of the default answer."""

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
        """What is done."""
        return next(verb for verb in VERBS if getattr(self, verb) is not None)


VERBS: Final = (
    *("connect", "send", "hear", "silence_ms", "stay_away_ms", "wait_ms", "end"),
    *("wire", "signal", "close_input", "exit", "prints", "never_prints"),
)
_OF_A_PROCESS: Final = ("signal", "close_input", "exit", "prints", "never_prints")


@unique
class Kind(Enum):
    """What comes of a case for the whole report."""

    REQUIRED = "required"
    ADVICE = "advice"


class Case(_Part):
    """One case."""

    name: str
    """What it is called, by its file."""
    about: str
    """What it is about, as a heading."""
    expected: str
    """What is expected of the bot."""
    why: str
    """Why that matters."""
    mend: str
    """How to mend a bot that does not do it."""
    required: bool
    """Whether the bot has to pass it."""
    first: bool = False
    """Whether all others are of no use where it fails."""
    slow: bool = False
    """Whether it is tried only when it is asked for."""
    alone: bool = False
    """Whether nothing else may run at the same time, since it measures."""
    session: bool = False
    """Whether it takes place within an open session; otherwise a bot is started for it."""
    start: Start = Start()
    """How the bot is started."""
    step: tuple[Step, ...] = ()
    """The script."""
    exercise: str = ""
    """The exercise that is done in place of a script."""
    parameters: dict[str, Any] = {}
    """What the exercise is told."""

    @model_validator(mode="after")
    def _has_something_to_do(self) -> Self:
        if bool(self.step) == bool(self.exercise):
            raise ValueError("a case has either steps or an exercise")
        if self.session and self.start != Start():
            raise ValueError("a case within an open session cannot say how the bot is started")
        remembered: set[str] = set()
        for step in self.step:
            for name in filter(None, (step.same_as, step.other_than)):
                if name not in remembered:
                    raise ValueError(f"no step before remembers an answer as {name!r}")
            remembered.add(step.remember)
        return self

    @property
    def kind(self) -> Kind:
        """Whether it is required."""
        return Kind.REQUIRED if self.required else Kind.ADVICE

    @property
    def needs_process(self) -> bool:
        """Whether it can be tried only with a bot that the doctor starts."""
        return self.start != Start() or any(step.verb in _OF_A_PROCESS for step in self.step)


def shipped_cases() -> list[Case]:
    """Return the cases that come with Ordago, and one for each game and number of its players, by their names."""
    return sorted([*read_cases(_SHIPPED), *_cases_of_games()], key=lambda case: case.name)


def _cases_of_games() -> Iterator[Case]:
    told = tomllib.loads(_OF_A_GAME.read_text(encoding="utf-8"))
    for name in game_names():
        rules = find_game(name).rules
        for players in rules.seat_counts:
            number = _NUMBERS[players] if players < len(_NUMBERS) else str(players)
            words = {"title": rules.title, "number": number, "name": name}
            yield Case(
                name=f"{name}-{players}",
                **{key: text.format(**words) for key, text in told["case"].items()},
                required=True,
                session=True,
                exercise="matches",
                parameters={"game": name, "players": players, **told["parameters"].get(name, {})},
            )


def read_cases(folder: Path) -> list[Case]:
    """Return the cases of a folder, by their names.

    Raises:
        CaseError: there are none, or one cannot be read.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise CaseError(f"there are no cases in {folder}: a case is a file NAME.toml")
    return [read_case(file) for file in files]


def read_case(file: Path) -> Case:
    """Return the case of a file.

    Raises:
        CaseError: it is none.
    """
    if not _NAME.fullmatch(file.stem):
        raise CaseError(f"{file}: the name of a case has small letters, digits and hyphens")
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        return Case(name=file.stem, **told)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError) as error:
        raise CaseError(f"{file}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise CaseError(f"{file}: {place}: {first['msg']}".replace(": : ", ": ")) from None


def chosen(cases: Iterable[Case], names: Sequence[str]) -> list[Case]:
    """Return the cases of these names, or all if there are none.

    Raises:
        CaseError: there is no case of a name.
    """
    by_name = {case.name: case for case in cases}
    for name in names:
        if name not in by_name:
            raise CaseError(f"there is no case {name!r}; {nearest(name, list(by_name))}")
    return [case for name, case in by_name.items() if not names or name in names]
