"""A server that is killed and started anew from its journal: matches go on as if nothing had happened, or are void."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from support.carrying import (
    NAMES,
    TERMS,
    JournaledHall,
    Pace,
    PacedConnection,
    even_pace,
    killed,
    running,
    until_kept,
    written_before,
)
from support.connections import FakeConnection
from support.frames import hello
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.connection import Status
from ordago.journal import Journal
from ordago.journal.frames import Framing, contents
from ordago.journal.v1 import JournalEntry
from ordago.record import verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]


def too_slow(number: int) -> float:
    """Use up the bank and all faults."""
    return 9.5 if number % 2 else 0.1


PACES: Sequence[Pace] = (even_pace, lambda number: even_pace(number + 1), too_slow)


class Undisturbed:
    """A match that was played in one piece, and the journal as it was just before the match was struck from it."""

    def __init__(self, hall: JournaledHall, connections: Sequence[FakeConnection]) -> None:
        [self.record] = hall.records
        self.journal = hall.when_kept
        self.connections = connections
        self.accepted = [{said.number: said for said in connection.of(v1.Accepted)} for connection in connections]

    def after(self, entries: int) -> bytes:
        """Return the journal as it was after so many choices and forfeits."""
        kept = contents(self.journal)
        return Framing().whole(kept[: len(NAMES) + 1 + entries])

    @property
    def entries(self) -> int:
        """How many choices and forfeits there were."""
        return len(contents(self.journal)) - len(NAMES) - 1


async def undisturbed(path: Path, paces: Sequence[Pace] = PACES) -> Undisturbed:
    async with running(path) as hall:
        connections = [hall.enter(name, pace) for name, pace in zip(NAMES, paces, strict=True)]
        await wait_all_tasks_blocked()
        hall.tables.close()
        await until_kept(hall)
    return Undisturbed(hall, connections)


@pytest.mark.slow
async def test_a_kill_at_any_point_of_a_match_changes_nothing(tmp_path: Path):
    """Everything is rebuilt from the bytes of the journal alone, once for each choice and forfeit."""
    whole = await undisturbed(tmp_path / "whole")
    faults = [entry.choice.fault for entry in whole.record.entries if entry.HasField("choice")]
    assert v1.FAULT_TOO_LATE in faults
    assert any(entry.choice.strikes for entry in whole.record.entries)
    assert any(entry.HasField("forfeit") for entry in whole.record.entries)
    assert any(0 < said.bank_ms < 8_000 for said in whole.accepted[0].values())
    for entries in range(whole.entries + 1):
        path = tmp_path / "journal"
        path.write_bytes(whole.after(entries))
        async with running(path) as hall:
            back = [hall.come_back(*pair) for pair in zip(whole.connections, PACES, strict=True)]
            hall.tables.close()
            assert await until_kept(hall) == whole.record, entries
            await wait_all_tasks_blocked()
            assert hall.journal.matches == []
        for connection, accepted in zip(back, whole.accepted, strict=True):
            check_what_was_told(connection, accepted)


def check_what_was_told(connection: PacedConnection, accepted: dict[int, v1.Accepted]) -> None:
    """Check that a bot was told the rest of its match, beginning with the last decision that was closed."""
    [start] = connection.of(v1.MatchStart)
    numbers = [said.number for said in connection.of(v1.Accepted)]
    assert numbers == list(range(max(1, start.last_decision), len(accepted) + 1))
    assert all(said == accepted[said.number] for said in connection.of(v1.Accepted))
    assert connection.last(v1.MatchEnd).HasField("outcome")


async def test_kill_upon_kill_changes_nothing(tmp_path: Path):
    whole = await undisturbed(tmp_path / "whole")
    path = tmp_path / "journal"
    path.write_bytes(whole.after(0))
    connections: Sequence[FakeConnection] = whole.connections
    kills = 0
    while True:
        async with running(path) as hall:
            connections = [hall.come_back(*pair) for pair in zip(connections, PACES, strict=True)]
            hall.tables.close()
            # Each server lives just long enough for some decisions; what was thought about in vain is not charged.
            await trio.sleep(11)
        if hall.records:
            break
        kills += 1
    assert kills > 3
    assert hall.records == [whole.record]


async def test_a_match_that_was_over_is_kept_without_its_bots_and_they_are_told_when_they_come(tmp_path: Path):
    whole = await undisturbed(tmp_path / "whole")
    path = tmp_path / "journal"
    path.write_bytes(whole.journal)
    async with running(path) as hall:
        assert await until_kept(hall) == whole.record
        back = hall.come_back(whole.connections[0])
        assert [type(heard) for heard in back.heard] == [v1.Welcome, v1.MatchStart, v1.MatchEnd]
        assert back.last(v1.MatchEnd).outcome == whole.record.outcome
        assert hall.records == [whole.record]
        await wait_all_tasks_blocked()
    async with running(path) as hall:
        await wait_all_tasks_blocked()
        assert hall.records == [], "it is kept once"


@pytest.mark.parametrize(
    ("last_decision", "stayed_up", "void"), [(4, False, True), (3, False, False), (4, True, False)]
)
async def test_a_bot_that_has_seen_more_than_the_journal_is_believed_where_power_may_have_been_cut(
    tmp_path: Path, last_decision: int, *, stayed_up: bool, void: bool
):
    """Elsewhere who is losing only says so, to have the match void."""
    whole = await undisturbed(tmp_path / "whole", (even_pace,) * 3)
    path = tmp_path / "journal"
    path.write_bytes(whole.after(6))
    if not stayed_up:
        written_before(path, time.monotonic() + 60)
    async with running(path) as hall:
        hall.tables.close()
        # Each was asked twice, and the one whose turn it is now for the third time.
        turn = [entry.choice.seat for entry in whole.record.entries if entry.HasField("choice")][6]
        order = sorted(whole.connections, key=lambda each: each.last(v1.MatchStart).seat != turn)
        first = hall.come_back(order[0], handle=1, last_decision=last_decision)
        for connection in order[1:]:
            hall.come_back(connection, handle=1, last_decision=2)
        await trio.sleep(1_000)
        assert bool(hall.records) is not void
        assert first.last(v1.MatchEnd).HasField("outcome") is not void
        assert ("lost the last decisions" in first.last(v1.MatchEnd).sentence) is void


async def test_a_bot_that_comes_back_and_says_goodbye_forfeits(tmp_path: Path):
    path = tmp_path / "journal"
    connections = await killed(path)
    async with running(path) as hall:
        hall.tables.close()
        hall.come_back(connections[0]).say(v1.Goodbye())
        for connection in connections[1:]:
            hall.come_back(connection)
        record = await until_kept(hall)
    forfeited = [entry.forfeit.seat for entry in record.entries if entry.HasField("forfeit")]
    assert forfeited == [connections[0].last(v1.MatchStart).seat]
    assert not verify(record)


async def test_nobody_waits_for_a_bot_whose_seat_was_forfeited_before(tmp_path: Path):
    path = tmp_path / "journal"
    async with running(path) as hall:
        connections = [hall.enter(name) for name in NAMES]
        await trio.sleep(3)
        connections[0].say(v1.Goodbye())
    async with running(path) as hall:
        hall.tables.close()
        for connection in connections[1:]:
            hall.come_back(connection)
        assert not verify(await until_kept(hall))
        assert hall.come_back(connections[0]).status is Status.UNAUTHENTICATED


async def test_a_bot_that_is_lost_again_while_others_are_awaited_is_treated_as_always(tmp_path: Path):
    path = tmp_path / "journal"
    connections = await killed(path)
    async with running(path) as hall:
        hall.tables.close()
        hall.come_back(connections[0]).vanish()
        for connection in connections[1:]:
            hall.come_back(connection)
        await trio.sleep(5)
        record = await until_kept(hall)
    seat = connections[0].last(v1.MatchStart).seat
    faults = {entry.choice.fault for entry in record.entries if entry.HasField("choice") and entry.choice.seat == seat}
    assert faults == {v1.FAULT_UNSPECIFIED, v1.FAULT_DISCONNECTED}


async def test_a_match_whose_rules_have_changed_is_void(tmp_path: Path):
    path = tmp_path / "journal"
    connections = await killed(path)
    [*sessions, match] = [JournalEntry.FromString(content) for content in contents(path.read_bytes())][:4]
    match.match.record.rules_version += 1
    path.write_bytes(Framing().whole(entry.SerializeToString() for entry in (*sessions, match)))
    async with running(path) as hall:
        await wait_all_tasks_blocked()
        back = hall.come_back(connections[0])
        assert "version 2 of the rules" in back.last(v1.MatchEnd).sentence
        assert back.last(v1.MatchStart).rules_version == 2
        assert hall.journal.matches == []


async def test_a_match_whose_past_cannot_be_played_is_void_and_keeps_nobody(tmp_path: Path):
    whole = await undisturbed(tmp_path / "whole")
    path = tmp_path / "journal"
    path.write_bytes(whole.after(10))
    journal = Journal(path)
    [journaled] = journal.matches
    nothing = v1.RecordEntry(choice=v1.RecordedChoice())
    journal.page(journaled.record.match_id).enter([v1.MatchRecord(entries=[nothing]).SerializeToString()])
    journal.close()
    async with running(path) as hall:
        back = [hall.come_back(*pair) for pair in zip(whole.connections, PACES, strict=True)]
        await wait_all_tasks_blocked()
        for connection in back:
            assert "failed in the match" in connection.of(v1.MatchEnd)[0].sentence
        assert (await until_kept(hall)).match_id != whole.record.match_id, "the next match begins"


async def test_a_session_without_a_match_goes_on_too_and_only_by_its_token(tmp_path: Path):
    path = tmp_path / "journal"
    async with running(path) as hall:
        ana = hall.enter("ana", games=["mittlere", "chess"])
    token = ana.resume.resume_token
    assert token.encode() not in path.read_bytes()
    async with running(path) as hall:
        forged = PacedConnection(hall.server)
        ana.last(v1.Welcome).resume_token = "guessed"  # noqa: S105 - it is not
        assert hall.come_back(ana).status is Status.UNAUTHENTICATED
        assert not forged.heard
        ana.last(v1.Welcome).resume_token = token
        welcome = hall.come_back(ana).heard[0]
        assert (welcome.resumed, welcome.resume_token) == (True, token)
        assert welcome.session_id == ana.resume.session_id
        for name in ("ben", "cleo"):
            hall.enter(name)
        await wait_all_tasks_blocked()
        assert hall.tables.running == 1, "it is seated again"


async def test_a_bot_that_never_heard_its_welcome_gets_another_token_which_lasts(tmp_path: Path):
    """It is known by its token and its nonce. The first token, which it does not have, is good for nothing then."""
    path = tmp_path / "journal"
    async with running(path) as hall:
        first, second = (FakeConnection(hall.server, token="launch") for _ in range(2))  # noqa: S106 - for the test
        for connection in (first, second):
            connection.say(hello())
        assert second.last(v1.Welcome).resumed
        assert hall.come_back(first).status is Status.UNAUTHENTICATED
    async with running(path) as hall:
        [kept] = hall.journal.sessions
        assert (kept.session_id, list(kept.games)) == (second.resume.session_id, ["mittlere"])
        assert hall.come_back(second).heard[0].resumed


async def test_a_session_that_is_over_does_not_come_back(tmp_path: Path):
    path = tmp_path / "journal"
    async with running(path) as hall:
        ana, ben = (hall.enter(name) for name in ("ana", "ben"))
        ana.say(v1.Goodbye())
        ben.vanish()
        await trio.sleep(RESUME_WINDOW_SECONDS + 1)
    async with running(path) as hall:
        assert hall.journal.sessions == []
        assert hall.come_back(ben).status is Status.UNAUTHENTICATED


async def test_when_a_server_was_told_to_stop_nothing_is_decided_there_any_more(tmp_path: Path):
    hall = JournaledHall(tmp_path / "journal")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.tables.run)
        connections = [hall.enter(name) for name in NAMES]
        await trio.sleep(3)
        for connection in connections:
            connection.vanish()
        nursery.cancel_scope.cancel()
    hall.server.sessions.suspend("back in a moment")
    before = hall.journal.matches
    assert before[0].record.entries
    back = hall.come_back(connections[0])
    await trio.sleep(10)
    assert back.of(v1.Welcome), "the server still listens for a moment"
    assert hall.journal.matches == before
    assert not any(connection.of(v1.Forfeited) for connection in (*connections, back))


async def test_a_server_that_is_told_to_stop_lets_its_matches_go_on_later(tmp_path: Path):
    path = tmp_path / "journal"
    hall = JournaledHall(path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.tables.run)
        connections = [hall.enter(name) for name in NAMES]
        await trio.sleep(3)
        nursery.cancel_scope.cancel()
    hall.server.sessions.suspend("back in a moment")
    assert {(connection.status, connection.sentence) for connection in connections} == {
        (Status.UNAVAILABLE, "back in a moment")
    }
    assert not any(connection.of(v1.MatchEnd) or connection.of(v1.Goodbye) for connection in connections)
    await trio.sleep(1_000)
    before = path.read_bytes()
    async with running(path) as again:
        assert path.read_bytes() != b""
        again.tables.close()
        for connection in connections:
            again.come_back(connection)
        record = await until_kept(again)
    assert not verify(record)
    assert not any(entry.choice.fault for entry in record.entries)
    assert len(contents(before)) > len(NAMES) + 1
    assert record.clock == TERMS.time.message()
