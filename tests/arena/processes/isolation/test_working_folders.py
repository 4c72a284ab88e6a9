"""A bot works in whatever folder its organiser may be in, and sees it as it is, but for what is hidden."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from support.cells import PYTHON, cell_by, each_way, tried

from ordago.arena.processes.isolation.readable import readable_for

REFUSED = {"PermissionError", "FileNotFoundError", "OSError"}
ODD_NAMES = ("white space", "line\nbreak", "-rf", "東京", "quo'te\"s", "back\\slash", "$HOME", os.fsdecode(b"\xff\xfe"))
hidden_states = pytest.mark.parametrize("out", ["absent", "empty", "full", "a link to nothing", "elsewhere"])


def put_out(folder: Path, state: str) -> Path:
    """Make the folder of events in one of the states that it may be in, and return its path."""
    out = folder / "out"
    if state == "elsewhere":
        return folder.parent / "out"
    if state == "a link to nothing":
        out.symlink_to(folder / "nothing" / "yet")
    elif state != "absent":
        (out / "friday").mkdir(parents=True)
    if state == "full":
        (out / "friday" / "secret").write_text("secret")
    return out


@pytest.mark.slow
@each_way
@hidden_states
def test_links_lead_where_they_lead_whatever_lies_beside_them(way: str, out: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "w3.txt").write_text("weights")
    (folder / "event.toml").write_text("secret")
    for link, target in (("w.txt", "w3.txt"), ("w2.txt", "w.txt"), ("deep/up", "../w.txt"), ("far", folder / "w3.txt")):
        (folder / link).symlink_to(target)
    for link, target in (("dangling", "nowhere"), ("loop", "loop"), ("to-hidden", "event.toml"), ("here", ".")):
        (folder / link).symlink_to(target)
    cell = cell_by(way, folder, hidden=(put_out(folder, out), folder / "event.toml"))
    good = ["w.txt", "w2.txt", "deep/up", "far", "here/here/w.txt"]
    answers = tried(cell, [f"open({name!r}).read()" for name in (*good, "dangling", "loop", "to-hidden", "event.toml")])
    found = list(answers.values())
    assert found[: len(good)] == ["'weights'"] * len(good)
    # Under bubblewrap a hidden file is there, and empty.
    assert set(found[len(good) :]) <= REFUSED | {"''"}, answers


@pytest.mark.slow
@each_way
@hidden_states
def test_what_is_hidden_stays_so_when_it_is_made_after_the_start(way: str, out: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    place = put_out(folder, out)
    cell = cell_by(way, folder, hidden=(place,))
    wait = "import sys; sys.stdout.write('up\\n'); sys.stdout.flush(); sys.stdin.read()"
    from support.cells import begun

    look = (
        f"{wait}\ntry: print(open({str(place / 'saturday' / 'secret')!r}).read())\nexcept OSError as e: print('none')"
    )
    with begun(cell, (*PYTHON, "-c", look)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        (place.resolve() / "saturday").mkdir(parents=True)
        (place / "saturday" / "secret").write_text("secret")
        said, _ = process.communicate(timeout=60)
    assert said == b"none\n"


@pytest.mark.slow
@each_way
def test_names_and_numbers_of_files_do_not_matter(way: str, tmp_path: Path) -> None:
    for name in (*ODD_NAMES, *(f"entry-{number}" for number in range(3_000))):
        (tmp_path / name).write_text("text")
    cell = cell_by(way, tmp_path, hidden=(tmp_path / "out", tmp_path / "event.toml"))
    before = f"names = {[os.fsencode(name) for name in ODD_NAMES]!r}"
    lines = ["[open(name).read() for name in names] == ['text'] * len(names)", "open('entry-2999').read()"]
    assert list(tried(cell, lines, before=before).values()) == ["True", "'text'"]


@pytest.mark.slow
@each_way
def test_others_may_write_there_all_the_while(way: str, tmp_path: Path) -> None:
    (tmp_path / "model").write_text("text")
    with busy(tmp_path):
        for _ in range(5):
            cell = cell_by(way, tmp_path, hidden=(tmp_path / "out", tmp_path / "event.toml"))
            assert list(tried(cell, ["open('model').read()"]).values()) == ["'text'"]


@contextmanager
def busy(folder: Path) -> Iterator[None]:
    """Make and remove files, folders and links in a folder meanwhile, as fast as may be."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            for number in range(50):
                (folder / f"file-{number}").touch()
                (folder / f"folder-{number}").mkdir()
                (folder / f"link-{number}").symlink_to("model")
            for number in range(50):
                (folder / f"file-{number}").unlink()
                (folder / f"folder-{number}").rmdir()
                (folder / f"link-{number}").unlink()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join()


@each_way
@pytest.mark.parametrize("above", ["/tmp", "/var/tmp", "/dev/shm", "~"])  # noqa: S108 - a folder of its own in each
def test_it_may_lie_in_folders_that_each_bot_has_of_its_own(way: str, above: str) -> None:
    with TemporaryDirectory(dir=Path(above).expanduser(), prefix="ordago-") as name:
        (Path(name) / "model").write_text("text")
        cell = cell_by(way, Path(name), hidden=(Path(name) / "out",))
        assert_works_there(cell_answers(cell))


@each_way
@pytest.mark.parametrize("name", ["/tmp", "/dev/shm", "~"])  # noqa: S108 - a file of its own in each
def test_it_may_be_such_a_folder_itself(way: str, name: str) -> None:
    folder = Path(name).expanduser()
    with TemporaryDirectory(dir=folder, prefix="ordago-") as below:
        (Path(below) / "model").write_text("text")
        # What is hidden lies beside: nothing of ours is made in a folder of all.
        cell = cell_by(way, folder, hidden=(Path(below) / "out",))
        assert_works_there(cell_answers(cell, model=str(Path(below).relative_to(folder) / "model")))


def cell_answers(cell: object, *, model: str = "model") -> list[str]:
    scratch = "open(os.environ['TMPDIR'] + '/note', 'w').write('x')"
    return list(tried(cell, [f"open({model!r}).read()", scratch, "open('new', 'w')"]).values())  # type: ignore[arg-type]


def assert_works_there(answers: list[str]) -> None:
    assert answers[:2] == ["'text'", "1"]
    assert answers[2] in REFUSED


@each_way
def test_a_program_below_tmp_is_there_for_who_works_in_the_folder_of_all_folders(way: str) -> None:
    """Python itself may lie there: in a checkout that somebody tries out."""
    place = Path(mkdtemp(prefix="ordago-", dir="/tmp"))
    try:
        (place / "tool").write_text("text")
        readable = (*readable_for(PYTHON, Path("/")), place)
        answers = cell_answers(cell_by(way, Path("/"), readable=readable), model=str(place / "tool"))
    finally:
        with suppress(OSError):
            (place / "tool").unlink()
            place.rmdir()
    assert answers[:2] == ["'text'", "1"]


@each_way
def test_a_folder_that_is_known_by_a_link_is_worked_in_by_that_name(way: str, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "model").write_text("text")
    (tmp_path / "link").symlink_to("real")
    cell = cell_by(way, tmp_path / "link", hidden=(tmp_path / "real" / "out",))
    assert_works_there(cell_answers(cell))
