"""Where people play: the matches of all of them, within bounds that nobody can take from the others."""

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
from ordago_web.play.opponents import STRENGTHS
from ordago_web.play.sitting import Person, Sitting
from ordago_web.play.thinking import Thinking, ThinkingProcess
from ordago_web.play.wishes import Wish

_TIME: Final = TimeTerms(decision_ms=86_400_000)
"""A day: a match that nobody plays ends long before."""
_FAULTS: Final = FaultTerms(forfeit_after=0)
_LOOK_SECONDS: Final = 10.0
"""How often old matches are looked for."""


class FullError(Exception):
    """No further match can begin now; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much people may play at a time."""

    matches: int = 60
    """How many matches are played in all."""
    of_origin: int = 6
    """How many of them by people of one address."""
    kept: int = 200
    """How many matches that are over can still be looked at."""
    idle_seconds: float = 1800.0
    """After so long without an answer a match ends."""
    kept_seconds: float = 7200.0
    """For so long a match that is over can be looked at."""


class Parlour:
    """The matches that people play. All of it happens in trio's thread."""

    def __init__(
        self,
        thinking: Thinking,
        *,
        bounds: Bounds | None = None,
        secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        """Begin without a match.

        Args:
            thinking: who answers for the bots of the house.
            bounds: how much people may play.
            secret: returns a fresh secret of 32 bytes, from which the deals of a match come.
        """
        self._thinking = thinking
        self._bounds = bounds or Bounds()
        self._secret = secret
        self._sittings: dict[str, Sitting] = {}
        """The matches by their ids, in the order in which they began."""
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Play what is begun, until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            while True:
                await trio.sleep(_LOOK_SECONDS)
                self._forget()

    def open(self, wish: Wish, *, owner: str, origin: str, translate: Translate = str) -> Sitting:
        """Begin a match.

        Args:
            wish: what is to be played.
            owner: the session of the browser.
            origin: where it comes from.
            translate: turns English texts into those of the language of the person.

        Raises:
            FullError: there are too many matches.
        """
        self._make_room(origin)
        assert self._nursery is not None, "a parlour plays while it runs"
        terms = _terms(wish, self._secret())
        person = Person(owner, origin)
        sitting = Sitting(terms, wish, person, idle_seconds=self._bounds.idle_seconds, translate=translate)
        self._sittings[terms.match_id] = sitting
        self._nursery.start_soon(sitting.play, self._thinking)
        return sitting

    def _make_room(self, origin: str) -> None:
        """End the match that is abandoned for longest, if there has to be room for another: of the address, or of all.

        Raises:
            FullError: all of them are played at.
        """
        running = [sitting for sitting in self._sittings.values() if sitting.is_played]
        own = [sitting for sitting in running if sitting.person.origin == origin]
        if len(own) >= self._bounds.of_origin:
            _vacate(own, f"{len(own)} matches are played from your address already: finish one, or leave its table")
        elif len(running) >= self._bounds.matches:
            _vacate(running, "all tables are taken: come again in some minutes")

    def find(self, match_id: str, *, owner: str) -> Sitting | None:
        """Return a match of this owner; ``None`` if there is none, which those of others are not told from."""
        sitting = self._sittings.get(match_id)
        if sitting is None or not compare_digest(sitting.person.owner.encode(), owner.encode()):
            return None
        return sitting

    def of_owner(self, owner: str) -> list[Sitting]:
        """Return the matches of an owner that are played, in the order in which they began."""
        return [
            sitting
            for sitting in self._sittings.values()
            if sitting.ended_at is None and compare_digest(sitting.person.owner.encode(), owner.encode())
        ]

    def hand_over(self, before: str, after: str) -> None:
        """Have the matches of an owner belong to another: to his browser under the name that it has from now on."""
        for sitting in self._sittings.values():
            if compare_digest(sitting.person.owner.encode(), before.encode()):
                sitting.person = sitting.person._replace(owner=after)

    def _forget(self) -> None:
        """Forget matches that ended long ago, and some where too many have ended."""
        now = trio.current_time()
        over = [(name, sitting) for name, sitting in self._sittings.items() if sitting.ended_at is not None]
        kept = [(name, sitting) for name, sitting in over if now - _end_of(sitting) <= self._bounds.kept_seconds]
        for name in {name for name, _ in over} - set(_latest_of_each(kept)[: self._bounds.kept]):
            del self._sittings[name]


def _vacate(sittings: Iterable[Sitting], problem: str) -> None:
    abandoned = [sitting for sitting in sittings if sitting.is_abandoned]
    if not abandoned:
        raise FullError(problem)
    max(abandoned, key=lambda sitting: sitting.idle_seconds).make_way()


def _end_of(sitting: Sitting) -> float:
    assert sitting.ended_at is not None, "only matches that are over are forgotten"
    return sitting.ended_at


def _latest_of_each(over: Iterable[tuple[str, Sitting]]) -> list[str]:
    """Return the names of matches that are over: the latest of each address, then those before these, and so on.

    So whoever begins and leaves many has his own forgotten, and not those of others.
    """
    later = Counter[str]()
    found: list[tuple[int, float, str]] = []
    for name, sitting in sorted(over, key=lambda each: -_end_of(each[1])):
        found.append((later[sitting.person.origin], -_end_of(sitting), name))
        later[sitting.person.origin] += 1
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
async def opened_parlour(bounds: Bounds | None = None) -> AsyncIterator[Parlour]:
    """Give a parlour whose house thinks in a process of its own. All its matches end with it."""
    thinking = ThinkingProcess()
    async with trio.open_nursery() as nursery:
        parlour = Parlour(thinking, bounds=bounds)
        await nursery.start(parlour.run)
        try:
            yield parlour
        finally:
            nursery.cancel_scope.cancel()
            await thinking.close()
