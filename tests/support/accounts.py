"""Accounts in a file, a lobby whose authenticator asks for their tokens, and a calendar that a test turns."""

from pathlib import Path

from support.connections import FakeConnection
from support.frames import hello
from support.stores import until_the_end

from ordago import v1
from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.server import Server
from ordago.fingerprint import fingerprint
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

DAY = 24 * 60 * 60


class Calendar:
    """The time of day."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class TokenLobby:
    """A server that asks for tokens, and the bots that came in."""

    def __init__(self, folder: Path, *, bounds: ConnectionBounds | None = None) -> None:
        self._processes = 0
        self.calendar = Calendar()
        self.accounts = until_the_end(Accounts.open(folder / "accounts.sqlite", create=True))
        self.bots: list[Bot] = []
        self.authenticator = AccountTokens(self.accounts, arrived=self.bots.append, now=self.calendar)
        self.server = Server(authenticator=self.authenticator, games=["mittlere"], bounds=bounds)

    def token(
        self, account: str = "ana", *, scope: Scope = Scope.PLAY, bot: str = "", expires_at: int | None = None
    ) -> str:
        """Make a token."""
        made = self.accounts.create_token(
            account=account, scopes=[scope], now=self.calendar(), bot=bot, expires_at=expires_at
        )
        return made[0]

    def expiring_token(self) -> str:
        """Make a token that is good for a day."""
        return self.token(expires_at=int(self.calendar()) + DAY)

    def revoke(self, token: str) -> None:
        """Revoke a token, as another process does: nobody is told."""
        found = self.accounts.holder(fingerprint(token))
        assert found is not None
        self.accounts.revoke(found.token.id, now=self.calendar())

    def connect(self, token: str | None, *, name: str = "deep", **fields: object) -> FakeConnection:
        """Connect with a token and say hello under a name, as a process of its own if nothing else is said."""
        connection = FakeConnection(self.server, token=token)
        self._processes += 1
        greeting = {"bot": v1.Software(name=name, version="7", build="b"), "nonce": self._processes.to_bytes(16)}
        connection.say(hello(**{**greeting, **fields}))
        return connection
