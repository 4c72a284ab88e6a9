"""``ordago serve --data`` on real processes: killed or stopped again and again, it loses no choice and doubles none."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.figures import Note, Size

from ordago import v1
from ordago.journal import Journal
from ordago.record import from_file_bytes, verify
from ordago_bot import Bot, Match
from ordago_bot.player import Player
from ordago_bot.transport import Stop, play

MATCHES = 3
LONGEST_SECONDS = 90
THINKING_SECONDS = 0.004


class Server:
    """A server that is started again and again, on one port and one folder."""

    def __init__(self, folder: Path, *, processes: int) -> None:
        self._processes = processes
        self.data, self.records = folder / "data", folder / "records"
        self.address = "127.0.0.1:0"
        self.said: list[str] = []
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "ordago", "serve", "--tables", "mittlere", "--option", "deals=6"]
        command += ["--address", self.address, "--data", str(self.data), "--records", str(self.records)]
        command += ["--processes", str(self._processes)]
        process = self._process = subprocess.Popen(  # noqa: S603 - ours
            [*command, "--decision-ms", "60000", "--matches", str(MATCHES)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        self.address = process.stdout.readline().removeprefix("listening on ").partition(";")[0]
        assert self.address.startswith("127.0.0.1:")

    def end(self, *signals: signal.Signals) -> int:
        """End it by signals, and return its exit code."""
        assert self._process is not None
        first, *others = signals
        self._process.send_signal(first)
        for number in others:
            # Two of a kind that come to a busy server at once are one.
            self._await_answer("shutting down")
            self._process.send_signal(number)
        with self._process as process:
            said, _ = process.communicate(timeout=LONGEST_SECONDS)
        self.said += said.splitlines()
        return process.returncode

    def _await_answer(self, beginning: str) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if line.startswith(beginning):
                return

    def in_journal(self) -> dict[str, list[v1.RecordEntry]]:
        """Return what is decided in matches that are not over, by match. The server has to be dead."""
        copy = self.data / "copy"
        copy.write_bytes((self.data / "journal").read_bytes())
        journal = Journal(copy)
        journal.close()
        return {match.record.match_id: list(match.record.entries) for match in journal.matches}

    def kept(self) -> dict[str, v1.MatchRecord]:
        """Return the records by match."""
        paths = sorted(self.records.iterdir())
        assert {path.suffix for path in paths} == {".record"}, "nothing half written is left"
        return {path.stem: from_file_bytes(path.read_bytes()) for path in paths}


class Diary:
    """What the bots did and were told."""

    def __init__(self) -> None:
        self.chosen: dict[tuple[str, int], list[v1.Action]] = {}
        """What was chosen in a match at a seat, in order."""
        self.asked: Counter[tuple[str, int, int]] = Counter()
        self.ended: dict[str, set[bool]] = {}
        """Whether a match had an outcome, by all that was told."""

    def bot(self, start: Match) -> Bot:
        diary, place = self, (start.match_id, start.seat)
        self.chosen.setdefault(place, [])
        rng = Random(str(place))

        class Writing(Bot):
            def choose(self, decision: v1.Decision) -> Any:
                time.sleep(THINKING_SECONDS)
                action = rng.choice(decision.actions).action
                diary.asked[(*place, decision.number)] += 1
                diary.chosen[place].append(action)
                return action

            def ended(self, end: v1.MatchEnd) -> None:
                diary.ended.setdefault(start.match_id, set()).add(end.HasField("outcome"))

        return Writing(start)


@contextmanager
def playing(address: str) -> Iterator[Diary]:
    """Let three bots play, through all ends of their server, until the context ends."""
    diary, farewells = Diary(), []
    told_to_end = threading.Event()
    stop = Stop(retire=told_to_end, leave=told_to_end)

    def come(name: str) -> None:
        farewells.append(play(Player(diary.bot, name=name), address=address, stop=stop))

    threads = [threading.Thread(target=come, args=(name,), daemon=True) for name in ("ana", "ben", "cleo")]
    for thread in threads:
        thread.start()
    yield diary
    told_to_end.set()
    for thread in threads:
        thread.join(LONGEST_SECONDS)
    assert farewells == [None] * 3, "no server sent them away"


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signals", "processes"),
    [([signal.SIGKILL], 0), ([signal.SIGTERM, signal.SIGTERM], 0), ([signal.SIGKILL], 2)],
    ids=["kill", "stop", "kill with referees beside it"],
)
def test_no_choice_is_lost_and_none_doubled(
    tmp_path: Path, signals: list[signal.Signals], processes: int, size: Size, note: Note
) -> None:
    server, rng = Server(tmp_path, processes=processes), Random(1701)
    ends = size(4, 100 if signal.SIGKILL in signals else 20)
    server.start()
    interrupted: dict[str, list[v1.RecordEntry]] = {}
    with playing(server.address) as diary:
        for _ in range(ends):
            seen = sum(diary.asked.values())
            until(lambda seen=seen: sum(diary.asked.values()) > seen)
            time.sleep(rng.uniform(0.05, 0.6))
            assert server.end(*signals) == (0 if signal.SIGTERM in signals else -signal.SIGKILL)
            for match_id, entries in server.in_journal().items():
                assert entries[: len(interrupted.get(match_id, []))] == interrupted.get(match_id, [])
                interrupted[match_id] = entries
            server.start()
        until(lambda: len(list(server.records.glob("*.record"))) > len(interrupted))
        assert server.end(signal.SIGTERM) == 0
    assert any(interrupted.values()), "no match was ever interrupted"
    records = server.kept()
    lost = [match_id for match_id in interrupted if match_id not in records]
    beside = f" with {processes} processes of referees" if processes else ""
    note("ends of ordago serve by " + " ".join(number.name for number in signals) + beside, ends)
    note("matches", len(records))
    note("of these interrupted and carried on", len(interrupted))
    note("matches lost", len(lost), bound="0")
    note("decisions asked of a bot twice", sum(times - 1 for times in diary.asked.values()), bound="0")
    assert server.in_journal() == {}
    assert diary.ended == {match_id: {True} for match_id in records}, "all matches end, each with an outcome"
    assert set(diary.asked.values()) == {1}, "what is asked again is answered as before, and the bot is not bothered"
    for match_id, record in records.items():
        assert not verify(record)
        decided = [entry for entry in record.entries if entry.HasField("choice")]
        assert decided[: len(interrupted.get(match_id, []))] == interrupted.get(match_id, []), "times included"
        for seat in range(3):
            actions = [entry.choice.action for entry in decided if entry.choice.seat == seat]
            assert actions == diary.chosen[match_id, seat]
        assert not any(entry.choice.fault for entry in decided)
