"""Bots that want to know, to change or to take what is not theirs: they get nothing, and nobody notices them."""

import os
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

import pytest
from support.figures import Note, Size
from torture.spies_event import INNOCENTS, Spied, spied

from ordago.arena.processes.isolation.bubblewrap import bubblewrap
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, landlock_version
from ordago_ladder.verification import verify_folder

pytestmark = pytest.mark.alone

_SEES_NO_PROGRAM = "/nonexistent"
"""What makes a runner find no bubblewrap. The programs of all bots here are told by their whole paths."""
_LOOKS = ("store", "writing", "files", "neighbours", "environments", "secrets_in_memory", "tokens", "network", "notes")
_LOOKING: Mapping[str, Sequence[str]] = {"looks": _LOOKS, "stays": ("stayers",)}
# What may be found of each: the faults for which decisions are taken for it.
_DISTURBING: Mapping[str, Set[str]] = {
    "output": {"over_limit"},
    "disk": {"over_limit"},
    "memory": {"over_limit"},
    "descriptors": set(),
    "forks": {"over_limit"},
}
_LONGEST_SECONDS = 300.0


@pytest.fixture(params=["bubblewrap", "landlock"])
def path(request: pytest.FixtureRequest) -> str:
    """Return where the runner looks for programs, so that it takes this way to shut bots in."""
    if request.param == "bubblewrap" and bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    if request.param == "landlock" and landlock_version() < LEAST_VERSION:
        pytest.skip("the kernel has no Landlock that is new enough")
    return os.environ["PATH"] if request.param == "bubblewrap" else _SEES_NO_PROGRAM


def test_spies_get_nothing_and_disturb_nobody(tmp_path: Path, size: Size, note: Note, path: str) -> None:
    tries = {**_LOOKING, **{name: (name,) for name in ((), tuple(_DISTURBING))[size(0, 1)]}}
    found = spied(tmp_path, tries, seconds=_LONGEST_SECONDS, path=path)
    faults = found.played.faults()
    note("things that spies got", _count(found), bound="0")
    note("processes that survived", len(found.survivors), bound="0")
    for name in sorted(faults):
        note(f"faults of {name}", ", ".join(sorted(faults[name])) or "none")
    assert found.played.exit_code == 0, found.played.output
    assert found.tried == {name: set(tried) for name, tried in tries.items()}, "or it would show nothing"
    assert found.got == {}
    assert found.survivors == []
    for name in (*INNOCENTS, *_LOOKING):
        assert not faults.get(name), f"{name} was disturbed"
    for name, expected in _DISTURBING.items():
        # Who had to be started too often is not started again.
        assert set(faults.get(name, ())) <= expected | {"failed_to_start"}
    assert verify_folder(tmp_path / "out").findings == ()


def test_without_isolation_spies_get_what_they_want(tmp_path: Path, note: Note) -> None:
    """Each of them: where they get nothing it is not for lack of trying. Yet nothing of theirs outlives the event."""
    found = spied(tmp_path, _LOOKING, seconds=_LONGEST_SECONDS, path=os.environ["PATH"], terms='isolation = "none"')
    note("things that spies got without isolation", _count(found))
    assert found.played.exit_code == 0, found.played.output
    got = {what.partition(":")[0] for what in found.got["looks"]}
    assert got == set(_LOOKS)
    # What holds for all bots, isolated or not.
    assert not {"environments: a token, by environ", "store: event.db by its own files"} & found.got["looks"]
    assert found.survivors == []


def _count(found: Spied) -> int:
    return sum(map(len, found.got.values()))
