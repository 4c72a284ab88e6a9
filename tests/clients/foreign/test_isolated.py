"""Bots in every language play from within a cell, by each way that this machine has; so do programs in Java."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.cells import cell_by, each_way, said
from support.processes import PATIENCE_SECONDS

from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import Supervisor
from ordago.edge import open_host

ROOT = Path(__file__).parents[3]


@each_way
async def test_a_bot_comes_in(way: str, command: Sequence[str], tmp_path: Path) -> None:
    async with open_host(["mittlere"], unix_socket=True) as host:
        socket = Path(host.address.removeprefix("unix:"))
        cell = cell_by(way, ROOT, command=command, socket=socket)
        launch = Launch(tuple(command), {}, tmp_path / "log", sandbox=cell)
        life = Supervisor(name="ana", version="", launch=launch, host=host, start_seconds=PATIENCE_SECONDS)
        assert (await life.bot()).connected
        life.retire()


JAVA = """
public class Hello {
    public static void main(String[] words) throws Exception {
        Thread thread = new Thread(() -> System.out.println("hello from a thread"));
        thread.start();
        thread.join();
        byte[][] kept = new byte[100][];
        for (int number = 0; number < kept.length; number++) kept[number] = new byte[1 << 20];
        java.nio.channels.SocketChannel.open(java.net.StandardProtocolFamily.UNIX).close();
    }
}
"""


@each_way
def test_a_program_in_java_runs(way: str, tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    (tmp_path / "Hello.java").write_text(JAVA)
    cell = cell_by(way, tmp_path, command=("java",))
    assert "hello from a thread" in said(cell, ("java", "Hello.java"))
