"""Handling of a Hello: the bot is welcomed, or refused for a reason."""

import math
from collections.abc import Iterable
from typing import Final

from ordago import v1
from ordago.arena.admission.authenticator import NO_BEARER, Admission, Authenticator, Refusal
from ordago.arena.admission.hello import Unwelcome, check, check_hello, hello_key, identity_by, owner_of
from ordago.arena.admission.limits import MAX_FRAME_BYTES, ConnectionLimits
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS, Member, Sessions
from ordago.arena.bot import Bot
from ordago.arena.connection import Connection, Status
from ordago.arena.flood import MESSAGES_PER_SECOND
from ordago.arena.referee_clock import RefereeClock
from ordago.games import find_game
from ordago.journal import JournalError
from ordago.protocol import MAX_FRAME_MESSAGES, ServerConnection, granted
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago.version import __version__

CONTRACT_VERSION: Final = 1
"""The version of the contract ``ordago.v1``."""


class Reception:
    """Welcomes bots, or refuses them."""

    def __init__(
        self,
        authenticator: Authenticator,
        sessions: Sessions,
        limits: ConnectionLimits,
        clock: RefereeClock,
        *,
        games: Iterable[str],
        max_matches: int,
        telemetry: Telemetry,
    ) -> None:
        """Welcome bots for some games.

        Args:
            authenticator: admits bots.
            sessions: the sessions of the server.
            limits: the limits on connections and new sessions.
            clock: the clock that bots are charged by.
            games: the short names of the games on offer.
            max_matches: maximum of matches that a bot plays at once.
            telemetry: receives troubles with the journal.
        """
        self._authenticator = authenticator
        self._sessions = sessions
        self._limits = limits
        self._clock = clock
        self._games = frozenset(games)
        self._max_matches = max_matches
        self._telemetry = telemetry

    def enter(self, connection: Connection, protocol: ServerConnection, hello: v1.Hello) -> Bot:
        """Welcome a bot and return it.

        Raises:
            Unwelcome: it is refused.
        """
        if not hello.min_version <= CONTRACT_VERSION <= hello.max_version:
            asked = f"{hello.min_version} to {hello.max_version}"
            sentence = f"this server speaks version {CONTRACT_VERSION} of the contract, the bot {asked}"
            raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
        try:
            member, token, resumed = self._member(connection, hello)
        except JournalError as error:
            self._telemetry.begins(Trouble.JOURNAL, str(error))
            raise Unwelcome(
                Status.UNAVAILABLE, "the server cannot save sessions at the moment; try again later"
            ) from None
        bot = member.bot
        connection.send(protocol.send(_welcome(bot, hello, token=token, resumed=resumed)))
        bot.connect(connection, protocol)
        self._sessions.arrived(bot)
        (bot.telemetry.resumed if resumed else bot.telemetry.opened)()
        member.admission.arrived(bot)
        bot.leave_if_done()
        return bot

    def _member(self, connection: Connection, hello: v1.Hello) -> tuple[Member, str, bool]:
        """Return the member whose session begins or goes on, its resume token, and True if it goes on.

        A bot that lost its connection before the Welcome does not know of its session. Its token and nonce identify it,
        since no other process has both. So it does not get a second session while the first one waits in vain.
        """
        if hello.HasField("resume"):
            member = self._checked(self._sessions.to_resume(hello.resume))
            member.bot.knows(hello.resume.matches)
            return member, hello.resume.resume_token, True
        key = hello_key(connection.token, hello)
        known = self._sessions.begun_by(key) if connection.token else None
        if known is not None:
            member = self._checked(known)
            return member, self._sessions.renewed_token(member.bot), True
        return self._newcomer(connection, hello, key)

    def _checked(self, member: Member | None) -> Member:
        """Return the member whose session goes on, unless it is refused."""
        if member is None:
            raise Unwelcome(Status.UNAUTHENTICATED, "there is no such session to resume; begin a new one")
        check(self._authenticator.review(member.admission))
        self._check_pace(member.bot)
        return member

    def _check_pace(self, bot: Bot) -> None:
        """Count a resume. Each sends the state of all running matches again, so their rate is limited."""
        wait_ms = math.ceil(1000 * bot.flood.count_resume(at=self._clock.now(), matches=bot.matches))
        if wait_ms:
            sentence = f"the session was resumed too often; come back in {wait_ms} ms"
            raise Unwelcome(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)

    def _newcomer(self, connection: Connection, hello: v1.Hello, hello_key: bytes) -> tuple[Member, str, bool]:
        """Return as ``_member`` for a new process: its session begins, or it takes over that of another process."""
        # The Hello is checked before the authenticator is asked, so that a bad one does not use up a launch token.
        games = self._common_games(hello)
        check_hello(hello)
        admission = self._admitted(connection, hello.bot)
        before = admission.in_place_of
        if before is not None and before.loss is None:
            return self._successor(admission, before, hello_key)
        identity = identity_by(hello, admission, games, max_matches=self._max_matches, origin=connection.origin)
        check(self._sessions.make_room(identity, admission.share))
        member, token = self._sessions.begin(identity, admission, hello_key)
        admission.begun()
        return member, token, False

    def _successor(self, admission: Admission, bot: Bot, hello_key: bytes) -> tuple[Member, str, bool]:
        """Hand the session of a bot over to a new process, which knows nothing of it."""
        self._check_pace(bot)
        bot.knows(())
        return self._sessions.hand_over(bot, admission, hello_key), self._sessions.renewed_token(bot), True

    def _admitted(self, connection: Connection, bot: v1.Software) -> Admission:
        admission = self._authenticator.admit(connection.token, bot)
        account = "" if isinstance(admission, Refusal) else admission.account
        check(self._limits.begin_session(owner_of(account, connection.origin), at=self._clock.now()))
        if not isinstance(admission, Refusal):
            return admission
        if connection.lacks_bearer:
            raise Unwelcome(Status.UNAUTHENTICATED, NO_BEARER)
        raise Unwelcome.by(admission)

    def _common_games(self, hello: v1.Hello) -> frozenset[str]:
        games = self._games & frozenset(hello.games) if hello.games else self._games
        if not games:
            offered, wanted = ", ".join(sorted(self._games)), ", ".join(hello.games)
            raise Unwelcome(Status.FAILED_PRECONDITION, f"this server plays {offered}, the bot {wanted}")
        return games


def _welcome(bot: Bot, hello: v1.Hello, *, token: str, resumed: bool) -> v1.Welcome:
    return v1.Welcome(
        version=CONTRACT_VERSION,
        server=v1.Software(name="ordago", version=__version__),
        capabilities=granted(hello.capabilities),
        games=[
            v1.OfferedGame(game=game, rules_version=find_game(game).rules.version)
            for game in sorted(bot.identity.games)
        ],
        limits=v1.Limits(
            max_frame_bytes=MAX_FRAME_BYTES,
            max_frame_messages=MAX_FRAME_MESSAGES,
            max_open_decisions=bot.identity.max_open_decisions,
            max_matches=bot.identity.max_matches,
            messages_per_second=MESSAGES_PER_SECOND,
            resume_window_ms=RESUME_WINDOW_SECONDS * 1000,
        ),
        session_id=bot.session.id,
        resume_token=token,
        resumed=resumed,
    )
