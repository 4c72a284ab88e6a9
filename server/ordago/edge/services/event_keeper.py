"""What ``EventService`` asks, and whoever keeps the events of a server answers."""

from collections.abc import Generator
from typing import NamedTuple, Protocol

from ordago import v1


class Caller(NamedTuple):
    """Somebody who opens, stops or removes an event."""

    account: str
    is_admin: bool = False
    """Whether events of other accounts may be changed."""


class EventKeeper(Protocol):
    """Keeps the events of a server. It is called in threads of its own, several at once, and holds up no match.

    Every method may raise ``StoreRefusedError`` of the store, with a sentence for whoever asked, and any other
    ``StoreError`` where nothing can be read for now.
    """

    def open_event(self, request: v1.OpenEventRequest, /, *, by: Caller) -> v1.OpenEventResponse:
        """Open an event for an account, or go on with one."""

    def stop_event(self, request: v1.StopEventRequest, /, *, by: Caller) -> v1.StopEventResponse:
        """Begin to stop an event for an account, and wait for nothing."""

    def remove_event(self, request: v1.RemoveEventRequest, /, *, by: Caller) -> v1.RemoveEventResponse:
        """Remove an event for an account."""

    def get_event(self, request: v1.GetEventRequest, /) -> v1.GetEventResponse:
        """Tell how far an event has come."""

    def list_events(self, request: v1.ListEventsRequest, /) -> v1.ListEventsResponse:
        """List the events."""

    def list_event_results(self, request: v1.ListEventResultsRequest, /) -> v1.ListEventResultsResponse:
        """List who stands where in an event."""

    def download_event(self, request: v1.DownloadEventRequest, /) -> Generator[v1.DownloadEventResponse, None, None]:
        """Give what an event has published, as it was when the first response was taken."""
