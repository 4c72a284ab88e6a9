"""The gain by referee processes: the CPU time of each process of a server for a decision."""

import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago_bench.processes.worker import Worker
from ordago_bench.processor_time import Costs, children, processor_seconds
from ordago_bench.server import seats_of_a_bot

_BOTS: Final = 4
"""The bots for each single-process server, and for each referee process."""
_MATCHES: Final = 64
_SETTLING_SECONDS: Final = 1.5


def measure_processes(games: str, *, processes: int, seconds: float, rounds: int) -> Costs:
    """Measure single-process servers, and one server with referee processes, in turns.

    As many single-process servers run at once as the other one has referee processes, so that both measurements have
    the same load on the machine, and the same number of bots and matches.

    Args:
        games: the names of the games, with commas between them.
        processes: the number of referee processes.
        seconds: the duration of each measurement in a round.
        rounds: the number of rounds.

    Raises:
        OSError: the system has no ``/proc``.
    """
    alone, shared = _Used(0, ()), _Used(0, ())
    for _ in range(rounds):
        for used in _used_side_by_side([_Server(games, bots=_BOTS) for _ in range(processes)], seconds):
            alone += used
        [used] = _used_side_by_side([_Server(games, bots=processes * _BOTS, processes=processes)], seconds)
        shared += used
    front, *referees = shared.us_a_decision
    return Costs(alone.us_a_decision[0], front, sum(referees))


class _Used(NamedTuple):
    """The decisions of a server and the CPU times of its processes, the front process first."""

    decisions: int
    seconds: tuple[float, ...]

    def __add__(self, other: object) -> "_Used":
        assert isinstance(other, _Used)
        before = self.seconds or (0.0,) * len(other.seconds)
        return _Used(self.decisions + other.decisions, tuple(map(sum, zip(before, other.seconds, strict=True))))

    def __sub__(self, other: "_Used") -> "_Used":
        passed = zip(self.seconds, other.seconds, strict=True)
        return _Used(self.decisions - other.decisions, tuple(late - early for late, early in passed))

    @property
    def us_a_decision(self) -> list[float]:
        return [1e6 * seconds / self.decisions for seconds in self.seconds]


class _Server:
    """A server with its bots, which play as soon as all are connected."""

    def __init__(self, games: str, *, bots: int, processes: int = 0) -> None:
        seats = seats_of_a_bot(games.split(","), matches=_MATCHES)
        self._server = Worker("ordago_bench.processes.game_server", games, "--all-in", bots, "--processes", processes)
        port = self._server.ready["port"]
        self._bots = [Worker("ordago_bench.processes.instant_bot", port, seats) for _ in range(bots)]
        self._family: Sequence[int] = ()

    def await_play(self) -> None:
        """Wait until the server and all bots are ready."""
        for worker in (self._server, *self._bots):
            worker.mark()
        self._family = [self._server.process_id, *children(self._server.process_id)]

    def used(self) -> _Used:
        """Return its decisions and CPU times so far."""
        return _Used(self._server.mark().decisions, tuple(map(processor_seconds, self._family)))

    def stop(self) -> None:
        """End the server and its bots."""
        for worker in (*self._bots, self._server):
            worker.stop()


def _used_side_by_side(servers: Sequence[_Server], seconds: float) -> list[_Used]:
    """Return the decisions and CPU times of each server while all of them play at once."""
    try:
        for server in servers:
            server.await_play()
        time.sleep(_SETTLING_SECONDS)
        before = [server.used() for server in servers]
        time.sleep(seconds)
        return [server.used() - early for server, early in zip(servers, before, strict=True)]
    finally:
        for server in servers:
            server.stop()
