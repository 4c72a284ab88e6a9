"""What a bot in a cell tries, and does not get: the same by each way of making cells."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.cells import PYTHON, begun, cell_by, each_way, said, tried

from ordago.arena.processes.isolation.readable import readable_for

REFUSED = {"PermissionError", "FileNotFoundError", "ProcessLookupError", "NotADirectoryError", "OSError"}


@pytest.fixture
def neighbour() -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the same user, with a secret in its environment."""
    sleeps = (sys.executable, "-I", "-S", "-c", "import time; print('up', flush=True); time.sleep(600)")
    with subprocess.Popen(sleeps, env={"SECRET": "5e"}, stdout=subprocess.PIPE) as process:  # noqa: S603 - ours
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


@each_way
def test_a_life_reads_what_it_needs_and_nothing_else(way: str, tmp_path: Path) -> None:
    folder, event, elsewhere = tmp_path / "bots", tmp_path / "bots" / "out", tmp_path / "elsewhere"
    for place in (folder / "lib", event / "private", elsewhere):
        place.mkdir(parents=True)
    for path in (folder / "model", folder / "lib" / "deep", event / "private" / "event.db", folder / "event.toml"):
        path.write_text("text")
    (elsewhere / "note").write_text("text")
    (folder / "lib" / "link").symlink_to(event / "private" / "event.db")
    cell = cell_by(way, folder, hidden=(event, folder / "event.toml"))
    answers = tried(
        cell,
        [
            "open('model').read()",
            "open('lib/deep').read()",
            "sorted(set(os.listdir()) - {'out', 'event.toml'})",
            "open('out/private/event.db').read()",
            "open('lib/link').read()",
            "open('event.toml').read()",
            f"open({str(event / 'private' / 'event.db')!r}).read()",
            f"open({str(elsewhere / 'note')!r}).read()",
            f"os.listdir({str(elsewhere)!r})",
            "os.listdir(os.path.expanduser('~root') + '/.ssh')",
            "open('/etc/shadow').read()",
        ],
    )
    found = list(answers.values())
    assert found[:3] == ["'text'", "'text'", "['lib', 'model']"]
    assert set(found[3:]) <= REFUSED, answers


@each_way
def test_what_is_hidden_is_so_when_it_comes_later_too(way: str, tmp_path: Path) -> None:
    """The folder of events is made by the first of them, and by then bots may run that work beside it."""
    (tmp_path / "model").write_text("text")
    cell = cell_by(way, tmp_path, hidden=(tmp_path / "out",))
    (tmp_path / "out").mkdir(exist_ok=True)
    (tmp_path / "out" / "secret").write_text("text")
    answers = tried(cell, ["open('model').read()", "open('out/secret').read()"])
    assert answers.pop("open('model').read()") == "'text'"
    assert set(answers.values()) <= REFUSED, answers


@each_way
def test_a_life_writes_into_its_scratch_folder_alone(way: str, tmp_path: Path) -> None:
    (tmp_path / "model").write_text("text")
    cell = cell_by(way, tmp_path)
    scratch = "os.environ['TMPDIR']"
    answers = tried(
        cell,
        [
            f"open({scratch} + '/note', 'w').write('x')",
            f"os.path.samefile({scratch}, os.environ['HOME'])",
            f"os.mkdir({scratch} + '/deep')",
            f"open({scratch} + '/deep/note', 'w').write('x')",
            f"os.rename({scratch} + '/deep/note', {scratch} + '/other')",
            "open('new', 'w')",
            "open('model', 'a')",
            "open('model', 'r+')",
            "os.truncate('model', 0)",
            "os.unlink('model')",
            "os.chmod('model', 0o777)",
            "os.utime('model')",
            "os.setxattr('model', 'user.note', b'x')",
            "os.link('model', 'twin')",
            "open('/usr/new', 'w')",
        ],
    )
    found = list(answers.values())
    assert found[:5] == ["1", "True", "None", "1", "None"]
    assert set(found[5:]) <= REFUSED, answers
    again = tried(cell, [f"os.path.exists({scratch} + '/note')"])
    assert list(again.values()) == ["False"], "the next life has another one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]
    if cell.scratch is not None:
        assert list(cell.scratch.iterdir()) == [], "scratch folders end with their lives"


@each_way
def test_a_life_neither_sees_nor_reaches_its_neighbours(
    way: str, tmp_path: Path, neighbour: "subprocess.Popen[bytes]"
) -> None:
    number = neighbour.pid
    answers = tried(
        cell_by(way, tmp_path),
        [
            *(f"open('/proc/{number}/{name}', 'rb').read()" for name in ("environ", "cmdline", "maps", "mem", "stat")),
            f"os.listdir('/proc/{number}/fd')",
            f"os.readlink('/proc/{number}/exe')",
            *(f"os.kill({number}, {signal})" for signal in (0, 9, 19)),
            f"os.killpg(os.getpgid({number}), 19)",
            f"os.sched_setaffinity({number}, {{0}})",
            f"os.setpriority(os.PRIO_PROCESS, {number}, 19)",
            "os.setpriority(os.PRIO_USER, 0, 19)",
            f"resource.prlimit({number}, resource.RLIMIT_CPU, (0, 0))",
            f"process_vm_readv({number})",
            f"ptrace_attach({number})",
        ],
        before="""
import ctypes, resource
library = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result
def process_vm_readv(number):
    return checked(library.process_vm_readv(number, None, 0, None, 0, 0))
def ptrace_attach(number):
    return checked(library.ptrace(16, number, None, None))
""",
    )
    assert set(answers.values()) <= REFUSED, answers
    assert neighbour.poll() is None
    state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    assert state == "S", "nobody has stopped it"


@each_way
def test_a_life_that_works_in_the_folder_of_all_folders_sees_no_more_of_others(
    way: str, tmp_path: Path, neighbour: "subprocess.Popen[bytes]"
) -> None:
    answers = tried(
        cell_by(way, Path("/"), hidden=(tmp_path,)),
        [
            "open('/etc/passwd').read() and None",
            f"open('/proc/{neighbour.pid}/cmdline').read()",
            f"open('/proc/{neighbour.pid}/status').read()",
            *(f"os.open('/dev/{disk.name}', os.O_RDONLY)" for disk in Path("/sys/block").iterdir()),
            "os.open('/dev/kmsg', os.O_RDONLY)",
        ],
    )
    first, *others = answers.values()
    assert first == "None"
    assert set(others) <= REFUSED, answers


@each_way
def test_a_life_has_no_network_but_the_socket_of_the_server(way: str, tmp_path: Path) -> None:
    with TemporaryDirectory() as near, socket.socket(socket.AF_UNIX) as server, socket.create_server(("", 0)) as other:
        server.bind(f"{near}/s")
        server.listen()
        port = other.getsockname()[1]
        answers = tried(
            cell_by(way, tmp_path, socket=Path(near, "s")),
            [
                f"socket.socket(socket.AF_UNIX).connect({near + '/s'!r})",
                f"socket.create_connection(('127.0.0.1', {port}), timeout=5)",
                "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
                "socket.socket(socket.AF_INET6)",
                "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
            ],
            before="import socket",
        )
    found = list(answers.values())
    assert found[0] == "None"
    assert set(found[1:]) <= REFUSED, answers


LEAVES = """
import ctypes, fcntl, mmap, os, socket, sys
library = ctypes.CDLL(None)
try:
    if {leave} == -1:
        raise OSError
    print("left", flush=True)
    sys.stdin.read()
except OSError:
    print("refused", flush=True)
"""


@each_way
@pytest.mark.parametrize(
    ("leave", "look"),
    [
        pytest.param(
            "open('/dev/shm/ordago-note', 'w').write('x')", "open('/dev/shm/ordago-note').read()", id="shared memory"
        ),
        pytest.param(
            "(meeting := socket.socket(socket.AF_UNIX), meeting.bind('\\0ordago-note'), meeting.listen())",
            "socket.socket(socket.AF_UNIX).connect('\\0ordago-note')",
            id="socket without a path",
        ),
    ],
)
def test_where_a_life_leaves_a_note_no_other_life_finds_it(way: str, leave: str, look: str, tmp_path: Path) -> None:
    cell = cell_by(way, tmp_path)
    with begun(cell, (*PYTHON, "-c", LEAVES.format(leave=leave))) as first:
        assert first.stdout is not None
        assert first.stdout.readline().decode() in ("left\n", "refused\n")
        answers = tried(cell, [look], before="import socket")
        first.communicate()
    assert set(answers.values()) <= {*REFUSED, "ConnectionRefusedError"}, answers


@pytest.mark.slow
@each_way
@pytest.mark.parametrize(
    "leave",
    [
        pytest.param("fcntl.flock(open(sys.executable), fcntl.LOCK_SH)", id="lock"),
        pytest.param("fcntl.lockf(open(sys.executable), fcntl.LOCK_SH | fcntl.LOCK_NB)", id="lock of a part"),
        pytest.param("library.inotify_init()", id="watch"),
        pytest.param("fcntl.fcntl(open(sys.executable), 1036, bytes([3, *bytes(7)]))", id="hint"),
        pytest.param("fcntl.ioctl(open('mine'), 0x40086602, bytes([0x40, *bytes(7)]))", id="flag"),
        pytest.param("fcntl.ioctl(open('mine'), 0x40087602, bytes(8))", id="version"),
        pytest.param("os.preadv(os.open('mine', 0), [bytearray(1)], 0, os.RWF_NOWAIT)", id="whether it is in memory"),
        pytest.param("os.posix_fadvise(os.open('mine', 0), 0, 0, 4)", id="that it is not needed in memory"),
        pytest.param("mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)", id="memory of a device"),
        pytest.param("library.shmget(0x0DA60, 4096, 0o1600)", id="memory of System V"),
        pytest.param("library.mincore(None, 0, None)", id="what is in memory of a file"),
        pytest.param("library.memfd_create(b'note', 0)", id="memory as a file"),
        pytest.param("library.mmap(None, 4096, 3, 0x21, -1, 0)", id="memory that is shared and has no name"),
    ],
)
def test_a_life_leaves_no_note_on_what_lives_have_in_common(way: str, leave: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("text")
    assert said(cell_by(way, tmp_path), (*PYTHON, "-c", LEAVES.format(leave=leave))) == "refused\n"


@each_way
def test_a_life_has_no_more_rights_than_anybody(way: str, tmp_path: Path) -> None:
    status = dict(line.split(":\t") for line in said(cell_by(way, tmp_path), ("cat", "/proc/self/status")).splitlines())
    assert [int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")] == [0, 0, 0, 0]
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


@each_way
def test_a_life_cannot_make_another_world_for_itself(way: str, tmp_path: Path) -> None:
    calls = ["unshare(0x10000000)", "unshare(0x20000)", "mount(b'x', b'/', b'tmpfs', 0, None)", "setns(0, 0)"]
    answers = tried(
        cell_by(way, tmp_path),
        [f"library.{call}" for call in calls],
        before="import ctypes; library = ctypes.CDLL(None)",
    )
    assert set(answers.values()) == {"-1"}, answers


@each_way
def test_what_is_given_can_be_read(way: str, tmp_path: Path) -> None:
    folder, models = tmp_path / "bot", tmp_path / "models"
    folder.mkdir()
    models.mkdir()
    (models / "big").write_text("weights")
    line = f"open({str(models / 'big')!r}).read()"
    given = (*readable_for(PYTHON, folder), models)
    assert set(tried(cell_by(way, folder), [line]).values()) <= REFUSED
    assert tried(cell_by(way, folder, readable=given), [line]) == {line: "'weights'"}
