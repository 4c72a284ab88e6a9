"""Many bots at several servers of one ladder: lanes and their database are killed, and nothing is lost or doubled.

The long form, ``make lanes``, has 3,000 bots that think for two seconds, at three lanes. In all these are killed ten
times and PostgreSQL twice, and one of them stays away until the others give it up.

What is held against it afterwards:

- Of each match that a bot was told the end of, the ledger has that result, once; each match that began for a bot is
  over.
- A match is void only if the server that stayed away had it, or a kill came between its line in the ledger and that in
  the journal.
- All lanes publish the same, each as far as it was there, and ``ordago verify`` finds nothing wrong with it.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.commands import ordago
from support.figures import Note, Size
from support.lanes import Lane
from support.postgresql import Server as Database
from torture.day_found import Kept
from torture.lane_bots import Seen

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago_cli.errors import EXIT_UNFINISHED
from ordago_ladder.folder import LadderFolder
from ordago_ladder.standing.tables import other_lanes

pytestmark = pytest.mark.alone

NAMES = ("east", "north", "west")
LADDER = """
[ladder]
name = "lanes"
epoch_hours = {epoch_hours}
decision_ms = 60_000
disconnect_bank_ms = 600_000

[[game]]
name = "mittlere"
options = {{ deals = 3 }}

[[game]]
name = "mitigati"
options = {{ max_bid = 1 }}
"""
LONGEST_SECONDS = 300
CUT_SECONDS = 4.0
LOST_IN_A_KILL = "the server restarted and lost the match"


def ledger(lane: Lane, epoch: int) -> bytes:
    """Return the ledger of an epoch as a lane published it; empty if it stopped before."""
    path = LadderFolder(lane.archive).epoch(epoch).ledger
    return path.read_bytes() if path.exists() else b""


class Crowd:
    """The bots, a process for each lane."""

    def __init__(self, processes: "Sequence[subprocess.Popen[str]]", bots: int) -> None:
        self._processes, self._bots = processes, bots
        self.leisure = 1.0
        """The share of their thinking times that they take."""

    def look(self) -> Seen:
        """Return what all have seen so far."""
        all_seen = Seen()
        for process in self._processes:
            _add(all_seen, self._ask(process))
        return all_seen

    def _ask(self, process: "subprocess.Popen[str]") -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{self.leisure}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, "the bots of a lane have ended; standard error says why"
        seen: dict[str, Any] = json.loads(line)
        return seen

    def await_all(self) -> float:
        """Wait until all are there, and return the seconds that it took."""
        return self._await(lambda seen: seen.here == self._bots)

    def await_decisions(self, more: int) -> float:
        """Wait until so many more decisions were answered."""
        before = self.look().decisions
        return self._await(lambda seen: seen.decisions >= before + more)

    def _await(self, reached: Callable[[Seen], bool]) -> float:
        began = time.monotonic()
        while not reached(seen := self.look()):
            assert time.monotonic() - began < LONGEST_SECONDS, (seen.here, seen.anew, seen.resumed, seen.statuses)
            time.sleep(0.5)
        return time.monotonic() - began


def _add(all_seen: Seen, seen: dict[str, Any]) -> None:
    for count in ("here", "resumed", "anew", "moved", "decisions"):
        setattr(all_seen, count, getattr(all_seen, count) + seen[count])
    all_seen.begun.update(seen["begun"])
    told = all_seen.ended
    all_seen.doubled += [
        *seen["doubled"],
        *(match_id for match_id, digest in seen["ended"].items() if told.get(match_id, digest) != digest),
    ]
    all_seen.ended.update(seen["ended"])
    all_seen.statuses.update(seen["statuses"])


@contextmanager
def crowd(folder: Path, lanes: Sequence[Lane], tokens: Sequence[str], think_ms: int) -> Iterator[Crowd]:
    """Let bots play inside the context, the same number at each lane."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with ExitStack() as stack:
        processes = []
        for number, lane in enumerate(lanes):
            file = folder / f"tokens-{lane.name}"
            file.write_text("\n".join(tokens[number :: len(lanes)]))
            addresses = [one.address for one in (*lanes[number:], *lanes[:number])]
            command = [sys.executable, "-m", "torture.lane_bots", str(file), str(think_ms), *addresses]
            process = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ours
            )
            stack.callback(process.kill)
            processes.append(process)
        yield Crowd(processes, len(tokens))


def accounts_of(bots: int, place: str) -> list[str]:
    """Open an account for each bot, since those of one account never meet, and return their tokens."""
    with Accounts.open(place, create=True) as accounts:
        names = [f"bot-{number}" for number in range(bots)]
        return [
            accounts.create_token(account=name, scopes=[Scope.PLAY], now=time.time(), bot=name)[0] for name in names
        ]


@pytest.fixture
def places(postgresql: Database, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The database of the ladder, and that of the accounts."""
    places = postgresql.place(), postgresql.place()
    monkeypatch.setenv("ORDAGO_STORE", places[0])
    monkeypatch.setenv("ORDAGO_ACCOUNTS", places[1])
    return places


def cut(postgresql: Database) -> None:
    """Kill the database, and start it again after a while."""
    postgresql.stop(signal.SIGKILL)
    time.sleep(CUT_SECONDS)
    postgresql.start()


def test_many_bots_lose_nothing_when_lanes_and_their_database_are_killed(
    tmp_path: Path, postgresql: Database, places: tuple[str, str], size: Size, note: Note
) -> None:
    bots, kills, between, chances = size(18, 3_000), size(3, 10), size(400, 3_000), Random(1701)
    ladder = tmp_path / "lanes.toml"
    ladder.write_text(LADDER.format(epoch_hours=size(4, 40) / 1000))
    tokens = accounts_of(bots, places[1])
    options = (
        "--tokens",
        "--sessions-per-second",
        "0",
        "--bots",
        str(max(64, 4 * bots)),
        "--grace",
        str(LONGEST_SECONDS),
    )
    lanes = [Lane(ladder, name, *options) for name in NAMES]
    back = list[float]()
    with ExitStack() as stack:
        for lane in lanes:
            lane.start()
            stack.callback(lane.close)
        players = stack.enter_context(crowd(tmp_path, lanes, tokens, size(20, 2_000)))
        note("seconds until all are there", players.await_all(), "s")
        cuts = [kills // 3, 2 * kills // 3][-size(1, 2) :]
        for kill in range(kills):
            players.await_decisions(between)
            lane = chances.choice(lanes)
            lane.end(signal.SIGKILL)
            lane.start()
            back.append(players.await_all())
            if kill in cuts:
                players.await_decisions(between)
                cut(postgresql)
        players.await_decisions(between)
        if size(0, 1):
            # Its bots go to the others, and what it left becomes void.
            lanes[-1].end(signal.SIGKILL)
            away = players.await_all()
            time.sleep(max(0.0, other_lanes.GIVE_UP_SECONDS + 30.0 - away))
            players.await_decisions(between)
            lanes[-1].start()
            note("seconds until the bots of a lane that stays away are at others", away, "s")
        # Let what runs come to its end soon.
        players.leisure = 0.05
        players.look()
        for lane in lanes:
            lane.send_signal(signal.SIGTERM)
        assert [lane.ended() for lane in lanes] == [0, 0, 0]
        seen = players.look()
    kept = Kept.at(places[0])
    void = Counter(match.void for match in kept.matches.values() if match.void)
    note("bots", bots)
    note("kills of lanes", kills)
    note("kills of the database", len(cuts))
    note("seconds until all are back after a kill, at most", max(back), "s")
    note("decisions", seen.decisions)
    note("results", len(kept.digests))
    note("sessions resumed", seen.resumed)
    note("sessions begun", seen.anew)
    for reason, matches in void.items():
        note(f"void: {reason}", matches)
    lost = {match_id for match_id, digest in seen.ended.items() if digest and kept.digests.get(match_id) != digest}
    note("lost", len(lost), bound="0")
    note("doubled", len(seen.doubled) + kept.results - len(kept.digests), bound="0")
    assert not lost
    assert not seen.doubled
    assert kept.results == len(kept.digests)
    assert seen.begun <= kept.matches.keys()
    # What was entered while its server stopped, before any bot was told of it, becomes void at the next start.
    assert not seen.begun & {match_id for match_id, match in kept.matches.items() if match.running}
    assert void.keys() <= {LOST_IN_A_KILL, *([other_lanes._GONE] if size(0, 1) else [])}
    assert len(kept.epochs) > 1
    for epoch in kept.epochs:
        ledgers = [told for lane in lanes if (told := ledger(lane, epoch.epoch))]
        assert all(max(ledgers, key=len).startswith(told) for told in ledgers)
    for lane in lanes:
        assert "Traceback" not in lane.server.log.read_text()
        told = ordago("verify", lane.archive)
        assert told.exit_code in (0, EXIT_UNFINISHED), told.output
