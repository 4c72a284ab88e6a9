"""How fast an event goes: a few matches of each of its games, played by its own bots on this machine, for nothing.

The deals are others than those of the event, and nothing that was played is kept.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import trio

from ordago_ladder.folder import EventFolder
from ordago_ladder.run.runner import run_event
from ordago_ladder.schedule.counts import match_count, set_counts
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import Unwatched

_MOST_SECONDS: Final = 20.0
"""So long a game is measured at most, but until its first match is over."""

_SHORTEST: Final = 1e-3
_ROUND_ROBIN: Final = {"format": "round-robin", **dict.fromkeys(("rounds", "sets_wanted", "half_width", "until"))}
"""Of whatever format an event is, its matches last as long."""


class Pace(NamedTuple):
    """How fast the matches of a game go."""

    game: str
    matches: int
    """How many matches of it the event has."""
    sample: int
    """How many were played to measure."""
    per_second: float

    @property
    def seconds(self) -> float:
        """How long its matches take."""
        return self.matches / self.per_second


async def measured_pace(
    settings: Settings, game: GameSettings, *, text: str, tell: Callable[[str], None], hidden: Sequence[Path] = ()
) -> Pace:
    """Play some matches of one game of an event, and return how fast they went.

    Args:
        settings: the event.
        game: the game.
        text: the event file.
        tell: is told in a sentence what the organiser should know, warnings of bots for instance.
        hidden: what bots may not read.

    Raises:
        Exception: whatever ``run_event`` raises.
    """
    clock = Stopwatch(tell, warm=settings.event.parallel)
    with TemporaryDirectory(prefix="ordago-plan-") as folder:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clock.stop_after, _MOST_SECONDS, nursery.cancel_scope)
            await run_event(
                sample_of(settings, game), text, EventFolder(Path(folder) / "out"), listener=clock, hidden=hidden
            )
            nursery.cancel_scope.cancel()
    every = settings.model_copy(update={"games": (game,)})
    return Pace(game.name, match_count(every), clock.number, clock.per_second)


def sample_of(settings: Settings, game: GameSettings) -> Settings:
    """Return an event of one of the games of an event: twice as many matches as are played at once, if it has so many.

    It has none of its secret, so that nobody sees the deals before they count, and what was built is
    played as it is.
    """
    seatings = seating_count(game.table_size)
    sets = min(set_counts(settings)[game.name], math.ceil(2 * settings.event.parallel / seatings))
    event = settings.event.model_copy(update={"secret": None, "beacon": None, **_ROUND_ROBIN})
    entrants = tuple(entrant.model_copy(update={"build": ()}) for entrant in settings.entrants)
    played = {"event": event, "games": (game.model_copy(update={"sets": sets}),), "entrants": entrants}
    return settings.model_copy(update=played)


class Stopwatch(Unwatched):
    """Watches a run, and says how fast it goes.

    The first matches wait for bots to be started, and come to their ends together: where there are enough after them,
    they are left out.
    """

    def __init__(self, tell: Callable[[str], None], *, warm: int) -> None:
        """Pass on warnings, and leave out so many matches where possible."""
        self.number = 0
        self._tell = tell
        self._warm = warm
        self._began = self._ended = 0.0
        self._warmed: tuple[int, float] | None = None
        self._first = trio.Event()

    @property
    def per_second(self) -> float:
        """How many matches were over in a second."""
        before, since = 0, self._began
        if self._warmed is not None and 2 * self.number >= 3 * self._warmed[0]:
            before, since = self._warmed
        return (self.number - before) / max(self._ended - since, _SHORTEST)

    async def stop_after(self, seconds: float, running: trio.CancelScope) -> None:
        """Stop a run after some time, but not before its first match is over."""
        await trio.sleep(seconds)
        await self._first.wait()
        running.cancel()

    def began(self, *, played: int, planned: int) -> None:  # noqa: ARG002 - nothing was played before
        """Start the watch."""
        self._began = trio.current_time()

    def played(self, number: int) -> None:
        """Count matches that are over."""
        self.number += number
        self._ended = trio.current_time()
        if self._warmed is None and self.number >= self._warm:
            self._warmed = self.number, self._ended
        self._first.set()

    def warned(self, sentence: str) -> None:
        """Pass on a warning."""
        self._tell(sentence)
