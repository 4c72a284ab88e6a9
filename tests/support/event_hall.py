"""Where remote bots of an event come in, in memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from support.accounts import Calendar
from support.connections import Answering, FakeConnection, silent
from support.frames import hello
from support.stores import until_the_end

from ordago.arena.admission.account_tokens import AccountTokens, EntrantTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.seat import BotSeat
from ordago.arena.server import Server
from ordago.edge import OwnPort
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.remote import RemoteEntrants
from ordago_ladder.event_file.file import parse_event

EVENT = """
[event]
name = "away"
return_timeout = 100
{terms}

[[game]]
name = "mittlere"

[[game]]
name = "mitaines"
seats = 2

[[entrant]]
name = "mine"
remote = true

[[entrant]]
name = "yours"
account = "you"
remote = true
processes = 2

[[entrant]]
name = "house"
house = "random"
"""
BOTH = ["mittlere", "mitaines"]
REMOTE = ["mine", "yours"]


class Hall:
    """Where remote bots of an event come in, in memory, and what its organiser is told."""

    def __init__(self, folder: Path, *, terms: str = "", bounds: ConnectionBounds | None = None) -> None:
        self.calendar = Calendar()
        self.accounts = until_the_end(Accounts.open(folder / "accounts.sqlite", create=True))
        tokens = AccountTokens(self.accounts, arrived=lambda _bot: None, now=self.calendar)
        self.remote = RemoteEntrants(parse_event(EVENT.format(terms=terms)), listener=self)
        self.watch = tokens.watch
        port = OwnPort(address="127.0.0.1:0", watch=self.watch, bounds=bounds or ConnectionBounds())
        guests = self.remote.guests(Entrance(tokens, port))
        assert guests is not None
        assert isinstance(guests.authenticator, EntrantTokens)
        self.server = Server(guests.authenticator, games=BOTH, bounds=bounds)
        self.shown: list[tuple[list[str], list[str]]] = []
        self.known: dict[str, str] = {}
        """What the organiser was told at last of those who are missing."""
        self.told: list[str] = []
        self._processes = 0

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        self.shown.append((list(here), list(missing)))
        self.known = dict(missing)

    def noted(self, sentence: str) -> None:
        self.told.append(sentence)

    def warned(self, sentence: str) -> None:
        self.told.append(sentence)

    def token(self, account: str = "mine", *, bot: str = "") -> str:
        return self.accounts.create_token(account=account, scopes=[Scope.PLAY], now=self.calendar(), bot=bot)[0]

    def come(self, token: str | None, *, answering: Answering = silent, **fields: object) -> FakeConnection:
        """Come in as a process of its own."""
        connection = FakeConnection(self.server, token=token, answering=answering)
        self._processes += 1
        connection.say(hello(**{"nonce": self._processes.to_bytes(16), "games": BOTH, **fields}))
        return connection

    async def seat(self, entrant: str = "mine", number: int = 0) -> BotSeat | None:
        return await self.remote.life(entrant, number).seat()
