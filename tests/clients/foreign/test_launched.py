"""Bots in every language that a runner starts: by a Unix socket or a port, with a token that no other process sees."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.processes import PATIENCE_SECONDS

from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import Supervisor
from ordago.edge import open_host


@pytest.mark.parametrize("unix_socket", [True, False])
async def test_a_bot_comes_in(command: Sequence[str], tmp_path: Path, *, unix_socket: bool) -> None:
    launch = Launch(tuple(command), {}, tmp_path / "log")
    async with open_host(["mittlere"], unix_socket=unix_socket) as host:
        life = Supervisor(name="ana", version="", launch=launch, host=host, start_seconds=PATIENCE_SECONDS)
        assert (await life.bot()).connected
        life.retire()
