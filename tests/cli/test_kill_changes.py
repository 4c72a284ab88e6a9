"""An event whose file changes ends as one that nobody killed: in its midst, or after its end, with another part."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from cli.test_kill import (
    LONGEST_SECONDS,
    command,
    in_journal,
    kill_at_some_moment,
    of_rounds,
    some_moments,
    to_the_end,
)
from support.figures import Note, Size

from ordago.record.ledgers.event import ChangeEntry, CheckInEntry, Ledger, parse_ledger
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

SIXTH = '\n[[entrant]]\nname = "f"\nhouse = "random"\nenv = { ORDAGO_NONCE = "' + "f" * 32 + '" }\n'
BEFORE = of_rounds("repetitions = 2\nduplicates = false")
AFTER = of_rounds("repetitions = 3\nduplicates = false").replace('name = "a"', 'name = "a"\nwithdrawn = true') + SIXTH
pytestmark = pytest.mark.torture


def ledger_of(out: Path) -> Ledger:
    """Return the ledger that is published so far."""
    path = EventFolder(out).ledger
    return parse_ledger(path.read_text(encoding="utf-8") if path.exists() else "")


def kill_when(reached: Callable[[], bool], event: Path, out: Path) -> None:
    """Start a run and kill it as soon as it has come so far."""
    with subprocess.Popen(  # noqa: S603 - ours
        command(event, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + LONGEST_SECONDS
        while not reached():
            assert process.poll() is None, "the run is over"
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.kill()


def goes_on(out: Path) -> bool:
    """Return True where the last published line is a change, after which nobody has checked in."""
    entries = ledger_of(out).entries
    return bool(entries) and isinstance(entries[-1], ChangeEntry)


@pytest.mark.parametrize("over", [False, True])
def test_kills_change_nothing_in_an_event_that_changes(tmp_path: Path, size: Size, note: Note, *, over: bool) -> None:
    event, published = tmp_path / "changed.toml", list[bytes]()
    for out, kills in ((tmp_path / "undisturbed", 0), (tmp_path / "disturbed", size(3, 12))):
        event.write_text(BEFORE, encoding="utf-8")
        if over:
            to_the_end(event, out)
        else:
            kill_when(lambda out=out: any(in_journal(out).values()), event, out)  # type: ignore[misc]
        event.write_text(AFTER, encoding="utf-8")
        if kills:
            kill_when(lambda out=out: goes_on(out), event, out)  # type: ignore[misc]
        moments = some_moments(Random(3))
        at_work = sum(kill_at_some_moment(event, out, moments) for _ in range(kills))
        note(f"kills of {out.name} while it was at work", at_work)
        published.append(to_the_end(event, out).ladder.read_bytes())
        ledger = ledger_of(out)
        assert (len(ledger.changes), len(ledger.parts)) == (1, 1 + over)
        assert sum(isinstance(entry, CheckInEntry) for entry in ledger.entries) == 2
        assert verify_folder(out).findings == ()
    assert published[0] == published[1]
