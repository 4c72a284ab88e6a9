"""The rehearsal of trouble: each stranger whose machine lacks something learns it in a sentence.

Machines without bubblewrap, or with a kernel without Landlock, are in ``tests/arena/processes/isolation``.
"""

import subprocess
from pathlib import Path
from typing import Final

from rehearsal.python import pythons
from rehearsal.steps import Stranger

_TOO_OLD: Final = ("3.10", "3.9")
_ELSEWHERE: Final = {
    "musl": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
    "macOS": ("macosx_14_0_arm64",),
    "Windows": ("win_amd64",),
}
"""The tags of wheels that pip takes there. Sources need a compiler, which those who play seldom have."""
_PUBLIC: Final = "ordago[server,web,postgres]"
_WHEELS: Final = ("--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.12")
_NO_HOME: Final = "/proc/nobody"
"""A home that not even root can write into."""


def rehearse(address: str, scratch: Path, *, programs: Path) -> None:
    """Run into each trouble with what is installed in the folder of programs."""
    folder = scratch / "trouble"
    folder.mkdir()
    variables = {"PIP_INDEX_URL": f"{address}/pypi", "HOME": _NO_HOME}
    stranger = Stranger("Somebody in trouble", folder, variables, programs=programs)
    _use_an_old_python(stranger)
    _install_elsewhere(stranger)
    _build_without_compiler(stranger)
    _play_without_home(stranger)
    _mix_versions(stranger)


def _use_an_old_python(stranger: Stranger) -> None:
    for _, python in pythons(_TOO_OLD):
        subprocess.run([python, "-m", "venv", stranger.folder / "old"], check=True)  # noqa: S603 - ours
        stranger.does("old/bin/pip", "install", "ordago", fails_with=">=3.11")
        return
    print("no Python that is too old is here; left out")  # noqa: T201 - a command


def _install_elsewhere(stranger: Stranger) -> None:
    """Look whether all that is required has wheels for systems that are not here."""
    for system, tags in _ELSEWHERE.items():
        print(f"{'':12}{system}:")  # noqa: T201 - a command
        platforms = [word for tag in tags for word in ("--platform", tag)]
        stranger.does("pip", "install", "--dry-run", "--target", system, *platforms, *_WHEELS, _PUBLIC)


def _build_without_compiler(stranger: Stranger) -> None:
    build = "pip install --no-deps --target built --no-binary ordago-server ordago-server"
    stranger.does("sh", "-c", f"CC=no-such-compiler ORDAGO_COMPILE=1 {build}", fails_with="there is no C compiler")


def _play_without_home(stranger: Stranger) -> None:
    seats = ("--bot", "house:random") * 3
    stranger.does("ordago", "play", "mittlere", *seats)
    serve = ("ordago", "serve", "--ladder", "demo", "--address", "127.0.0.1:0")
    stranger.does(*serve, fails_with="name another one with --data")


def _mix_versions(stranger: Stranger) -> None:
    """Have two versions in one place, which pip allows but warns of: here by the name of one, in a copy."""
    [installed] = stranger.programs.parent.glob("lib/python*/site-packages")
    stranger.does("cp", "-r", str(installed), "packages")
    stranger.does("sh", "-c", "mv packages/ordago-*.dist-info packages/ordago-0.0.9.dist-info")
    command = "import runpy, sys; sys.path.insert(0, 'packages'); runpy.run_module('ordago', run_name='__main__')"
    stranger.does("python", "-I", "-c", command, fails_with="ordago 0.0.9 and ordago-server")
