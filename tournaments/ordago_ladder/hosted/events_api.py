"""The interface to the hosted events of a server: its operations, states and errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple, Protocol

from ordago.edge.services.event_keeper import Caller
from ordago.store.accounts.rows import Act, Actor
from ordago_ladder.event_file.entry import Entry
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder


class EventRefusedError(Exception):
    """The server refuses an event file or a request; the message says what to change."""


class EventConflictError(Exception):
    """The operation conflicts with the current state: the name is in use, or the event still runs."""


class EventTakenError(Exception):
    """The name of an event or an entrant is not available: another one has it, or looks like it."""


class EventLimitError(Exception):
    """The account or the server has reached its limit of events, processes or disk space, or the event is full."""


class NotYoursError(Exception):
    """The event belongs to another account."""


class NoEventError(Exception):
    """No event has this name."""


@unique
class HostedStage(Enum):
    """The stage of an event."""

    ENTRY = "entry"
    """Open to authors, who enter it until its time of begin; no bot is awaited yet."""
    CHECK_IN = "check_in"
    """Waiting for bots of remote entrants; no match has begun in this run."""
    PLAYING = "playing"
    """Playing matches."""
    OVER = "over"
    """Finished: all matches are played and published."""
    STOPPED = "stopped"
    """Stopped on request. It resumes when it is opened again."""
    FAILED = "failed"
    """Ended by a failure. All results are kept, and it resumes when it is opened again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedState:
    """The current state of a hosted event."""

    name: str
    """The unique name: that of its folder, and the one that bots give to connect to it."""
    title: str
    """The title in the event file."""
    stage: HostedStage
    """The stage of the event."""
    sentence: str
    """The reason why it stopped or failed; empty otherwise."""
    opened: int
    """The time of its first opening, in seconds since 1970 UTC."""
    opened_by: str
    """The account that opened it first."""
    begins: int | None
    """The latest begin, in seconds since 1970 UTC; ``None`` to begin as soon as all entrants are here."""
    played: int
    """The number of matches with results."""
    planned: int
    """The number of matches due so far; 0 if not known yet."""
    here: tuple[str, ...]
    """The remote entrants that have checked in, in the order of the file."""
    missing: tuple[str, ...]
    """The remote entrants that have not, in the order of the file."""
    ladder: Ladder | None
    """The latest standings; ``None`` before the first."""
    check_in_ends: int | None
    """The end of check-in, in seconds since 1970 UTC; ``None`` if no entrant is awaited."""
    size: int
    """Its disk usage in bytes when last measured; 0 before the first measurement."""
    folder: EventFolder
    """Its folder, with the published files."""
    entries: tuple[Entry, ...] = ()
    """The entrants that their authors entered, in the order of their entry."""
    places_left: int | None = None
    """The number of entrants that may still enter; ``None`` unless it is open to authors."""


class Removed(NamedTuple):
    """An event that was removed."""

    state: HostedState
    """Its last state."""
    files: int
    """The number of deleted files."""


class ActLog(Protocol):
    """A permanent log of the acts of admins and owners on the property of accounts."""

    def note(self, act: Act, account: str, *, by: Actor, now: float, subject: str, why: str = "") -> None:
        """Log an act on an event of an account.

        Raises:
            StoreError: the entry cannot be written.
        """


class HostedEvents(Protocol):
    """The events of a server. Its methods block; call them in any thread except the server's own."""

    def open(self, text: str, *, by: Caller, why: str = "") -> HostedState:
        """Open an event, or resume one that stopped or failed.

        Args:
            text: the text of the event file.
            by: the caller. An event belongs to the account that opened it first.
            why: the reason of an admin that resumes an event of another account; may be empty.

        Raises:
            EventRefusedError: the file is no event that this server plays.
            EventConflictError: another event has its name.
            EventTakenError: its name is not available.
            EventLimitError: the account or the server has reached its limit of events.
            NotYoursError: the event belongs to another account.
            StoreError: the act of an admin cannot be logged.
        """

    def stop(self, name: str, *, by: Caller, why: str = "") -> HostedState:
        """Begin to stop an event. Results are kept. If it does not run, do nothing.

        Args:
            name: the name of the event.
            by: the caller.
            why: the reason; required if the event belongs to another account.

        Raises:
            EventRefusedError: a required reason is missing.
            NoEventError: no event has this name.
            NotYoursError: the event belongs to another account.
            StoreError: the act of an admin cannot be logged.
        """

    def remove(self, name: str, *, by: Caller, why: str = "") -> Removed:
        """Delete an event that does not run, with all of its files.

        Args:
            name: the name of the event.
            by: the caller.
            why: the reason; required if the event belongs to another account.

        Raises:
            EventRefusedError: a required reason is missing.
            EventConflictError: it runs, or cannot be deleted.
            NoEventError: no event has this name.
            NotYoursError: the event belongs to another account.
            StoreError: the removal cannot be logged.
        """

    def enter(self, name: str, entry: Entry) -> HostedState:
        """Enter an author's entrant into an event that is open to authors.

        Raises:
            EventRefusedError: the entrant has a value that cannot be.
            EventConflictError: the event is not open to authors, or cannot be saved.
            EventTakenError: the account has entered, or the name is taken or looks like another one.
            EventLimitError: the event is full.
            NotYoursError: the organiser removed the account's entrant.
            NoEventError: no event has this name.
        """

    def leave(self, name: str, entrant: str, *, by: Caller) -> HostedState:
        """Take an entrant that entered by itself out of an event that is open to authors.

        Args:
            name: the name of the event.
            entrant: the name of the entrant; empty for that of the caller's account. Only the event's account may name
                another's, which then cannot enter this event again.
            by: the caller.

        Raises:
            EventConflictError: the event is not open to authors, has no such entrant, or cannot be saved.
            NotYoursError: the entrant belongs to another account.
            NoEventError: no event has this name.
        """

    def state(self, name: str) -> HostedState:
        """Return the state of an event.

        Raises:
            NoEventError: no event has this name.
        """

    def states(self) -> Sequence[HostedState]:
        """Return the states of all events, newest first."""
