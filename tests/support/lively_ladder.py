"""A standing ladder on which some have played for two weeks, under names of all kinds, as it is read."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

from support.ladders import BEGAN, Writer, ladder_row

from ordago.match import FaultTerms, TimeTerms
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.publication.tallies import SeasonTallies, Tallies
from ordago_ladder.standing.ratings import CareerResult, Careers, Player, StandingRatings
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive

MARKUP: Final = "<script>alert(1)</script>"
WIDE: Final = "漢" * 64
HEBREW: Final = "שלום עולם"
NAMES: Final = ("Anna", "Bert", "Carl", "anvil", MARKUP, WIDE, HEBREW, "a/b?c#d&e", "..", "solid")
"""The last is a house bot."""
SDKS: Final = ("ordago go", "ordago_bot python", "", "a <b>library</b> of its own")
_DAYS: Final = 14
NOW: Final = BEGAN + _DAYS * 86_400
"""The time at which it is read, in seconds since 1970."""
_CORPUS: Final = Path(__file__).parents[1] / "corpus"


@contextmanager
def lively_ladder(folder: Path) -> Iterator[StandingReader]:
    """Write such a ladder into a folder, and read it. The first of its two epochs is revealed, and a match runs."""
    place = folder / "ladder.sqlite"
    with LadderStore.open(place, create=True) as store:
        _write(Writer(store))
    described = ladder_description(
        title="A lively ladder",
        games=[("mus", 4, {}), ("mittlere", 3, {"deals": 6})],
        time=TimeTerms(decision_ms=2000),
        faults=FaultTerms(strikes=2),
        delay_seconds=5,
        epoch_seconds=3600,
    )
    with LadderQueries.open(place) as queries:
        ratings, counted = rated(queries), tallied(queries, {"mittlere": 6})
        archive = SeasonArchive(folder)
        yield StandingReader(queries, lambda: ratings, archive, described, tallies=lambda: counted, now=lambda: NOW)


def _write(writer: Writer) -> None:
    writer.store.create(ladder_row())
    writer.store.begin_epoch(1, began=BEGAN)
    players = [
        writer.player(name, "1.0", account="" if name == "solid" else None, sdk=sdk)
        for name, sdk in zip(NAMES, cycle(SDKS), strict=False)
    ]
    chances = random.Random(3)
    for day in range(_DAYS):
        writer.now = BEGAN + day * 86_400
        if day == _DAYS // 2:
            writer.store.begin_epoch(2, began=writer.now)
            writer.store.reveal(1)
            players[0] = writer.player("Anna", "2.0")
        for seats, game in ((3, "mittlere"), (4, "mus"), (3, "mittlere")):
            table = sorted(chances.sample(range(len(players)), seats), key=lambda place: place + chances.gauss(0, 4))
            record = (_CORPUS / f"{game}-{seats}.record").read_bytes()
            writer.finish(writer.begin(*[players[place] for place in table], game=game), record=record)
    writer.store.void(writer.begin(*players[:3]).match_id, reason="the server failed")
    writer.begin(*players[:3])


def tallied(queries: LadderQueries, deals: Mapping[str, int]) -> Tallies:
    """Count all that is in a store, of games whose matches have so many deals."""
    counted = SeasonTallies(lambda _epoch, game: deals.get(game))
    for result in queries.results_since():
        counted.add(result)
    return counted.tallies()


def rated(queries: LadderQueries) -> StandingRatings:
    """Rate all that is in a store."""
    careers = Careers()
    careers.enter(Player(row.player, row.name, row.predecessor, row.house) for row in queries.players())
    careers.add(
        CareerResult(found.seating.game, found.seating.players, found.result.placings, (), found.ended)
        for found in queries.results_since()
    )
    return careers.ratings()
