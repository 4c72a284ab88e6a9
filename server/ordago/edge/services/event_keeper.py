"""Interface between ``EventService`` and the keeper of a server's events."""

from collections.abc import Generator
from typing import NamedTuple, Protocol

from ordago import v1


class Caller(NamedTuple):
    """The account that changes an event."""

    account: str
    is_admin: bool = False
    """True if it may change events of other accounts."""
    may_organise: bool = False
    """True if its token is good for holding events."""
    bot: str = ""
    """The only bot that may use its token; empty for any."""


class EventKeeper(Protocol):
    """The keeper of a server's events. It is called from several background threads at once, and delays no match.

    Every method may raise ``StoreRefusedError``, with a sentence for the caller, and other ``StoreError`` while the
    store cannot be read.
    """

    def open_event(self, request: v1.OpenEventRequest, /, *, by: Caller) -> v1.OpenEventResponse:
        """Open an event for an account, or continue one."""

    def stop_event(self, request: v1.StopEventRequest, /, *, by: Caller) -> v1.StopEventResponse:
        """Begin to stop an event for an account, without waiting for its end."""

    def enter_event(self, request: v1.EnterEventRequest, /, *, by: Caller) -> v1.EnterEventResponse:
        """Enter an entrant of an account into an event."""

    def leave_event(self, request: v1.LeaveEventRequest, /, *, by: Caller) -> v1.LeaveEventResponse:
        """Take an entrant out of an event, for its account or for that of the event."""

    def remove_event(self, request: v1.RemoveEventRequest, /, *, by: Caller) -> v1.RemoveEventResponse:
        """Remove an event for an account."""

    def get_event(self, request: v1.GetEventRequest, /) -> v1.GetEventResponse:
        """Return the stage and progress of an event."""

    def list_events(self, request: v1.ListEventsRequest, /) -> v1.ListEventsResponse:
        """List the events."""

    def list_event_results(self, request: v1.ListEventResultsRequest, /) -> v1.ListEventResultsResponse:
        """List the standings of an event."""

    def download_event(self, request: v1.DownloadEventRequest, /) -> Generator[v1.DownloadEventResponse, None, None]:
        """Yield the published files of an event, as they were when the first response was taken."""
