"""When epochs end, and what is told of it: by time, by matches, by the length of a ledger, and on an idle ladder."""

from pathlib import Path

import pytest
import trio
from support.ladder_halls import LadderHall, ladder_hall, without_threads

from ordago.games import find_game
from ordago.record.ledgers.chain import ledger_text
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.standing.publication.ratings_process import RatingsProcess
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.epochs_in_time import MOST_OPEN_BYTES, EpochsInTime
from ordago_ladder.standing.tables.repository import LadderRepository

pytestmark = pytest.mark.virtual_time
_LONGEST_TEXT = "\N{GRINNING FACE}" * 64
"""No version and no build of a bot is longer, and nothing takes more room in a ledger."""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Epochs:
    """The epochs of a hall, which end by other bounds than its ladder says."""

    def __init__(self, hall: LadderHall, *, matches: int = 1_000, most_bytes: int = MOST_OPEN_BYTES) -> None:
        self.hall = hall
        self.books = LadderRepository(hall.store, hall.queries, now=hall.now)
        self.told = 0
        committer = Committer(self.books, telemetry=hall.telemetry, news=lambda: None)
        self.in_time = EpochsInTime(
            self.books,
            committer,
            epoch_seconds=3600,
            epoch_matches=matches,
            changed=self.tell,
            counters=hall.telemetry.counters.ladder,
            most_bytes=most_bytes,
        )

    def tell(self) -> None:
        self.told += 1

    def begin_match(self, version: str) -> None:
        players = [
            self.hall.store.enter_player(
                name=name, version=version, build=version, account=name, house=False, seen=int(self.hall.now())
            )
            for name in ("ana", "ben")
        ]
        self.hall.store.begin_match(
            game="mittlere",
            players=[player.player for player in players],
            nonces=[bytes(64)] * 2,
            begun=int(self.hall.now()),
        )
        self.in_time.more()

    async def end_all(self) -> None:
        for seating in self.hall.store.running():
            self.hall.store.void(seating.match_id, reason="a trial")
        self.in_time.more()
        await trio.sleep(2)


async def test_an_epoch_ends_after_so_many_matches_and_the_next_has_as_many(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        epochs = Epochs(hall, matches=3)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(epochs.in_time.run)
            for number in range(7):
                epochs.begin_match("1")
                await trio.sleep(2)
                assert epochs.in_time.newest == 1 + (number + 1) // 3
                assert hall.telemetry.counters.ladder.epoch == epochs.in_time.newest
            nursery.cancel_scope.cancel()
        assert [epoch.matches for epoch in hall.queries.epochs()] == [3, 3, 1]


async def test_an_epoch_lasts_its_whole_time_after_one_that_ended_early(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        epochs = Epochs(hall, matches=1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(epochs.in_time.run)
            await trio.sleep(3000)
            epochs.begin_match("1")
            await trio.sleep(3000)
            assert epochs.in_time.newest == 2
            await trio.sleep(700)
            assert epochs.in_time.newest == 3
            nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_bots_that_make_a_ledger_long_end_its_epoch_before_nobody_could_verify_it(tmp_path: Path) -> None:
    """A new version for each match, with the longest text that a ledger can be made to hold."""
    bound = 20_000
    with ladder_hall(tmp_path) as hall:
        epochs = Epochs(hall, most_bytes=bound)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(epochs.in_time.run)
            for number in range(20):
                epochs.begin_match(_LONGEST_TEXT[:-2] + f"{number:02}")
                await trio.sleep(2)
            nursery.cancel_scope.cancel()
        lengths = [len(ledger_text(hall.queries.ledger(epoch.epoch))) for epoch in hall.queries.epochs()]
        assert len(lengths) > 3
        assert all(bound <= length < bound + 5_000 for length in lengths[:-1]), lengths
        assert epochs.books.newest_size().ledger_bytes == lengths[-1]
    assert 2 * MOST_OPEN_BYTES <= MOST_LEDGER_BYTES


async def test_an_idle_ladder_tells_of_an_epoch_that_begins_and_of_one_that_is_revealed(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        epochs = Epochs(hall)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(epochs.in_time.run)
            epochs.begin_match("1")
            await trio.sleep(3602)
            assert (epochs.in_time.newest, epochs.told) == (2, 1)
            await epochs.end_all()
            assert hall.queries.epochs()[0].revealed
            assert epochs.told == 2
            nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_what_is_told_of_an_epoch_is_published_though_no_match_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    monkeypatch.setattr(RatingsProcess, "more", lambda _ratings: asked.append(trio.current_time()))
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            await trio.sleep(3700)
        assert hall.queries.epochs()[0].revealed
    assert asked
    assert asked[-1] >= 3600
