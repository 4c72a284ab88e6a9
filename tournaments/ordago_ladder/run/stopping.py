"""How a run is stopped before the event is over."""

from ordago.ops.stopping import orders_to_stop


class StoppedError(Exception):
    """The organiser stopped the run. Nothing that was played is lost."""

    def __init__(self, *, played: int, planned: int) -> None:
        """Remember how far the event has come."""
        super().__init__(f"stopped after {played} of {planned} matches; run the same command again to go on")
        self.played = played
        """How many matches have results."""
        self.planned = planned
        """How many are due by now."""


async def signalled() -> None:
    """Wait until a signal says that the process is to end."""
    with orders_to_stop() as signals:
        await anext(signals)
