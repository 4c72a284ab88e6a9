"""A disk that fills at once: matches that run go on in the room that is kept for them, and nothing new begins."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.journals import alive, alive_in_a_copy, entry, match, seats_of, session

from ordago.journal import Journal, JournalError, room
from ordago.journal.v1 import JournaledSession

ON_A_FULL_DISK = """
import os, sys
from pathlib import Path
from support.journals import entry, match, session
from ordago.journal import Journal, JournalError
from ordago.journal.v1 import JournaledSession

folder = Path(sys.argv[1])
journal = Journal(folder / "journal")
journal.begin_session(session(1))
page = journal.begin_match(match("m", 1))
try:
    with (folder / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1 << 16))
except OSError as error:
    assert error.errno == 28
assert os.statvfs(folder).f_bavail == 0
for number in range(1000):
    page.enter([entry(number % 4)])
written = 0
try:
    while True:
        journal.begin_session(JournaledSession(session_id="s1", games=["-" * (1 << 16)]))
        written += 1
        if written == 32:
            journal.renew_reserve()
            assert journal.is_full
            try:
                journal.begin_match(match("n", 1))
            except JournalError as error:
                print(error)
except JournalError as error:
    print(error)
print(written, len(page.past))
"""


class Disk:
    """A disk with some room, part of which may belong to a file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, free: int) -> None:
        self.free = free
        self._reserved: dict[int, int] = {}
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr(room, "reserve", self.reserve)

    def reserve(self, descriptor: int, *, begin: int, length: int) -> bool:
        more = begin + length - max(begin, self._reserved.get(descriptor, 0))
        if more > self.free:
            return False
        self.free -= more
        self._reserved[descriptor] = begin + length
        return True

    def write(self, descriptor: int, data: bytes) -> int:
        end = os.fstat(descriptor).st_size + len(data)
        more = max(0, end - max(end - len(data), self._reserved.get(descriptor, 0)))
        if more > self.free:
            raise OSError(28, os.strerror(28))
        self.free -= more
        return self._write(descriptor, data)


def test_matches_that_run_go_on_on_a_full_disk_and_nothing_new_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch, free=1 << 30)
    journal = Journal(tmp_path / "journal")
    journal.begin_session(session(1))
    pages = [journal.begin_match(match(f"m{number}", 1)) for number in range(73)]
    disk.free = 0
    for number in range(100):
        for page in pages:
            page.enter([entry(number % 4)])
    journal.begin_session(JournaledSession(session_id="s1", games=["-" * (1 << 20)]))
    journal.renew_reserve()
    assert journal.is_full
    for begin in (lambda: journal.begin_match(match("n", 1)), lambda: journal.begin_session(session(2))):
        with pytest.raises(JournalError, match="except for the reserve of running matches: free some space"):
            begin()
    # What has changed of a session that is there is noted, and what ends.
    journal.begin_session(session(1))
    journal.end_match("m0")
    disk.free = 1 << 30
    kept = alive_in_a_copy(tmp_path / "journal")
    assert [len(seats_of(found)) for found in kept] == [100] * 72
    journal.renew_reserve()
    assert not journal.is_full
    journal.begin_match(match("n", 1))
    journal.close()


def test_when_what_was_kept_is_spent_it_is_told_and_the_journal_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch, free=1 << 30)
    journal = Journal(tmp_path / "journal")
    journal.begin_session(session(1))
    disk.free = 0
    long = JournaledSession(session_id="s1", games=["-" * (1 << 20)])
    for _ in range(7):
        journal.begin_session(long)
    with pytest.raises(JournalError, match="cannot write the journal"):
        journal.begin_session(long)
    journal.close()
    disk.free = 1 << 30
    assert len(alive(tmp_path / "journal")[0][0].games) == 2 + 7


def test_a_journal_begins_and_is_compacted_only_where_there_is_room_for_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch, free=1 << 20)
    journal = Journal(tmp_path / "journal")
    assert journal.is_full, "it begins all the same, for the matches that go on"
    disk.free = (8 << 20) + (1 << 16)
    journal.renew_reserve()
    assert not journal.is_full
    with pytest.raises(JournalError):
        journal.begin_compaction()
    assert [path.name for path in tmp_path.iterdir()] == ["journal"], "what came to nothing takes no room"
    journal.close()


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no room can be kept here")
def test_the_room_is_really_taken_and_given_back(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    if path.stat().st_blocks * 512 < 8 << 20:
        pytest.skip("the file system keeps no room for files")
    assert path.stat().st_size < 1 << 12, "the file is no longer for it"
    journal.close()
    assert path.stat().st_blocks * 512 < 1 << 20


@pytest.mark.slow
def test_on_a_real_disk_that_is_full_to_the_last_byte_a_match_goes_on(tmp_path: Path) -> None:
    mounted = f"mount -t tmpfs -o size=12m none {tmp_path} && exec {sys.executable} - {tmp_path}"
    done = subprocess.run(  # noqa: S603 - our own
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mounted],  # noqa: S607 - a tool of the system
        input=ON_A_FULL_DISK,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("nobody may mount anything here")
    assert not done.returncode, done.stderr
    refused, spent, count = done.stdout.splitlines()
    assert "free some space" in refused
    assert "No space left on device" in spent
    assert count.split() == ["127", "1000"], "8 MiB, but for what stands around it"
