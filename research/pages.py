"""How large the pages of a large event are, and how long a browser takes to open the first one.

``python research/pages.py FOLDER`` publishes an invented event of 40 entrants and 5,000 matches in five games into a new
folder, and prints for each kind of page its size, its nodes and, where chromium is there, its load time.
"""

import argparse
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from ordago.chance import commitment
from ordago.record import Result
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import EndEntry, read_ledger
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.pages.more_pages import FURTHER_PAGES
from ordago_ladder.publication.publish import published_files, published_ladder
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.settings import Settings
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.rating.think_times import SeatTimes, ThinkTimes

_SECRET: Final = bytes(range(32))
_GAMES: Final = {"mitaines": (3, 167), "mitigati": (3, 167), "mittlere": (3, 167), "mus": (4, 500), "taihe": (3, 167)}
"""Seats and sets that make a thousand matches each."""
_TIMES: Final = 5
_FIRST_OF_MANY: Final = ("entrants/1.html", "sets/1.html", "matches/1.html")
_PROBE: Final = """<script>addEventListener("load", () => requestAnimationFrame(() => setTimeout(() =>
  document.title = "opened in " + Math.round(performance.now()) + " ms")))</script>"""


def invented(entrants: int) -> dict[str, bytes]:
    """Return the files of an invented event, by their names."""
    text = '[event]\nname = "large"\ntitle = "A large event"\n'
    text += "".join(
        f'[[game]]\nname = "{game}"\nseats = {seats}\nsets = {sets}\n' for game, (seats, sets) in _GAMES.items()
    )
    text += "".join(
        f'[[entrant]]\nname = "contestant {number}"\ncommand = "./x"\nauthor = "Author {number}"\nlanguage = "Rust"\n'
        for number in range(entrants)
    )
    settings = parse_event(text)
    results = [_played(planned) for planned in _schedule(settings)]
    ledger = read_ledger(chained([begin_entry(settings, secret=_SECRET), EndEntry(secret=_SECRET.hex())]))
    assert ledger.begin is not None
    assert ledger.begin.secret_digest == commitment(_SECRET).hex()
    times = {played.match.match_id: _times(played.planned) for played in results}
    ladder = published_ladder(settings, results, ledger)
    start = time.perf_counter()
    files = dict(published_files(text, ladder, ledger, times))
    print(f"{len(results)} matches, {entrants} entrants; files made in {time.perf_counter() - start:.2f} s")  # noqa: T201 - it is a command
    return files


def _schedule(settings: Settings) -> Iterator[PlannedMatch]:
    """Yield the matches of tables drawn by lot: a balanced schedule of so many tables takes longer than all else."""
    chance, row = random.Random(1), 0
    names = [entrant.name for entrant in settings.entrants]
    for game in settings.games:
        for number in range(game.sets or 0):
            table = sorted(chance.sample(names, len(set(game.sides))))
            for seating in range(seating_count(len(table))):
                turned = table[seating % len(table) :] + table[: seating % len(table)]
                entrants = tuple(turned[side] for side in game.sides)
                yield PlannedMatch(row, game.name, f"{game.name}|{','.join(table)}|{number}", seating, number, entrants)
                row += 1


def _played(planned: PlannedMatch) -> MatchResult:
    chance = random.Random(planned.row)
    strength = {name: chance.gauss(int(name.split()[1]), 20) for name in planned.entrants}
    order = sorted(set(strength), key=lambda name: -strength[name])
    placings = tuple(1 + order.index(name) for name in planned.entrants)
    scores = tuple(40 - 10 * placing for placing in placings)
    none = ((),) * len(placings)
    result = Result(scores=scores, placings=placings, faults=none, forfeits=(), strikes=none)
    return MatchResult(IssuedMatch(planned, f"{planned.row:032x}"), result)


def _times(planned: PlannedMatch) -> ThinkTimes:
    chance = random.Random(planned.row)
    return tuple(
        SeatTimes(asked, asked, 20 * asked, 400) for asked in (chance.randrange(5, 300) for _ in planned.entrants)
    )


class _Nodes(HTMLParser):
    """Counts elements and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.count = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - only counted
        self.count += 1

    def handle_data(self, data: str) -> None:
        self.count += bool(data.strip())


def _opened(page: Path) -> str:
    browser = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if browser is None:
        return "no chromium"
    probe = page.with_name("probe.html")
    probe.write_text(page.read_text(encoding="utf-8").replace("</head>", f"{_PROBE}</head>", 1), encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
    times = []
    for _ in range(_TIMES):
        shown = subprocess.run([*command, probe.as_uri()], capture_output=True, text=True, check=True)  # noqa: S603 - ours
        times += [int(number) for number in re.findall(r"opened in (\d+) ms", shown.stdout)]
    probe.unlink()
    return f"opened in {min(times)} to {max(times)} ms"


def main() -> None:
    """Publish and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--entrants", type=int, default=40)
    arguments = parser.parse_args()
    for name, content in invented(arguments.entrants).items():
        path = arguments.folder.resolve() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in ("index.html", "games.html", "games/taihe.html", *FURTHER_PAGES, *_FIRST_OF_MANY):
            print(f"{name:18} {len(content):9,} bytes {_Nodes(content.decode()).count:7,} nodes, {_opened(path)}")  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
