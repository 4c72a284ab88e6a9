"""What it costs to see who may be seated, counted, however many wait; and that nobody is overlooked by it."""

from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection, silent
from support.ladder_halls import LadderHall, ladder_hall, without_threads

from ordago import v1
from ordago.arena.bot import Bot
from ordago.games import find_game
from ordago_ladder.settings import common as common_settings

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Looks:
    """Counts how often it is asked whether a bot has room."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        has_room = Bot.has_room.fget
        assert has_room is not None

        def counted(bot: Bot) -> bool:
            self.count += 1
            return bool(has_room(bot))

        monkeypatch.setattr(Bot, "has_room", property(counted))


def started(connection: FakeConnection) -> int:
    return len(connection.of(v1.MatchStart))


def trio_of(hall: LadderHall, *names: str) -> list[FakeConnection]:
    return [hall.enter(name, answering=silent) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("number", [30, 300])
async def test_so_many_looks_are_taken_for_a_table_however_many_wait(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ladder_hall(tmp_path) as hall:
        connections = [hall.enter(f"bot {n}", answering=silent) for n in range(number)]
        looks = Looks(monkeypatch)
        async with hall.open():
            await hall.until(lambda: hall.tables.running == number // 3)
        assert all(started(connection) == 1 for connection in connections)
    # Three come and three are seated; beside that the ladder looks at those only of whom something changed.
    assert looks.count <= 4 * number, looks.count


async def test_who_is_gone_is_not_seated_and_who_comes_back_is(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            ana, ben = trio_of(hall, "ana", "ben")
            await trio.sleep(1)
            ana.vanish()
            [cleo] = trio_of(hall, "cleo")
            await trio.sleep(5)
            assert not started(ben)
            again = FakeConnection(hall.server, answering=silent)
            again.say(v1.Hello(min_version=1, max_version=1, resume=ana.resume))
            await hall.until(lambda: started(again) == started(ben) == started(cleo) == 1)


async def test_who_retires_while_he_waits_is_not_seated(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            ana, _ = trio_of(hall, "ana", "ben")
            await trio.sleep(1)
            ana.say(v1.Retire())
            [cleo] = trio_of(hall, "cleo")
            await trio.sleep(5)
            assert not started(cleo)


async def test_who_pauses_is_seated_when_his_pause_is_over_and_not_before(tmp_path: Path) -> None:
    """Others of his address, who have not played to an end yet, pause with him, though they waited already."""
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            leaver = hall.enter("ana", answering=silent)
            hall.enter("ben")
            hall.enter("cleo")
            await hall.until(lambda: started(leaver) == 1)
            [dora] = trio_of(hall, "dora")
            await hall.until(lambda: bool(leaver.of(v1.Forfeited)))
            forfeited = trio.current_time()
            # Else he might be the one who is seated when both may be.
            leaver.vanish()
            await hall.until(lambda: started(dora) == 1)
            assert 10 <= trio.current_time() - forfeited <= 13
