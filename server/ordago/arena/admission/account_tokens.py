"""The authenticator that asks for a token of an account.

What it knows stands in memory, so that to admit a bot costs trio's thread no database: all of it is read again every
other second in a worker thread, and what is to be written down waits until then. Only a token that is not known yet is
looked up at once, since it may have been made a moment ago; that is one row, found by its index, in a fraction of a
millisecond where the database is a file.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.fingerprint import fingerprint
from ordago.store.accounts import NAME_HELD_SECONDS, Accounts, Scope, Sighting, Token, TokenState, name_key
from ordago.store.errors import StoreError

REFRESH_SECONDS: Final = 2.0
"""After how long a token that was revoked elsewhere is good for nothing."""
_DAY_SECONDS: Final = 24 * 60 * 60

MAX_NAMES: Final = 64
"""So many names for bots an account may have at once, beside those that a token is made out to."""
_NO_TOKEN: Final = "this server asks for a token: start the bot with the one that its account was given"  # noqa: S105
_UNKNOWN: Final = "the token is not known here; was it copied in full?"
_STATES: Final = {
    TokenState.REVOKED: "the token was revoked; ask for a new one",
    TokenState.EXPIRED: "the token has expired; ask for a new one",
}
_NO_PLAY: Final = "the token is good, but not for playing: it lacks the scope 'play'"
_TOO_MANY_NAMES: Final = (
    f"the account has {MAX_NAMES} names of bots by now, as many as it may: use one of them, or wait until one is free, "
    f"{NAME_HELD_SECONDS // _DAY_SECONDS} days after a bot came in under it last"
)
_NO_NAME: Final = "bots are known by their names here: give this one a name"

_logger = logging.getLogger("ordago.admission")


class _Known(NamedTuple):
    """What was read."""

    tokens: Mapping[bytes, Token]
    owners: Mapping[str, str]


class AccountTokens:
    """Lets those in whose token is good for playing, each under a name of its account."""

    def __init__(
        self, accounts: Accounts, *, arrived: Callable[[Bot], None], now: Callable[[], float] = time.time
    ) -> None:
        """Read who may come in.

        Args:
            accounts: the accounts' database.
            arrived: is called with each bot that comes, and again whenever it comes back.
            now: the time, in seconds since 1970, UTC.

        Raises:
            StoreError: the database cannot be read.
        """
        self._accounts = accounts
        self._arrived = arrived
        self._now = now
        self._sightings: dict[Sighting, Sighting] = {}
        """What is to be written down: for each bot, whenever it came in, when it did so last."""
        self._take_over(_read(accounts, now()))

    def recognise(self, token: str | None) -> str:
        """Recognise a token that was good when it was last looked at; one made since counts as unknown for a moment."""
        known = self._tokens.get(fingerprint(token)) if token else None
        good = known is not None and Scope.PLAY in known.scopes and known.state(self._now()) is TokenState.ACTIVE
        return known.id if known is not None and good else ""

    def holder(self, token: str | None) -> Token | Refusal:
        """Return what is known of a token that is good for playing, under whatever name, or why it is not."""
        if not token:
            return Refusal(Status.UNAUTHENTICATED, _NO_TOKEN)
        return self.holder_by(fingerprint(token))

    def holder_by(self, wanted: bytes) -> Token | Refusal:
        """Return the same of the token with this fingerprint."""
        known = self._find(wanted)
        if known is None:
            return Refusal(Status.UNAUTHENTICATED, _UNKNOWN)
        return self._objection_to_token(known) or known

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Let the bot in whose account this token belongs to, if the name is the account's or nobody's."""
        known = self.holder(token)
        if isinstance(known, Refusal):
            return known
        name = known.bot or bot.name
        refusal = self._objection_to_name(known, name)
        if refusal is not None:
            return refusal
        sighting = Sighting(known.id, known.account, name, bot.version, bot.build, at=int(self._now()))
        return Admission(
            self._arrived,
            name=name,
            account=known.account,
            fingerprint=known.fingerprint,
            begun=partial(self._note, sighting),
        )

    def _note(self, sighting: Sighting) -> None:
        """Let a name belong to the account of the bot that came in under it."""
        key = name_key(sighting.name)
        if key not in self._owners:
            self._own(key, sighting.account)
        self._sightings[sighting._replace(at=0)] = sighting

    def _own(self, key: str, account: str) -> None:
        self._owners[key] = account
        self._names[account] += 1

    def readmit(self, session: v1.JournaledSession) -> Admission:
        """Return the leave of a session that began before the server was started anew."""
        name, digest = session.bot.name, session.account_token_digest
        return Admission(self._arrived, name=name, account=session.account, fingerprint=digest)

    def review(self, admission: Admission) -> Refusal | None:
        """Return why somebody who was let in has to leave, or ``None`` if he may stay."""
        known = self.holder_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else self._objection_to_name(known, admission.name)

    def _find(self, wanted: bytes) -> Token | None:
        known = self._tokens.get(wanted)
        if known is not None:
            return known
        try:
            found = self._accounts.find(wanted)
        except StoreError as error:
            _logger.warning("cannot look up a token: %s", error)
            return None
        if found is not None:
            self._tokens[wanted] = found
        return found

    def _objection_to_token(self, token: Token) -> Refusal | None:
        state = token.state(self._now())
        if state is not TokenState.ACTIVE:
            return Refusal(Status.UNAUTHENTICATED, _STATES[state])
        if Scope.PLAY not in token.scopes:
            return Refusal(Status.PERMISSION_DENIED, _NO_PLAY)
        return None

    def _objection_to_name(self, token: Token, name: str) -> Refusal | None:
        if not name_key(name):
            return Refusal(Status.FAILED_PRECONDITION, _NO_NAME)
        owner = self._owners.get(name_key(name))
        if owner is None and self._names[token.account] >= MAX_NAMES:
            return Refusal(Status.PERMISSION_DENIED, _TOO_MANY_NAMES)
        if owner not in (None, token.account):
            sentence = f"the bot name {name!r} belongs to another account; give this bot another one"
            return Refusal(Status.PERMISSION_DENIED, sentence)
        return None

    async def watch(self, changed: Callable[[], None]) -> None:
        """Refresh what is known until it is cancelled, and call ``changed`` after each time."""
        try:
            while True:
                await trio.sleep(REFRESH_SECONDS)
                await self.refresh()
                changed()
        finally:
            # Whoever came in last is written down as well.
            with trio.CancelScope(shield=True):
                await self.refresh()

    async def refresh(self) -> None:
        """Write down who came in, and read again who may. Where the database fails, what was known stands."""
        sightings, self._sightings = self._sightings, {}
        try:
            written = list(sightings.values())
            known = await trio.to_thread.run_sync(_write_and_read, self._accounts, written, self._now())
            self._take_over(known)
        except StoreError as error:
            self._sightings = sightings | self._sightings
            _logger.warning("the accounts are not up to date: %s", error)

    def _take_over(self, known: _Known) -> None:
        self._tokens = dict(known.tokens)
        # Whoever came in while it was read has his name already, though it is not written down.
        unwritten = {name_key(sighting.name): sighting.account for sighting in self._sightings.values()}
        self._owners = unwritten | dict(known.owners)
        self._names = Counter(self._owners.values())


def _write_and_read(accounts: Accounts, sightings: list[Sighting], now: float) -> _Known:
    if sightings:
        accounts.enter(sightings)
    return _read(accounts, now)


def _read(accounts: Accounts, now: float) -> _Known:
    return _Known({token.fingerprint: token for token in accounts.tokens()}, accounts.owners(now=now))
