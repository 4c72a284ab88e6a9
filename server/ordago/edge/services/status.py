"""The status of a server, as far as everybody may know it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ordago import v1
from ordago.telemetry.telemetry import Telemetry

Status: TypeAlias = Callable[[v1.GetStatusRequest], v1.GetStatusResponse]
"""Answers ``GetStatus``, in any thread."""


def server_status(telemetry: Telemetry, announcements: Callable[[], Sequence[v1.Announcement]]) -> Status:
    """Return a function that answers by what a server counts, and by its announcements."""

    def status(_request: v1.GetStatusRequest) -> v1.GetStatusResponse:
        counters = telemetry.counters
        return v1.GetStatusResponse(
            # Only what does not work. The reasons name paths, databases and addresses, which are for the operator.
            troubles=sorted(counters.troubles.copy()),
            announcements=announcements(),
            bots=counters.sessions.connected,
            running=telemetry.matches_running,
            epoch=counters.ladder.epoch,
            published_at=int(counters.ladder.published) or None,
        )

    return status
