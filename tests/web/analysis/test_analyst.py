"""An analyst works out each match once, keeps it, and outlives whatever a record asks of it."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from ordago_bot.house.analysis import VERSION
from ordago_ladder.publication.files import MOST_RECORD_BYTES
from ordago_web.analysis import worker
from ordago_web.analysis.analyst import Analyst, Answer, BusyError, Means, Stage

CORPUS = Path(__file__).parents[2] / "corpus"
QUICK = Means(worlds=2)
FOR_EVER = 10_000_000
"""Worlds that nobody lives to see imagined."""
PATIENCE_SECONDS = 60


def record(name: str = "mus-4") -> bytes:
    return (CORPUS / f"{name}.record").read_bytes()


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@asynccontextmanager
async def working(folder: Path, means: Means = QUICK) -> AsyncIterator[Analyst]:
    analyst = Analyst(folder, means)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        yield analyst
        nursery.cancel_scope.cancel()


async def outcome(analyst: Analyst, data: bytes) -> Answer:
    """Ask for an analysis and wait until it is there."""
    with trio.fail_after(PATIENCE_SECONDS):
        answer = await analyst.ask(data)
        while answer.stage not in (Stage.DONE, Stage.FAILED):
            await trio.sleep(0.02)
            answer = await analyst.look_up(data)
        return answer


def told(answer: Answer) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(answer.body)
    assert content["state"] == answer.stage
    return content


@pytest.mark.slow
async def test_an_analysis_is_worked_out_and_kept(tmp_path: Path):
    async with working(tmp_path) as analyst:
        assert (await analyst.look_up(record())).stage is Stage.UNASKED
        answer = await outcome(analyst, record())
    assert set(told(answer)) == {"state", "version", "worlds", "game", "deals", "choices", "dearest", "seats"}
    assert await Analyst(tmp_path, QUICK).look_up(record()) == answer
    (kept,) = names(tmp_path)
    assert kept.endswith(f"-{VERSION}-2.json")
    assert (await Analyst(tmp_path, Means(worlds=3)).look_up(record())).stage is Stage.UNASKED


async def test_who_asks_for_the_same_waits_for_the_same_and_more_than_may_wait_are_refused(tmp_path: Path):
    analyst = Analyst(tmp_path, Means(worlds=2, waiting=1))
    answers = [await analyst.ask(record()) for _ in range(3)]
    assert [told(answer) for answer in answers] == 3 * [{"state": "waiting", "done": 0, "of": 0}]
    with pytest.raises(BusyError, match="try again in a minute"):
        await analyst.ask(record("mittlere-3"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        assert (await outcome(analyst, record())).stage is Stage.DONE
        nursery.cancel_scope.cancel()


async def test_one_address_leaves_room_for_others(tmp_path: Path):
    analyst = Analyst(tmp_path, Means(waiting=8, waiting_of_one=2))
    for number in range(2):
        await analyst.ask(bytes([number]), asker="192.0.2.1")
    with pytest.raises(BusyError, match="for your address"):
        await analyst.ask(b"further", asker="192.0.2.1")
    assert (await analyst.ask(bytes([0]), asker="192.0.2.1")).stage is Stage.WAITING, "of this one it has asked before"
    assert (await analyst.ask(b"further", asker="192.0.2.2")).stage is Stage.WAITING


@pytest.mark.slow
@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff" * 100_000, record()[:-40]], ids=["empty", "brace", "noise", "torn"]
)
async def test_what_is_no_record_fails_in_words(tmp_path: Path, data: bytes):
    async with working(tmp_path) as analyst:
        answer = await outcome(analyst, data)
        assert answer.stage is Stage.FAILED
        assert "record" in told(answer)["sentence"]
        assert await analyst.ask(data) == answer, "nobody has it tried again and again"
    assert not names(tmp_path)


async def test_a_huge_record_is_not_even_begun(tmp_path: Path):
    answer = await Analyst(tmp_path, QUICK).ask(bytes(MOST_RECORD_BYTES + 1))
    assert "at most" in told(answer)["sentence"]


@pytest.mark.slow
async def test_what_takes_too_long_fails_and_the_next_has_its_turn(tmp_path: Path):
    async with working(tmp_path, Means(worlds=FOR_EVER, seconds=2)) as analyst:
        sentence = told(await outcome(analyst, record()))["sentence"]
        assert sentence in (
            "The analysis took too long.",
            "The analysis was stopped: the match needs too much memory or time.",
        )
        assert (await outcome(analyst, b"nonsense")).stage is Stage.FAILED


def test_a_process_has_no_more_memory_than_it_may():
    bounded = "from ordago_web.analysis.worker import bound; bound(cpu_seconds=60, memory_bytes=1 << 28)"
    command = [sys.executable, "-c", f"{bounded}\nbytearray(1 << 30)"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)  # noqa: S603 - ours
    assert "MemoryError" in ended.stderr


def test_a_match_without_end_is_not_analysed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "MOST_CHOICES", 1)
    (only,) = worker.analysis_steps(record(), worlds=2)
    assert only["state"] == "failed"
    assert "choices, and at most 1 can be analysed" in only["sentence"]


@pytest.mark.slow
async def test_others_are_answered_while_one_is_worked_at(tmp_path: Path):
    """A match that takes for ever holds up nobody but those who wait for its process."""
    async with working(tmp_path, Means(worlds=FOR_EVER, workers=2)) as analyst:
        await analyst.ask(record())
        assert (await outcome(analyst, b"nonsense")).stage is Stage.FAILED
        assert (await analyst.look_up(record())).stage is Stage.WORKING


async def test_nothing_is_left_of_a_process_when_the_site_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    begun: list[trio.Process] = []
    start, is_begun = trio.lowlevel.open_process, trio.Event()

    async def noted(*arguments: Any, **options: Any) -> trio.Process:
        begun.append(await start(*arguments, **options))
        is_begun.set()
        return begun[-1]

    monkeypatch.setattr(trio.lowlevel, "open_process", noted)
    async with working(tmp_path, Means(worlds=FOR_EVER)) as analyst:
        await analyst.ask(record())
        with trio.fail_after(PATIENCE_SECONDS):
            await is_begun.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(begun[0].pid, 0)
