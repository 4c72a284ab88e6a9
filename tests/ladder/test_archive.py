"""Publishing the ladder of an event: one at a time."""

import threading
from pathlib import Path

import pytest

from ordago.games import find_game
from ordago.store import Store
from ordago_ladder import archive
from ordago_ladder import settings as settings_module
from ordago_ladder.archive import publish_event
from ordago_ladder.event_file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.terms import begin_entry

EVENT = """
[event]
name = "event"
bootstrap = 100
[[game]]
name = "mittlere"
[[entrant]]
name = "ana"
house = "random"
[[entrant]]
name = "ben"
house = "random"
[[entrant]]
name = "cleo"
house = "random"
"""
MEETING_SECONDS = 0.2


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(settings_module, "find_game", find_game)


def test_a_report_beside_a_run_waits_for_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both would write the same new files, and each replace what the other has not finished."""
    settings, folder = parse_event(EVENT), EventFolder(tmp_path / "out")
    meeting, alone = threading.Barrier(2), list[bool]()

    def meet(*_: object) -> None:
        try:
            meeting.wait(MEETING_SECONDS)
        except threading.BrokenBarrierError:
            alone.append(True)

    monkeypatch.setattr(archive, "publish", meet)
    folder.store.parent.mkdir(parents=True)
    with Store.open(folder.store, create=True) as store:
        secret = b"s" * 32
        store.begin_event(begin_entry(settings, secret=secret), settings=EVENT, identity="", secret=secret)
        threads = [threading.Thread(target=publish_event, args=(settings, EVENT, store, folder)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert alone == [True, True]
