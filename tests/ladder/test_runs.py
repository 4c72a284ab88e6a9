"""Whole events with bots that are started: crashes, suspensions, and matches in which the server fails."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ordago import v1
from ordago.arena.processes.errors import OutOfFilesError, SandboxFailedError
from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.games import find_game
from ordago.journal import JournalError
from ordago.journal.file import JournalFile
from ordago.record import FaultCount, SeatForfeit, faults_of, forfeits_of, read_record
from ordago_ladder.entrants.sandboxes import Sandboxes
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import VoidMatchError
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.watching import Unwatched

DEALS = 3
DECISIONS = DEALS * 12
"""How often each seat decides in a match."""
CRASHES_AT = 4
CRASHING_BOT = f"""
import os, ordago_bot

class Crashing(ordago_bot.Bot):
    def choose(self, decision):
        if decision.number == {CRASHES_AT}:
            os._exit(3)
        return decision.default_answer

ordago_bot.run(Crashing)
"""
INNOCENTS = {"ana": "random", "ben": "default", "cleo": "random"}


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Event(Unwatched):
    """An event of three innocent bots, and perhaps one that crashes in each of its matches."""

    def __init__(self, folder: Path, *, crashing: bool = False, terms: str = "") -> None:
        self.folder = EventFolder(folder / "out")
        self.bot = folder / "crashing.py"
        self.bot.parent.mkdir(exist_ok=True)
        self.bot.write_text(CRASHING_BOT)
        self.warnings: list[str] = []
        self.text = (
            f'[event]\nname = "event"\nduplicates = false\nsecret = "{"5e" * 32}"\n{terms}\n'
            f'[[game]]\nname = "mittlere"\noptions = {{ deals = {DEALS} }}\n'
        )
        for name, house in INNOCENTS.items():
            nonce = name.encode().hex().rjust(32, "0")
            self.text += f'[[entrant]]\nname = "{name}"\nhouse = "{house}"\nenv = {{ ORDAGO_NONCE = "{nonce}" }}\n'
        if crashing:
            self.text += f'[[entrant]]\nname = "zoe"\ncommand = ["{sys.executable}", "{self.bot}"]\n'

    async def run(self) -> Ladder:
        return await run_event(parse_event(self.text), self.text, self.folder, listener=self)

    @property
    def records(self) -> dict[str, v1.MatchRecord]:
        """The records that are open to everybody, by the names of their matches."""
        return {path.stem: read_record(path.read_bytes()) for path in self.folder.records.iterdir()}

    @property
    def published(self) -> Any:
        return json.loads(self.folder.ladder.read_text())

    def began(self, *, played: int, planned: int) -> None:
        assert 0 <= played <= planned

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        assert here or missing

    def warned(self, sentence: str) -> None:
        self.warnings.append(sentence)


def without_times(record: v1.MatchRecord) -> v1.MatchRecord:
    for entry in record.entries:
        for field in ("charged_ms", "lag_ms", "lost_ms", "away_ms"):
            entry.choice.ClearField(field) if entry.HasField("choice") else None
    return record


@pytest.mark.slow
async def test_a_bot_that_crashes_changes_nothing_among_the_others(tmp_path: Path) -> None:
    """It forfeits all that it plays, until it is suspended; what the others play is the same without it."""
    alone, together = Event(tmp_path / "alone"), Event(tmp_path / "together", crashing=True)
    await alone.run()
    ladder = await together.run()
    assert (len(alone.records), len(together.records)) == (6, 6 + 10)
    for match_id, record in alone.records.items():
        assert without_times(together.records[match_id]) == without_times(record)
    [line] = [line for line in ladder.overall.lines if line.entrant == "zoe"]
    assert line.rank == 4
    assert line.conduct.forfeits == line.matches == line.tally.losses / 2 == 10
    assert {cause for cause, _ in line.conduct.matches} <= {"crashed", "failed_to_start"}
    assert not any(line.conduct.faults for line in ladder.overall.lines if line.entrant != "zoe")
    assert verify_folder(together.folder.path).findings == ()
    assert any(warning.startswith("bot 'zoe' crashed: it ended with code 3") for warning in together.warnings)


@pytest.mark.slow
async def test_faults_have_their_causes_wherever_they_are_published(tmp_path: Path) -> None:
    """One match at a time: the bot is started five times, and cannot be started any more after that."""
    event = Event(tmp_path, crashing=True, terms="parallel = 1\nsuspend_after = 8")
    await event.run()
    crashed = {"crashed": 5 * (DECISIONS - CRASHES_AT + 1)}
    [line] = [line for line in event.published["overall"]["ladder"] if line["entrant"] == "zoe"]
    assert line["forfeits_by_cause"] == {"crashed": 5, "failed_to_start": 3}
    assert line["faults_by_cause"] == crashed | {"failed_to_start": 3 * DECISIONS}
    assert [entrant["suspended"] for entrant in event.published["entrants"]] == [False, False, False, True]
    seated = [record for record in event.records.values() if "zoe" in [seat.name for seat in record.seats]]
    for record in seated:
        [forfeit] = forfeits_of(record)
        assert record.seats[forfeit.seat].name == "zoe"
        number = DECISIONS - CRASHES_AT + 1 if forfeit.fault == "crashed" else DECISIONS
        assert faults_of(record)[forfeit.seat] == (FaultCount(forfeit.fault, number),)
    page, table = ((event.folder.path / name).read_text(encoding="utf-8") for name in ("entrants.html", "ladder.csv"))
    assert "suspended after 8 forfeited matches" in page
    assert f"{crashed['crashed']} (5)" in page
    assert "forfeits_crashed" in table.splitlines()[0]
    assert sum("suspended after 8" in warning for warning in event.warnings) == 1
    assert sum("had to be started 5 times" in warning for warning in event.warnings) == 1


def fails_in(monkeypatch: pytest.MonkeyPatch, matches: Sequence[int], *, after: int = 20) -> None:
    """Let the rules fail in some of the matches, counted as they begin from 0, after so many actions."""
    state = type(find_game("mittlere").rules.new_match(seats=3, options=find_game("mittlere").rules.options({})))
    apply, seen = state.apply, dict[int, Iterator[None]]()
    begun: list[Any] = []

    def faulty(self: Any, action: Any) -> Any:
        if not any(self is known for known in begun):
            begun.append(self)
            seen[len(begun) - 1] = iter([None] * after)
        number = next(number for number, known in enumerate(begun) if known is self)
        if number in matches and next(seen[number], "over") == "over":
            raise ZeroDivisionError("the rules are wrong")
        return apply(self, action)

    monkeypatch.setattr(state, "apply", faulty)


@pytest.mark.slow
async def test_a_match_in_which_the_server_fails_is_begun_anew_with_other_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second match of the schedule fails once, the fourth twice; all else is as if nothing had happened."""
    undisturbed, event = Event(tmp_path / "undisturbed"), Event(tmp_path / "event", terms="parallel = 1")
    await undisturbed.run()
    with monkeypatch.context() as patched:
        fails_in(patched, [1, 4, 5])
        ladder = await event.run()
    assert [result.match.attempt for result in ladder.results] == [0, 1, 0, 2, 0, 0]
    for result in ladder.results:
        record, before = event.records[result.match.match_id], undisturbed.records[result.match.match_id]
        assert record.attempt == result.match.attempt
        assert (without_times(record) == without_times(before)) == (result.match.attempt == 0)
        assert (record.deal_seed == before.deal_seed) == (result.match.attempt == 0)
        assert record.seats == before.seats
    assert verify_folder(event.folder.path).findings == ()
    voided = [ladder.results[row].match.match_id for row in (1, 3, 3)]
    assert [re.findall("[0-9a-f]{32}", warning)[0] for warning in event.warnings] == voided
    logs = sorted(path.name for path in event.folder.logs.glob("void-*"))
    assert logs == sorted(f"void-{match}-{attempt}.log" for match, attempt in zip(voided, (0, 0, 1), strict=True))
    assert "ZeroDivisionError: the rules are wrong" in (event.folder.logs / logs[0]).read_text()
    assert [match["attempt"] for match in event.published["matches"]] == [0, 1, 0, 2, 0, 0]
    assert "started again with other deals, 2 times" in (event.folder.path / "matches" / "1.html").read_text()


@pytest.mark.slow
async def test_an_event_stops_when_the_server_fails_again_and_again_and_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event(tmp_path, terms="parallel = 1\nattempts = 2")
    with monkeypatch.context() as patched:
        fails_in(patched, [2, 3, 4])
        with pytest.raises(VoidMatchError, match=r"failed 3 times in match 3 of the schedule, mittlere with "):
            await event.run()
    assert event.published["state"] == {"finished": False, "planned": 6, "played": 2}
    assert verify_folder(event.folder.path).findings == ()
    ladder = await event.run()
    assert [result.match.attempt for result in ladder.results] == [0, 0, 3, 0, 0, 0], "no deals come twice"
    assert verify_folder(event.folder.path).findings == ()


@pytest.mark.slow
async def test_who_is_suspended_stays_so_in_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The organiser is told, and the bot, which cannot be started any more, is not missed."""
    event = Event(tmp_path, crashing=True, terms="parallel = 1\nattempts = 0\nsuspend_after = 2\nrepetitions = 2")
    with monkeypatch.context() as patched:
        fails_in(patched, [9])
        with pytest.raises(VoidMatchError):
            await event.run()
    forfeits = [match["forfeits"] for match in event.published["matches"] if "zoe" in match["entrants"]]
    assert len(forfeits) == 2
    assert {fault["fault"] for [fault] in forfeits} == {"crashed"}
    event.warnings.clear()
    event.bot.write_text("raise SystemExit(1)")
    ladder = await event.run()
    assert event.warnings == ["'zoe' is suspended after 2 forfeited matches; it plays no more"]
    for result in ladder.results:
        seats = [seat for seat, entrant in enumerate(result.planned.entrants) if entrant == "zoe"]
        assert result.result.forfeits == tuple(SeatForfeit(seat, "crashed") for seat in seats)
    assert sum("zoe" in result.planned.entrants for result in ladder.results) == 2
    assert verify_folder(event.folder.path).findings == ()


@pytest.mark.slow
async def test_a_bot_that_retires_by_itself_is_started_again_for_its_next_match(tmp_path: Path) -> None:
    """Its 18 matches take nine processes at least, more than a bot has that crashes."""
    event = Event(tmp_path, crashing=True, terms="parallel = 1")
    event.bot.write_text(CRASHING_BOT.replace("os._exit(3)", "pass"))
    event.text = event.text.replace(f'"{event.bot}"]', f'"{event.bot}", "--matches-in-all", "2"]')
    ladder = await event.run()
    [line] = [line for line in ladder.overall.lines if line.entrant == "zoe"]
    assert line.matches == 18
    assert (line.conduct.forfeits, line.conduct.faults) == (0, 0)
    assert event.warnings == []


def fills_the_disk(monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """Let the journal take so many entries more, and then none."""
    append, room = JournalFile.append, iter(range(after))

    def full(self: JournalFile, content: bytes) -> None:
        if next(room, None) is None:
            raise JournalError("cannot write the journal: No space left on device")
        append(self, content)

    monkeypatch.setattr(JournalFile, "append", full)


@pytest.mark.slow
async def test_a_full_disk_stops_an_event_and_brings_no_new_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is full before a match begins, then in the middle of one; the ladder is that of an undisturbed run."""
    undisturbed, event = Event(tmp_path / "undisturbed"), Event(tmp_path / "event", terms="parallel = 1")
    await undisturbed.run()
    for entries in (0, 30):
        with monkeypatch.context() as patched:
            fills_the_disk(patched, after=entries)
            with pytest.raises(JournalError, match="No space left on device"):
                await event.run()
    assert event.warnings == []
    ladder = await event.run()
    assert [result.match.attempt for result in ladder.results] == [0] * 6
    for match_id, record in undisturbed.records.items():
        assert without_times(event.records[match_id]) == without_times(record)


@pytest.mark.slow
async def test_a_runner_that_is_out_of_files_blames_no_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = Event(tmp_path, terms='isolation = "none"')
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", _out_of_files)
        with pytest.raises(OutOfFilesError, match=r"raise the limit \(ulimit -n\).*\(parallel\)"):
            await event.run()
    assert event.warnings == []
    ladder = await event.run()
    assert not any(line.conduct.forfeits for line in ladder.overall.lines)


@pytest.mark.slow
@pytest.mark.parametrize("broken", [Sandbox(wrapper=("/bin/false",)), Sandbox(folder=Path("/no/such/folder"))])
async def test_cells_that_cannot_be_made_stop_a_run_and_nobody_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Sandbox
) -> None:
    """Not even where an event goes on without those who do not start."""
    event = Event(tmp_path, terms='isolation = "none"\nabsentees_forfeit = true')
    with monkeypatch.context() as patched:
        patched.setattr(Sandboxes, "of", lambda *_: broken)
        with pytest.raises(SandboxFailedError, match="could not be started, through no fault of its own"):
            await event.run()
    assert event.warnings == []
    ladder = await event.run()
    assert not any(line.conduct.forfeits for line in ladder.overall.lines)


def _out_of_files(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
