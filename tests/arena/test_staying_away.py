"""A server that is started anew, and bots that do not come back: they forfeit, and only the server's failures void."""

from pathlib import Path

import pytest
import trio
from support.carrying import NAMES, killed, running, until_kept, written_before
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.record import verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]


async def test_whoever_stays_away_after_a_restart_forfeits_and_the_others_play_on(tmp_path: Path):
    """Else who is losing could wait for a restart, and stay away so that the match is void."""
    path = tmp_path / "journal"
    connections = await killed(path)
    written_before(path, RESUME_WINDOW_SECONDS - 10)
    async with running(path) as hall:
        hall.tables.close()
        there = [hall.come_back(connection) for connection in connections[:2]]
        await trio.sleep(RESUME_WINDOW_SECONDS - 1)
        assert not any(connection.of(v1.MatchStart) for connection in there)
        record = await until_kept(hall)
        await wait_all_tasks_blocked()
        assert hall.journal.matches == []
    [forfeit] = [entry.forfeit for entry in record.entries if entry.HasField("forfeit")]
    assert forfeit == v1.Forfeit(seat=connections[2].last(v1.MatchStart).seat, fault=v1.FAULT_DISCONNECTED)
    assert all(connection.last(v1.MatchEnd).forfeits[:] == [forfeit] for connection in there)
    assert not verify(record)


async def test_a_match_to_which_nobody_comes_back_is_played_to_its_end(tmp_path: Path):
    path = tmp_path / "journal"
    await killed(path)
    async with running(path) as hall:
        hall.tables.close()
        record = await until_kept(hall)
    assert len([entry for entry in record.entries if entry.HasField("forfeit")]) == len(NAMES)
    assert not verify(record)


async def test_whoever_is_awaited_after_a_restart_is_not_given_up_for_others_before_his_time(tmp_path: Path):
    """Others who want room would else bring it about that he forfeits."""
    path = tmp_path / "journal"
    connections = await killed(path)
    async with running(path) as hall:
        hall.tables.close()
        assert not hall.server.sessions.give_up_a_player()
        back = [hall.come_back(connection) for connection in connections]
        record = await until_kept(hall)
    assert not any(entry.HasField("forfeit") for entry in record.entries)
    assert all(connection.last(v1.MatchEnd).HasField("outcome") for connection in back)


async def test_nobody_has_to_wait_for_a_server_longer_than_he_can_resume(tmp_path: Path):
    path = tmp_path / "journal"
    ana, ben, _ = await killed(path)
    written_before(path, RESUME_WINDOW_SECONDS + 10)
    async with running(path):
        await trio.sleep(5)
    # It fell again, and nobody had come: it is away since it fell first.
    async with running(path) as hall:
        begun = trio.current_time()
        there = [hall.come_back(connection) for connection in (ana, ben)]
        await trio.sleep(RESUME_WINDOW_SECONDS - 1)
        assert not any(connection.of(v1.MatchStart) for connection in there)
        await trio.sleep(2)
        assert trio.current_time() == begun + RESUME_WINDOW_SECONDS + 1
        for connection in there:
            [_, start, end] = connection.heard
            assert start.match_handle == end.match_handle == 1
            assert start.last_decision > 0
            assert not end.HasField("outcome")
            assert end.sentence == "the server was down for too long, and not all bots reconnected"
        assert (hall.records, hall.journal.matches) == ([], [])
        assert len(hall.journal.sessions) == 2
        counters = hall.telemetry.counters.game("mittlere")
        assert (counters.matches_void, counters.matches_running) == (1, 0)
        for name in ("dora", "emil"):
            hall.enter(name)
        await wait_all_tasks_blocked()
        assert there[0].last(v1.MatchStart).match_handle == 2, "a handle is not used again"
        assert there[0].last(v1.MatchStart).commitment != there[0].of(v1.MatchStart)[0].commitment
    async with running(path) as hall:
        assert len(hall.journal.matches) == 1, "the void match is gone for good"
