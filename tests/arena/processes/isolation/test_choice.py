"""Which way is taken, and what is said where there is none."""

import pytest

from ordago.arena.processes.isolation import bubblewrap, choice
from ordago.arena.processes.isolation.bubblewrap import Bubblewrap
from ordago.arena.processes.isolation.choice import NoIsolationError, isolation_here, reason_against
from ordago.arena.processes.isolation.confinement import Isolation, User
from ordago.arena.processes.isolation.landlock import Landlock

INSTALLED = Bubblewrap("/usr/bin/bwrap")


def installed_for(user: User | None) -> Bubblewrap:
    return Bubblewrap("/usr/bin/bwrap", user)


def chosen(*, wrapper: Bubblewrap | None, version: int, broken: tuple[type, ...] = ()) -> Isolation:
    def works(isolation: Isolation) -> str:
        return "it does not work" if isinstance(isolation, broken) else ""

    with isolation_here(find_bubblewrap=lambda _user: wrapper, find_landlock=lambda: version, works=works) as isolation:
        return isolation


def test_bubblewrap_is_taken_where_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "runs_as_root", lambda: False)
    isolation = chosen(wrapper=INSTALLED, version=7)
    assert isolation.sentence == "each bot is isolated by bubblewrap (/usr/bin/bwrap)"
    assert not isolation.left_open


@pytest.mark.parametrize(("wrapper", "broken"), [(None, ()), (INSTALLED, (Bubblewrap,))])
def test_else_landlock_is_and_says_what_it_leaves_open(wrapper: Bubblewrap | None, broken: tuple[type, ...]) -> None:
    isolation = chosen(wrapper=wrapper, version=6, broken=broken)
    assert isinstance(isolation, Landlock)
    assert "names, sizes and times of files" in isolation.left_open
    assert not isolation.scratches.exists(), "it ends with the run"


def test_a_root_who_cannot_step_down_still_isolates_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is open to root alone is tried as well: Python may lie in the home of the user who has become root."""
    tried: list[Isolation] = []

    def works(isolation: Isolation) -> str:
        tried.append(isolation)
        return "" if isinstance(isolation, Bubblewrap) and isolation.is_root_by_name else "it does not work"

    monkeypatch.setattr(choice, "runs_as_root", lambda: True)
    monkeypatch.setattr(bubblewrap, "runs_as_root", lambda: True)
    with isolation_here(find_bubblewrap=installed_for, find_landlock=lambda: 6, works=works) as isolation:
        assert "runs as root" in isolation.left_open
    assert all(isinstance(one, Bubblewrap) for one in tried), "before any of Landlock"


def test_where_there_is_none_it_is_said_what_to_do() -> None:
    with pytest.raises(NoIsolationError) as caught:
        chosen(wrapper=None, version=5)
    assert str(caught.value) == (
        "bots cannot be isolated on this machine: bubblewrap is not installed (there is no program 'bwrap'); the "
        "kernel has version 5 of Landlock, and version 6 is required; install bubblewrap, or write isolation = "
        '"none" into [event] if you trust all bots with this machine'
    )


def test_a_kernel_without_landlock_and_a_bubblewrap_that_fails() -> None:
    with pytest.raises(NoIsolationError, match="it does not work; the kernel has no Landlock enabled"):
        chosen(wrapper=INSTALLED, version=0, broken=(Bubblewrap,))


def test_a_processor_without_a_filter_has_no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "system_calls", lambda: b"")
    with pytest.raises(NoIsolationError, match="there is no system call filter for this processor"):
        chosen(wrapper=INSTALLED, version=7)


def test_a_wrapper_that_is_none_is_found_out() -> None:
    assert reason_against(Bubblewrap("/bin/false")) == "Bubblewrap does not work: it ended with 1"
    assert "No such file" in reason_against(Bubblewrap("/no/such/bwrap"))
