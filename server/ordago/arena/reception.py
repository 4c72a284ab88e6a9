"""From a new connection to a welcomed bot, and who may come back."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.chronicle import Chronicle
from ordago.arena.clock import RefereeClock
from ordago.arena.connection import Connection, Status, Visit
from ordago.arena.deadlines import Deadlines
from ordago.arena.doors import Admission, Door, Refusal
from ordago.arena.draining import DrainingUntil
from ordago.arena.flood import MESSAGES_PER_SECOND
from ordago.arena.gate import Bounds, Gate
from ordago.arena.greeting import Unwelcome, check, check_greeting, greeter_of, identity_by
from ordago.arena.sessions import identity_of, new_session, new_token, session_entry, session_of
from ordago.arena.visit import MAX_FRAME_BYTES, BotVisit
from ordago.games import find_game
from ordago.journal import NO_JOURNAL, JournalError, MatchJournal
from ordago.session import MAX_FRAME_MESSAGES, ServerLink
from ordago.version import __version__

CONTRACT_VERSION: Final = 1
MAX_MATCHES: Final = 1024
RESUME_WINDOW_SECONDS: Final = 60
"""How long a bot can come back after its connection broke."""


class _Guest(NamedTuple):
    """A bot that came in, and by what leave."""

    bot: Bot
    admission: Admission
    greeter: bytes = b""
    """What the process is known by that said Hello; empty where it said so to an earlier server."""


@dataclass(frozen=True, slots=True)
class _Absence:
    """A bot that is away, as long as it may come back."""

    desk: "ReceptionDesk"
    bot: Bot
    deadline: float

    def expire(self) -> None:
        self.bot.told.given_up()
        self.desk.forget(self.bot, "the bot did not come back in time")


class ReceptionDesk:
    """Welcomes bots. It is a ``Reception``: call it with each new connection."""

    def __init__(
        self,
        *,
        door: Door,
        games: Iterable[str],
        max_matches: int = MAX_MATCHES,
        bounds: Bounds | None = None,
        chronicle: Chronicle | None = None,
        journal: MatchJournal = NO_JOURNAL,
    ) -> None:
        """Receive bots for some games, by their short names, each for at most this many matches at once.

        Args:
            door: who may come in.
            games: the short names of the games.
            max_matches: how many matches a bot plays at once at most.
            bounds: how many may come; the defaults of ``Bounds`` if ``None``.
            chronicle: where it is told who comes and goes; nowhere if ``None``.
            journal: where sessions are noted, so that they can be resumed after a restart.
        """
        self._door = door
        self._games = frozenset(games)
        self._max_matches = max_matches
        self._journal = journal
        self._clock = RefereeClock()
        self._chronicle = chronicle or Chronicle()
        self.gate = Gate(bounds or Bounds(), self._clock, self._chronicle)
        """Counts the connections."""
        self._guests: dict[str, _Guest] = {}
        self._greeters: dict[bytes, _Guest] = {}
        self._deadlines = Deadlines(self._clock, self._chronicle)
        self._absences: dict[str, _Absence] = {}
        self._draining: DrainingUntil | None = None

    def __call__(self, connection: Connection) -> Visit:
        """Take a new connection and return who is to be told about it."""
        visit = BotVisit(self, connection)
        refusal = self.gate.come(visit)
        if refusal is not None:
            visit.turn_away(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)
        return visit

    @property
    def clock(self) -> RefereeClock:
        """The clock that bots are charged by."""
        return self._clock

    @property
    def chronicle(self) -> Chronicle:
        """Where it is told who comes and goes."""
        return self._chronicle

    @property
    def connected(self) -> int:
        """The number of bots that are connected."""
        return sum(guest.bot.connected for guest in self._guests.values())

    def drain(self, sentence: str, *, grace_seconds: float) -> None:
        """Announce to everybody, and to all who come, that the server will go down, why, and when at the latest."""
        if self._draining is not None:
            return
        self._draining = DrainingUntil(sentence, trio.current_time() + grace_seconds)
        self._chronicle.drains(closing_in_seconds=grace_seconds)
        for guest in self._guests.values():
            guest.bot.send(self._draining.message())

    def close(self, sentence: str) -> None:
        """Say goodbye to everybody. No session can be resumed afterwards."""
        for guest in self._guests.values():
            guest.bot.say_goodbye(sentence)
            self._journal.end_session(guest.bot.session.id)

    def suspend(self, sentence: str) -> None:
        """End all connections so that the bots resume at the next server. The matches have to be stopped at once."""
        for guest in self._guests.values():
            guest.bot.suspend(sentence)

    def restore(self, entry: v1.JournaledSession, admission: Admission) -> Bot:
        """Take in a session of an earlier server and return its bot, which may come back as if just lost."""
        bot = Bot(identity_of(entry), self._clock, session_of(entry), chronicle=self._chronicle)
        self._guests[bot.session.id] = _Guest(bot, admission)
        self._expect_back(bot)
        return bot

    def review(self) -> None:
        """End the sessions of those whose leave is not good any more."""
        for bot, admission, _ in list(self._guests.values()):
            refusal = self._door.review(admission)
            if refusal is not None:
                bot.say_goodbye(refusal.sentence, status=refusal.status)
                self.forget(bot, refusal.sentence)

    def enter(self, connection: Connection, link: ServerLink, hello: v1.Hello) -> Bot:
        """Welcome a bot and return it.

        Raises:
            Unwelcome: it cannot come in.
        """
        if not hello.min_version <= CONTRACT_VERSION <= hello.max_version:
            asked = f"{hello.min_version} to {hello.max_version}"
            sentence = f"this server speaks version {CONTRACT_VERSION} of the contract, the bot {asked}"
            raise Unwelcome(Status.FAILED_PRECONDITION, sentence)
        known = self._guest_of(connection, hello)
        resumed = known is not None
        guest, token = known or self._new_guest(connection, hello)
        self._welcome(guest.bot, connection, link, token=token, resumed=resumed)
        (guest.bot.told.resumed if resumed else guest.bot.told.opened)()
        guest.admission.arrived(guest.bot)
        return guest.bot

    def _guest_of(self, connection: Connection, hello: v1.Hello) -> tuple["_Guest", str] | None:
        """Return the guest whose session goes on and the token that resumes it, or ``None`` if a new one begins.

        A bot that lost its connection before Welcome came does not know of its session. It is known by its token with
        its nonce, which no other process has: so it is not taken for a second one, nor waited for in vain.
        """
        if hello.HasField("resume"):
            return self._guest_to_resume(hello.resume), hello.resume.resume_token
        guest = self._greeters.get(greeter_of(connection.token, hello)) if connection.token else None
        if guest is None:
            return None
        check(self._door.review(guest.admission))
        self._check_pace(guest.bot)
        return guest, self._renewed(guest.bot)

    def _renewed(self, bot: Bot) -> str:
        """Return a new token for a session whose token, which is kept nowhere, did not reach the bot."""
        digest, token = new_token()
        self._note(v1.JournaledSession(session_id=bot.session.id, token_digest=digest))
        bot.session = bot.session._replace(token_digest=digest)
        return token

    def _note(self, session: v1.JournaledSession) -> None:
        """Note a session, or what has changed of it, in the journal."""
        try:
            self._journal.begin_session(session)
        except JournalError:
            raise Unwelcome(Status.UNAVAILABLE, "the server cannot keep sessions now; try again later") from None

    def _new_guest(self, connection: Connection, hello: v1.Hello) -> tuple["_Guest", str]:
        """Return a new guest, and the token that resumes his session."""
        # The greeting is judged before the door is asked, so that a bad one does not use up a launch.
        games = self._common_games(hello)
        check_greeting(hello)
        admission = self._admitted(connection, hello.bot)
        identity = identity_by(hello, admission, games, max_matches=self._max_matches)
        session, token = new_session()
        self._note(session_entry(session, identity, admission))
        admission.begun()
        bot = Bot(identity, self._clock, session, chronicle=self._chronicle)
        guest = self._guests[session.id] = _Guest(bot, admission, greeter_of(connection.token, hello))
        self._greeters[guest.greeter] = guest
        return guest, token

    def _admitted(self, connection: Connection, bot: v1.Software) -> Admission:
        admission = self._door.admit(connection.token, bot)
        account = "" if isinstance(admission, Refusal) else admission.account
        who = f"account {account}" if account else connection.origin
        check(self.gate.begin_session(who, at=self._clock.now()))
        if isinstance(admission, Refusal):
            raise Unwelcome.by(admission)
        return admission

    def _common_games(self, hello: v1.Hello) -> frozenset[str]:
        games = self._games & frozenset(hello.games) if hello.games else self._games
        if not games:
            offered, wanted = ", ".join(sorted(self._games)), ", ".join(hello.games)
            raise Unwelcome(Status.FAILED_PRECONDITION, f"this server plays {offered}, the bot {wanted}")
        return games

    def _guest_to_resume(self, resume: v1.Resume) -> "_Guest":
        guest = self._guests.get(resume.session_id)
        if guest is None or not guest.bot.is_resumed_by(resume.resume_token):
            raise Unwelcome(Status.UNAUTHENTICATED, "there is no such session to resume; begin a new one")
        check(self._door.review(guest.admission))
        self._check_pace(guest.bot)
        guest.bot.knows(resume.matches)
        return guest

    def _check_pace(self, bot: Bot) -> None:
        """Count a resume. All that the bot plays is sent again then, so it cannot come back as often as it likes."""
        wait_ms = math.ceil(1000 * bot.flood.count_resume(at=self._clock.now(), matches=bot.matches))
        if wait_ms:
            sentence = f"the session was resumed too often; come back in {wait_ms} ms"
            raise Unwelcome(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)

    def _welcome(self, bot: Bot, connection: Connection, link: ServerLink, *, token: str, resumed: bool) -> None:
        welcome = v1.Welcome(
            version=CONTRACT_VERSION,
            server=v1.Software(name="ordago", version=__version__),
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
        connection.send(link.send(welcome))
        self._end_absence(bot)
        bot.connect(connection, link)
        if self._draining is not None:
            bot.send(self._draining.message())

    def lose(self, bot: Bot) -> None:
        """Note that a bot lost its connection. It may come back for some time."""
        bot.disconnect()
        if bot.session.id in self._guests:
            self._expect_back(bot)

    def _expect_back(self, bot: Bot) -> None:
        absence = _Absence(self, bot, self._clock.now() + RESUME_WINDOW_SECONDS)
        self._absences[bot.session.id] = absence
        self._deadlines.add(absence)

    def forget(self, bot: Bot, sentence: str, *, fault: v1.Fault = v1.FAULT_DISCONNECTED) -> None:
        """Forget a bot that does not come back, for this reason: it forfeits the matches that it plays."""
        guest = self._guests.pop(bot.session.id, None)
        if guest is not None:
            self._greeters.pop(guest.greeter, None)
        self._end_absence(bot)
        bot.give_up(fault, sentence)
        # Afterwards: a match of a session that is over, with a seat that is not forfeited, is one that never went on.
        self._journal.end_session(bot.session.id)
        bot.disconnect()

    def _end_absence(self, bot: Bot) -> None:
        absence = self._absences.pop(bot.session.id, None)
        if absence is not None:
            self._deadlines.discard(absence)
