"""The matches that people play, and the tables that wait for people, with limits for each address."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

import trio

from ordago.arena.allowance import Allowances
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.scene import english, sentence
from ordago_web.play.human_match import HumanMatch
from ordago_web.play.opponents import STRENGTHS
from ordago_web.play.table import PlayTable
from ordago_web.play.thinking import Thinking, ThinkingProcess
from ordago_web.play.waiting_table import Guest, WaitingTable
from ordago_web.play.wishes import Wish

_TIME: Final = TimeTerms(decision_ms=86_400_000)
"""A day; abandoned matches end long before."""
_FAULTS: Final = FaultTerms(forfeit_after=0)
_TOO_MANY_WAIT: Final = sentence("Too many tables wait for friends: close one, or try again later.").words
_HINTS_AT_ONCE: Final = 20
_HINTS_PER_SECOND: Final = 0.5
"""Hints of one address. Each takes the house some 100 ms, so that a flood takes a twentieth of its time."""
_LOOK_SECONDS: Final = 10.0
"""The interval between searches for old matches."""


class FullError(Exception):
    """No match can begin now. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class PlayBounds:
    """The limits of play."""

    matches: int = 60
    """The limit of running matches."""
    of_origin: int = 6
    """The limit of running matches from one address."""
    waiting: int = 60
    """The limit of tables that wait for friends."""
    waiting_of_origin: int = 3
    """The limit of waiting tables from one address."""
    kept: int = 200
    """The number of finished matches that stay viewable."""
    idle_seconds: float = 1800.0
    """The time without an answer after which a match ends."""
    among_people_seconds: float = 300.0
    """The same where others wait: then the house plays on."""
    waiting_seconds: float = 1800.0
    """The time for which a table waits for friends."""
    kept_seconds: float = 7200.0
    """The time for which a finished match stays viewable."""


class PlaySessions:
    """The matches that people play. For use in trio's thread only."""

    def __init__(
        self,
        thinking: Thinking,
        *,
        bounds: PlayBounds | None = None,
        secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        """Begin without matches.

        Args:
            thinking: answers for the house bots.
            bounds: the limits; the usual ones if ``None``.
            secret: returns a new secret of 32 bytes, from which the deals of a match follow.
        """
        self._thinking = thinking
        self._bounds = bounds or PlayBounds()
        self._secret = secret
        self._tables: dict[str, PlayTable] = {}
        """The tables by the id of their match, in the order in which they began."""
        self._waiting: dict[str, WaitingTable] = {}
        """The tables that wait for friends, by their tokens."""
        self._nursery: trio.Nursery | None = None
        self._hints = Allowances(per_second=_HINTS_PER_SECOND, at_once=_HINTS_AT_ONCE)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the matches until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            while True:
                await trio.sleep(_LOOK_SECONDS)
                self._forget()

    def open(self, wish: Wish, host: Guest) -> HumanMatch:
        """Begin the match of a person against house bots.

        Raises:
            FullError: there are too many matches.
        """
        return self._begin(wish, {wish.seat: host})[wish.seat]

    def _begin(self, wish: Wish, guests: Mapping[int, Guest]) -> Mapping[int, HumanMatch]:
        self._make_room(next(iter(guests.values())).person.origin)
        assert self._nursery is not None, "it plays while it runs"
        terms = _terms(wish, self._secret())
        idle_seconds = self._bounds.idle_seconds if len(guests) == 1 else self._bounds.among_people_seconds
        people = {
            seat: HumanMatch(
                terms, wish._replace(seat=seat), guest.person, idle_seconds=idle_seconds, translate=guest.translate
            )
            for seat, guest in guests.items()
        }
        table = self._tables[terms.match_id] = PlayTable(terms, wish, people)
        self._nursery.start_soon(table.play, self._thinking)
        return people

    async def hint(self, human_match: HumanMatch, number: int) -> list[str]:
        """Return a hint at the open decision of a match, as ``HumanMatch.hint`` does.

        Raises:
            FullError: this address asked for too many hints.
        """
        if self._hints.take(human_match.person.origin, at=trio.current_time()):
            raise FullError("Too many hints were asked for from your address: try again in a few seconds.")
        return await human_match.hint(number, self._thinking)

    def _make_room(self, origin: str) -> None:
        """If the limit of the address or of all matches is reached, end the match abandoned for longest.

        Raises:
            FullError: a limit is reached, and no match is abandoned.
        """
        running = [table for table in self._tables.values() if table.ended_at is None]
        own = [table for table in running if table.origin == origin]
        if len(own) >= self._bounds.of_origin:
            words = english(
                "{number} matches are already running from your address: finish one, or leave its table.",
                number=len(own),
            )
            _vacate(own, words)
        elif len(running) >= self._bounds.matches:
            _vacate(running, english("All tables are taken: try again in a few minutes."))

    def wait_for_friends(self, wish: Wish, host: Guest) -> WaitingTable:
        """Open a table that waits for friends.

        Raises:
            FullError: there are too many.
        """
        own = [table for table in self._waiting.values() if table.host.origin == host.person.origin]
        if len(own) >= self._bounds.waiting_of_origin or len(self._waiting) >= self._bounds.waiting:
            raise FullError(_TOO_MANY_WAIT)
        table = WaitingTable(wish, host)
        self._waiting[table.token] = table
        return table

    def waiting(self, token: str) -> WaitingTable | None:
        """Return a table that waits, or where friends began a match a short while ago."""
        return self._waiting.get(token)

    def close_waiting(self, table: WaitingTable) -> None:
        """Close a table that waits."""
        self._waiting.pop(table.token, None)

    def begin_waiting(self, table: WaitingTable) -> None:
        """Begin the match of a table that waits, with house bots at free seats.

        Raises:
            FullError: there are too many matches.
        """
        if not table.match_id:
            people = self._begin(table.wish.complete, table.guests)
            table.match_id = next(iter(people.values())).terms.match_id

    def find(self, match_id: str, *, owner: str) -> HumanMatch | None:
        """Return a match of this owner, or ``None``. The answer does not reveal matches of others."""
        table = self._tables.get(match_id)
        people = table.people.values() if table else ()
        return next((human for human in people if compare_digest(human.person.owner.encode(), owner.encode())), None)

    def of_owner(self, owner: str) -> list[HumanMatch]:
        """Return the running matches of an owner, in the order in which they began."""
        found = (self.find(match_id, owner=owner) for match_id in self._tables)
        return [human_match for human_match in found if human_match is not None and human_match.is_played]

    def hand_over(self, before: str, after: str) -> None:
        """Move the matches of a browser to the new id of its session."""
        for match_id in self._tables:
            human_match = self.find(match_id, owner=before)
            if human_match is not None:
                human_match.person = human_match.person._replace(owner=after)
        for table in self._waiting.values():
            table.hand_over(before, after)

    def _forget(self) -> None:
        """Drop matches that ended long ago, the last ones of ``_latest_of_each`` if there are too many, and tables."""
        now = trio.current_time()
        for waiting in [one for one in self._waiting.values() if now - one.opened_at > self._bounds.waiting_seconds]:
            self.close_waiting(waiting)
        over = [(name, table) for name, table in self._tables.items() if table.ended_at is not None]
        kept = [(name, table) for name, table in over if now - _end_of(table) <= self._bounds.kept_seconds]
        for name in {name for name, _ in over} - set(_latest_of_each(kept)[: self._bounds.kept]):
            del self._tables[name]


def _vacate(tables: Iterable[PlayTable], problem: str) -> None:
    abandoned = [table for table in tables if table.is_abandoned]
    if not abandoned:
        raise FullError(problem)
    max(abandoned, key=lambda table: table.idle_seconds).make_way()


def _end_of(table: PlayTable) -> float:
    assert table.ended_at is not None, "only matches that are over are forgotten"
    return table.ended_at


def _latest_of_each(over: Iterable[tuple[str, PlayTable]]) -> list[str]:
    """Return the names of finished matches: the latest of each address, then the second latest of each, and so on.

    So an address that begins and leaves many matches displaces only its own.
    """
    later = Counter[str]()
    found: list[tuple[int, float, str]] = []
    for name, table in sorted(over, key=lambda each: -_end_of(each[1])):
        found.append((later[table.origin], -_end_of(table), name))
        later[table.origin] += 1
    return [name for _, _, name in sorted(found)]


def _terms(wish: Wish, secret: bytes) -> MatchTerms:
    names = [
        SeatTerms(name, STRENGTHS[strength].version) if strength else SeatTerms(name)
        for name, strength in zip(wish.names, wish.strengths, strict=True)
    ]
    return single_match_terms(
        game=wish.game,
        options=wish.options,
        seats=names,
        secret=secret,
        event="play",
        nonces={},
        time=_TIME,
        faults=_FAULTS,
    )


@asynccontextmanager
async def opened_sessions(bounds: PlayBounds | None = None) -> AsyncIterator[PlaySessions]:
    """Open play sessions whose house bots run in a process of their own. All matches end with the context."""
    thinking = ThinkingProcess()
    async with trio.open_nursery() as nursery:
        sessions = PlaySessions(thinking, bounds=bounds)
        await nursery.start(sessions.run)
        try:
            yield sessions
        finally:
            nursery.cancel_scope.cancel()
            await thinking.close()
