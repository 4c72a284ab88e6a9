"""Bots that do whatever a bot should not: an event with them ends, and the others never notice."""

import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.figures import Note, Size
from torture.gallery_event import GALLERY, INNOCENTS, played

pytestmark = pytest.mark.alone

# What may be found of each bot: the faults for which decisions are taken for it. Nothing: it does no harm.
FAULTS: Mapping[str, set[str]] = {
    "closed_stdin": set(),
    "crash": {"crashed"},
    "deaf": {"too_late"},
    "flood": {"flooding", "too_late"},
    "garbage": {"malformed"},
    "handshake": {"failed_to_start"},
    "hang": {"too_late"},
    # It holds more threads, or files, than a life may have.
    "hoard": {"over_limit"},
    "huge": {"flooding"},
    "illegal": {"illegal"},
    "old_contract": {"failed_to_start"},
    "wrong_ids": {"too_late"},
}
_QUICK = ("crash", "hoard", "illegal", "old_contract")
"""Those that a short run takes: the others are waited for."""
_MATCHES = 500
"""At least so many are played in a long run."""
_LONGEST_SECONDS = 300.0


def test_all_bad_bots_are_here() -> None:
    assert {path.stem for path in GALLERY.glob("*.py")} == {*FAULTS, "wire"}


def test_innocent_bots_play_as_if_they_were_alone(tmp_path: Path, size: Size, note: Note) -> None:
    bad = (_QUICK, tuple(FAULTS))[size(0, 1)]
    repetitions = size(1, math.ceil(_MATCHES / _matches_a_repetition(len(bad))))
    alone = played(tmp_path / "alone", (), repetitions=repetitions, seconds=_LONGEST_SECONDS)
    together = played(tmp_path / "together", bad, repetitions=repetitions, seconds=_LONGEST_SECONDS)
    faults = together.faults()
    same = together.among(INNOCENTS) == alone.among(INNOCENTS)
    note("matches", len(together.records))
    note("matches among innocents", len(alone.records))
    note("of these played differently", 0 if same else "some", bound="0")
    for name in sorted(faults):
        found = ", ".join(f"{fault} {number}" for fault, number in sorted(faults[name].items()))
        note(f"faults of {name}", found or "none", bound=_written(FAULTS.get(name, set())))
    assert (alone.exit_code, together.exit_code) == (0, 0), together.output
    assert alone.records
    assert same
    for name, found in faults.items():
        expected = FAULTS.get(name, set())
        # Who had to be started too often is not started again.
        assert set(found) <= expected | {"failed_to_start"}, f"{name} is blamed for what it did not do"
        assert bool(found) == bool(expected), f"{name} got away, or is blamed for nothing"
    on_ladder = {line["entrant"]: line["faults"] for line in together.ladder["overall"]["ladder"]}
    assert on_ladder == {name: found.total() for name, found in faults.items()}


def _matches_a_repetition(bad: int) -> int:
    """Return how many matches there are if each two entrants meet once in both seatings."""
    return (bad + len(INNOCENTS)) * (bad + len(INNOCENTS) - 1)


def _written(faults: set[str]) -> str:
    return ", ".join(sorted(faults)) or "none"
