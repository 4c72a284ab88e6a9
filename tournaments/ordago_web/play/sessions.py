"""The matches that people play, with limits that keep one address from crowding out the others."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

import trio

from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago_ladder.showing.scene_json import Translate
from ordago_web.play.human_match import HumanMatch, Person
from ordago_web.play.opponents import STRENGTHS
from ordago_web.play.thinking import Thinking, ThinkingProcess
from ordago_web.play.wishes import Wish

_TIME: Final = TimeTerms(decision_ms=86_400_000)
"""A day; abandoned matches end long before."""
_FAULTS: Final = FaultTerms(forfeit_after=0)
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
    kept: int = 200
    """The number of finished matches that stay viewable."""
    idle_seconds: float = 1800.0
    """The time without an answer after which a match ends."""
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
        self._human_matches: dict[str, HumanMatch] = {}
        """The matches by id, in the order in which they began."""
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the matches until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            while True:
                await trio.sleep(_LOOK_SECONDS)
                self._forget()

    def open(self, wish: Wish, *, owner: str, origin: str, translate: Translate = str) -> HumanMatch:
        """Begin a match.

        Args:
            wish: the match to play.
            owner: the session of the browser.
            origin: its address.
            translate: translates English texts to the language of the person.

        Raises:
            FullError: there are too many matches.
        """
        self._make_room(origin)
        assert self._nursery is not None, "it plays while it runs"
        terms = _terms(wish, self._secret())
        person = Person(owner, origin)
        human_match = HumanMatch(terms, wish, person, idle_seconds=self._bounds.idle_seconds, translate=translate)
        self._human_matches[terms.match_id] = human_match
        self._nursery.start_soon(human_match.play, self._thinking)
        return human_match

    def _make_room(self, origin: str) -> None:
        """If the limit of the address or of all matches is reached, end the match abandoned for longest.

        Raises:
            FullError: a limit is reached, and no match is abandoned.
        """
        running = [human_match for human_match in self._human_matches.values() if human_match.is_played]
        own = [human_match for human_match in running if human_match.person.origin == origin]
        if len(own) >= self._bounds.of_origin:
            _vacate(own, f"{len(own)} matches are already running from your address: finish one, or leave its table")
        elif len(running) >= self._bounds.matches:
            _vacate(running, "all tables are taken: try again in a few minutes")

    def find(self, match_id: str, *, owner: str) -> HumanMatch | None:
        """Return a match of this owner, or ``None``. The answer does not reveal matches of others."""
        human_match = self._human_matches.get(match_id)
        if human_match is None or not compare_digest(human_match.person.owner.encode(), owner.encode()):
            return None
        return human_match

    def of_owner(self, owner: str) -> list[HumanMatch]:
        """Return the running matches of an owner, in the order in which they began."""
        return [
            human_match
            for human_match in self._human_matches.values()
            if human_match.ended_at is None and compare_digest(human_match.person.owner.encode(), owner.encode())
        ]

    def hand_over(self, before: str, after: str) -> None:
        """Move the matches of a browser to the new id of its session."""
        for human_match in self._human_matches.values():
            if compare_digest(human_match.person.owner.encode(), before.encode()):
                human_match.person = human_match.person._replace(owner=after)

    def _forget(self) -> None:
        """Drop matches that ended long ago, and the last ones of ``_latest_of_each`` if there are too many."""
        now = trio.current_time()
        over = [
            (name, human_match) for name, human_match in self._human_matches.items() if human_match.ended_at is not None
        ]
        kept = [
            (name, human_match) for name, human_match in over if now - _end_of(human_match) <= self._bounds.kept_seconds
        ]
        for name in {name for name, _ in over} - set(_latest_of_each(kept)[: self._bounds.kept]):
            del self._human_matches[name]


def _vacate(human_matches: Iterable[HumanMatch], problem: str) -> None:
    abandoned = [human_match for human_match in human_matches if human_match.is_abandoned]
    if not abandoned:
        raise FullError(problem)
    max(abandoned, key=lambda human_match: human_match.idle_seconds).make_way()


def _end_of(human_match: HumanMatch) -> float:
    assert human_match.ended_at is not None, "only matches that are over are forgotten"
    return human_match.ended_at


def _latest_of_each(over: Iterable[tuple[str, HumanMatch]]) -> list[str]:
    """Return the names of finished matches: the latest of each address, then the second latest of each, and so on.

    So an address that begins and leaves many matches displaces only its own.
    """
    later = Counter[str]()
    found: list[tuple[int, float, str]] = []
    for name, human_match in sorted(over, key=lambda each: -_end_of(each[1])):
        found.append((later[human_match.person.origin], -_end_of(human_match), name))
        later[human_match.person.origin] += 1
    return [name for _, _, name in sorted(found)]


def _terms(wish: Wish, secret: bytes) -> MatchTerms:
    names = [
        SeatTerms(name) if seat == wish.seat else SeatTerms(name, STRENGTHS[wish.strengths[seat]].version)
        for seat, name in enumerate(wish.names)
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
