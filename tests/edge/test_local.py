"""A server for bots that are started here: on a Unix socket of its own, which nobody else reaches."""

import stat
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from support.halls import Hall
from support.processes import PATIENCE_SECONDS

from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import Host, Supervisor
from ordago.edge import open_host
from ordago.ops.metrics import CountersCollector

HOUSE_BOT = (sys.executable, "-m", "ordago_bot", "default")


async def comes_in(host: Host, log: Path, command: Sequence[str] = HOUSE_BOT) -> None:
    """Start a bot, and return when it came in and was ended again."""
    launch = Launch(tuple(command), {}, log)
    life = Supervisor(name="ana", version="", launch=launch, host=host, start_seconds=PATIENCE_SECONDS)
    assert (await life.bot()).connected
    life.retire()


def socket_of(host: Host) -> Path:
    scheme, _, path = host.address.partition(":")
    assert scheme == "unix"
    return Path(path)


@pytest.mark.slow
async def test_it_listens_on_a_socket_that_others_cannot_reach_and_leaves_nothing(tmp_path: Path) -> None:
    async with open_host(["mittlere"], unix_socket=True) as host:
        await comes_in(host, tmp_path / "log")
        mode = socket_of(host).parent.stat().st_mode
        assert stat.S_IMODE(mode) == 0o700
        assert len(str(socket_of(host))) <= 103
    assert not socket_of(host).parent.exists()


@pytest.mark.slow
async def test_the_path_is_short_wherever_temporary_files_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the kernel takes for the path of a socket is shorter than paths may be."""
    far = tmp_path / ("x" * 100)
    far.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(far))
    async with open_host(["mittlere"], unix_socket=True) as host:
        await comes_in(host, tmp_path / "log")
        assert far not in socket_of(host).parents


@pytest.mark.slow
async def test_bots_whose_library_knows_no_such_sockets_have_a_port(tmp_path: Path) -> None:
    async with open_host(["mittlere"]) as host:
        assert host.address.startswith("127.0.0.1:")
        await comes_in(host, tmp_path / "log")


async def test_the_limit_on_bots_from_outside_is_told_wherever_bots_of_the_house_come_in() -> None:
    hall = Hall(bounds=ConnectionBounds.for_bots(6, sessions_per_second=0))
    async with open_host(["mittlere"], telemetry=hall.telemetry):
        registry = CollectorRegistry()
        registry.register(CountersCollector(hall.telemetry.counters))
        assert registry.get_sample_value("ordago_bots_limit") == 6
