"""An event at which the bots of the gallery play among innocent ones."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ordago import v1
from ordago.record import faults_of, read_record
from ordago_ladder.folder import EventFolder

GALLERY = Path(__file__).parent / "gallery"
INNOCENTS: Mapping[str, str] = {
    "innocent-random": 'house = "random"',
    "innocent-default": 'house = "default"',
    "innocent-solid": 'house = "solid"\nsettings = { worlds = 1 }',
}

_EVENT = """
[event]
name = "gallery"
repetitions = {repetitions}
parallel = 300
decision_ms = 1_000
absentees_forfeit = true
secret = "{secret}"
{terms}

[[game]]
name = "mitaines"
seats = 2
options = {{ target = 20 }}
"""
_ENTRANT = """
[[entrant]]
name = "{name}"
{start}
env = {{ {env} }}
"""


class Played(NamedTuple):
    """An event that was run."""

    exit_code: int
    output: str
    ladder: Mapping[str, Any]
    records: Mapping[str, v1.MatchRecord]
    """The records of all matches by their names."""

    def faults(self) -> dict[str, Counter[str]]:
        """Return for each entrant how many decisions were taken for it because of which fault."""
        counted: dict[str, Counter[str]] = {}
        for record in self.records.values():
            for seat, faults in zip(record.seats, faults_of(record), strict=True):
                counted.setdefault(seat.name, Counter()).update({fault.fault: fault.decisions for fault in faults})
        return counted

    def among(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the records of the matches among some entrants, without the times that were charged."""
        chosen = set(names)
        return {
            match_id: _without_times(record)
            for match_id, record in self.records.items()
            if chosen.issuperset(seat.name for seat in record.seats)
        }


def _without_times(record: v1.MatchRecord) -> bytes:
    timeless = v1.MatchRecord.FromString(record.SerializeToString())
    for entry in timeless.entries:
        if entry.HasField("choice"):
            for time in ("charged_ms", "lag_ms", "lost_ms", "away_ms"):
                entry.choice.ClearField(time)
    return timeless.SerializeToString(deterministic=True)


def played(folder: Path, bad: Iterable[str], *, repetitions: int, seconds: float) -> Played:
    """Run an event of the innocents and these bots of the gallery, within this time."""
    starts = {**INNOCENTS, **{name: started_by(sys.executable, str(GALLERY / f"{name}.py")) for name in bad}}
    return run_event(folder, starts, repetitions=repetitions, seconds=seconds)


def started_by(*command: str) -> str:
    """Return the line of an entrant that is started by a command."""
    return f"command = {json.dumps(command)}"


def run_event(
    folder: Path,
    starts: Mapping[str, str],
    *,
    repetitions: int,
    seconds: float,
    sections: str = "",
    terms: str = "",
    env: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Played:
    """Run an event in a folder, within this time.

    Args:
        starts: how each entrant is started, in the words of an event file.
        sections: further sections of the event file.
        terms: further lines of ``[event]``.
        env: what all bots have in their environment.
        environment: the environment of the runner; that of the process if ``None``.
    """
    (folder / "work").mkdir(parents=True)
    event, out = folder / "gallery.toml", EventFolder(folder / "out")
    text = _EVENT.format(repetitions=repetitions, secret="5e" * 32, terms=terms) + sections
    for name, start in starts.items():
        given = ", ".join(
            f"{key} = {json.dumps(value)}" for key, value in {**(env or {}), "ORDAGO_NONCE": _nonce(name)}.items()
        )
        text += _ENTRANT.format(name=name, start=start, env=given)
    event.write_text(text, encoding="utf-8")
    run = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out.path)],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env=environment,
        cwd=folder / "work",
    )
    ladder = json.loads(out.ladder.read_text(encoding="utf-8")) if out.ladder.exists() else {}
    records = [read_record(path.read_bytes()) for path in out.records.iterdir()] if out.records.exists() else []
    return Played(run.returncode, run.stdout + run.stderr, ladder, {record.match_id: record for record in records})


def _nonce(name: str) -> str:
    """Return a nonce that depends on the name alone, since those of the others at a table change its deals."""
    return name.encode().hex().ljust(32, "0")[:64]
