"""Ratings that are made beside the play: what is told where the database is away, and that it is tried again."""

import json
import logging
import os
import pickle
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from support.kept_ladder import KeptLadder
from support.ladder_halls import ladder_hall
from support.processes import children_of, until
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from ordago.games import find_game
from ordago.store import StoreFailedError
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_ladder.helpers import command_of
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.publication import ratings_process as ratings_beside
from ordago_ladder.standing.publication.publisher import Answer, Published, Publisher
from ordago_ladder.standing.publication.ratings_process import RatingsProcess, _framed, _received
from ordago_ladder.standing.ratings import NO_RATINGS

pytestmark = pytest.mark.virtual_time
NOTHING = bytes(8)
"""A frame of a process that says that it is there."""


class Queries:
    """Those of a database that is away for a while."""

    def __init__(self, queries: Any) -> None:
        self.away = True
        self._queries = queries

    def __getattr__(self, name: str) -> Any:
        if self.away:
            raise StoreFailedError("The database cannot be used: it is away.")
        return getattr(self._queries, name)


class Beside(RatingsProcess):
    """Ratings that are published nowhere."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.telemetry = Telemetry()
        super().__init__(
            Published("", Path("nowhere"), b""),
            published_ratings=lambda _ratings: None,
            warn=self.warnings.append,
            telemetry=self.telemetry,
        )

    @property
    def trouble(self) -> str | None:
        """Why the ratings are not up to date."""
        return self.telemetry.counters.troubles.get("the ratings are not up to date")


class Ending(Beside):
    """One whose process ends at once."""

    async def _run_process(self) -> None:
        raise EOFError


async def test_a_database_that_is_away_is_told_in_a_sentence_and_read_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common_settings, "find_game", find_game)
    with ladder_hall(tmp_path) as hall:
        queries: Any = Queries(hall.queries)
        publisher = Publisher(Published("", tmp_path / "archive", b"[ladder]"), queries)
        assert publisher.answer()[:4] == (NO_RATINGS, {}, "The database cannot be used: it is away.", False)
        queries.away = False
        assert publisher.answer()[:4] == (NO_RATINGS, {}, "", False)
    assert (tmp_path / "archive" / "ladder.json").exists()


async def test_what_could_not_be_published_is_tried_again_after_a_while_though_nothing_is_new() -> None:
    beside, (asking, asked) = Beside(), memory_stream_pair()
    times = []
    beside.more()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside._ask, asking, asking)
        for problem in ("it is away", "it is away", ""):
            await answered(asked, Answer(NO_RATINGS, {}, problem))
            times.append(trio.current_time())
            await wait_all_tasks_blocked()
            assert beside.trouble == (problem or None)
            assert bool(beside.telemetry.counters.ladder.published) is not bool(problem)
        nursery.cancel_scope.cancel()
    assert times == [0, 5, 10], "every five seconds"


async def answered(asked: trio.abc.Stream, answer: Answer) -> None:
    """Answer the next question."""
    frame = pickle.dumps(answer)
    assert await asked.receive_some(1) == b"\n"
    await asked.send_all(len(frame).to_bytes(8) + frame)


async def test_what_has_to_be_published_in_parts_is_published_though_nothing_is_new() -> None:
    beside, (asking, asked) = Beside(), memory_stream_pair()
    beside.more()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside._ask, asking, asking)
        for goes_on in (True, True, False):
            await answered(asked, Answer(NO_RATINGS, {}, "", goes_on=goes_on))
        for _ in range(10):
            assert await asked.receive_some(1) == b"?", "it is asked no more than whether it is there"
            await asked.send_all(NOTHING)
        nursery.cancel_scope.cancel()
    assert not beside.trouble


@pytest.mark.parametrize(("seconds", "rest"), [(0.1, 1), (5.0, 20)])
async def test_it_rests_by_what_the_processor_worked_however_long_that_took(seconds: float, rest: float) -> None:
    """On a busy machine it took long since others worked."""
    beside, (asking, asked) = Beside(), memory_stream_pair()
    beside.more()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside._ask, asking, asking)
        for _ in range(300):
            await trio.sleep(1)
            await asked.send_all(NOTHING)
        await answered(asked, Answer(NO_RATINGS, {}, "", goes_on=True, seconds=seconds))
        assert await asked.receive_some(1) == b"\n"
        assert trio.current_time() == pytest.approx(300 + rest)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("parts", [3, 1_000])
async def test_at_the_end_all_is_published_or_it_is_told_that_it_is_not(parts: int) -> None:
    beside, (asking, asked) = Beside(), memory_stream_pair()

    async def publish() -> None:
        for part in range(1, parts + 1):
            await trio.sleep(1)
            await answered(asked, Answer(NO_RATINGS, {}, "", goes_on=part < parts))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside._ask, asking, asking)
        nursery.start_soon(publish)
        await beside.finish()
        nursery.cancel_scope.cancel()
    told = ["the ladder is not fully published; the next start of the server continues"]
    assert beside.warnings == (told if parts > 10 else [])


async def test_a_process_that_ends_is_told_with_a_reason() -> None:
    beside = Ending()
    with trio.move_on_after(1):
        await beside.run()
    assert beside.trouble == "their process ended"


async def test_a_process_that_says_nothing_any_more_is_given_up_while_it_works_and_while_it_rests() -> None:
    for news in (True, False):
        beside, (asking, asked) = Beside(), memory_stream_pair()
        begun = trio.current_time()
        if news:
            beside.more()
        with pytest.raises(TimeoutError, match="has not responded for 20 s"):
            await beside._ask(asking, asking)
        assert trio.current_time() - begun == (20 if news else 25)
        assert await asked.receive_some(1) == (b"\n" if news else b"?")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_process_that_hangs_or_is_killed_is_told_and_another_one_goes_on(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings_beside, "_PING_SECONDS", 0.1)
    monkeypatch.setattr(ratings_beside, "_SILENT_SECONDS", 2.0)
    monkeypatch.setattr(ratings_beside, "_RESTART_SECONDS", 0.1)
    kept, told, telemetry = KeptLadder(tmp_path / "data"), [], Telemetry()
    published = Published(str(kept.place), tmp_path / "archive", b"[ladder]")
    beside = RatingsProcess(published, published_ratings=told.append, warn=told.append, telemetry=telemetry)

    async def run() -> None:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(beside.run)
                await until(lambda: len(told) == 1)
                [process] = children_of("ordago_ladder.standing.publication.ratings_process")
                os.kill(process, number)
                await until(lambda: telemetry.is_in(Trouble.RATINGS))
                await until(lambda: len(told) > 1)
                assert not telemetry.is_in(Trouble.RATINGS)
                assert process not in children_of("ordago_ladder.standing.publication.ratings_process")
                nursery.cancel_scope.cancel()

    trio.run(run)


async def test_what_a_process_says_next_is_not_lost_where_it_came_with_what_it_said_before() -> None:
    asked, said = trio.testing.memory_stream_one_way_pair()
    await asked.send_all(_framed(b"") + _framed(b"an answer") + _framed(b"the next"))
    assert [await _received(said, silent_seconds=1) for _ in range(3)] == [b"", b"an answer", b"the next"]


class Warns:
    """A message that makes a library log a warning as it is read."""

    def __reduce__(self) -> Any:
        return logging.getLogger("psycopg").warning, ("the connection is lost",)


@pytest.mark.slow
def test_what_a_library_warns_of_in_the_process_is_a_line_of_the_log_in_its_format() -> None:
    command = command_of("ordago_ladder.standing.publication.ratings_process", "json")
    said = subprocess.run(command, input=_framed(pickle.dumps(Warns())), capture_output=True, check=True).stderr  # noqa: S603 - ours
    told = json.loads(said)
    assert (told["event"], told["level"]) == ("the connection is lost", "warning")
