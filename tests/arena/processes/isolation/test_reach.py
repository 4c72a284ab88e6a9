"""Which paths a life may read: those it needs, with what is hidden without_masked out."""

from pathlib import Path

import pytest

from ordago.arena.processes.isolation import readable
from ordago.arena.processes.isolation.bubblewrap import Bubblewrap
from ordago.arena.processes.isolation.confinement import Confinement
from ordago.arena.processes.isolation.landlock import foreign_sockets
from ordago.arena.processes.isolation.readable import on_the_way, outermost, readable_for, without_masked


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("bots/one", "bots/two", "out/friday/private", "lib"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("friday.toml", "bots/one/bot.py", "bots/two/bot.py", "out/friday/ladder.json", "lib/help.py"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("out")
    return tmp_path


def left(tree: Path, *hidden: str) -> set[str]:
    return {str(path.relative_to(tree)) for path in without_masked(tree, [tree / name for name in hidden])}


def test_what_is_hidden_is_left_out_and_nothing_beside_it(tree: Path) -> None:
    assert left(tree) == {"."}
    assert left(tree, "out", "friday.toml") == {"bots", "lib"}
    assert left(tree, "out/friday/private", "bots/two") == {"bots/one", "lib", "friday.toml", "out/friday/ladder.json"}
    assert left(tree, ".") == set()
    assert list(without_masked(tree / "out", [tree])) == []


def test_what_lies_on_the_way_to_something_hidden(tree: Path) -> None:
    assert on_the_way(tree, [tree / "out"])
    assert not on_the_way(tree / "bots", [tree / "out"])
    assert not on_the_way(tree / "out", [tree / "out"])


def test_of_paths_within_others_the_outer_ones_are_left() -> None:
    paths = map(Path, ("/usr/bin", "/usr", "/usrlocal", "/etc/ssl/certs", "/etc/ssl/certs"))
    assert outermost(paths) == [Path("/etc/ssl/certs"), Path("/usr"), Path("/usrlocal")]


def test_a_program_is_readable_with_what_belongs_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a link into an environment, whose Python is a link to another one."""
    for name in ("real/bin", "venv/bin", "tools", "home/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "real/bin/python").touch(mode=0o755)
    (tmp_path / "venv/bin/python").symlink_to(tmp_path / "real/bin/python")
    (tmp_path / "venv/pyvenv.cfg").write_text(f"home = {tmp_path}/real/bin\n")
    (tmp_path / "tools/python").symlink_to("../venv/bin/python")
    (tmp_path / "home/bin/bot").touch(mode=0o755)
    monkeypatch.setattr(readable, "_FOR_ALL", frozenset())
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    found = readable_for((str(tmp_path / "tools/python"),), tmp_path)
    own = {str(path.relative_to(tmp_path)) for path in found if path.is_relative_to(tmp_path)}
    assert own == {"tools/python", "venv", "real"}
    found = readable_for(("home/bin/bot",), tmp_path)
    own = {str(path.relative_to(tmp_path)) for path in found if path.is_relative_to(tmp_path)}
    assert own == {"home/bin"}, "not the whole home"


def test_a_file_that_a_command_names_is_readable_with_what_lies_beside_it(tree: Path) -> None:
    found = readable_for(("python3", str(tree / "bots/one/bot.py"), "--level", "3", "/no/such/file"), tree)
    assert tree / "bots/one" in found
    assert tree / "bots" not in found


def test_of_the_system_nothing_is_readable_that_is_secret() -> None:
    found = readable_for(("true",), Path("/"))
    assert Path("/usr") in found
    for path in ("/etc/shadow", "/etc/ssl/private/key.pem", "/root/.ssh", "/home/ana", "/var/lib", "/run", "/proc"):
        assert not any(Path(path).is_relative_to(other) for other in found if other != Path.home()), path


def test_what_is_known_by_a_link_is_hidden_there_as_well(tree: Path) -> None:
    confinement = Confinement(tree / "link", (), hidden=(tree / "out/friday/private",))
    words = Bubblewrap("bwrap").sandbox(confinement).wrapper
    covered = {words[number + 1] for number, word in enumerate(words) if word == "--tmpfs"}
    assert {str(tree / "out/friday/private"), str(tree / "link/friday/private")} <= covered


def test_sockets_of_others_are_those_that_can_be_connected_to(tmp_path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as reached, socket.socket(socket.AF_UNIX) as own:
        reached.bind(str(tmp_path / "s"))
        (tmp_path / "own").mkdir()
        own.bind(str(tmp_path / "own" / "s"))
        paths = [tmp_path / "s", tmp_path / "own/s", tmp_path / "gone", "@abstract", tmp_path]
        lines = ["Num       RefCount Protocol Flags    Type St Inode Path"]
        lines += [f"0000000000000000: 00000002 00000000 00010000 0001 01 4711 {path}" for path in paths]
        lines += ["0000000000000000: 00000003 00000000 00000000 0001 03 4712"]
        (tmp_path / "table").write_text("\n".join(lines))
        assert foreign_sockets(tmp_path / "own", table=tmp_path / "table") == [str(tmp_path / "s")]
    assert foreign_sockets(tmp_path, table=tmp_path / "no-table") == []
