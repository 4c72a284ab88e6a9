"""What bots are told of how they stand: rank and rating, at most every ten seconds, and nothing that is not new."""

from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection, Lobby
from support.ladder_halls import LadderHall, ladder_hall, without_threads

from ordago import v1
from ordago.games import find_game
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.publication.publisher import Published, Publisher
from ordago_ladder.standing.ratings import StandingRating
from ordago_ladder.standing.tables.notices import Notices
from ordago_ladder.standing.tables.rated_tables import sitter_of
from ordago_ladder.standing.tables.repository import Sitter

pytestmark = pytest.mark.virtual_time
NAMES = ("ana", "ben", "cleo")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


def rate(hall: LadderHall, folder: Path) -> None:
    """Rate what was played, as the process does that is beside the play."""
    published = Published(str(folder / "ladder.sqlite"), folder / "archive", b"[ladder]")
    hall.ladder._rated(Publisher(published, hall.queries).answer().ratings)


def notices(connection: FakeConnection) -> list[v1.EventNotice]:
    return connection.of(v1.EventNotice)


async def test_each_bot_is_told_its_rank_and_rating_after_a_match_that_counted(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            connections = [hall.enter(name) for name in NAMES]
            await hall.until(lambda: hall.tables.finished == 1)
            newcomer = hall.enter("dora")
            rate(hall, tmp_path)
            assert not notices(newcomer), "he has played nothing yet"
        told = {name: notices(connection)[0] for name, connection in zip(NAMES, connections, strict=True)}
    assert sorted(notice.rank for notice in told.values()) == [1, 2, 3]
    for name, notice in told.items():
        assert notice.entrant == name
        assert notice.sentence.startswith(f"'{name}' has rank {notice.rank} of 3 after 1 matches: ")
        assert notice.sentence.endswith(", which is provisional") == ("±" in notice.sentence), "if there is a number"


class Known:
    """Standings in which somebody has played more and more."""

    matches = 0

    def place(self, _sitter: Sitter) -> tuple[int, StandingRating] | None:
        if not self.matches:
            return None
        return 2, StandingRating(
            player=1, elo=1612.4, low=1582.4, high=1642.4, matches=self.matches, provisional=False, current=True
        )

    def __len__(self) -> int:
        return 7


async def test_nobody_is_told_more_often_than_every_ten_seconds_nor_what_he_knows_nor_when_he_is_gone() -> None:
    known, lobby = Known(), Lobby()
    connection, bot = lobby.enter()
    told = Notices(known, season="")  # type: ignore[arg-type]  # as far as it is asked
    times = []
    for step in range(100):
        known.matches = min(step, 60)
        before = len(notices(connection))
        told.tell(bot, sitter_of(bot))
        times += [trio.current_time()] * (len(notices(connection)) - before)
        await trio.sleep(0.5)
    assert times == [0.5, 10.5, 20.5, 30.5], "after that there was nothing new"
    assert notices(connection)[-1].sentence.endswith("has rank 2 of 7 after 60 matches: 1612 ± 30")
    known.matches = 90
    connection.vanish()
    told.tell(bot, sitter_of(bot))
    assert len(notices(connection)) == 4
