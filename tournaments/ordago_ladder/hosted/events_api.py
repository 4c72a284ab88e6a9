"""What can be asked of the events that a server plays beside its tables, and what is told of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple, Protocol

from ordago.edge.services.event_keeper import Caller
from ordago.store.accounts.rows import Act, Actor
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder


class EventRefusedError(Exception):
    """An event file that this server does not open. Whoever wrote it erred; the message says what to change."""


class EventConflictError(Exception):
    """What cannot be done with an event as things stand: another one has its name, or it still runs."""


class EventTakenError(Exception):
    """A name that an event cannot have: it was that of an event that was removed, or looks like that of another's."""


class EventLimitError(Exception):
    """An account, or the server, has as many events as it may, or as much in them."""


class NotYoursError(Exception):
    """An event that belongs to another account."""


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
    check_in_ends: int | None
    """When check-in ends, in seconds since 1970 UTC; ``None`` where nobody is awaited."""
    size: int
    """How much room it took on the disk when it was last measured, in bytes; 0: it was not yet."""
    folder: EventFolder
    """Where it is kept, and what is published of it."""


class Removed(NamedTuple):
    """An event that was removed."""

    state: HostedState
    """As it was."""
    files: int
    """How many files were deleted."""


class ActLog(Protocol):
    """Keeps for ever who did what to what belongs to an account."""

    def note(self, act: Act, account: str, *, by: Actor, now: float, subject: str, why: str = "") -> None:
        """Note what somebody does to an event of an account.

        Raises:
            StoreError: it cannot be noted.
        """


class HostedEvents(Protocol):
    """The events of a server. Its methods may be called in any thread but that of the server itself, and wait."""

    def open(self, text: str, *, by: Caller, why: str = "") -> HostedState:
        """Open an event, or go on with one that stopped or failed.

        Args:
            text: the event file.
            by: who opens it. An event that was opened before belongs to the account that did so first.
            why: for what reason an admin goes on with an event of another account, if one is said.

        Raises:
            EventRefusedError: the file describes no event that may be played here.
            EventConflictError: another event has its name.
            EventTakenError: no event may have its name.
            EventLimitError: the account, or the server, has as many events as it may.
            NotYoursError: the event belongs to another account.
            StoreError: it cannot be noted who goes on with an event of another account.
        """

    def stop(self, name: str, *, by: Caller, why: str = "") -> HostedState:
        """Begin to stop an event: what was played is kept. Does nothing where it does not run.

        Args:
            name: what the event is called.
            by: who stops it.
            why: for what reason; something, where it belongs to another account.

        Raises:
            EventRefusedError: no reason is said.
            NoEventError: there is none of this name.
            NotYoursError: the event belongs to another account.
            StoreError: it cannot be noted who stops an event of another account.
        """

    def remove(self, name: str, *, by: Caller, why: str = "") -> Removed:
        """Delete an event that does not run, with all that is kept and published of it.

        Args:
            name: what the event is called.
            by: who removes it.
            why: for what reason; something, where it belongs to another account.

        Raises:
            EventRefusedError: no reason is said.
            EventConflictError: it runs, or cannot be deleted.
            NoEventError: there is none of this name.
            NotYoursError: the event belongs to another account.
            StoreError: it cannot be noted who removes it.
        """

    def state(self, name: str) -> HostedState:
        """Return what is known of an event.

        Raises:
            NoEventError: there is none of this name.
        """

    def states(self) -> Sequence[HostedState]:
        """Return what is known of all events, the newest first."""
