"""How much room the matches of a standing ladder take in its store, and how much memory it takes to read them.

``python research/ladder_growth.py`` writes invented matches of 1,000 bots through the store, with the records of the tests
in turn, and prints for 10,000 and for 100,000 of them what each match takes in each table, how long pages of matches
take, and what a process holds that has read all results. It takes half an hour, most of it waiting for the disk;
``--matches 1000`` is quicker, and so is a ``TMPDIR`` in memory.
"""

import argparse
import hashlib
import lzma
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ordago.record import read_record, result_of
from ordago.record.epochs import LinkChain
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import FinishedMatch, LadderRow, MatchFilter, SeatingRow
from ordago.store.ladder.store import LadderStore

_BOTS: Final = 1000
_AN_EPOCH: Final = 5000
"""So many matches begin in each epoch."""
_AT_ONCE: Final = 100
"""So many results are committed together."""
_TIMES: Final = 20
_BEGAN: Final = 1_800_000_000
RECORDS: Final = Path(__file__).parents[1] / "tests" / "corpus"
_PACKERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "zlib 1": lambda record: zlib.compress(record, 1),
    "zlib 6": lambda record: zlib.compress(record, 6),
    "zlib 9": lambda record: zlib.compress(record, 9),
    "lzma 6": lambda record: lzma.compress(record, format=lzma.FORMAT_ALONE, preset=6),
}
_READER: Final = """
import sys, time
from pathlib import Path
from ordago.store.ladder.queries import LadderQueries

def most_memory():
    # What getrusage tells begins with what the process was started from.
    return Path("/proc/self/status").read_text().partition("VmHWM:")[2].splitlines()[0].strip()

with LadderQueries.open(sys.argv[1]) as queries:
    queries.epochs()
    before, start = most_memory(), time.perf_counter()
    count = sum(1 for _ in queries.results_since())
    took = time.perf_counter() - start
    print(f"  all {count} results read in {took:.1f} s; the process had {before} before and {most_memory()} at most")
"""


class Sample:
    """A record, and what it tells."""

    def __init__(self, record: bytes) -> None:
        """Read it."""
        read = read_record(record)
        self.record, self.result, self.game, self.seats = record, result_of(read), read.game, len(read.seats)

    def finished(self, seating: SeatingRow) -> FinishedMatch:
        """Return a match that ended so."""
        digest = hashlib.sha256(seating.match_id.encode()).digest()
        return FinishedMatch(seating.match_id, self.result, self.record, digest, seating.begun + 5)


def told(line: str) -> None:
    """Print a line."""
    print(line, flush=True)  # noqa: T201 - it is a command


def compare_packers(samples: Sequence[Sample]) -> None:
    """Print how small ways of packing make records, and how long they take."""
    whole = sum(len(sample.record) for sample in samples)
    told(f"{len(samples)} records of {whole / len(samples):.0f} bytes on average")
    for name, pack in _PACKERS.items():
        start = time.perf_counter()
        size = sum(len(pack(sample.record)) for sample in samples)
        took = (time.perf_counter() - start) / len(samples)
        told(f"  {name}: {size / len(samples):6.0f} bytes ({size / whole:.1%}) in {1000 * took:.2f} ms")


def write(place: Path, matches: int, samples: Sequence[Sample]) -> None:
    """Write invented matches, all of which end before the next epoch begins."""
    choices = random.Random(1)
    with LadderStore.open(place, create=True) as store:
        store.create(LadderRow("invented", "[ladder]", "ab" * 32, LinkChain(bytes(32), 1000), _BEGAN))
        for bot in range(_BOTS):
            name = f"contestant-{bot}"
            store.enter_player(name=name, version="1", build="", account=f"a{bot}", house=False, seen=_BEGAN)
        for start in range(0, matches, _AN_EPOCH):
            store.begin_epoch(1 + start // _AN_EPOCH, began=_BEGAN + start)
            for first in range(start, min(start + _AN_EPOCH, matches), _AT_ONCE):
                finished = []
                for number in range(first, min(first + _AT_ONCE, matches)):
                    sample = samples[number % len(samples)]
                    finished.append(sample.finished(begin(store, sample, choices, at=_BEGAN + number)))
                store.commit_results(finished)


def begin(store: LadderStore, sample: Sample, choices: random.Random, *, at: int) -> SeatingRow:
    """Begin a match among some of the bots."""
    players = choices.sample(range(1, _BOTS + 1), sample.seats)
    nonces = [choices.randbytes(16) for _ in players]
    return store.begin_match(game=sample.game, players=players, nonces=nonces, begun=at)


def tell_room(place: Path, matches: int) -> None:
    """Print what each match takes in each table, with the indexes of that."""
    told(f"  {place.stat().st_size / matches:6.0f} bytes for each match in the file")
    connection = sqlite3.connect(place)
    chosen = (
        "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name ORDER BY 2 DESC"
    )
    for table, size in connection.execute(chosen):
        if size > matches:
            told(f"  {size / matches:6.0f} in {table}")
    connection.close()


def tell_pages(place: Path) -> None:
    """Print how long pages of matches take, the newest and those far down."""
    wishes = {
        "all": MatchFilter(),
        "of a game": MatchFilter(game="mus"),
        "of a bot": MatchFilter(bot="contestant-7"),
        "of an account": MatchFilter(account="a7"),
        "that run": MatchFilter(running=True),
    }
    with LadderQueries.open(place) as queries:
        token = queries.matches(MatchFilter(epoch=1), size=1).next_token
        for name, wanted in wishes.items():
            newest, oldest = _page_ms(queries, wanted, ""), _page_ms(queries, wanted, token)
            told(f"  a page of the matches {name}: {newest:.1f} ms, {oldest:.1f} ms at the end of the first epoch")


def _page_ms(queries: LadderQueries, wanted: MatchFilter, token: str) -> float:
    times = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        queries.matches(wanted, token=token)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def measure(matches: int, samples: Sequence[Sample]) -> None:
    """Print what is to be known of a store with so many matches."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "ladder.sqlite"
        start = time.perf_counter()
        write(place, matches, samples)
        told(f"{matches} matches, written in {time.perf_counter() - start:.0f} s")
        tell_room(place, matches)
        tell_pages(place)
        subprocess.run([sys.executable, "-c", _READER, str(place)], check=True)  # noqa: S603 - the program is above


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, nargs="+", default=[10_000, 100_000])
    samples = [Sample(path.read_bytes()) for path in sorted(RECORDS.glob("*.record"))]
    compare_packers(samples)
    for matches in parser.parse_args().matches:
        measure(matches, samples)


if __name__ == "__main__":
    main()
