"""Matches that everybody left: they are played to their end, and hold up nobody meanwhile."""

from collections.abc import Callable, Sequence

import pytest
import trio
from support.halls import Hall
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.journal import NO_JOURNAL, MatchPage
from ordago.journal.v1 import JournaledMatch
from ordago.record import verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]

_BOTS = 180
_MOST_IN_A_TURN = 3 * _BOTS
"""What is at most decided in a turn of trio's loop: the open decision of each match, and a handful of one match."""


class CountingJournal:
    """Keeps nothing, and counts what is decided in each turn of trio's loop."""

    lasts = False

    def __init__(self) -> None:
        self.in_this_turn = 0
        self.most_in_a_turn = 0
        self.past: tuple[v1.RecordEntry, ...] = ()

    def enter(self, entries: Sequence[bytes]) -> None:
        self.in_this_turn += len(entries)
        self.most_in_a_turn = max(self.most_in_a_turn, self.in_this_turn)

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Nothing fails."""

    def begin_match(self, _match: JournaledMatch) -> MatchPage:
        return self

    begin_session = staticmethod(NO_JOURNAL.begin_session)
    end_session = staticmethod(NO_JOURNAL.end_session)
    end_match = staticmethod(NO_JOURNAL.end_match)


class EachTurn(trio.abc.Instrument):
    """Tells a journal when a turn begins."""

    def __init__(self, journal: CountingJournal) -> None:
        self._journal = journal

    def after_io_wait(self, _timeout: float) -> None:
        self._journal.in_this_turn = 0


@pytest.mark.slow
async def test_matches_that_all_left_at_once_are_not_played_on_at_a_stroke() -> None:
    journal = CountingJournal()
    opened = Hall(journal=journal)
    trio.lowlevel.add_instrument(EachTurn(journal))
    async with opened.open():
        bots = [opened.enter(f"bot {number}") for number in range(_BOTS)]
        await wait_all_tasks_blocked()
        assert opened.tables.running == _BOTS // 3
        for bot in bots:
            bot.vanish()
        await trio.sleep(2 * RESUME_WINDOW_SECONDS)
        assert opened.tables.running == 0
    assert len(opened.records) == _BOTS // 3
    assert sum(len(record.entries) for record in opened.records) > 10 * _MOST_IN_A_TURN
    assert journal.most_in_a_turn <= _MOST_IN_A_TURN
    assert not verify(opened.records[0])
