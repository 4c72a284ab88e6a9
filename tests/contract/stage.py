"""A server in memory with one table, and the connections that a script opens, breaks and speaks on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import trio
from support.connections import FakeConnection, Nowhere, default, take_in
from support.frames import hello
from support.stores import until_the_end
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.authenticator import AllowEverybody, Authenticator
from ordago.arena.bot import Bot
from ordago.arena.connection import Departure, Status
from ordago.arena.play import play
from ordago.arena.server import Server
from ordago.games import find_game
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

SECRET = bytes(range(32))
NOW = 1_800_000_000.0
"""The time of day, for tokens."""
GOES_DOWN = "the server goes down"


class Setting(NamedTuple):
    """What is played, and by whom."""

    game: str
    names: tuple[str, ...]
    """Who sits where. Those who say nothing in the script are there from the start and take the default answers."""
    values: Mapping[str, Any]
    """Options of the game, times and what comes of faults, by their names; the others have their defaults."""
    tokens: bool = False
    """Whether the server asks for tokens."""

    def terms(self, nonces: Mapping[str, bytes]) -> MatchTerms:
        """Return the terms of the match, which are the same each time."""
        options = dict(self.values)
        times = {one.name: options.pop(one.name) for one in fields(TimeTerms) if one.name in options}
        conceding = bool(options.pop("conceding", 0))
        faults = {one.name: options.pop(one.name) for one in fields(FaultTerms) if one.name in options}
        return single_match_terms(
            game=find_game(self.game),
            options=options,
            seats=[SeatTerms(name, version="1") for name in self.names],
            secret=SECRET,
            event="example",
            nonces=nonces,
            time=TimeTerms(**times),
            faults=FaultTerms(**faults),
            conceding=conceding,
        )


class Ending(NamedTuple):
    """How the server ended a stream."""

    status: Status
    sentence: str
    retry_after_ms: int


Act: TypeAlias = "tuple[str, str, bytes | str | int]"
"""What happened on a stage: what was done, by or to whom, and the frame, the token or the time."""


@dataclass
class Line(Nowhere):
    """The bot's end of a connection: keeps what comes until it is asked for."""

    hears: Callable[[bytes], object]
    """Is told each frame that comes."""
    token: str | None = None
    unheard: list[v1.ServerMessage] = field(default_factory=list)
    asked: v1.Decision | None = None
    """The decision that is open."""
    ending: Ending | None = None
    is_over: bool = False
    """Whether it was noted that the stream has ended."""
    handler: Any = None

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        """Take a frame, as a transport does."""
        assert self.ending is None, "nothing may be sent after the end"
        self.hears(frame)
        for message in v1.PlayResponse.FromString(frame).messages:
            self.unheard.append(message)
            if message.HasField("decision"):
                self.asked = message.decision
            elif message.HasField("accepted"):
                self.asked = None

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End, as a transport does."""
        self.ending = self.ending or Ending(status, sentence, retry_after_ms)


class Stage:
    """Whoever is connected, and the match that begins when all are there."""

    def __init__(self, setting: Setting, nursery: trio.Nursery, *, speakers: Sequence[str], folder: Path) -> None:
        """Open a server, and let in those of the table who do not speak."""
        self.setting = setting
        self.acts: list[Act] = []
        """All that happened."""
        self.token = ""
        """A token that is good, where one is asked for."""
        self._nursery = nursery
        self._bots: dict[str, Bot] = {}
        self._begun = False
        self.lines: dict[str, Line] = {}
        """The connections that were opened last, by who opened them."""
        self.server = Server(self._authenticator(folder), games=[setting.game], max_matches=64)
        for name in set(setting.names) - set(speakers):
            FakeConnection(self.server, answering=default).say(_greeting(name))

    def _authenticator(self, folder: Path) -> Authenticator:
        if not self.setting.tokens:
            return AllowEverybody(self._arrived)
        accounts = until_the_end(Accounts.open(folder / "accounts.sqlite", create=True))
        self.token = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW)[0]
        return AccountTokens(accounts, arrived=self._arrived, now=lambda: NOW)

    def _arrived(self, bot: Bot) -> None:
        self._bots.setdefault(bot.identity.name, bot)
        if set(self._bots) >= set(self.setting.names) and not self._begun:
            self._begun = True
            self._nursery.start_soon(self._play, [self._bots[name] for name in self.setting.names])

    async def _play(self, bots: Sequence[Bot]) -> None:
        terms = self.setting.terms({bot.identity.name: bot.identity.nonce for bot in bots})
        await play(terms, [bot.take_seat() for bot in bots])

    def line(self, who: str) -> Line:
        """Return the connection of somebody, or of his process; a new one where there is none that lives."""
        if who not in self.lines:
            self.connect(who)
        return self.lines[who]

    def connect(self, who: str, token: str | None = None) -> None:
        """Open a connection."""
        if token is not None:
            self.acts.append(("comes", who, "$token" if token == self.token else token))
        line = self.lines[who] = Line(lambda frame: self.acts.append(("hears", who, frame)), token)
        line.handler = self.server(line)

    async def says(self, who: str, frame: bytes) -> None:
        """Let somebody send a frame."""
        if self.line(who).ending is not None:
            self.connect(who)
        self.acts.append(("says", who, frame))
        take_in(self.lines[who].handler, frame, trio.current_time())
        await self._settle()

    async def breaks(self, who: str) -> None:
        """Break the connection of somebody."""
        self.acts.append(("breaks", who, ""))
        self.lines.pop(who).handler.lost()
        await self._settle()

    async def passes(self, milliseconds: int) -> None:
        """Let time pass."""
        self.acts.append(("passes", "", milliseconds))
        await trio.sleep(milliseconds / 1000)
        await self._settle()

    async def drains(self, milliseconds: int) -> None:
        """Let the server say that it will end, and when at the latest."""
        self.acts.append(("drains", "", milliseconds))
        self.server.sessions.drain(GOES_DOWN, grace_seconds=milliseconds / 1000)
        await self._settle()

    async def ends(self) -> None:
        """Let the server end."""
        self.acts.append(("ends", "", ""))
        self.server.sessions.close(GOES_DOWN)
        await self._settle()

    async def _settle(self) -> None:
        """Wait until nobody has anything to do but by new acts, and note which streams have ended meanwhile."""
        await wait_all_tasks_blocked()
        for who, line in self.lines.items():
            if line.ending is not None and not line.is_over:
                line.is_over = True
                self.acts.append(("ended", who, line.ending.status.value))


def _greeting(name: str) -> v1.Hello:
    return hello(bot=v1.Software(name=name, version="1"), nonce=name.encode().ljust(16, b"."))
