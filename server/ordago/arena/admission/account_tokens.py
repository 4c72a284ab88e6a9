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
from typing import Final, NamedTuple, Protocol

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal, Share
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.fingerprint import fingerprint
from ordago.journal.v1 import JournaledSession
from ordago.names import misleads, name_key, skeleton
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.bot_names import NAME_HELD_SECONDS
from ordago.store.accounts.rows import Holder, Scope, Sighting, Token, TokenState
from ordago.store.errors import StoreError
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

REFRESH_SECONDS: Final = 2.0
"""After how long a token that was revoked elsewhere is good for nothing, and bans, roles and limits hold."""
_DAY_SECONDS: Final = 24 * 60 * 60

_NO_TOKEN: Final = "this server asks for a token: start the bot with the one that its account was given"  # noqa: S105
_UNKNOWN: Final = "the token is not known here; was it copied in full?"
_STATES: Final = {
    TokenState.REVOKED: "the token was revoked; ask for a new one",
    TokenState.EXPIRED: "the token has expired; ask for a new one",
}
_NO_PLAY: Final = "the token is good, but not for playing: it lacks the scope 'play'"
_NO_ROLE: Final = "the account lacks the role 'play'"
_MISLEADING: Final = "the bot's name mixes letters that look alike, or holds some that nobody sees: give it another one"
_BANNED: Final = "the account is banned: {reason}"
_TOO_MANY_NAMES: Final = (
    "the account has {names} names of bots by now, as many as it may: use one of them, release one, or wait until one "
    f"is free, {NAME_HELD_SECONDS // _DAY_SECONDS} days after a bot came in under it last"
)
_NO_NAME: Final = "bots are known by their names here: give this one a name"

_LAST_SECONDS: Final = 2.0
"""For so long it is waited for the database when the server ends. It takes milliseconds."""
_logger = logging.getLogger("ordago.admission")


class _Known(NamedTuple):
    """What was read."""

    holders: Mapping[bytes, Holder]
    owners: Mapping[str, str]


class AccountTokens:
    """Lets those in whose token is good for playing, each under a name of its account."""

    def __init__(
        self,
        accounts: Accounts,
        *,
        arrived: Callable[[Bot], None],
        telemetry: Telemetry | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Read who may come in.

        Args:
            accounts: the accounts' database.
            arrived: is called with each bot that comes, and again whenever it comes back.
            telemetry: where it is told whether the database can be used; nowhere but in the log if ``None``.
            now: the time, in seconds since 1970, UTC.

        Raises:
            StoreError: the database cannot be read.
        """
        self.accounts = accounts
        """The accounts' database."""
        self._arrived = arrived
        self._telemetry = telemetry or Telemetry()
        self._now = now
        self._sightings: dict[Sighting, Sighting] = {}
        """What is to be written down: for each bot, whenever it came in, when it did so last."""
        self._take_over(_read(accounts, now()))

    def recognise(self, token: str | None) -> str:
        """Recognise a token that was good when it was last looked at; one made since counts as unknown for a moment."""
        known = self._holders.get(fingerprint(token)) if token else None
        return known.token.id if known is not None and self._objection_to_token(known) is None else ""

    def holder(self, token: str | None) -> Token | Refusal:
        """Return what is known of a token that is good for playing, under whatever name, or why it is not."""
        known = self._player(token)
        return known if isinstance(known, Refusal) else known.token

    def holder_by(self, wanted: bytes) -> Token | Refusal:
        """Return the same of the token with this fingerprint."""
        known = self._player_by(wanted)
        return known if isinstance(known, Refusal) else known.token

    def _player(self, token: str | None) -> Holder | Refusal:
        return self._player_by(fingerprint(token)) if token else Refusal(Status.UNAUTHENTICATED, _NO_TOKEN)

    def _player_by(self, wanted: bytes) -> Holder | Refusal:
        known = self._find(wanted)
        if known is None:
            return Refusal(Status.UNAUTHENTICATED, _UNKNOWN)
        return self._objection_to_token(known) or known

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Let the bot in whose account this token belongs to, if the name is the account's or nobody's."""
        known = self._player(token)
        if isinstance(known, Refusal):
            return known
        own, account = known
        name = own.bot or bot.name
        refusal = self._objection_to_name(known, name)
        if refusal is not None:
            return refusal
        sighting = Sighting(own.id, own.account, name, bot.version, bot.build, at=int(self._now()))
        return Admission(
            self._arrived,
            name=name,
            account=own.account,
            fingerprint=own.fingerprint,
            share=Share(account.limits.bots, account.limits.sessions),
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
        self._alike.setdefault(skeleton(key), set()).add(account)

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the leave of a session that began before the server was started anew."""
        name, digest = session.bot.name, session.account_token_digest
        return Admission(self._arrived, name=name, account=session.account, fingerprint=digest)

    def review(self, admission: Admission) -> Refusal | None:
        """Return why a bot that was let in has to leave, or ``None`` if it may stay."""
        known = self._player_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else self._objection_to_name(known, admission.name)

    def _find(self, wanted: bytes) -> Holder | None:
        known = self._holders.get(wanted)
        if known is not None:
            return known
        try:
            found = self.accounts.holder(wanted)
        except StoreError as error:
            _logger.warning("cannot look up a token: %s", error)
            return None
        if found is not None:
            self._holders[wanted] = found
        return found

    def _objection_to_token(self, known: Holder) -> Refusal | None:
        state = known.state(self._now())
        if state is TokenState.BANNED:
            return Refusal(Status.PERMISSION_DENIED, _BANNED.format(reason=known.account.ban_reason))
        if state is not TokenState.ACTIVE:
            return Refusal(Status.UNAUTHENTICATED, _STATES[state])
        if Scope.PLAY not in known.token.scopes:
            return Refusal(Status.PERMISSION_DENIED, _NO_PLAY)
        if Scope.PLAY not in known.account.roles:
            return Refusal(Status.PERMISSION_DENIED, _NO_ROLE)
        return None

    def _objection_to_name(self, known: Holder, name: str) -> Refusal | None:
        if not name_key(name):
            return Refusal(Status.FAILED_PRECONDITION, _NO_NAME)
        owner, account = self._owners.get(name_key(name)), known.account
        if owner is None and self._names[account.name] >= account.limits.names:
            return Refusal(Status.PERMISSION_DENIED, _TOO_MANY_NAMES.format(names=self._names[account.name]))
        if owner is None and misleads(name):
            return Refusal(Status.PERMISSION_DENIED, _MISLEADING)
        if owner is None and self._alike.get(skeleton(name), set()) - {account.name}:
            sentence = f"the bot name {name!r} looks like one of another account; give this bot another one"
            return Refusal(Status.PERMISSION_DENIED, sentence)
        if owner not in (None, account.name):
            sentence = f"the bot name {name!r} belongs to another account; give this bot another one"
            return Refusal(Status.PERMISSION_DENIED, sentence)
        return None

    async def watch(self, changed: Callable[[], None]) -> None:
        """Refresh what is known until it is cancelled, and call ``changed`` after each time."""
        waits = self._telemetry.waits
        try:
            with waits.watching(Trouble.ACCOUNTS, "their database", lambda: self.accounts.waited_seconds):
                while True:
                    await trio.sleep(REFRESH_SECONDS)
                    await self.refresh()
                    changed()
        finally:
            # Whoever came in last is written down as well, unless the database hangs.
            with trio.move_on_after(_LAST_SECONDS, shield=True):
                await self.refresh()

    async def refresh(self) -> None:
        """Write down who came in, and read again who may. Where the database fails, what was known stands."""
        sightings, self._sightings = self._sightings, {}
        try:
            written = list(sightings.values())
            work = partial(_write_and_read, self.accounts, written, self._now())
            known = await trio.to_thread.run_sync(work, abandon_on_cancel=True)
            self._take_over(known)
            self._telemetry.is_over(Trouble.ACCOUNTS)
        except trio.Cancelled:
            self._sightings = sightings | self._sightings
            raise
        except StoreError as error:
            self._sightings = sightings | self._sightings
            self._telemetry.begins(Trouble.ACCOUNTS, str(error))

    def _take_over(self, known: _Known) -> None:
        self._holders = dict(known.holders)
        # Whoever came in while it was read has his name already, though it is not written down.
        unwritten = {name_key(sighting.name): sighting.account for sighting in self._sightings.values()}
        self._owners = unwritten | dict(known.owners)
        self._names = Counter(self._owners.values())
        self._alike: dict[str, set[str]] = {}
        for key, account in self._owners.items():
            self._alike.setdefault(skeleton(key), set()).add(account)


def _write_and_read(accounts: Accounts, sightings: list[Sighting], now: float) -> _Known:
    if sightings:
        accounts.enter(sightings)
    return _read(accounts, now)


def _read(accounts: Accounts, now: float) -> _Known:
    holders = {holder.token.fingerprint: holder for holder in accounts.holders()}
    return _Known(holders, accounts.owners(now=now))


_NO_ENTRANT: Final = "the token is good, but its account {account!r} has no entrant in this event"
_OTHER_BOT: Final = "the token is made out to the bot {bot!r}; the entrant of its account in this event is {name!r}"


class Place(Protocol):
    """An entrant of an event, for whom bots of an account may play."""

    @property
    def name(self) -> str:
        """The name of the entrant."""

    def admit(self, token: Token) -> Admission | Refusal:
        """Return the leave to play for the entrant that a good token of its account gives, or why there is none."""


class EntrantTokens:
    """Lets those in whose token belongs to an account with an entrant. Whatever they call themselves, they play for it.

    So nobody comes in for somebody else, and no name of a bot is taken up by an event.
    """

    def __init__(self, accounts: AccountTokens, places: Mapping[str, Place]) -> None:
        """Let those in who play for these entrants, by their accounts."""
        self._accounts = accounts
        self._places = places

    def recognise(self, token: str | None) -> str:
        """Recognise a token of any account: it is still to be counted with its own."""
        return self._accounts.recognise(token)

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:  # noqa: ARG002 - its token says it all
        """Let a bot in for the entrant of its account."""
        known = self._accounts.holder(token)
        if isinstance(known, Refusal):
            return known
        place = self._places.get(known.account)
        if place is None:
            return Refusal(Status.PERMISSION_DENIED, _NO_ENTRANT.format(account=known.account))
        if known.bot not in ("", place.name):
            return Refusal(Status.PERMISSION_DENIED, _OTHER_BOT.format(bot=known.bot, name=place.name))
        return place.admit(known)

    def review(self, admission: Admission) -> Refusal | None:
        """Return why a bot that was let in has to leave, or ``None`` if it may stay."""
        known = self._accounts.holder_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else None
