"""The remote entrants of an event: how they come in, how they check in, and what they are told."""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.edge import Guests
from ordago.record.ledgers.event import FewerProcessesEntry, Processes
from ordago.store import PlannedMatch
from ordago_ladder.entrants.remote_entrant import AbsentError, RemoteEntrant, RemoteLife
from ordago_ladder.pages.figures import whole
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener

if TYPE_CHECKING:  # workers import this, and need neither accounts nor ratings
    from ordago_ladder.entrants.entrance import Entrance
    from ordago_ladder.rating.ladder import Ladder, Standings

_OVER: Final = "the event is over"
_LOOK_SECONDS: Final = 0.25
"""How long a change waits for others before all are told of it: whoever comes and goes all the time bothers nobody."""
_LEAVE_SECONDS: Final = 0.5
"""How long a bot that was told goodbye may take to read it."""


class RemoteEntrants:
    """All remote entrants of an event."""

    def __init__(self, settings: Settings, *, listener: EventListener, until: datetime | None = None) -> None:
        """Begin with nobody here; check-in ends at a time at the latest, if one is given."""
        self._event = settings.event
        self._listener = listener
        self._until = until
        self._stage = v1.EVENT_STAGE_CHECK_IN
        self._planned: Mapping[str, int] = {}
        self._changed = trio.Event()
        self._told: set[str] = set()
        self._all = {
            entrant.name: RemoteEntrant(
                entrant,
                games=[game.name for game in settings.games],
                patience_seconds=settings.event.return_timeout,
                group=self,
            )
            for entrant in settings.remote_entrants
        }

    def guests(self, entrance: "Entrance | None") -> Guests | None:
        """Return who comes in by an entrance, if there are remote entrants."""
        if entrance is None or not self._all:
            return None
        return entrance.guests({one.account: one for one in self._all.values()})

    def __contains__(self, entrant: str) -> bool:
        return entrant in self._all

    def life(self, entrant: str, number: int, at_table: list[Bot] | None = None) -> RemoteLife:
        """Return one of the processes of an entrant, by its number from 0, for a seat at a table with some bots.

        A bot that takes a seat by it joins these.
        """
        return RemoteLife(self._all[entrant], number, [] if at_table is None else at_table)

    def fewer_processes(self, among: Collection[str]) -> FewerProcessesEntry | None:
        """Return which of some entrants are here with fewer processes than they have; ``None`` where none is."""
        came = {name: one.settle() for name, one in self._all.items() if name in among}
        short = {name: processes for name, processes in came.items() if processes < self._all[name].processes}
        for name in short:
            self.tell(
                f"{name!r}: {self._all[name].shortage}; it plays with these, and without duplicates where it must"
            )
        told = tuple(Processes(name=name, processes=processes) for name, processes in short.items())
        return FewerProcessesEntry(entrants=told) if told else None

    def begins(self, entrants: Iterable[str]) -> None:
        """Note that a match of these entrants begins, as far as they are remote."""
        for name in self._all.keys() & set(entrants):
            self._all[name].matches_begun += 1

    def changed(self) -> None:
        """A process of an entrant came or went."""
        self._changed.set()
        self._changed = trio.Event()

    def tell(self, sentence: str) -> None:
        """Something happened that the organiser should know; once is enough."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._listener.warned(sentence)

    async def check_in(self, *, awaited: Collection[str], new: Collection[str]) -> dict[str, Bot]:
        """Wait until the event may begin, and return the first bot of each who is here, by entrant.

        It begins when all are here, or at the time that the event file names. An event in which nobody is new, or whose
        time is over when its run starts, goes on when all are here, or soon: bots need a moment to come.

        Args:
            awaited: whom it waits for.
            new: who of the entrants has never checked in, and was not absent when the others did.
        """
        begins = self._event.begins if new else None
        wanted = set(awaited)
        shown: tuple[list[str], dict[str, str]] | None = None
        seconds = min(map(_seconds_until, (begins, self._until))) if new else 0.0
        with trio.move_on_after(seconds or self._event.start_timeout):
            while (begins is not None and seconds) or not wanted.isdisjoint(self.missing):
                if shown != (shown := (self.here, self.missing)):
                    self._show(*shown)
                await self._changed.wait()
                await trio.sleep(_LOOK_SECONDS)
        if self._all and shown != (now := (self.here, self.missing)):
            self._listener.checking_in(*now)
        return {name: one.bots[0] for name, one in self._all.items() if one.bots}

    @property
    def here(self) -> list[str]:
        """Who is here with all of his processes."""
        return [name for name, one in self._all.items() if one.is_complete]

    @property
    def missing(self) -> dict[str, str]:
        """Who is not, and how many of its processes are, where some are."""
        return {name: one.shortage if one.bots else "" for name, one in self._all.items() if not one.is_complete}

    def absences(self, among: Collection[str]) -> list[AbsentError]:
        """Return what is said of each among some entrants of whom nobody is here."""
        return [one.absence() for one in self._all.values() if one.name in among and not (one.bots or one.is_complete)]

    def _show(self, here: list[str], missing: dict[str, str]) -> None:
        self._listener.checking_in(here, missing)
        for one in self._all.values():
            self._send(one, self.notice(one))

    def begin(self, planned: Mapping[str, int], begun: Mapping[str, int], *, absent: Iterable[str]) -> None:
        """Tell that matches are played from now on.

        Args:
            planned: how many matches each entrant plays in all, as far as it is known.
            begun: how many of these are over already.
            absent: who did not check in. It is not waited for them.
        """
        self._stage, self._planned = v1.EVENT_STAGE_PLAYING, planned
        never_came = set(absent)
        for name, one in self._all.items():
            one.matches_begun = begun.get(name, 0)
            if name in never_came:
                one.wait_no_more()
            self._send(one, self.notice(one))

    def notice(self, entrant: RemoteEntrant) -> v1.EventNotice:
        """Return what is said to a bot of an entrant that comes in now."""
        notice = v1.EventNotice(stage=self._stage, entrant=entrant.name)
        if self._stage == v1.EVENT_STAGE_CHECK_IN:
            notice.waiting_for, waiting = len(self.missing), self._what_is_waited_for()
            notice.sentence = "; ".join(filter(None, (f"checked in as {entrant.name!r}", entrant.shortage, waiting)))
        else:
            notice.matches_planned = self._planned.get(entrant.name, 0)
            notice.matches_begun = entrant.matches_begun
            of = f" of {notice.matches_planned}" if notice.matches_planned else ""
            begun = f"matches are played; {entrant.matches_begun}{of} of {entrant.name!r} have begun"
            notice.sentence = "; ".join(filter(None, (begun, entrant.shortage)))
        return notice

    def _what_is_waited_for(self) -> str:
        missing = len(self.missing)
        whom = f"{missing} of {len(self._all)} are still to come" if missing else "all are here"
        return whom if self._event.begins is None else f"{whom}; it begins at {self._event.begins.isoformat()}"

    def suspend(self, entrant: str, sentence: str, nursery: trio.Nursery) -> None:
        """Give an entrant no more matches, for this reason."""
        nursery.start_soon(self._all[entrant].close, f"the entrant is {sentence}")

    async def dismiss(self, ladder: Callable[[], Awaitable["Ladder"]]) -> None:
        """Wait until all matches are over, tell each bot how its entrant stands, and say goodbye."""
        if not self._all:
            return
        for bot in [bot for one in self._all.values() for bot in one.bots]:
            await bot.idle()
        final = (await ladder()).overall
        async with trio.open_nursery() as nursery:
            for one in self._all.values():
                self._send(one, _last_notice(one.name, final))
                nursery.start_soon(one.close, _OVER)
        await trio.sleep(_LEAVE_SECONDS)

    def _send(self, entrant: RemoteEntrant, notice: v1.EventNotice) -> None:
        for bot in entrant.bots:
            bot.channel.send(notice)


def _seconds_until(begins: datetime | None) -> float:
    return math.inf if begins is None else max(0.0, (begins - datetime.now(UTC)).total_seconds())


def _last_notice(entrant: str, standings: "Standings") -> v1.EventNotice:
    line = next(line for line in standings.lines if line.entrant == entrant)
    rating = f"{whole(line.rating.elo)} ± {whole(line.rating.half_length)}"
    sentence = f"{_OVER}: {entrant!r} has rank {line.rank} of {len(standings.lines)}, with {rating}"
    return v1.EventNotice(stage=v1.EVENT_STAGE_OVER, entrant=entrant, sentence=sentence, rank=line.rank)


def matches_by_entrant(matches: Iterable[PlannedMatch]) -> Mapping[str, int]:
    """Return how many matches each entrant has among some."""
    return Counter(entrant for planned in matches for entrant in set(planned.entrants))
