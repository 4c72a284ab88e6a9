"""Systems that nobody tried, played by hiding what they lack: bots run on Windows, servers run on macOS.

What Python and other packages use is imported before, since their own code for those systems is not under test.
"""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from packages import BOTS, ROOT, SERVER, Table, layers_of
from tomlkit import parse

pytestmark = pytest.mark.slow

HIDDEN = """
import importlib, multiprocessing, os, pkgutil, runpy, select, signal, socket, subprocess, sys, urllib.request
import click, distributed, google.protobuf, grpc, grpc.aio, jinja2, numpy, pydantic, rich.console, sqlalchemy, trio
from concurrent.futures import ProcessPoolExecutor

def hide(owner, names):
    for name in names.split():
        vars(owner).pop(name, None)

def everything(names):
    for name in names:
        module = importlib.import_module(name)
        inner = [f"{name}.{one.name}" for one in pkgutil.iter_modules(getattr(module, "__path__", ()))]
        everything(one for one in inner if not one.endswith("__main__"))
"""
WINDOWS = """
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty")))
hide(os, "fork geteuid getgid getuid killpg mkfifo pidfd_open pread pwrite register_at_fork sched_getaffinity "
         "sched_setaffinity setsid statvfs")
hide(select, "epoll poll")
hide(signal, "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGUSR1 SIGUSR2 pthread_sigmask sigwait")
hide(socket, "AF_UNIX")
"""
MACOS = """
hide(os, "eventfd memfd_create pidfd_open posix_fadvise posix_fallocate sched_getaffinity sched_setaffinity setns "
         "splice unshare")
hide(signal, "SIGPWR SIGRTMAX SIGRTMIN SIGSTKFLT pidfd_send_signal")
hide(socket, "SOCK_CLOEXEC SOCK_NONBLOCK SO_BINDTODEVICE SO_PEERCRED")
sys.platform = "darwin"
"""
PLAYED = """
from ordago_bot import play_locally
from ordago_bot.house.solid import SolidBot
assert list(play_locally([SolidBot] * 3, "mittlere", seed=1, strict=True))
"""
COMMAND = """
sys.argv = {words}
runpy.run_module("ordago", run_name="__main__")
"""


@pytest.fixture(scope="module")
def layers() -> dict[str, list[str]]:
    settings: Table = parse((ROOT / "pyproject.toml").read_text(encoding="utf-8")).unwrap()
    return layers_of(settings)


def run(*parts: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", "".join(parts)], capture_output=True, text=True, check=False)  # noqa: S603 - ours


def command(*words: str) -> str:
    return COMMAND.format(words=["ordago", *words])


def test_bots_play_without_what_windows_lacks(layers: dict[str, list[str]]) -> None:
    ended = run(HIDDEN, WINDOWS, f"everything({layers[BOTS]})", PLAYED)
    assert ended.stderr == ""


def test_servers_say_on_windows_that_they_need_another_system() -> None:
    ended = run(HIDDEN, WINDOWS, command("serve", "--tables", "mus"))
    assert ended.returncode == 2
    assert "need Linux or macOS" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_servers_do_without_what_macos_lacks(layers: dict[str, list[str]]) -> None:
    ended = run(HIDDEN, MACOS, f"everything({layers[BOTS] + layers[SERVER]})")
    assert ended.stderr == ""


def test_programs_of_bots_play_without_what_macos_lacks() -> None:
    bots = [
        word
        for bot in (f"cmd:{sys.executable} -m ordago_bot random", "house:random", "house:random")
        for word in ("--bot", bot)
    ]
    ended = run(HIDDEN, MACOS, command("play", "mittlere", *bots))
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_event_on_macos_says_that_bots_cannot_be_isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # without bubblewrap
    event = '[event]\nname = "few"\nrepetitions = 1\n[[game]]\nname = "mittlere"\n'
    entrants = "".join(f'[[entrant]]\nname = "{name}"\ncommand = "{sys.executable} bot.py"\n' for name in "abc")
    (tmp_path / "few.toml").write_text(event + entrants, encoding="utf-8")
    ended = run(HIDDEN, MACOS, command("run", str(tmp_path / "few.toml"), "--out", str(tmp_path / "out")))
    assert ended.returncode
    assert "no Landlock" in ended.stderr
    assert "Traceback" not in ended.stderr
