"""Bots that want to know, to change or to take what is not theirs: they get nothing, and nobody notices them."""

import os
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

import pytest
from support.figures import Note, Size
from torture.spies_event import INNOCENTS, Spied, spied

from ordago.arena.processes.isolation.bubblewrap import bubblewrap
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, landlock_version
from ordago_ladder.verification.event import verify_folder

pytestmark = pytest.mark.alone

_SEES_NO_PROGRAM = "/nonexistent"
"""What makes a runner find no bubblewrap. The programs of all bots here are told by their whole paths."""
_LOOKS = ("store", "writing", "files", "neighbours", "environments", "secrets_in_memory", "tokens", "network", "notes")
_LOOKING: Mapping[str, Sequence[str]] = {"looks": _LOOKS, "stays": ("stayers",)}
_DISTURBING: Mapping[str, bool] = {"output": True, "memory": True, "forks": True, "disk": False, "descriptors": False}
"""Those that are ended for it, and those that need not be: where there is no more to take, nobody else lacks it."""
_LEFT_OPEN: Mapping[str, Mapping[str, Set[str]]] = {"bubblewrap": {}, "landlock": {"looks": {"network: a Unix socket"}}}
"""What spies get all the same."""
_LONGEST_SECONDS = 300.0


@pytest.fixture(params=_LEFT_OPEN)
def way(request: pytest.FixtureRequest) -> str:
    """Return a way to shut bots in that this machine has."""
    if request.param == "bubblewrap" and bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    if request.param == "landlock" and landlock_version() < LEAST_VERSION:
        pytest.skip("the kernel has no Landlock that is new enough")
    return str(request.param)


def test_spies_get_nothing_and_disturb_nobody(tmp_path: Path, size: Size, note: Note, way: str) -> None:
    tries = {**_LOOKING, **{name: (name,) for name in ((), tuple(_DISTURBING))[size(0, 1)]}}
    path = os.environ["PATH"] if way == "bubblewrap" else _SEES_NO_PROGRAM
    found = spied(tmp_path, tries, seconds=_LONGEST_SECONDS, path=path)
    faults = found.played.faults()
    note("things that spies got", _count(found), bound=str(sum(map(len, _LEFT_OPEN[way].values()))))
    note("processes that survived", len(found.survivors), bound="0")
    for name in sorted(faults):
        note(f"faults of {name}", ", ".join(sorted(faults[name])) or "none")
    assert found.played.exit_code == 0, found.played.output
    assert found.tried == {name: set(tried) for name, tried in tries.items()}, "or it would show nothing"
    assert found.got == _LEFT_OPEN[way]
    assert found.survivors == []
    for name in (*INNOCENTS, *_LOOKING):
        assert not faults.get(name), f"{name} was disturbed"
    for name in tries.keys() & _DISTURBING.keys():
        assert faults[name].keys() <= {"over_limit", "too_late", "failed_to_start"}
        assert "over_limit" in faults[name] or not _DISTURBING[name]
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
