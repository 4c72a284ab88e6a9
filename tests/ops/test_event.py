"""What a run of an event counts."""

from functools import partial
from pathlib import Path

import pytest
import trio

from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.runner import run_event
from ordago_ladder.watching import Unwatched

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


class Nobody(Unwatched):
    """A watcher who looks away."""

    def warned(self, sentence: str) -> None:
        raise AssertionError(sentence)


@pytest.mark.slow
def test_matches_decisions_sessions_and_commits_are_counted(tmp_path: Path) -> None:
    telemetry, settings = Telemetry(), parse_event(EVENT)
    trio.run(partial(run_event, settings, EVENT, EventFolder(tmp_path / "out"), listener=Nobody(), telemetry=telemetry))
    counters = telemetry.counters
    mittlere = counters.game("mittlere")
    assert (mittlere.matches_begun, mittlere.matches_finished, mittlere.matches_void) == (6, 6, 0)
    assert mittlere.asked == mittlere.charged_ms.count == 6 * 3 * 36
    assert 1 <= counters.commits <= 6
    assert counters.sessions.opened >= 3
    assert counters.sessions.connected == 0
    assert counters.wire.frames_in > 0
    assert counters.wire.bytes_out > counters.wire.bytes_in
    assert counters.turned_at > 0
