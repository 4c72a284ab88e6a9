"""A match in an arena in memory whose first seat a test plays."""

from collections.abc import Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio
from support.connections import Answering, Lobby, default
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.play import play


def forfeits(record: v1.MatchRecord) -> list[tuple[int, int]]:
    return [(entry.forfeit.seat, entry.forfeit.fault) for entry in record.entries if entry.HasField("forfeit")]


class Match:
    """A match of seat 0, whom the test plays, against two who answer at once if nothing else is said."""

    def __init__(
        self, lobby: Lobby, *, others: Answering = default, greeting: Mapping[str, Any] | None = None, **terms: Any
    ) -> None:
        self.lobby = lobby
        self.connection, self.bot = lobby.enter(**(greeting or {}))
        self.others = [lobby.enter(answering=others)[1] for _ in range(2)]
        self.terms = match_terms(**terms)
        self.record: v1.MatchRecord | None = None
        self.cancel_scope = trio.CancelScope()

    async def run(self) -> None:
        seats = [bot.take_seat() for bot in (self.bot, *self.others)]
        with self.cancel_scope:
            self.record = (await play(self.terms, seats)).message

    @property
    def choices(self) -> list[v1.RecordedChoice]:
        """The choices of seat 0 in the record."""
        assert self.record is not None
        return [entry.choice for entry in self.record.entries if entry.HasField("choice") and not entry.choice.seat]


@asynccontextmanager
async def playing(**terms: Any) -> Any:
    """Begin a match, come to its first decision, and leave all others to the default at the end."""
    match = Match(Lobby(), **terms)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.run)
        await wait_all_tasks_blocked()
        assert match.connection.open_decisions == {(1, 1)}
        yield match
