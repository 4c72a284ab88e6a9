"""Authentication by account tokens.

Tokens, accounts and bot names are cached in memory, so that admitting a bot does not make trio's thread wait for the
database. A worker thread writes sightings and reads everything again every other second. Only an unknown token is
looked up at once, since it may be new: one indexed row, a fraction of a millisecond where the database is a file.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
from ordago.store.accounts.rows import Announcement, Holder, Scope, Sighting, Token, TokenState
from ordago.store.errors import StoreError
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

REFRESH_SECONDS: Final = 2.0
"""Interval of reading the accounts. Revoked tokens, bans, and changed roles and limits take effect within it."""
_DAY_SECONDS: Final = 24 * 60 * 60

_NO_TOKEN: Final = "this server asks for a token: start the bot with the one that its account was given"  # noqa: S105
_UNKNOWN: Final = "the token is not known here; was it copied in full?"
_STATES: Final = {
    TokenState.REVOKED: "the token was revoked; ask for a new one",
    TokenState.EXPIRED: "the token has expired; ask for a new one",
}
_NO_PLAY: Final = "the token is good, but not for playing: it lacks the scope 'play'"
_NO_ROLE: Final = "the account lacks the role 'play'"
_MISLEADING: Final = "the bot's name mixes letters that look alike, or contains invisible ones: give it another one"
_BANNED: Final = "the account is banned: {reason}"
_TOO_MANY_NAMES: Final = (
    "the account has {names} bot names, its maximum: use one of them, release one, or wait until one is free, "
    f"{NAME_HELD_SECONDS // _DAY_SECONDS} days after its last connection"
)
_NO_NAME: Final = "this server requires a bot name: set one"

_LAST_SECONDS: Final = 2.0
"""Longest wait for the database at shutdown. Usually it takes milliseconds."""
_logger = logging.getLogger("ordago.admission")


class _Known(NamedTuple):
    """The contents of the accounts' database."""

    holders: Mapping[bytes, Holder]
    owners: Mapping[str, str]
    pseudonyms: Mapping[str, str]
    announcements: Sequence[Announcement]


class AccountTokens:
    """Admits bots whose token allows playing, each under a name of its account."""

    def __init__(
        self,
        accounts: Accounts,
        *,
        arrived: Callable[[Bot], None],
        telemetry: Telemetry | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Read the accounts.

        Args:
            accounts: the accounts' database.
            arrived: is called with each bot that is welcomed, and again whenever it resumes.
            telemetry: receives troubles with the database, and their ends; ``None`` for the log only.
            now: returns the time, in seconds since 1970, UTC.

        Raises:
            StoreError: the database cannot be read.
        """
        self.accounts = accounts
        """The accounts' database."""
        self._arrived = arrived
        self._telemetry = telemetry or Telemetry()
        self._now = now
        self._sightings: dict[Sighting, Sighting] = {}
        """The sightings to write: the last one of each bot, by the sighting without its time."""
        self._take_over(_read(accounts, now()))

    @property
    def announcements(self) -> Sequence[v1.Announcement]:
        """The announcements that stand, at most five, the oldest first. Any thread may read them."""
        now = self._now()
        standing = (one for one in self._announcements if one.ends_at is None or one.ends_at > now)
        return [v1.Announcement(**one._asdict()) for one in standing]

    def shown_account(self, account: str) -> str:
        """Return the name of an account as strangers may see it: the pseudonym of one that was deleted."""
        return self._pseudonyms.get(account, account)

    def recognise(self, token: str | None) -> str:
        """Return the ID of a cached token that is active; empty for any other, a brand-new one included."""
        known = self._holders.get(fingerprint(token)) if token else None
        return known.token.id if known is not None and self._objection_to_token(known) is None else ""

    def holder(self, token: str | None) -> Token | Refusal:
        """Return a token that allows playing, under whatever name, or a refusal."""
        known = self._player(token)
        return known if isinstance(known, Refusal) else known.token

    def holder_by(self, wanted: bytes) -> Token | Refusal:
        """Return the token with this fingerprint if it allows playing, or a refusal."""
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
        """Admit a bot of the token's account, if its name belongs to that account or is free."""
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
        """Note a sighting. A free name now belongs to the account of the bot."""
        key = name_key(sighting.name)
        if key not in self._owners:
            self._own(key, sighting.account)
        self._sightings[sighting._replace(at=0)] = sighting

    def _own(self, key: str, account: str) -> None:
        self._owners[key] = account
        self._names[account] += 1
        self._alike.setdefault(skeleton(key), set()).add(account)

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the admission of a session that began before the restart."""
        name, digest = session.bot.name, session.account_token_digest
        return Admission(self._arrived, name=name, account=session.account, fingerprint=digest)

    def review(self, admission: Admission) -> Refusal | None:
        """Return a refusal if a bot has to disconnect, ``None`` if it may stay."""
        known = self._player_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else self._objection_to_name(known, admission.name)

    def _find(self, wanted: bytes) -> Holder | None:
        known = self._holders.get(wanted)
        if known is not None:
            return known
        try:
            found = self.accounts.holder(wanted)
        except StoreError as error:
            _logger.warning("a token cannot be looked up", extra={"error": str(error)})
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
        """Refresh the cache until cancelled, and call ``changed`` after each time."""
        waits = self._telemetry.waits
        try:
            with waits.watching(Trouble.ACCOUNTS, "their database", lambda: self.accounts.waited_seconds):
                while True:
                    await trio.sleep(REFRESH_SECONDS)
                    await self.refresh()
                    changed()
        finally:
            # Write the last sightings as well, unless the database hangs.
            with trio.move_on_after(_LAST_SECONDS, shield=True):
                await self.refresh()

    async def refresh(self) -> None:
        """Write the sightings and read the accounts again. If the database fails, the cache stays as it is."""
        sightings, self._sightings = self._sightings, {}
        try:
            written = list(sightings.values())
            work = partial(_write_and_read, self.accounts, written, self._now())
            # Abandoned when cancelled: a database that hangs must not keep the server from ending.
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
        self._announcements = known.announcements
        self._pseudonyms = known.pseudonyms
        # Names taken while the database was read are not in it yet.
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
    return _Known(holders, accounts.owners(now=now), accounts.pseudonyms(), accounts.announcements(now=now))


_NO_ENTRANT: Final = "the token is good, but its account {account!r} has no entrant in this event"
_OTHER_BOT: Final = "the token is bound to the bot {bot!r}; the entrant of its account in this event is {name!r}"


class Place(Protocol):
    """An entrant of an event, for which bots of an account may play."""

    @property
    def name(self) -> str:
        """The name of the entrant."""

    def admit(self, token: Token) -> Admission | Refusal:
        """Return the admission by a token of the entrant's account, or a refusal."""


class EntrantTokens:
    """Admits bots whose account has an entrant in the event. Whatever name a bot gives, it plays for that entrant.

    So no bot can play for an entrant of another account, and an event uses up no bot names.
    """

    def __init__(self, accounts: AccountTokens, places: Mapping[str, Place]) -> None:
        """Admit bots for these entrants, which are keyed by account."""
        self._accounts = accounts
        self._places = places

    def recognise(self, token: str | None) -> str:
        """Recognise a token of any account, so that its connections count towards its own limit."""
        return self._accounts.recognise(token)

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:  # noqa: ARG002 - its token says it all
        """Admit a bot for the entrant of its account."""
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
        """Return a refusal if a bot has to disconnect, ``None`` if it may stay."""
        known = self._accounts.holder_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else None
