"""How long the pages of a large ladder take: 1,000 bots and 100,000 matches, unless told otherwise.

``python research/site_speed.py`` writes invented matches through the store, with the records of the tests in turn, rates
them, and asks for the pages of the site as a browser does: it prints how long the server took for each, anew and when
it was kept, how large it is, and how long chromium took from the click to the end of loading. Writing takes ten
minutes; ``--folder DIR`` keeps what was written for the next time, and ``--serve`` goes on serving it, to be looked at.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.request import Request, urlopen

import ladder_growth
from support.lively_ladder import rated, tallied
from support.served_site import ServedSite

from ordago.match import FaultTerms, TimeTerms
from ordago.store.ladder.queries import LadderQueries
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive

_TIMES: Final = 9
_PAGES: Final = (
    *("/", "/?pageSize=500", "/games/mittlere", "/likelihoods", "/courses", "/bots/contestant-7", "/authors/a7"),
    *("/compare?first=contestant-7&second=contestant-8", "/matches", "/epochs", "/api/v1/standings", "/docs/protocol"),
)


class Timed(NamedTuple):
    """How long a page took."""

    page: str
    anew_ms: float
    kept_ms: float
    size: int


@contextmanager
def large_ladder(folder: Path, *, matches: int) -> Iterator[StandingReader]:
    """Read a ladder that is written first if it is not there."""
    place = folder / "ladder.sqlite"
    if not place.exists():
        samples = [ladder_growth.Sample(path.read_bytes()) for path in sorted(ladder_growth.RECORDS.glob("*.record"))]
        ladder_growth.write(place, matches, samples)
    with LadderQueries.open(place) as queries:
        ratings, counted = rated(queries), tallied(queries, {})
        terms = {"time": TimeTerms(decision_ms=2000), "faults": FaultTerms(), "delay_seconds": 5}
        games = [(game, seats, {}) for game, seats in (("mittlere", 3), ("mus", 4), ("mitaines", 2))]
        described = ladder_description(title="A large ladder", games=games, epoch_seconds=5000, **terms)
        yield StandingReader(queries, lambda: ratings, SeasonArchive(folder), described, tallies=lambda: counted)


def timed(site: ServedSite, page: str) -> Timed:
    """Ask for a page anew, again and again, and as it is kept."""
    anew, kept = [], []
    for _ in range(_TIMES):
        site.forget()
        anew.append(_asked_ms(site.url + page)[0])
        taken, size = _asked_ms(site.url + page)
        kept.append(taken)
    return Timed(page, statistics.median(anew), statistics.median(kept), size)


def _asked_ms(url: str) -> tuple[float, int]:
    start = time.perf_counter()
    with urlopen(Request(url)) as answer:  # noqa: S310 - it is our own server
        body = answer.read()
    return 1000 * (time.perf_counter() - start), len(body)


def in_browser_ms(url: str, pages: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Open pages in a browser that has none of them, and yield how long each took until all of it was there."""
    from support.browser import opened_chromium

    with opened_chromium() as browser:
        for page in pages:
            times = []
            for _ in range(3):
                window = browser.new_page()
                window.goto(url + page, wait_until="load")
                times.append(window.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
                window.close()
            yield page, statistics.median(times)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        with large_ladder(folder, matches=options.matches) as reader, ServedSite(reader) as site:
            if options.serve:
                ladder_growth.told(site.url)
                time.sleep(1e6)
            ladder_growth.told(f"{options.matches} matches: ms anew, ms as kept, kB")
            for found in (timed(site, page) for page in _PAGES):
                told = f"{found.anew_ms:8.1f} {found.kept_ms:8.1f} {found.size / 1000:8.0f}  {found.page}"
                ladder_growth.told(told)
            ladder_growth.told("in chromium, until all is loaded: ms")
            for page, taken in in_browser_ms(site.url, _PAGES[:4]):
                ladder_growth.told(f"{taken:8.0f}  {page}")


if __name__ == "__main__":
    main()
