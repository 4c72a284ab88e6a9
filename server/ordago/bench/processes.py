"""What processes of referees are worth: the processor time of each process of a server for a decision."""

import time
from typing import Final, NamedTuple

from ordago.bench.processor_time import Costs, children, processor_seconds
from ordago.bench.server import seats_of_a_bot
from ordago.bench.worker import Worker

_BOTS: Final = 4
_MATCHES: Final = 64
_SETTLING_SECONDS: Final = 1.5


def measure_processes(games: str, *, processes: int, seconds: float, rounds: int) -> Costs:
    """Measure a server by itself, and one with some processes of referees, which take turns.

    Args:
        games: what is played, with commas between the names.
        processes: how many processes of referees there are.
        seconds: for how long each is measured in a round.
        rounds: how often.

    Raises:
        OSError: the system does not say what processes use (``/proc``).
    """
    alone, shared = _Used(0, ()), _Used(0, (0.0,) * (1 + processes))
    for _ in range(rounds):
        alone += _used(games, 0, seconds)
        shared += _used(games, processes, seconds)
    front, *referees = shared.us_a_decision
    return Costs(alone.us_a_decision[0], front, sum(referees))


class _Used(NamedTuple):
    """What the processes of a server did: the one that bots connect to comes first."""

    decisions: int
    seconds: tuple[float, ...]

    def __add__(self, other: object) -> "_Used":
        assert isinstance(other, _Used)
        before = self.seconds or (0.0,) * len(other.seconds)
        return _Used(self.decisions + other.decisions, tuple(map(sum, zip(before, other.seconds, strict=True))))

    @property
    def us_a_decision(self) -> list[float]:
        return [1e6 * seconds / self.decisions for seconds in self.seconds]


def _used(games: str, processes: int, seconds: float) -> _Used:
    server = Worker("ordago.bench.game_server", games, "--all-in", _BOTS, "--processes", processes)
    seats = seats_of_a_bot(games.split(","), matches=_MATCHES)
    bots = [Worker("ordago.bench.instant_bot", server.ready["port"], seats) for _ in range(_BOTS)]
    try:
        for worker in (server, *bots):
            worker.mark()
        time.sleep(_SETTLING_SECONDS)
        family = [server.process_id, *children(server.process_id)]
        decisions, before = server.mark().decisions, [processor_seconds(each) for each in family]
        time.sleep(seconds)
        done = server.mark().decisions - decisions
        after = [processor_seconds(each) for each in family]
        return _Used(done, tuple(late - early for early, late in zip(before, after, strict=True)))
    finally:
        for worker in (*bots, server):
            worker.stop()
