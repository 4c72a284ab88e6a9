"""How fast records are proved, as by ``ordago verify``, beside the speed at which a server plays."""

import time
from typing import Final, NamedTuple

from ordago.bench.record_folder import record_folder
from ordago.bench.server import measure_server
from ordago_ladder.verification.sharing import processors

_GAME: Final = "mittlere"


class ReplayRate(NamedTuple):
    """What was measured."""

    records_per_s: float
    """By all processors, from the files of a folder, the start of the processes included."""
    ratio: float
    """Decisions that they prove in a second, to those that the server makes in a second."""


def measure_replay(*, matches: int, copies: int) -> ReplayRate:
    """Prove the records of some matches, after a server has played for a while."""
    played = measure_server(_GAME, connections=4, matches=64, seconds=1.0).server.decisions_per_s
    with record_folder(_GAME, matches=matches, copies=copies) as folder:
        began = time.perf_counter()
        folder.prove(processes=processors())
        seconds = time.perf_counter() - began
    return ReplayRate(matches * copies / seconds, folder.decisions / seconds / played)
