"""An entrant whose bots are started elsewhere: which of its processes are here, and how long matches wait for them.

Where fewer processes are here than the event file says, these play: an entrant with a process that answers does not
forfeit for want of another. What is known at check-in the schedule takes into account, so that no process sees a deal
twice. Where a process goes away later, and does not come back in time, another plays its matches, and may see a deal
again; two processes of one author could tell each other as much, which nobody would see. No process has two seats at
one table.
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
"""When a process too many may try again: it stands by, and costs next to nothing."""


class AbsentError(Exception):
    """A remote entrant is not here, and is waited for no more. The bot's author erred, or his network."""

    def __init__(self, entrant: str, why: str, fault: v1.Fault) -> None:
        """Say who is absent, and for what his matches are forfeited, if they are."""
        super().__init__(f"{entrant!r} {why}")
        self.entrant = entrant
        self.fault = fault


class EntrantGroup(Protocol):
    """Whoever has all remote entrants in view."""

    def changed(self) -> None:
        """A process of an entrant came or went."""

    def notice(self, entrant: "RemoteEntrant") -> v1.EventNotice:
        """Return what is said to a bot of an entrant that comes in now."""

    def tell(self, sentence: str) -> None:
        """Something happened that the organiser should know."""


class RemoteEntrant:
    """The processes of a remote entrant, each in a place of its own."""

    def __init__(
        self, settings: EntrantSettings, *, games: Collection[str], patience_seconds: float, group: EntrantGroup
    ) -> None:
        """Begin with nobody.

        Args:
            settings: what the event file says of the entrant.
            games: the games that his bots have to play.
            patience_seconds: how long matches wait in all for processes that are not here.
            group: who is told what happens.
        """
        self.name = settings.name
        """The name of the entrant."""
        self.account = settings.account or settings.name
        """The account whose tokens his bots come in with."""
        self.matches_begun = 0
        """How many of his matches have begun."""
        self._version = settings.version
        self._games = frozenset(games)
        self._group = group
        self._places: list[Bot | None] = [None] * (settings.processes or 1)
        self._order = list(range(len(self._places)))
        """The place of each process that plays, by its number."""
        self._missed: frozenset[int] = frozenset()
        """The places of processes that did not come to check-in. Nothing waits for these."""
        self._has_come = False
        self._patience = _Patience(patience_seconds)
        self._closed: Refusal | None = None
        self._changed = trio.Event()

    @property
    def bots(self) -> list[Bot]:
        """The bots that are here now."""
        return [bot for bot in self._places if _is_here(bot)]

    @property
    def is_complete(self) -> bool:
        """Whether all of his processes are here that are wanted."""
        return self._closed is not None or len(self.bots) == len(self._places)

    @property
    def shortage(self) -> str:
        """How many of its processes are here, where it is not all of several; else empty."""
        if self.is_complete or len(self._places) == 1:
            return ""
        here = len(self.bots)
        return f"{here} of {len(self._places)} processes {'is' if here == 1 else 'are'} here"

    def settle(self) -> int:
        """Let those processes play first that came to check-in, at least one; return how many, by their places."""
        came = [number for number, bot in enumerate(self._places) if not _is_free(bot)]
        self._missed = frozenset(self._order) - set(came)
        self._order = [*came, *sorted(self._missed)]
        return max(1, len(came))

    @property
    def processes(self) -> int:
        """How many processes it may have."""
        return len(self._places)

    def admit(self, token: Token) -> Admission | Refusal:
        """Let a process take the place of one that went away, or one that is free; else let it stand by."""
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
            # It ends this bot, not the event: else an author could stop the others from playing.
            sentence = f"this event plays {', '.join(sorted(self._games))}; the bot does not play {_list(missing)}"
            self._group.tell(f"a bot of {self.name!r} was sent away: it does not play {_list(missing)}")
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
        """Return the bot of a process, as soon as it is here; another one of the entrant if it does not come in time.

        Args:
            number: which of the processes that play, from 0.
            besides: the bots that have a seat at the table.

        Raises:
            AbsentError: it is waited for no more, and all others sit at the table already.
        """
        place = self._order[number]
        bot = await self._bot_in(place) if place not in self._missed else self._places[place]
        if _is_here(bot) and bot not in besides:
            return bot
        others = [other for other in self.bots if other not in besides]
        if not others:
            raise self.absence()
        self._group.tell(f"{self.name!r}: {self.shortage}; the matches of the others are played by what is here")
        return min(others, key=lambda other: (other.retired, other.matches))

    async def _bot_in(self, place: int) -> Bot | None:
        """Return the bot in a place, as soon as it is here, or whatever is there when it is waited for no more."""
        bot = self._places[place]
        if _is_here(bot):
            return bot
        if not self._patience.is_spent_now:
            self._group.tell(f"{self.name!r} is not here; the matches wait for {self._patience.left:.0f} s at most")
        with self._patience.spent():
            while not _is_here(self._places[place]):
                await self._changed.wait()
        return self._places[place]

    async def until_gone(self, bot: Bot) -> None:
        """Wait until a bot is not connected."""
        while bot.connected:
            await self._changed.wait()

    def absence(self) -> AbsentError:
        """Return what is said of the entrant while it is not here, or fewer of its processes than a table takes."""
        if self.bots:
            return AbsentError(self.name, f"has too few processes here: {self.shortage}", v1.FAULT_DISCONNECTED)
        if self._has_come:
            return AbsentError(self.name, "went away and did not come back in time", v1.FAULT_DISCONNECTED)
        return AbsentError(self.name, "did not check in", v1.FAULT_FAILED_TO_START)

    def wait_no_more(self) -> None:
        """Begin without him: his matches wait no more. When he comes, he plays those that are to begin then."""
        self._patience = _Patience(0)

    async def close(self, sentence: str) -> None:
        """Let nobody in any more, and say goodbye to each bot as soon as its matches are over."""
        self._closed = Refusal(Status.PERMISSION_DENIED, sentence)
        for bot in self.bots:
            await bot.idle()
            _dismiss(bot, sentence)


class RemoteLife:
    """One process of a remote entrant, in one place. It has what ``Supervisor`` has for bots that are started here."""

    def __init__(self, entrant: RemoteEntrant, number: int, at_table: list[Bot]) -> None:
        """Stand for the process with this number, from 0, at a table where these bots sit so far."""
        self._entrant = entrant
        self._number = number
        self._at_table = at_table

    async def seat(self) -> BotSeat | None:
        """Return a new seat at the bot as soon as it is here and has room for one; ``None`` if it goes before that.

        Raises:
            AbsentError: it is waited for no more.
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
        """Do nothing: his bots are dismissed all together."""


class _Patience:
    """A time that is spent while anybody waits, and is the same for all who wait at once."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._waiting = 0
        self._deadline = 0.0

    @property
    def left(self) -> float:
        """What was left of it when somebody began to wait, in seconds."""
        return self._left

    @property
    def is_spent_now(self) -> bool:
        """Whether somebody waits, or nothing is left of it."""
        return self._waiting > 0 or not self._left

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Wait in this context until nothing is left; then it is cancelled."""
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
    """Say whether a bot is connected, and was not sent away."""
    return bot is not None and bot.connected and bot.loss is None


def _is_free(bot: Bot | None) -> bool:
    """Say whether a place is nobody's: who has retired and plays nothing does not need it any more."""
    return bot is None or bot.loss is not None or (bot.retired and not bot.matches)


def _is_away(bot: Bot | None) -> bool:
    """Say whether somebody has a place who is not here, and may be followed by another process."""
    return bot is not None and not bot.connected and not _is_free(bot)


def _full(name: str, places: int) -> Refusal:
    here = "the process" if places == 1 else f"all {places} processes"
    sentence = f"{here} of {name!r} that the event file allows is here; this one stands by until there is room"
    return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=_FULL_RETRY_MS)


def _dismiss(bot: Bot, sentence: str, *, status: Status = Status.OK) -> None:
    bot.say_goodbye(sentence, status=status)
    bot.give_up(v1.FAULT_DISCONNECTED, sentence)


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names))
