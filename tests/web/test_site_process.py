"""A site in a process of its own, which is started again where it ends or hangs."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio

from ordago_web import site_process
from ordago_web.serving.listener import Place, listening
from ordago_web.settings import SiteSettings
from ordago_web.site_process import SiteProcess

SETTINGS = SiteSettings(place=Place(address="127.0.0.1:0"), plays=False)
SILENT_SECONDS = 3.0
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")


class Told:
    """What a site beside tells of its processes."""

    def __init__(self) -> None:
        self.away = ""
        self.went, self.there = trio.Event(), trio.Event()

    def is_away(self, why: str) -> None:
        self.away = why
        self.went.set()

    def is_there(self) -> None:
        self.there.set()


@contextmanager
def prepared(told: Told) -> Iterator[tuple[SiteProcess, int]]:
    """Give a site that can be run, and its port."""
    with listening(SETTINGS.place.address) as listener:
        site = SiteProcess(SETTINGS, listener, away=told.is_away, there=told.is_there, silent_seconds=SILENT_SECONDS)
        yield site, listener.getsockname()[1]


def children() -> set[int]:
    """Return the processes of sites that this one has started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"ordago_web.process" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


async def health(port: int) -> bytes:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return b"".join([part async for part in stream])


@pytest.mark.slow
async def test_a_process_that_hangs_is_killed_and_another_answers():
    told = Told()
    with prepared(told) as (site, port):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(site.run)
            await told.there.wait()
            (first,) = children()
            os.kill(first, signal.SIGSTOP)
            # It comes in while nobody answers, and is answered by the process that follows.
            with trio.fail_after(60):
                assert b'{"status":"ok"}' in await health(port)
            assert first not in children()
            assert "did not respond for 3 s, and was killed" in told.away
            nursery.cancel_scope.cancel()
    assert not children()


async def test_a_process_that_closes_what_shows_its_life_and_stays_is_ended(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
):
    stays = "import os, sys, time; os.close(int(sys.argv[2])); time.sleep(1000)"
    monkeypatch.setattr(
        site_process, "command_of", lambda _module, *given: (sys.executable, "-c", stays, *map(str, given))
    )
    monkeypatch.setattr(site_process, "_END_SECONDS", 0.1)
    told = Told()
    with prepared(told) as (site, _):
        nursery.start_soon(site.run)
        with trio.fail_after(20):
            await told.went.wait()
        assert "did not end properly" in told.away
        nursery.cancel_scope.cancel()


async def test_a_process_that_cannot_be_started_is_told(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site_process, "command_of", lambda *_given: ("/nowhere/python",))
    told = Told()
    with prepared(told) as (site, _):
        nursery.start_soon(site.run)
        with trio.fail_after(20):
            await told.went.wait()
        assert "could not be started: No such file" in told.away
        nursery.cancel_scope.cancel()
