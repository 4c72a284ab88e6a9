"""Open events that end at a time: with the round that is played then, and no later, whoever stops them when."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.events import StoppedEvent

from ordago.games import find_game
from ordago.record.ledgers.event import ClosingEntry
from ordago_ladder.run import runner
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder

UNTIL = datetime(2027, 1, 31, 18, tzinfo=UTC)
ROUND = 6
"""One table of three, in all its seatings."""


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Clock:
    """Says what time it is."""

    time = UNTIL - timedelta(hours=1)

    @classmethod
    def now(cls, *, tz: object) -> datetime:
        assert tz is UTC
        return cls.time


class StoppedAfterRound(StoppedEvent):
    """An event that is stopped when so many matches were played."""

    matches = 0

    def played(self, number: int) -> None:
        self.matches += number
        if self.matches == ROUND:
            super().played(number)


@pytest.mark.slow
async def test_who_stops_an_event_after_a_round_cannot_go_on_when_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else an organiser could add a round as often as he likes, until somebody leads whom he likes."""
    monkeypatch.setattr(runner, "datetime", Clock)
    event = StoppedAfterRound(tmp_path, terms=f'parallel = 1\nformat = "open"\nuntil = {UNTIL.isoformat()}')
    with pytest.raises(StoppedError):
        await event.run()
    assert len(event.ledger.results) == ROUND
    Clock.time = UNTIL
    event.goes_on = True
    ladder = await event.run()
    assert len(ladder.results) == ROUND
    assert event.ledger.closing == ClosingEntry(issued=ROUND)
    assert verify_folder(event.folder.path).findings == ()
