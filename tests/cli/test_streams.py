"""Standard streams that fail, are closed, or cannot show every letter."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.commands import event_file
from support.programs import need_program

from ordago_cli.terminal.streams import Output, output_is_lost, text_to

TOKYO = """
[event]
name = "small"
[[game]]
name = "mitaines"
seats = 2
options = { target = 20 }
[[entrant]]
name = "東京 bot"
house = "random"
[[entrant]]
name = "beta"
house = "default"
"""
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """What runs a command as a shell does, and returns its exit code, its output and its errors."""

    def run(line: str, environment: Mapping[str, str] = {}) -> tuple[int, str, str]:
        script = f'set -o pipefail; ordago() {{ {shlex.quote(sys.executable)} -m ordago "$@"; }}; {line}'
        done = subprocess.run(  # noqa: S603 - ours
            ["/bin/bash", "-c", script],
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, **environment},
            timeout=60,
        )
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("ordago --help >/dev/full", 3, "No space left on device"),
        ("ordago --version >/dev/full", 3, "No space left on device"),
        ("ordago games --json >/dev/full", 3, "No space left on device"),
        ("ordago games >&-", 3, "Bad file descriptor"),
        ("ordago check event.toml >/dev/full 2>/dev/full", 3, ""),
        ("ordago check nothing.toml >/dev/full", 3, "cannot read nothing.toml"),
        ("ordago nonsense 2>/dev/full", 2, ""),
        ("ordago nonsense >&- 2>&- <&-", 2, ""),
        ("ordago games | head -0", 0, ""),
        ("ordago games --json | head -1", 0, ""),
        ("ordago games <&- >/dev/null", 0, ""),
        ("ordago account register --server 127.0.0.1:1 --code - <&-", 2, ""),
    ],
)
def test_a_stream_that_fails_is_told_in_a_sentence_or_not_at_all(
    shell: Shell, tmp_path: Path, line: str, code: int, told: str
):
    event_file(tmp_path)
    found, _, errors = shell(line)
    assert (found, told in errors) == (code, True), errors
    assert told or "cannot be written" not in errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirection", "code"),
    [(">/dev/full", 3), ("--json >&-", 3), ("--json-lines >/dev/full 2>/dev/full", 3), ("--json-lines | head -1", 0)],
)
def test_a_run_that_cannot_tell_of_itself_is_played_and_verified(shell: Shell, redirection: str, code: int):
    Path(shell("pwd")[1].strip(), "event.toml").write_text(TOKYO, encoding="utf-8")
    assert shell(f"ordago run event.toml {redirection}")[0] == code
    assert shell("ordago verify out/small")[1].startswith("clean: 2 records")


@pytest.mark.slow
def test_no_file_takes_the_place_of_an_output_that_is_closed(shell: Shell, tmp_path: Path):
    """The next descriptor that is opened is 1, if nobody sees to it; here a database would be that."""
    assert shell("ordago token create --account ana --scope play --data data >&-")[0] == 3
    assert shell("ordago token list --data data")[1].count("ana") == 1
    assert (tmp_path / "data" / "accounts.sqlite").read_bytes().startswith(b"SQLite format 3")


def test_an_output_that_does_not_wait_is_waited_for():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    child = os.fork()
    if not child:
        os.close(writing)
        total = 0
        while part := os.read(reading, 1 << 16):
            total += len(part)
        os._exit(0 if total == 1_000_000 else 1)
    os.close(reading)
    stream = text_to(Output(writing))
    stream.write("x" * 1_000_000)
    stream.flush()
    os.close(writing)
    assert os.waitpid(child, 0)[1] == 0


def test_nothing_follows_on_what_was_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Else a line would be missing in the middle, once there is room again."""
    lost = []
    with (tmp_path / "output").open("wb") as file, Path("/dev/full").open("wb") as full:
        target = os.dup(file.fileno())
        monkeypatch.setattr("sys.stdout", text_to(Output(target)))
        for descriptor in (file.fileno(), full.fileno(), file.fileno()):
            os.dup2(descriptor, target)
            sys.stdout.write("a line\n")
            sys.stdout.flush()
            lost.append(output_is_lost())
        os.close(target)
    assert lost == [False, True, True]
    assert (tmp_path / "output").read_text() == "a line\n"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "ascii", "utf-8", "koi8-r"])
def test_any_letter_is_written_in_any_encoding(tmp_path: Path, encoding: str):
    with (tmp_path / "out").open("wb") as file:
        stream = text_to(Output(file.fileno()), encoding)
        stream.write("東京 é \udce9\n")
        stream.flush()
    written = (tmp_path / "out").read_bytes()
    assert written.endswith(b"\\udce9\n")
    assert (b"\\u6771\\u4eac" in written) == (encoding in ("iso-8859-1", "koi8-r"))


@pytest.mark.slow
def test_an_event_is_run_in_a_locale_without_the_letters_of_its_entrants(shell: Shell, tmp_path: Path):
    event_file(tmp_path, TOKYO)
    assert shell("ordago check event.toml", ASCII)[0] == 0
    code, output, errors = shell("ordago run event.toml --workers 1", ASCII)
    assert (code, "東京 bot" in output) == (0, True), errors
    assert (tmp_path / "out/small/private/logs/東京 bot.0.log").exists()


@pytest.mark.slow
def test_a_latin_terminal_is_shown_escapes(shell: Shell, tmp_path: Path):
    localedef = need_program("localedef", to="make a locale")
    made = subprocess.run(  # noqa: S603 - a program of the machine
        [localedef, "-i", "en_US", "-f", "ISO-8859-1", tmp_path / "en_US.ISO-8859-1"], capture_output=True, check=False
    )
    if not (tmp_path / "en_US.ISO-8859-1").exists():
        pytest.skip(f"no locale can be made here: {made.stderr.decode()[:100]}")
    event_file(tmp_path, TOKYO.replace('"beta"', '"Jürg"'))
    latin = ASCII | {"LC_ALL": "en_US.ISO-8859-1", "LOCPATH": str(tmp_path)}
    code, output, errors = shell("ordago run event.toml", latin)
    assert (code, "\\u6771\\u4eac bot" in output, "J\ufffdrg" in output) == (0, True, True), errors
    assert shell("ordago status event.toml --json", latin)[0] == 0
