"""Outputs replace nothing but their like, and what stands in their place stays where they fail."""

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ordago.outputs import OccupiedError, Output

Place = Callable[[Path], object]


def output(path: Path, *, force: bool = False, inputs: tuple[Path, ...] = ()) -> Output:
    return Output(path, "a list", lambda content: content.startswith(b"list:"), force=force, inputs=inputs)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        # Names of sockets are short.
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            bound.bind(path.name)
        finally:
            os.chdir(here)


TAKEN: dict[str, tuple[Place, str]] = {
    "a bot": (lambda path: path.write_text("import ordago_bot"), "exists and is not a list"),
    "a folder": (Path.mkdir, "is not a file"),
    "a link to a bot": (lambda path: link(path, "import ordago_bot"), "exists and is not a list"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "is a broken link"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "is a broken link"),
    "a link to a folder": (lambda path: path.symlink_to("."), "is not a file"),
    "a socket": (a_socket, "is not a file"),
}


def link(path: Path, content: str) -> None:
    (path.parent / "elsewhere").write_text(content)
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("name", TAKEN)
def test_nothing_else_is_replaced(tmp_path: Path, name: str):
    place, told = TAKEN[name]
    path = tmp_path / "output"
    place(path)
    before = {entry.name: entry.lstat() for entry in tmp_path.iterdir()}
    for attempt in (output(path).check, lambda: output(path).write(b"list: 1")):
        with pytest.raises(OccupiedError, match=told):
            attempt()
    assert {entry.name: entry.lstat().st_ino for entry in tmp_path.iterdir()} == {
        name: status.st_ino for name, status in before.items()
    }


@pytest.mark.parametrize("content", [b"", b"list: 0"])
def test_its_like_and_an_empty_file_are_replaced(tmp_path: Path, content: bytes):
    (tmp_path / "output").write_bytes(content)
    output(tmp_path / "output").write(b"list: 1")
    assert (tmp_path / "output").read_bytes() == b"list: 1"
    assert [path.name for path in tmp_path.iterdir()] == ["output"]


def test_a_link_leads_to_what_is_replaced(tmp_path: Path):
    link(tmp_path / "output", "list: 0")
    output(tmp_path / "output").write(b"list: 1")
    assert (tmp_path / "output").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"list: 1"


def test_force_replaces_a_file_but_never_an_input(tmp_path: Path):
    path, other = tmp_path / "output", tmp_path / "same"
    path.write_text("import ordago_bot")
    other.hardlink_to(path)
    with pytest.raises(OccupiedError, match="is the input itself"):
        output(path, force=True, inputs=(tmp_path / "missing", other)).check()
    output(path, force=True).write(b"list: 1")
    assert (path.read_bytes(), other.read_text()) == (b"list: 1", "import ordago_bot")


def test_devices_and_pipes_are_written_to_and_stay(tmp_path: Path):
    output(Path("/dev/null")).write(b"list: 1")
    assert Path("/dev/null").is_char_device()
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    output(tmp_path / "pipe").check()
    reader.start()
    output(tmp_path / "pipe").write(b"list: 1")
    reader.join()
    assert (read, (tmp_path / "pipe").is_fifo()) == ([b"list: 1"], True)


def test_a_full_device_is_told():
    with pytest.raises(OccupiedError, match="cannot write /dev/full: No space left on device"):
        output(Path("/dev/full")).write(b"list: 1")


def test_a_folder_that_is_missing_or_closed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(OccupiedError, match="there is no folder"):
        output(tmp_path / "missing" / "output").check()
    # For root no folder is closed.
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    with pytest.raises(OccupiedError, match="is in a folder that you cannot write to"):
        output(tmp_path / "output").check()


def test_what_stands_there_stays_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "output"
    path.write_bytes(b"list: 0")

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ordago.outputs.sync_file", full)
    with pytest.raises(OccupiedError, match="No space left on device"):
        output(path).write(b"list: 1")
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == {"output": b"list: 0"}


def test_what_came_while_it_was_written_is_not_replaced(tmp_path: Path):
    path = tmp_path / "output"

    def write() -> None:
        with output(path).opened() as part:
            part.write_bytes(b"list: 1")
            path.write_text("import ordago_bot")

    with pytest.raises(OccupiedError, match="exists and is not a list"):
        write()
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"output": "import ordago_bot"}


def test_the_longest_name_can_be_written(tmp_path: Path):
    output(tmp_path / ("x" * 255)).write(b"list: 1")
