"""The remote entrants of an event: their admission, check-in and notices."""

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
from ordago_ladder.pages.figures import rating_text
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener

if TYPE_CHECKING:  # workers import this module without accounts and ratings
    from ordago_ladder.entrants.entrance import Entrance
    from ordago_ladder.rating.ladder import Ladder, Standings

_OVER: Final = "the event is over"
_LOOK_SECONDS: Final = 0.25
"""Seconds to collect changes before all bots are notified, so that a bot that keeps reconnecting floods nobody."""
_LEAVE_SECONDS: Final = 0.5
"""Seconds that a bot has to read its goodbye before the server closes."""


class RemoteEntrants:
    """All remote entrants of an event."""

    def __init__(self, settings: Settings, *, listener: EventListener, until: datetime | None = None) -> None:
        """Begin with no bot connected. Check-in ends at ``until`` at the latest, if it is given."""
        self._event = settings.event
        self._listener = listener
        self._until = until
        self._stage = v1.EVENT_STAGE_CHECK_IN
        self._planned: Mapping[str, int] = {}
        self._changed = trio.Event()
        self._reported: set[str] = set()
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
        """Return the admission of remote bots by an entrance; ``None`` without an entrance or remote entrants."""
        if entrance is None or not self._all:
            return None
        return entrance.guests({one.account: one for one in self._all.values()})

    def __contains__(self, entrant: str) -> bool:
        return entrant in self._all

    def life(self, entrant: str, number: int, at_table: list[Bot] | None = None) -> RemoteLife:
        """Return a process slot of an entrant, by its number from 0, for a seat in a match.

        ``at_table`` lists the bots that have a seat in the match already; a bot that takes one is appended to it.
        """
        return RemoteLife(self._all[entrant], number, [] if at_table is None else at_table)

    def fewer_processes(self, among: Collection[str]) -> FewerProcessesEntry | None:
        """Return the ledger entry for those of some entrants with fewer processes than planned; ``None`` if none."""
        came = {name: one.settle() for name, one in self._all.items() if name in among}
        short = {name: processes for name, processes in came.items() if processes < self._all[name].processes}
        for name in short:
            self.tell(
                f"{name!r}: {self._all[name].shortage}; it plays with these, and docs/duplicates.md says how "
                "where they are too few"
            )
        fewer = tuple(Processes(name=name, processes=processes) for name, processes in short.items())
        return FewerProcessesEntry(entrants=fewer) if fewer else None

    def begins(self, entrants: Iterable[str]) -> None:
        """Count a match that begins for each of these entrants that is remote."""
        for name in self._all.keys() & set(entrants):
            self._all[name].matches_begun += 1

    def changed(self) -> None:
        """Wake check-in, since a process of an entrant connected or disconnected."""
        self._changed.set()
        self._changed = trio.Event()

    def tell(self, sentence: str) -> None:
        """Warn the organiser, once for each sentence."""
        if sentence not in self._reported:
            self._reported.add(sentence)
            self._listener.warned(sentence)

    async def check_in(self, *, awaited: Collection[str], new: Collection[str]) -> dict[str, Bot]:
        """Wait until the event may begin; return the first bot of each entrant that is connected, by entrant.

        It begins when all are here, or at the time in the event file. A run in which no entrant is new, or that starts
        after that time, waits at most ``start_timeout``, since bots need a moment to connect.

        Args:
            awaited: the entrants to wait for.
            new: the entrants that have never checked in, and were not absent when the others did.
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
        """The entrants that are here with all of their processes."""
        return [name for name, one in self._all.items() if one.is_complete]

    @property
    def missing(self) -> dict[str, str]:
        """The other entrants, each with its number of connected processes as text; empty where none is connected."""
        return {name: one.shortage if one.bots else "" for name, one in self._all.items() if not one.is_complete}

    def absences(self, among: Collection[str]) -> list[AbsentError]:
        """Return an error for each of some entrants without any process here."""
        return [one.absence() for one in self._all.values() if one.name in among and not (one.bots or one.is_complete)]

    def _show(self, here: list[str], missing: dict[str, str]) -> None:
        self._listener.checking_in(here, missing)
        for one in self._all.values():
            self._send(one, self.notice(one))

    def begin(self, planned: Mapping[str, int], begun: Mapping[str, int], *, absent: Iterable[str]) -> None:
        """Notify all bots that matches begin.

        Args:
            planned: the number of matches of each entrant in all, as far as it is known.
            begun: the number of these that are over already.
            absent: the entrants that did not check in. Their matches do not wait for them.
        """
        self._stage, self._planned = v1.EVENT_STAGE_PLAYING, planned
        never_came = set(absent)
        for name, one in self._all.items():
            one.matches_begun = begun.get(name, 0)
            if name in never_came:
                one.wait_no_more()
            self._send(one, self.notice(one))

    def notice(self, entrant: RemoteEntrant) -> v1.EventNotice:
        """Return the notice for a bot of an entrant that connects now."""
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
        whom = f"{missing} of {len(self._all)} are missing" if missing else "all have checked in"
        return whom if self._event.begins is None else f"{whom}; it begins at {self._event.begins.isoformat()}"

    def suspend(self, entrant: str, sentence: str, nursery: trio.Nursery) -> None:
        """Give an entrant no more matches, for the reason in the sentence."""
        nursery.start_soon(self._all[entrant].close, f"the entrant is {sentence}")

    async def dismiss(self, ladder: Callable[[], Awaitable["Ladder"]]) -> None:
        """Wait until all matches are over, send each bot the rank of its entrant, and say goodbye."""
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
    rating = rating_text(line.rating.known)
    sentence = f"{_OVER}: {entrant!r} has rank {line.rank} of {len(standings.lines)}: {rating}"
    return v1.EventNotice(stage=v1.EVENT_STAGE_OVER, entrant=entrant, sentence=sentence, rank=line.rank)


def matches_by_entrant(matches: Iterable[PlannedMatch]) -> Mapping[str, int]:
    """Return the number of matches of each entrant. Two seats in a match count once."""
    return Counter(entrant for planned in matches for entrant in set(planned.entrants))
