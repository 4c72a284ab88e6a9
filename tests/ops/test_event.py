"""What a run of an event counts."""

from functools import partial
from pathlib import Path

import trio

from ordago.arena.chronicle import Chronicle
from ordago_ladder.event_file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder
from ordago_ladder.runner import run_event

EVENT = """
[event]
name = "counted"

[[game]]
name = "mittlere"
options = { deals = 3 }

[[entrant]]
name = "alpha"
house = "random"

[[entrant]]
name = "beta"
house = "default"

[[entrant]]
name = "gamma"
house = "random"
"""


class Nobody:
    """A watcher who looks away."""

    def began(self, *, played: int, planned: int) -> None:
        assert played < planned

    def played(self, number: int) -> None:
        assert number

    def standings(self, ladder: Ladder) -> None:
        assert ladder

    def warned(self, sentence: str) -> None:
        raise AssertionError(sentence)


def test_matches_decisions_sessions_and_commits_are_counted(tmp_path: Path) -> None:
    chronicle, settings = Chronicle(), parse_event(EVENT)
    trio.run(partial(run_event, settings, EVENT, EventFolder(tmp_path / "out"), watcher=Nobody(), chronicle=chronicle))
    census = chronicle.census
    mittlere = census.game("mittlere")
    assert (mittlere.matches_begun, mittlere.matches_finished, mittlere.matches_void) == (6, 6, 0)
    assert mittlere.asked == mittlere.charged_ms.count == 6 * 3 * 36
    assert 1 <= census.commits <= 6
    assert census.sessions.opened >= 3
    assert census.sessions.connected == 0
    assert census.wire.frames_in > 0
    assert census.wire.bytes_out > census.wire.bytes_in
    assert census.turned_at > 0
