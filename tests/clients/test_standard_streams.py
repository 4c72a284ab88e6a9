"""Standard streams that are closed or full change no exit code, and take no line from anybody else's file."""

import subprocess
import sys

import pytest

BOT = f"{sys.executable} -m ordago_bot default"
LOOK = "import os, ordago_bot.standard_streams as s; s.open_descriptors(); print(os.readlink('/proc/self/fd/0'))"


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 - our own bot
        ["/bin/bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "exit_code"),
    [
        (f"{BOT} --help >/dev/full", 0),
        (f"{BOT} --version >&-", 0),
        (f"{BOT} --address nowhere 2>/dev/full", 2),
        (f"{BOT} --address nowhere 2>&-", 2),
        (f"{BOT} --address nowhere 0<&- 1>&- 2>&-", 2),
        (f"{BOT} nonsense 2>/dev/full", 2),
    ],
)
def test_an_exit_code_is_what_it_is_however_output_goes_wrong(command: str, exit_code: int) -> None:
    assert shell(command).returncode == exit_code


@pytest.mark.slow
def test_closed_descriptors_are_opened_before_anything_else() -> None:
    assert shell(f'{sys.executable} -c "{LOOK}" 0<&-').stdout == "/dev/null\n"
