"""How fast records are proved, as by ``ordago verify``, beside the speed at which a server plays."""

import time
from statistics import median
from typing import Final, NamedTuple

from ordago_bench.record_folder import RecordFolder, record_folder
from ordago_bench.server import measure_play
from ordago_ladder.verification.sharing import processors

_GAME: Final = "mittlere"


class ReplayRate(NamedTuple):
    """What was measured."""

    records_per_s: float
    """By all processors, from the files of a folder, the start of the processes included."""
    ratio: float
    """Decisions that they prove in a second, to those that a server makes in a second that keeps such records."""


def measure_replay(*, matches: int, copies: int, rounds: int) -> ReplayRate:
    """Prove the records of some matches, in turns with a server that plays; medians of the rounds."""
    with record_folder(_GAME, matches=matches, copies=copies) as folder:
        found = [(_decisions_played(), _seconds_to_prove(folder)) for _ in range(rounds)]
    seconds = median(took for _, took in found)
    ratio = median(folder.decisions / took / played for played, took in found)
    return ReplayRate(matches * copies / seconds, ratio)


def _decisions_played() -> float:
    """Return how many decisions a server makes in a second. It keeps records: from no other do any come."""
    return measure_play(_GAME, connections=4, matches=64, seconds=1.0, all_in=True).decisions_per_s


def _seconds_to_prove(folder: RecordFolder) -> float:
    began = time.perf_counter()
    folder.prove(processes=processors())
    return time.perf_counter() - began
