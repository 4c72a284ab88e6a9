"""Bots of the server's own: whatever becomes of them, they forfeit nothing, and nobody wins by what they fail in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from support.connections import FakeConnection, Lobby, default, silent
from support.frames import choice, hello
from support.matches import match_terms
from support.played_match import forfeits
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.play import MatchFailedError, play
from ordago.match import PlayerFailedError, audit
from ordago.record import verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]
DECISION_SECONDS = 10


class Keeper:
    """Keeps a bot, and counts how often it is to be replaced."""

    name = "random"

    def __init__(self) -> None:
        self.replaced = 0

    def replace(self) -> None:
        self.replaced += 1


class Table:
    """A match of a bot of the server's own, in seat 0, against two others."""

    def __init__(self) -> None:
        self.lobby, self.keeper = Lobby(), Keeper()
        self.connection, self.bot = self.lobby.enter()
        self.bot.channel.keeper = self.keeper
        self.others = [self.lobby.enter(answering=default) for _ in range(2)]
        self.terms = match_terms(forfeit_after=1, decision_ms=1000 * DECISION_SECONDS)
        self.record: v1.MatchRecord | None = None
        self.failure: BaseException | None = None

    async def run(self) -> None:
        seats = [bot.take_seat() for bot in (self.bot, *(bot for _, bot in self.others))]
        try:
            self.record = (await play(self.terms, seats)).message
        except MatchFailedError as error:
            self.failure = error.__cause__

    def take_up(self) -> FakeConnection:
        """Let another process, which plays by default, go on in place of the first."""
        connection = FakeConnection(self.lobby.server, answering=default)
        connection.say(hello(resume=self.connection.resume))
        return connection

    @property
    def first(self) -> v1.RecordedChoice:
        """The first choice of seat 0."""
        assert self.record is not None
        return next(one.choice for one in self.record.entries if one.HasField("choice") and not one.choice.seat)

    def assert_honest(self) -> None:
        """See that the match counts, without a fault of the bot of the server's own."""
        assert self.record is not None
        assert not verify(self.record)
        assert not audit(self.record).problems
        assert not forfeits(self.record)
        assert not [one for one in self.record.entries if one.HasField("choice") and one.choice.fault]

    def assert_void(self, why: str) -> None:
        """See that the match is void, for this reason, and that nobody is told that somebody forfeited."""
        assert self.record is None
        assert isinstance(self.failure, PlayerFailedError)
        assert str(self.failure) == f"'random', a bot of the server itself, could not go on: {why}"
        for connection, bot in self.others:
            assert not connection.of(v1.Forfeited)
            assert not connection.last(v1.MatchEnd).HasField("outcome")
            assert not bot.plays


@asynccontextmanager
async def playing() -> AsyncIterator[Table]:
    table = Table()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.run)
        await wait_all_tasks_blocked()
        assert table.connection.open_decisions == {(1, 1)}
        yield table


async def test_a_lost_connection_costs_no_time_and_the_match_goes_on_at_the_next_process() -> None:
    """There is no time to be away in these terms: a guest would be taken the default for at once."""
    async with playing() as table:
        await trio.sleep(4)
        table.connection.vanish()
        await trio.sleep(30)
        table.take_up()
    table.assert_honest()
    assert (table.first.charged_ms, table.first.away_ms, table.first.lost_ms) == (0, 0, 34_000)


async def test_what_is_asked_while_no_process_is_there_waits_for_the_next() -> None:
    async with playing() as table:
        table.connection.say(choice(1, 1))
        table.connection.vanish()
        await trio.sleep(30)
        table.take_up()
    table.assert_honest()


@pytest.mark.parametrize("late_seconds", [0.01, 3, DECISION_SECONDS - 1])
async def test_a_late_answer_stands_and_what_it_took_too_long_is_held_against_the_server(late_seconds: float) -> None:
    async with playing() as table:
        table.connection._answering = default
        await trio.sleep(DECISION_SECONDS + late_seconds)
        table.connection.say(choice(1, 1))
    table.assert_honest()
    assert table.first.charged_ms <= 1000 * DECISION_SECONDS
    assert table.first.charged_ms + table.first.lost_ms == pytest.approx(
        1000 * (DECISION_SECONDS + late_seconds), abs=1
    )
    assert not table.keeper.replaced


async def test_one_that_hangs_is_replaced_and_the_match_goes_on() -> None:
    async with playing() as table:
        await trio.sleep(2 * DECISION_SECONDS + 1)
        assert table.keeper.replaced == 1
        table.take_up()
    table.assert_honest()
    assert table.keeper.replaced == 1


async def test_where_the_next_process_hangs_as_well_the_match_is_void_within_four_times_the_time() -> None:
    async with playing() as table:
        await trio.sleep(2 * DECISION_SECONDS + 1)
        table.take_up()._answering = silent
        begun = trio.current_time()
    assert trio.current_time() - begun < 2 * DECISION_SECONDS + 1
    table.assert_void("it did not answer")


@pytest.mark.parametrize("fault", [v1.FAULT_CRASHED, v1.FAULT_OVER_LIMIT, v1.FAULT_DISCONNECTED])
async def test_one_that_does_not_come_back_makes_the_match_void(fault: v1.Fault) -> None:
    async with playing() as table:
        table.connection.vanish()
        table.bot.give_up(fault, "the process of the bot ended")
    table.assert_void("the process of the bot ended")


async def test_one_that_is_away_for_too_long_makes_the_match_void() -> None:
    async with playing() as table:
        table.connection.vanish()
    assert table.failure is not None
    table.assert_void(table.bot.loss.sentence if table.bot.loss else "")


async def test_what_it_sends_that_nobody_understands_makes_the_match_void() -> None:
    async with playing() as table:
        table.connection.say_bytes(b"\xff" * 40)
    assert isinstance(table.failure, PlayerFailedError)


async def test_illegal_answers_that_would_forfeit_make_the_match_void() -> None:
    async with playing() as table:
        for _ in range(3):
            table.connection.say(choice(1, 1, 10_000))
            await wait_all_tasks_blocked()
    assert isinstance(table.failure, PlayerFailedError)
    assert not [connection for connection, _ in table.others if connection.of(v1.Forfeited)]


async def test_one_that_is_lost_before_the_match_begins_makes_it_void() -> None:
    table = Table()
    table.bot.give_up(v1.FAULT_CRASHED, "the process of the bot ended")
    await table.run()
    assert isinstance(table.failure, PlayerFailedError)
    assert not [connection for connection, _ in table.others if connection.of(v1.MatchStart)]


async def test_a_guest_at_the_same_table_still_forfeits() -> None:
    async with playing() as table:
        other: Bot = table.others[0][1]
        other.give_up(v1.FAULT_CRASHED, "it ended")
        table.connection._answering = default
        table.connection.say(choice(1, 1))
    assert table.record is not None
    assert forfeits(table.record) == [(1, v1.FAULT_CRASHED)]
