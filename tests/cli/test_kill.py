"""An event that is killed again and again ends as one that nobody disturbed."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from support.figures import Note, Size

from ordago import v1
from ordago.journal import Journal
from ordago.record import from_file_bytes
from ordago.record.ledgers.event import parse_ledger
from ordago.record.ledgers.receipts import parse_receipts, verify_receipts
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

EVENT = """
[event]
name = "killed"
# Receipts lie where they outlive their bots, out of a cell's reach.
isolation = "none"
repetitions = {repetitions}
parallel = 6
decision_ms = 60_000
secret = "{secret}"

[[game]]
name = "mittlere"
options = {{ deals = 3 }}

[[entrant]]
name = "alpha"
house = "random"
env = {{ ORDAGO_NONCE = "{alpha}", ORDAGO_RECEIPTS = "{receipts}" }}

[[entrant]]
name = "beta"
house = "solid"
settings = {{ worlds = 1 }}
env = {{ ORDAGO_NONCE = "{beta}", ORDAGO_RECEIPTS = "{receipts}" }}

[[entrant]]
name = "gamma"
house = "default"
env = {{ ORDAGO_NONCE = "{gamma}", ORDAGO_RECEIPTS = "{receipts}" }}
"""
MATCHES_A_REPETITION = 6
LONGEST_SECONDS = 120
MANY_CHOICES = 30


@pytest.fixture
def kills(pytestconfig: pytest.Config, size: Size) -> int:
    return size(int(pytestconfig.getoption("--kills")), 100)


@pytest.fixture
def repetitions(kills: int, size: Size) -> int:
    """How long the event has to be for the last kill to hit something."""
    return size(2, 10) + kills


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    """What all bots of the event that is killed append to, those of all runs and all lives."""
    return tmp_path / "receipts"


@pytest.fixture
def event(tmp_path: Path, repetitions: int, receipts: Path) -> Path:
    return written(tmp_path / "killed.toml", repetitions, receipts=str(receipts))


@pytest.fixture
def undisturbed_event(tmp_path: Path, repetitions: int) -> Path:
    """The same event, whose bots keep no receipts: it is run beside the other one, which receipts would tell."""
    return written(tmp_path / "undisturbed.toml", repetitions, receipts="")


def written(path: Path, repetitions: int, *, receipts: str) -> Path:
    nonces = {name: digits * 16 for name, digits in (("alpha", "a1"), ("beta", "b2"), ("gamma", "c3"))}
    text = EVENT.format(repetitions=repetitions, secret="5e" * 32, receipts=receipts, **nonces)
    path.write_text(text, encoding="utf-8")
    return path


class Moment(NamedTuple):
    """When a run is killed."""

    seconds: float
    of_play: bool
    """Whether it counts from the first choice of a match, and not from the start of the process."""


def some_moments(rng: Random) -> Iterator[Moment]:
    """Yield moments without end, by turns while a run gets going, however long that takes, and while it plays."""
    while True:
        yield Moment(rng.uniform(0.2, 3.0), of_play=False)
        yield Moment(rng.uniform(0.0, 1.0), of_play=True)


def command(event: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out)]


def to_the_end(event: Path, out: Path) -> EventFolder:
    subprocess.run(command(event, out), check=True, capture_output=True, timeout=LONGEST_SECONDS)  # noqa: S603 - ours
    return EventFolder(out)


def kill_at_some_moment(event: Path, out: Path, moments: Iterator[Moment]) -> bool:
    """Start a run and kill it at the next of some moments; say whether it was still at work."""
    before, moment = in_journal(out), next(moments)
    process = subprocess.Popen(  # noqa: S603 - ours
        command(event, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if moment.of_play:
        await_play(process, out, before)
    try:
        process.wait(moment.seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def await_play(process: subprocess.Popen[bytes], out: Path, before: dict[str, list[v1.RecordEntry]]) -> None:
    """Wait until something was decided in a match."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while in_journal(out) == before and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def kill_in_the_middle(event: Path, out: Path) -> None:
    """Start a run and kill it when many choices were made in matches that are not over."""
    with subprocess.Popen(  # noqa: S603 - ours
        command(event, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + LONGEST_SECONDS
        while sum(map(len, in_journal(out).values())) < MANY_CHOICES:
            assert process.poll() is None, "the event is over"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)


def in_journal(out: Path) -> dict[str, list[v1.RecordEntry]]:
    """Return what a run has decided in matches that are not over, by match."""
    journal_path = EventFolder(out).journal
    if not journal_path.exists():
        return {}
    copy = out / "journal.copy"
    copy.write_bytes(journal_path.read_bytes())
    journal = Journal(copy)
    journal.close()
    copy.unlink()
    return {match.record.match_id: list(match.record.entries) for match in journal.matches}


def choices(out: Path, match_id: str) -> list[v1.RecordEntry]:
    """Return the choices of a match that was published."""
    record = from_file_bytes(EventFolder(out).record(match_id).read_bytes())
    return [entry for entry in record.entries if entry.HasField("choice")]


def bots_alive(out: Path) -> list[int]:
    """Return the processes that were started for runs in a folder, found by where they write."""
    log_folder = str(EventFolder(out).logs)
    return [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdecimal() and log_folder in standard_output_of(process)
    ]


def standard_output_of(process: Path) -> str:
    try:
        return str((process / "fd" / "1").readlink())
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="finds bots by /proc")
def test_kills_at_random_moments_change_nothing(
    event: Path, undisturbed_event: Path, receipts: Path, kills: int, repetitions: int, tmp_path: Path, note: Note
) -> None:
    moments = some_moments(Random(20_051_105))
    undisturbed = to_the_end(undisturbed_event, tmp_path / "undisturbed")
    out = tmp_path / "disturbed"
    killed_at_work, begun = 0, dict[str, list[v1.RecordEntry]]()
    for _ in range(kills):
        killed_at_work += kill_at_some_moment(event, out, moments)
        begun |= in_journal(out)
    # Between the look into the journal and the kill the matches there may have come to their end.
    while sum(map(len, begun.values())) < MANY_CHOICES:
        kill_in_the_middle(event, out)
        kills, killed_at_work = kills + 1, killed_at_work + 1
        begun |= in_journal(out)
    deadline = time.monotonic() + 10
    while bots_alive(out) and time.monotonic() < deadline:
        time.sleep(0.05)
    outlived = len(bots_alive(out))
    disturbed = to_the_end(event, out)
    same = disturbed.ladder.read_bytes() == undisturbed.ladder.read_bytes()
    verification = verify_folder(out)
    # A match that was played again from its beginning would have taken other times.
    carried_on = [match_id for match_id, entries in begun.items() if choices(out, match_id)[: len(entries)] == entries]
    kept = parse_receipts(receipts.read_text(encoding="utf-8"))
    contradictions = list(verify_receipts(parse_ledger(disturbed.ledger.read_text(encoding="utf-8")), kept))
    note("kills of ordago run", kills)
    note("of these while it was at work", killed_at_work)
    note("matches", verification.records)
    note("matches in the journal at a kill", len(begun))
    note("of these carried on", len(carried_on), bound=str(len(begun)))
    note("results lost", max(0, MATCHES_A_REPETITION * repetitions - verification.records), bound="0")
    note("results doubled", max(0, verification.records - MATCHES_A_REPETITION * repetitions), bound="0")
    note("ladder as undisturbed, byte for byte", "yes" if same else "no", bound="yes")
    note("bots that outlived their runner", outlived, bound="0")
    note("receipts of bots", len(kept))
    note("of these against the ledger", len(contradictions), bound="0")
    assert not outlived
    assert killed_at_work >= min(kills, 2)
    assert same
    assert len(kept) > 2 * 3 * verification.records
    assert not contradictions
    assert carried_on == list(begun)
    assert (verification.records, verification.findings) == (MATCHES_A_REPETITION * repetitions, ())


BY_ROUNDS = """
[event]
name = "rounds"
isolation = "none"
parallel = 3
decision_ms = 60_000
secret = "{secret}"
{terms}

[[game]]
name = "mitaines"
options = {{ target = 30 }}
{entrants}"""
OTHER_FORMATS = {
    "swiss": 'format = "swiss"\nrounds = 6\nrepetitions = 3',
    "knockout": 'format = "knockout"\nrepetitions = 9\nplay_offs = 5',
    "league": 'format = "league"\ngroups = 2\nadvance = 1\nrepetitions = 9',
    "until-decided": "repetitions = 1\nuntil_decided = 1\nat_most = 12",
    "double-elimination": 'format = "double-elimination"\nrepetitions = 4\nskip_decided = true',
}


def of_rounds(terms: str) -> str:
    """Return an event of five house bots, which bring the same nonces every time."""
    entrants = "".join(
        f'\n[[entrant]]\nname = "{name}"\nhouse = "{house}"\nenv = {{ ORDAGO_NONCE = "{number:032x}" }}\n'
        for number, (name, house) in enumerate(
            zip("abcde", ("solid", "solid", "random", "random", "default"), strict=True)
        )
    )
    return BY_ROUNDS.format(secret="5e" * 32, terms=terms, entrants=entrants)


@pytest.mark.torture
@pytest.mark.parametrize("form", OTHER_FORMATS)
def test_kills_change_no_round_and_no_bracket(form: str, tmp_path: Path, size: Size, note: Note) -> None:
    """Pairings follow from results: a run that goes on finds the same rounds and publishes the same."""
    event, out = tmp_path / "rounds.toml", tmp_path / "disturbed"
    event.write_text(of_rounds(OTHER_FORMATS[form]), encoding="utf-8")
    moments, at_work = some_moments(Random(47)), 0
    undisturbed = to_the_end(event, tmp_path / "undisturbed")
    for _ in range(size(3, 10)):
        at_work += kill_at_some_moment(event, out, moments)
    disturbed = to_the_end(event, out)
    note(f"kills of a {form} while it was at work", at_work)
    assert at_work >= size(2, 6)
    assert verify_folder(out).findings == ()
    published = ("ladder.json", "ladder.csv", "ladder.pgn", "event.toml", *(["rounds.html"] if form == "swiss" else []))
    for name in published:
        assert (disturbed.path / name).read_bytes() == (undisturbed.path / name).read_bytes(), name
