"""A server with casual tables behind it, in memory."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import trio
from support.connections import Answering, FakeConnection, silent
from support.frames import hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.server import open_server
from ordago.arena.tables.pauses import FIRST_PAUSE_SECONDS
from ordago.arena.tables.tables import CasualTables, RecordKeeper, TableTerms
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.journal import NO_JOURNAL, MatchJournal
from ordago.match import TimeTerms
from ordago.record import FinishedRecord
from ordago.telemetry.telemetry import Telemetry

MITTLERE = find_game("mittlere")


class Hall:
    """A server with casual tables behind it, and telemetry that is told of both."""

    def __init__(
        self,
        *games: AnyGame,
        keep: RecordKeeper | None = None,
        decision_ms: int = 1000,
        journal: MatchJournal = NO_JOURNAL,
        bounds: ConnectionBounds | None = None,
        pause_seconds: float = FIRST_PAUSE_SECONDS,
    ) -> None:
        """Offer tables for three, of Mittlere if no game is given."""
        played = games or (MITTLERE,)
        time = TimeTerms(decision_ms=decision_ms)
        kinds = [TableTerms(game, 3, {"deals": 3}, time) for game in played]
        self.bots: list[Bot] = []
        self.records: list[v1.MatchRecord] = []
        self.telemetry = Telemetry()
        self.tables = CasualTables(
            kinds,
            keep=keep or self._keep,
            rng=Random(1),
            telemetry=self.telemetry,
            journal=journal,
            pause_seconds=pause_seconds,
        )
        self.server = open_server(self.tables, AllowEverybody(self._arrived), bounds=bounds)

    def _arrived(self, bot: Bot) -> None:
        if bot not in self.bots:
            self.bots.append(bot)
        self.tables.arrived(bot)

    async def _keep(self, record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        self.records.append(record.message)

    def enter(self, name: str, *, answering: Answering = silent, **fields: Any) -> FakeConnection:
        """Let a bot come in that plays one match at once, if nothing else is said."""
        connection = FakeConnection(self.server, answering=answering)
        connection.say(hello(**{"bot": v1.Software(name=name), "max_matches": 1, **fields}))
        return connection

    def come_back(self, connection: FakeConnection) -> FakeConnection:
        """Resume the session of a connection by another."""
        again = FakeConnection(self.server)
        again.say(hello(resume=connection.resume))
        return again

    def enter_all(self, *names: str, answering: Answering = silent) -> Sequence[FakeConnection]:
        """Let several bots come in."""
        return [self.enter(name, answering=answering) for name in names]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[trio.Nursery]:
        """Run the tables while the test does what it does, then stop all matches."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.tables.run)
            yield nursery
            nursery.cancel_scope.cancel()


class FailingRules:
    """The rules of Mittlere, with a mistake in them: some matches fail after some actions."""

    def __init__(self, *, failures: int, actions: int = 5) -> None:
        """Let so many matches fail, the first ones, each after so many actions."""
        self._failures = failures
        self._actions = actions

    def __getattr__(self, name: str) -> Any:
        return getattr(MITTLERE.rules, name)

    def new_match(self, **terms: Any) -> Any:
        state = MITTLERE.rules.new_match(**terms)
        if self._failures:
            self._failures -= 1
            return _FailingState(state, self._actions)
        return state


class UnpreparedRules:
    """The rules of Mittlere, one method of which makes a mistake before the first match begins."""

    def __init__(self, method: str) -> None:
        """Let this method fail once."""
        self._failing = method

    def __getattr__(self, name: str) -> Any:
        return self._fail if name == self._failing else getattr(MITTLERE.rules, name)

    def _fail(self, *_values: object, **_terms: object) -> None:
        self._failing = ""
        raise RuntimeError("a mistake in the rules")


class _FailingState:
    def __init__(self, state: Any, actions: int) -> None:
        self._state = state
        self._actions = actions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def apply(self, action: Any) -> Any:
        if not self._actions:
            raise RuntimeError("a mistake in the rules")
        self._actions -= 1
        return self._state.apply(action)


def failing_game(*, failures: int, actions: int = 5) -> AnyGame:
    """Return Mittlere with a mistake in its rules."""
    return game_by(FailingRules(failures=failures, actions=actions))


def game_by(rules: Any) -> AnyGame:
    """Return Mittlere by some rules."""
    return type(MITTLERE)(rules=rules, codec=MITTLERE.codec, staging=MITTLERE.staging)
