"""What a bot has of the one who started it: nothing but what is named, and nothing of it is left when it ends."""

import errno
import os
import signal
import sys
from pathlib import Path

import pytest
from support.processes import is_running, text_of, until

from ordago.arena.processes.launcher import Launch, ended_how, launched

TOKEN = "a-token-of-its-own"  # noqa: S105 - it is good for nothing


async def said(script: str, log: Path, **environment: str) -> str:
    """Run a script as a bot, and return what it printed."""
    command = (sys.executable, "-I", "-c", script)
    async with launched(Launch(command, environment, log, TOKEN)) as process:
        assert await process.wait() == 0
    return log.read_text()  # noqa: ASYNC240 - it is a small file


async def test_of_the_environment_a_bot_has_what_is_named_and_what_its_entrant_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ORDAGO_TLS", "ORDAGO_TOKEN", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH"):
        monkeypatch.setenv(name, "of the organiser")
    for name in ("LANG", "LC_TIME", "TZ", "HOME", "TMPDIR"):
        monkeypatch.setenv(name, "C")
    printed = await said("import os; print(*sorted(os.environ))", tmp_path / "log", MODEL="small")
    assert set(printed.split()) - {"LC_CTYPE"} == {
        *("HOME", "LANG", "LC_TIME", "PATH", "TMPDIR", "TZ"),
        *("MODEL", "ORDAGO_LAUNCHED", "ORDAGO_TOKEN_FILE"),
    }


async def test_a_token_can_be_read_once_and_stands_nowhere_else(tmp_path: Path) -> None:
    script = """
import os, pathlib
token, again = (open(os.environ["ORDAGO_TOKEN_FILE"], "rb").read() for _ in range(2))
print(token, again, [name for name in ("environ", "cmdline") if token in pathlib.Path("/proc/self", name).read_bytes()])
"""
    assert await said(script, tmp_path / "log") == f"{TOKEN.encode()} {b''} []\n"


async def test_a_bot_has_no_file_of_the_one_who_started_it(tmp_path: Path) -> None:
    """Its log would be enough: it shows where the event lies."""
    script = """
import os
own = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
print(*sorted({os.readlink(path).partition(":")[0] for path in own if os.path.lexists(path)}))
"""
    with (tmp_path / "secret").open("wb") as secret:
        os.set_inheritable(secret.fileno(), True)  # noqa: FBT003 - it takes no keyword
        assert await said(script, tmp_path / "log") == "pipe\n"


async def test_what_a_bot_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    """It ignores what can be ignored, and holds the pipe open that the bot printed to."""
    child = "import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN); time.sleep(600)"
    script = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {child!r}]).pid)"
    child_id = int(await said(script, tmp_path / "log"))
    await until(lambda: not is_running(child_id))


async def test_what_is_told_as_the_reason_of_an_end_is_the_first_reason(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print('ready', flush=True); import time; time.sleep(600)")
    async with launched(Launch(command, {}, tmp_path / "log")) as process:
        await text_of(tmp_path / "log")
        assert process.ended_because == ""
        process.end_because("passed its limit of 1 MiB of memory")
        process.end_because("passed another one")
        assert await process.wait() < 0
    assert process.ended_because == "passed its limit of 1 MiB of memory"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (0, "with code 0"),
        (3, "with code 3"),
        (-signal.SIGXFSZ, f"by signal {signal.SIGXFSZ:d} (SIGXFSZ)"),
        pytest.param(-63, "by signal 63", id="a signal without a name"),
    ],
)
def test_how_a_process_ended_is_told_by_the_name_of_the_signal(code: int, told: str) -> None:
    assert ended_how(code) == told


async def test_a_bot_that_cannot_be_watched_is_ended_and_waited_for_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_process: int) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "pidfd_open", refuse)
    command = (sys.executable, "-c", "import time; time.sleep(600)")
    number = 0
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match=os.strerror(errno.EMFILE)), flatten_subgroups=True):
        async with launched(Launch(command, {}, tmp_path / "log")) as process:
            number = process.number
            await process.wait()
    assert not is_running(number)
