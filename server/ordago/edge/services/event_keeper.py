"""What ``EventService`` asks, and whoever keeps the events of a server answers."""

from collections.abc import Generator
from typing import Protocol

from ordago import v1


class EventKeeper(Protocol):
    """Keeps the events of a server. It is called in threads of its own, several at once, and holds up no match.

    Every method may raise ``StoreRefusedError`` of the store, with a sentence for whoever asked, and any other
    ``StoreError`` where nothing can be read for now.
    """

    def open_event(self, request: v1.OpenEventRequest, /, *, by: str) -> v1.OpenEventResponse:
        """Open an event for an account, or go on with one."""

    def stop_event(self, request: v1.StopEventRequest, /, *, by: str) -> v1.StopEventResponse:
        """Stop an event for an account."""

    def get_event(self, request: v1.GetEventRequest, /) -> v1.GetEventResponse:
        """Tell how far an event has come."""

    def list_events(self, request: v1.ListEventsRequest, /) -> v1.ListEventsResponse:
        """List the events."""

    def list_event_results(self, request: v1.ListEventResultsRequest, /) -> v1.ListEventResultsResponse:
        """List who stands where in an event."""

    def download_event(self, request: v1.DownloadEventRequest, /) -> Generator[v1.DownloadEventResponse, None, None]:
        """Give what an event has published, as it was when the first response was taken."""
