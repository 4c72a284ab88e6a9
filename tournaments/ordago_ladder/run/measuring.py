"""Speed measurements of an event: a few unrated matches of each game, played by its bots on this machine.

The deals differ from those of the event, and the matches are not stored.
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
from ordago_ladder.settings.written_values import DECISION_KEYS
from ordago_ladder.watching import Unwatched

_MOST_SECONDS: Final = 20.0
"""The longest measurement of a game, unless its first match takes longer."""

_SHORTEST: Final = 1e-3
"""The shortest measured time in seconds, which prevents a division by zero."""
_ENDS: Final = ("rounds", "sets_wanted", "half_width", "until", *DECISION_KEYS)
_ROUND_ROBIN: Final = {"format": "round-robin", **dict.fromkeys(_ENDS)}
"""The format for measurements: the length of matches does not depend on the format."""


class Pace(NamedTuple):
    """The measured speed of the matches of a game."""

    game: str
    matches: int
    """The number of matches of the game in the event."""
    sample: int
    """The number of matches played for the measurement."""
    per_second: float

    @property
    def seconds(self) -> float:
        """The estimated duration of all matches of the game."""
        return self.matches / self.per_second


async def measured_pace(
    settings: Settings, game: GameSettings, *, text: str, tell: Callable[[str], None], hidden: Sequence[Path] = ()
) -> Pace:
    """Play some matches of one game of an event, and return their speed.

    Args:
        settings: the event.
        game: the game.
        text: the text of the event file.
        tell: called with each warning for the organiser, a sentence.
        hidden: the paths that no bot may read.

    Raises:
        Exception: the errors of ``run_event``.
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
    """Return a small event of one game: twice as many matches as are played at once, if the game has that many.

    It has another secret, so that no deal is seen before it counts, and no build step, so that bots play as built.
    """
    seatings = seating_count(game.table_size)
    sets = min(set_counts(settings)[game.name], math.ceil(2 * settings.event.parallel / seatings))
    event = settings.event.model_copy(update={"secret": None, "beacon": None, **_ROUND_ROBIN})
    entrants = tuple(entrant.model_copy(update={"build": ()}) for entrant in settings.entrants)
    played = {"event": event, "games": (game.model_copy(update={"sets": sets}),), "entrants": entrants}
    return settings.model_copy(update=played)


class Stopwatch(Unwatched):
    """A listener that measures the speed of a run.

    The first matches wait for bots to start, and end together. They are left out if enough matches follow.
    """

    def __init__(self, tell: Callable[[str], None], *, warm: int) -> None:
        """Pass warnings on to ``tell``, and leave out the first ``warm`` matches where possible."""
        self.number = 0
        self._tell = tell
        self._warm = warm
        self._began = self._ended = 0.0
        self._warmed: tuple[int, float] | None = None
        self._first = trio.Event()

    @property
    def per_second(self) -> float:
        """The number of matches finished in a second."""
        before, since = 0, self._began
        if self._warmed is not None and 2 * self.number >= 3 * self._warmed[0]:
            before, since = self._warmed
        return (self.number - before) / max(self._ended - since, _SHORTEST)

    async def stop_after(self, seconds: float, running: trio.CancelScope) -> None:
        """Stop a run after some seconds, but not before its first match is over."""
        await trio.sleep(seconds)
        await self._first.wait()
        running.cancel()

    def began(self, *, played: int, planned: int) -> None:  # noqa: ARG002 - a measurement starts from zero
        """Start the stopwatch."""
        self._began = trio.current_time()

    def played(self, number: int) -> None:
        """Count finished matches."""
        self.number += number
        self._ended = trio.current_time()
        if self._warmed is None and self.number >= self._warm:
            self._warmed = self.number, self._ended
        self._first.set()

    def warned(self, sentence: str) -> None:
        """Pass a warning on."""
        self._tell(sentence)
