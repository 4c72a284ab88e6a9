"""A bot that gives the default answers and looks about meanwhile: ``python spy.py ATTEMPT …``.

It prints ``tried NAME`` for each of its attempts, and ``got NAME: …`` for whatever it got. It is told what an event
looks like, so that it knows no less than somebody who has read everything about Ordago:

``SPY_MARK``: stands in the environment of the runner and of all bots, and in no other.
``SPY_EVENT``: the output folder.
``SPY_SECRET``: a file of the organiser that concerns nobody.
``SPY_PORT``: a port of this machine where a program listens that has nothing to do with the event.
``SPY_SOCKET``: the path of a Unix socket where that program listens.
"""

import sys
from collections.abc import Callable, Iterator, Mapping

from disturbing import descriptors, disk, forks, memory, output
from looking import environments, files, neighbours, network, secrets_in_memory, store, tokens, writing
from notes import notes
from staying import stayers
from wire import Wire, play

from ordago import v1

Attempt = Callable[[], Iterator[str]]
LOOKING: tuple[Attempt, ...] = (
    *(store, writing, files, neighbours, environments, secrets_in_memory, tokens, network, notes, stayers),
)
DISTURBING: tuple[Attempt, ...] = (output, disk, memory, descriptors, forks)
ATTEMPTS: Mapping[str, Attempt] = {attempt.__name__: attempt for attempt in (*LOOKING, *DISTURBING)}
_TIMES = 100
"""How often a spy tries everything again: others may have come meanwhile."""


class Spy:
    """Tries what it was told to."""

    def __init__(self, names: list[str]) -> None:
        """Prepare the attempts with these names."""
        self._attempts = [ATTEMPTS[name] for name in names]
        self._told: set[str] = set()
        self._times = 0

    def look(self) -> None:
        """Try everything once more."""
        self._times += 1
        for attempt in self._attempts if self._times <= _TIMES else ():
            self._tell(f"tried {attempt.__name__}")
            for what in attempt():
                self._tell(f"got {attempt.__name__}: {what}")

    def _tell(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            print(line, flush=True)  # noqa: T201 - into its log

    def decide(self, wire: Wire, decision: v1.Decision) -> None:
        """Look about, and answer."""
        self.look()
        wire.answer(decision)


if __name__ == "__main__":
    spy = Spy(sys.argv[1:])
    play(spy.decide)
