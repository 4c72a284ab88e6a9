"""The server's own thread for the wire ends: commands end with one sentence, and go on where they were."""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago.edge import server
from ordago.edge.loop_lag import LoopLag
from ordago_cli.errors import EXIT_SERVER
from ordago_cli.program import program
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

SECRET = "5e" * 32
ENOUGH_BYTES = 1000
"""When a journal is longer some choices stand in it."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, arguments, catch_exceptions=False)


class FailingLoopLag(LoopLag):
    """Watches the loop until a file is long enough, and then fails."""

    file = Path()

    async def watch(self) -> None:
        watching = asyncio.ensure_future(super().watch())
        # Nobody tells how long the file is.
        while not self.file.exists() or self.file.stat().st_size < ENOUGH_BYTES:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        watching.cancel()
        raise RuntimeError("a mistake in the server")


@pytest.mark.slow
def test_an_event_ends_with_a_sentence_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, event = EventFolder(tmp_path / "out"), tmp_path / "event.toml"
    event.write_text(
        f'[event]\nname = "event"\nsecret = "{SECRET}"\n[[game]]\nname = "mittlere"\n'
        "options = { deals = 6 }\n"
        + "".join(f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in ("ana", "ben", "cleo"))
    )
    command = ("run", str(event), "--out", str(folder.path))
    with monkeypatch.context() as patched:
        patched.setattr(FailingLoopLag, "file", folder.journal)
        patched.setattr(server, "LoopLag", FailingLoopLag)
        broken = run(*command)
    assert broken.exit_code == EXIT_SERVER
    assert broken.stderr.splitlines()[-1].startswith("ordago: the server failed and accepts no more connections; ")
    assert folder.journal.stat().st_size >= ENOUGH_BYTES, "what was decided is there"
    assert run(*command).exit_code == 0
    assert verify_folder(folder.path).findings == ()


def test_a_server_ends_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_file = tmp_path / "file"
    long_file.write_bytes(bytes(ENOUGH_BYTES))
    monkeypatch.setattr(FailingLoopLag, "file", long_file)
    monkeypatch.setattr(server, "LoopLag", FailingLoopLag)
    broken = run("serve", "--tables", "mittlere", "--address", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    assert broken.exit_code == EXIT_SERVER
    assert broken.stderr.splitlines()[-1] == (
        "ordago: the server failed and accepts no more connections; start it again"
    )
