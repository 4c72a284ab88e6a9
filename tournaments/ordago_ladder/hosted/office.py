"""What can be asked of the events that a server plays beside its tables, and what is told of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol

from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder


class EventRefusedError(Exception):
    """An event file that this server does not open. Whoever wrote it erred; the message says what to change."""


class EventConflictError(Exception):
    """An event that may not be opened now: another one has its name, or too many are open."""


class NoEventError(Exception):
    """There is no event with this name."""


@unique
class HostedStage(Enum):
    """How far an event has come."""

    CHECK_IN = "check_in"
    """Bots of remote entrants are awaited; no match has begun in this run."""
    PLAYING = "playing"
    """Matches are played."""
    OVER = "over"
    """All matches are played, and all is published."""
    STOPPED = "stopped"
    """Somebody stopped it. It goes on when it is opened again."""
    FAILED = "failed"
    """It could not go on. What was played until then is kept; it goes on when it is opened again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedState:
    """An event on a server, as it is now."""

    name: str
    """What it is called: the name of its folder, and what bots say that come in for it."""
    title: str
    """What its event file calls it."""
    stage: HostedStage
    """How far it has come."""
    sentence: str
    """Why it stopped or failed; empty where it did neither."""
    opened: int
    """When it was opened first, in seconds since 1970 UTC."""
    opened_by: str
    """The account that opened it first."""
    begins: int | None
    """When it begins at the latest, in seconds since 1970 UTC; ``None``: as soon as everybody is here."""
    played: int
    """How many matches have results."""
    planned: int
    """How many matches are due by now; 0: not known yet."""
    here: tuple[str, ...]
    """The remote entrants that have checked in, in the order of the file."""
    missing: tuple[str, ...]
    """The remote entrants that have not, in the order of the file."""
    ladder: Ladder | None
    """The standings at last; ``None`` before the first."""
    folder: EventFolder
    """Where it is kept, and what is published of it."""


class HostedEvents(Protocol):
    """The events of a server. Its methods may be called in any thread but that of the server itself, and wait."""

    def open(self, text: str, *, by: str) -> HostedState:
        """Open an event, or go on with one that stopped or failed.

        Args:
            text: the event file.
            by: the account that opens it.

        Raises:
            EventRefusedError: the file describes no event that may be played here.
            EventConflictError: another event has its name, or too many are open.
        """

    def stop(self, name: str, *, by: str) -> HostedState:
        """Stop an event: what was played is kept. Does nothing where it does not run.

        Args:
            name: what the event is called.
            by: the account that stops it.

        Raises:
            NoEventError: there is none of this name.
        """

    def state(self, name: str) -> HostedState:
        """Return what is known of an event.

        Raises:
            NoEventError: there is none of this name.
        """

    def states(self) -> Sequence[HostedState]:
        """Return what is known of all events, the newest first."""
