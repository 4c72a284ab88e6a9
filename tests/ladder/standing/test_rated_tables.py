"""Tables where each match counts: it is entered before it begins, and its result before anybody hears of its end."""

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection, silent
from support.ladder_halls import BEGAN, LADDER, LadderHall, ladder_hall, without_threads

from ordago import v1
from ordago.arena.connection import Status
from ordago.arena.processes.supervisor import FailedToStartError
from ordago.arena.upkeep import keep_up
from ordago.games import find_game
from ordago.journal import Journal, JournalError
from ordago.ops.web import health
from ordago.record.head import Head
from ordago.record.ledgers.ladder import EpochLedger, read_epoch
from ordago.store import StoreBusyError, StoreFailedError
from ordago.telemetry.troubles import Trouble
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.publisher import Published, Publisher
from ordago_ladder.standing.tables.house_bots import HouseBots

pytestmark = pytest.mark.virtual_time
NAMES = ("ana", "ben", "cleo")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


def ledger(hall: LadderHall, epoch: int = 1) -> EpochLedger:
    return read_epoch(list(hall.queries.ledger(epoch)))


def enter_all(hall: LadderHall, **how: object) -> list[FakeConnection]:
    return [hall.enter(name, **how) for name in NAMES]  # type: ignore[arg-type]  # as enter takes them


async def test_a_match_is_in_the_ledger_when_it_begins_and_its_result_when_it_ends(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            connections = enter_all(hall)
            await hall.until(lambda: hall.tables.finished >= 1)
        told = ledger(hall)
        for connection in connections:
            start, end = connection.of(v1.MatchStart)[0], connection.of(v1.MatchEnd)[0]
            assert told.head_at(start.ledger_length) == Head(start.ledger_length, start.ledger_head)
            assert told.head_at(end.ledger_length) == Head(end.ledger_length, end.ledger_head)
            before = read_epoch(told.lines[: start.ledger_length])
            after = read_epoch(told.lines[: end.ledger_length])
            assert start.match_id in before.seatings
            assert start.match_id not in [entry.match_id for entry in before.results]
            assert (start.match_id, end.record_digest.hex()) in [
                (entry.match_id, entry.record_digest) for entry in after.results
            ]


@pytest.mark.slow
async def test_an_epoch_is_revealed_when_its_last_match_is_over_and_all_of_it_can_be_proved(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            connections = enter_all(hall, matches_in_all=1)
            await hall.until(lambda: hall.tables.finished >= 1)
            slow = [hall.enter(name, answering=silent) for name in ("dora", "eli", "fay")]
            await trio.sleep(3_599 - trio.current_time())
            slow += [hall.enter(name, answering=silent) for name in ("gil", "hal", "ida")]
            await hall.until(lambda: hall.ladder.epochs.newest == 2)
            assert hall.tables.running, "an epoch ends in the middle of a match"
            assert not hall.queries.epochs()[0].revealed
            assert hall.ladder.described().event == "trial/2"
            await hall.until(lambda: hall.queries.epochs()[0].revealed)
        begun = {entry.match_id for entry in ledger(hall).seatings.values()}
        assert {entry.match_id for entry in ledger(hall).results} == begun
        published = Published(str(tmp_path / "ladder.sqlite"), tmp_path / "archive", LADDER.encode())
        assert not Publisher(published, hall.queries).answer().problem
        verification = verify_ladder(tmp_path / "archive")
        assert not verification.findings
        assert verification.records == len(begun) >= 3
        assert connections[0].last(v1.MatchEnd).HasField("outcome")


@pytest.mark.slow
async def test_a_clock_that_is_set_ends_no_epoch_and_keeps_none_open(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            await trio.sleep(1)
            hall.set_by = 10_000_000
            await trio.sleep(3_500)
            assert hall.ladder.epochs.newest == 1
            hall.set_by = -10_000_000
            await trio.sleep(200)
            assert hall.ladder.epochs.newest == 2
            enter_all(hall)
            await hall.until(lambda: hall.tables.finished >= 1)
        times = [entry.ended for entry in ledger(hall, 2).results]
        assert all(time >= BEGAN for time in times), "the ledger knows no time before one that it has told of"


async def test_a_match_goes_on_after_a_kill_and_counts_once(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            before = enter_all(hall, answering=silent)
            await hall.until(lambda: bool(hall.journal.matches and hall.journal.matches[0].record.entries))
        [match] = hall.journal.matches
        assert not match.record.secret, "the journal tells nothing of the epoch's deals"
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            for connection in before:
                FakeConnection(hall.server, answering=lambda decision: decision.default_answer).say(
                    v1.Hello(min_version=1, max_version=1, resume=connection.resume)
                )
            await hall.until(lambda: hall.tables.finished == 1)
        assert [entry.match_id for entry in ledger(hall).results] == [match.record.match_id]


async def killed(folder: Path) -> list[FakeConnection]:
    """Return the connections of three bots to a server that was killed in the middle of their match."""
    with ladder_hall(folder) as hall:
        async with hall.open():
            connections = enter_all(hall, answering=silent)
            await hall.until(lambda: bool(hall.journal.matches and hall.journal.matches[0].record.entries))
    return connections


@pytest.mark.slow
async def test_whoever_waits_for_a_restart_and_stays_away_loses_the_match_and_it_counts(tmp_path: Path) -> None:
    before = await killed(tmp_path)
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            for connection in before[1:]:
                FakeConnection(hall.server, answering=lambda decision: decision.default_answer).say(
                    v1.Hello(min_version=1, max_version=1, resume=connection.resume)
                )
            await hall.until(lambda: hall.tables.finished == 1)
        told = ledger(hall)
        [result] = told.results
        [counted] = hall.queries.results_since()
    assert not told.voids
    assert result.match_id == before[0].last(v1.MatchStart).match_id
    [forfeit] = counted.result.forfeits
    assert (forfeit.seat, forfeit.fault) == (before[0].last(v1.MatchStart).seat, "disconnected")


@pytest.mark.slow
async def test_where_a_bot_of_the_house_cannot_be_started_again_the_match_is_void(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody wins by what the server fails in."""

    async def not_started(_house: HouseBots, name: str) -> None:
        await trio.lowlevel.checkpoint()
        raise FailedToStartError(name, "it ended", tmp_path)

    monkeypatch.setattr(HouseBots, "seat", not_started)
    before = await killed(tmp_path)
    journal = Journal(tmp_path / "journal")
    [match] = journal.matches
    match.seats[0].Clear()
    journal.begin_match(match)
    journal.close()
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            await hall.until(lambda: bool(ledger(hall).voids))
        [void] = ledger(hall).voids
    assert void.match_id == match.record.match_id == before[0].last(v1.MatchStart).match_id
    assert void.reason == "the server restarted, and could not restart its own bot"


@pytest.mark.slow
async def test_a_result_that_was_committed_just_before_a_kill_is_not_doubled(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        kept = tmp_path / "as it was"
        end_match = hall.journal.end_match

        def copied(match_id: str) -> None:
            if not kept.exists():
                shutil.copy(tmp_path / "journal", kept)
            end_match(match_id)

        hall.journal.end_match = copied  # type: ignore[method-assign]  # to see the journal as it is just before
        async with hall.open():
            enter_all(hall, matches_in_all=1)
            await hall.until(kept.exists)
        told = ledger(hall).lines
    shutil.copy(kept, tmp_path / "journal")
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            await hall.until(lambda: not hall.journal.matches)
        assert (hall.results, ledger(hall).lines) == (1, told)


@pytest.mark.slow
async def test_what_the_journal_does_not_know_is_void_and_what_the_store_does_not_know_never_was(
    tmp_path: Path,
) -> None:
    with ladder_hall(tmp_path / "one") as hall:
        async with hall.open():
            enter_all(hall, answering=silent)
            await hall.until(lambda: bool(hall.journal.matches))
    with ladder_hall(tmp_path / "other") as hall:
        pass
    journals = [tmp_path / name / "journal" for name in ("one", "other")]
    swapped = [journal.read_bytes() for journal in reversed(journals)]
    for journal, content in zip(journals, swapped, strict=True):
        journal.write_bytes(content)
    with ladder_hall(tmp_path / "one") as hall:
        assert len(hall.lost) == 1
        assert [entry.match_id for entry in ledger(hall).voids] == hall.lost
    with ladder_hall(tmp_path / "other") as hall:
        assert not hall.journal.matches
        assert not ledger(hall).seatings


async def test_while_the_store_cannot_be_written_nobody_is_told_of_an_end_and_no_result_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ladder_hall(tmp_path) as hall:
        commit, failures = hall.store.commit_results, iter(range(5))

        def failing(*arguments: object) -> object:
            if next(failures, None) is not None:
                raise StoreFailedError("The database cannot be used: the disk is full.")
            return commit(*arguments)  # type: ignore[arg-type]  # as it was called

        monkeypatch.setattr(hall.store, "commit_results", failing)
        async with hall.open():
            connections = enter_all(hall, matches_in_all=1)
            await hall.until(lambda: hall.telemetry.is_in(Trouble.STORE))
            assert not connections[0].of(v1.MatchEnd)
            await hall.until(lambda: bool(connections[0].of(v1.MatchEnd)))
        assert not hall.telemetry.is_in(Trouble.STORE)
        assert hall.results == 1


async def test_while_a_table_is_missing_nobody_is_told_of_an_end_and_no_result_is_lost(tmp_path: Path) -> None:
    def rename(before: str, after: str) -> None:
        with closing(sqlite3.connect(tmp_path / "ladder.sqlite")) as connection:
            connection.execute(f"ALTER TABLE {before} RENAME TO {after}")

    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            connections = enter_all(hall, answering=silent, matches_in_all=1)
            await hall.until(lambda: hall.tables.running == 1)
            rename("records", "records_old")
            await hall.until(lambda: hall.telemetry.is_in(Trouble.STORE))
            await trio.sleep(100)
            assert "no such table" in hall.telemetry.counters.troubles[Trouble.STORE.value[0]]
            assert not connections[0].of(v1.MatchEnd)
            rename("records_old", "records")
            await hall.until(lambda: bool(connections[0].of(v1.MatchEnd)))
        assert not hall.telemetry.is_in(Trouble.STORE)
        assert hall.results == 1


@pytest.mark.slow
async def test_while_room_runs_out_no_match_begins_none_is_void_and_what_runs_comes_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 1 << 30
    monkeypatch.setattr(Journal, "free_bytes", property(lambda _journal: free))
    with ladder_hall(tmp_path) as hall:
        async with hall.open(), trio.open_nursery() as nursery:
            nursery.start_soon(keep_up, hall.journal, hall.telemetry)
            hall.telemetry.counters.turned_at = time.monotonic()
            for name in NAMES:
                hall.enter(name, answering=silent, matches_in_all=1)
            await hall.until(lambda: hall.tables.running == 1)
            free = 20 << 20
            enter_late = [hall.enter(name, matches_in_all=1) for name in ("dora", "eli")]
            await trio.sleep(2)
            enter_late.append(hall.enter("fay", matches_in_all=1))
            await hall.until(lambda: hall.tables.finished == 1)
            await trio.sleep(60)
            assert len(ledger(hall).seatings) == 1
            assert hall.telemetry.counters.free_bytes == free
            status, why = health(hall.telemetry.counters)
            assert status == "503 Service Unavailable"
            assert why.startswith("too little disk space for the journal: 20 MiB are free, and 32 are needed")
            free = 1 << 30
            await hall.until(lambda: hall.tables.finished == 2)
            nursery.cancel_scope.cancel()
        assert not ledger(hall).voids
        assert all(connection.of(v1.MatchEnd) for connection in enter_late)


@pytest.mark.slow
async def test_with_a_full_disk_matches_that_began_are_void_once_and_no_more_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_match: object) -> None:
        raise JournalError("cannot write the journal: No space left on device")

    with ladder_hall(tmp_path) as hall:
        monkeypatch.setattr(hall.journal, "begin_match", full)
        async with hall.open():
            connections = enter_all(hall)
            await trio.sleep(600)
            assert hall.telemetry.is_in(Trouble.JOURNAL)
        assert len(ledger(hall).voids) == 1
        assert not connections[0].of(v1.MatchStart), "nobody heard of a match that did not begin"


async def test_whoever_leaves_each_match_that_he_plays_loses_it_and_pauses(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        async with hall.open():
            leaver = enter_all(hall, answering=silent)[0]
            await hall.until(lambda: bool(leaver.of(v1.MatchStart)))
            leaver.vanish()
            await hall.until(lambda: hall.tables.finished >= 1)
        [result] = list(hall.queries.results_since())[:1]
        names = {player.player: player.name for player in hall.queries.players()}
        assert "ana" in [names[result.seating.players[forfeit.seat]] for forfeit in result.result.forfeits]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "requires a bot name"),
        ("house", "that of a house bot"),
        ("HOUSE", "that of a house bot"),
        ("h0use", "or looks like it"),
        ("Ho-use", "or looks like it"),
        ("a|b", "cannot be one"),
        ("ana,ben", "cannot be one"),
        ("аna", "letters of one alphabet"),
    ],
)
async def test_a_name_that_could_stand_for_another_does_not_come_in(tmp_path: Path, name: str, words: str) -> None:
    with ladder_hall(tmp_path) as hall:
        connection = hall.enter(name)
        assert connection.status in (Status.FAILED_PRECONDITION, Status.PERMISSION_DENIED)
        assert words in connection.sentence


async def test_a_server_that_lost_its_ladder_to_another_ends_and_strikes_no_result_from_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(*_arguments: object) -> None:
        raise StoreBusyError("Another server uses the ladder.")

    with ladder_hall(tmp_path) as hall:
        monkeypatch.setattr(hall.store, "commit_results", taken)

        async def play() -> None:
            async with hall.open():
                enter_all(hall)
                await trio.sleep(600)

        with pytest.raises(ExceptionGroup):
            await play()
        assert len(hall.journal.matches) == 1
