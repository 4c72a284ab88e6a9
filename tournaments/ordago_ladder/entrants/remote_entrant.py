"""A remote entrant: its connected processes, and the time that matches wait for missing ones.

If fewer processes are connected than the event file says, those play: an entrant with one process that answers does not
forfeit for lack of another. The schedule takes shortages at check-in into account, so that no process sees a deal twice
unless the event file lets processes take turns. If a process leaves later and does not return in time, another plays
its matches and may see a deal again. That gives nothing away: two processes of one author could exchange as much in
secret anyway. No process has two seats at one table.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol, TypeGuard

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.arena.seat import BotSeat
from ordago.store.accounts.rows import Token
from ordago_ladder.settings.sections import EntrantSettings

_FULL_RETRY_MS: Final = 5_000
"""Milliseconds after which a surplus process may try again. Standing by costs next to nothing."""


class AbsentError(Exception):
    """A remote entrant is not connected, and matches no longer wait for it: a fault of the bot or its network."""

    def __init__(self, entrant: str, why: str, fault: v1.Fault) -> None:
        """Name the entrant, the reason, and the fault for which its matches may be forfeited."""
        super().__init__(f"{entrant!r} {why}")
        self.entrant = entrant
        self.fault = fault


class EntrantGroup(Protocol):
    """The owner of all remote entrants, which each of them reports to."""

    def changed(self) -> None:
        """Note that a process of an entrant connected or disconnected."""

    def notice(self, entrant: "RemoteEntrant") -> v1.EventNotice:
        """Return the notice for a bot of an entrant that connects now."""

    def tell(self, sentence: str) -> None:
        """Warn the organiser."""


class RemoteEntrant:
    """The processes of a remote entrant, each with a place of its own."""

    def __init__(
        self, settings: EntrantSettings, *, games: Collection[str], patience_seconds: float, group: EntrantGroup
    ) -> None:
        """Begin without processes.

        Args:
            settings: the entrant in the event file.
            games: the games that its bots have to play.
            patience_seconds: the total time that matches wait for missing processes of the entrant.
            group: the owner that it reports to.
        """
        self.name = settings.name
        """The name of the entrant."""
        self.account = settings.account or settings.name
        """The account whose tokens its bots present."""
        self.matches_begun = 0
        """The number of its matches that have begun."""
        self._version = settings.version
        self._games = frozenset(games)
        self._group = group
        self._places: list[Bot | None] = [None] * (settings.processes or 1)
        self._order = list(range(len(self._places)))
        """The place of each process that plays, by its number."""
        self._missed: frozenset[int] = frozenset()
        """The places of processes that did not check in. Matches do not wait for these."""
        self._has_come = False
        self._patience = _Patience(patience_seconds)
        self._closed: Refusal | None = None
        self._changed = trio.Event()

    @property
    def bots(self) -> list[Bot]:
        """The bots that are connected now."""
        return [bot for bot in self._places if _is_here(bot)]

    @property
    def is_complete(self) -> bool:
        """True if all of its processes are connected, or the entrant is closed and needs none."""
        return self._closed is not None or len(self.bots) == len(self._places)

    @property
    def shortage(self) -> str:
        """The number of connected processes as text, if the entrant has several and some are missing; else empty."""
        if self.is_complete or len(self._places) == 1:
            return ""
        here = len(self.bots)
        return f"{here} of {len(self._places)} processes {'is' if here == 1 else 'are'} connected"

    def settle(self) -> int:
        """Put the processes that checked in first; return their number, at least 1."""
        came = [number for number, bot in enumerate(self._places) if not _is_free(bot)]
        self._missed = frozenset(self._order) - set(came)
        self._order = [*came, *sorted(self._missed)]
        return max(1, len(came))

    @property
    def processes(self) -> int:
        """The number of processes that the entrant may have."""
        return len(self._places)

    def admit(self, token: Token) -> Admission | Refusal:
        """Admit a process to the place of one that disconnected, or to a free place; else refuse it for now."""
        if self._closed is not None:
            return self._closed
        number = next((number for number, bot in enumerate(self._places) if _is_away(bot)), None)
        if number is None:
            number = next((number for number, bot in enumerate(self._places) if _is_free(bot)), None)
        if number is None:
            return _full(self.name, len(self._places))
        before = self._places[number]
        return Admission(
            partial(self._arrived, number),
            name=self.name,
            version=self._version,
            account=token.account,
            fingerprint=token.fingerprint,
            gone=self._gone,
            in_place_of=before if _is_away(before) else None,
        )

    def _arrived(self, number: int, bot: Bot) -> None:
        missing = self._games - bot.identity.games
        if missing:
            # Only this bot is ended, not the event: otherwise one author could stop everybody from playing.
            sentence = f"this event plays {', '.join(sorted(self._games))}; the bot does not play {_list(missing)}"
            self._group.tell(f"a bot of {self.name!r} was refused: it does not play {_list(missing)}")
            _dismiss(bot, sentence, status=Status.FAILED_PRECONDITION)
            return
        self._places[number] = bot
        self._has_come = True
        bot.channel.send(self._group.notice(self))
        self._change()

    def _gone(self, _bot: Bot) -> None:
        self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
        self._group.changed()

    async def bot_at(self, number: int, *, besides: Collection[Bot]) -> Bot:
        """Return the bot of a process once it is connected, or another one of the entrant if it does not come in time.

        Args:
            number: the number of the process among those that play, from 0.
            besides: the bots that have a seat at the table already.

        Raises:
            AbsentError: the time to wait is over, and all other bots of the entrant have a seat at the table.
        """
        place = self._order[number]
        bot = await self._bot_in(place) if place not in self._missed else self._places[place]
        if _is_here(bot) and bot not in besides:
            return bot
        others = [other for other in self.bots if other not in besides]
        if not others:
            raise self.absence()
        self._group.tell(f"{self.name!r}: {self.shortage}; these play the matches of the others")
        return min(others, key=lambda other: (other.retired, other.matches))

    async def _bot_in(self, place: int) -> Bot | None:
        """Return the bot in a place once it is connected; after the time to wait, the lost bot, or ``None``."""
        bot = self._places[place]
        if _is_here(bot):
            return bot
        if not self._patience.is_spent_now:
            self._group.tell(
                f"{self.name!r} is not connected; its matches wait for {self._patience.left:.0f} s at most"
            )
        with self._patience.spent():
            while not _is_here(self._places[place]):
                await self._changed.wait()
        return self._places[place]

    async def until_gone(self, bot: Bot) -> None:
        """Wait until a bot has disconnected."""
        while bot.connected:
            await self._changed.wait()

    def absence(self) -> AbsentError:
        """Return the error for an entrant with fewer connected processes than a table takes."""
        if self.bots:
            return AbsentError(self.name, f"has too few processes: {self.shortage}", v1.FAULT_DISCONNECTED)
        if self._has_come:
            return AbsentError(self.name, "disconnected and did not reconnect in time", v1.FAULT_DISCONNECTED)
        return AbsentError(self.name, "did not check in", v1.FAULT_FAILED_TO_START)

    def wait_no_more(self) -> None:
        """Begin without the entrant: its matches wait no more. If it comes late, it plays those that begin later."""
        self._patience = _Patience(0)

    async def close(self, sentence: str) -> None:
        """Admit no more bots, and say goodbye to each as soon as its matches are over."""
        self._closed = Refusal(Status.PERMISSION_DENIED, sentence)
        for bot in self.bots:
            await bot.idle()
            _dismiss(bot, sentence)


class RemoteLife:
    """One process slot of a remote entrant: the counterpart of ``Supervisor`` for bots that run elsewhere."""

    def __init__(self, entrant: RemoteEntrant, number: int, at_table: list[Bot]) -> None:
        """Represent a process by its number, from 0, for a match in which ``at_table`` have seats so far."""
        self._entrant = entrant
        self._number = number
        self._at_table = at_table

    async def seat(self) -> BotSeat | None:
        """Return a new seat once the bot is connected and has room for one; ``None`` if it disconnects before that.

        Raises:
            AbsentError: the time to wait for it is over.
        """
        bot = await self._entrant.bot_at(self._number, besides=self._at_table)
        seat: BotSeat | None = None

        async def take(scope: trio.CancelScope) -> None:
            nonlocal seat
            seat = await bot.seat_when_free()
            scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(take, nursery.cancel_scope)
            await self._entrant.until_gone(bot)
            nursery.cancel_scope.cancel()
        if seat is not None:
            self._at_table.append(bot)
        return seat

    def retire(self) -> None:
        """Do nothing: ``RemoteEntrants`` dismisses all bots together."""


class _Patience:
    """A budget of time that is spent while at least one match waits. Matches that wait at once share it."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._waiting = 0
        self._deadline = 0.0

    @property
    def left(self) -> float:
        """The seconds that were left when the current wait, or else the next one, began."""
        return self._left

    @property
    def is_spent_now(self) -> bool:
        """True if a match is waiting, or nothing is left."""
        return self._waiting > 0 or not self._left

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Spend the budget while the context is open, and cancel the context when nothing is left."""
        if not self._waiting:
            self._deadline = trio.current_time() + self._left
        self._waiting += 1
        try:
            with trio.move_on_at(self._deadline):
                yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._left = max(0.0, self._deadline - trio.current_time())


def _is_here(bot: Bot | None) -> TypeGuard[Bot]:
    """Return True if a bot is connected and has not been dismissed."""
    return bot is not None and bot.connected and bot.loss is None


def _is_free(bot: Bot | None) -> bool:
    """Return True if a place can be given away: it is empty, or its bot was lost, or has retired without matches."""
    return bot is None or bot.loss is not None or (bot.retired and not bot.matches)


def _is_away(bot: Bot | None) -> bool:
    """Return True if the bot of a place has disconnected, so that another process may succeed it."""
    return bot is not None and not bot.connected and not _is_free(bot)


def _full(name: str, places: int) -> Refusal:
    here = "the process" if places == 1 else f"all {places} processes"
    sentence = f"{here} of {name!r} that the event file allows is connected; this one waits as a substitute"
    return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=_FULL_RETRY_MS)


def _dismiss(bot: Bot, sentence: str, *, status: Status = Status.OK) -> None:
    bot.say_goodbye(sentence, status=status)
    bot.give_up(v1.FAULT_DISCONNECTED, sentence)


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names))
