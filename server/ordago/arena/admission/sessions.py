"""The sessions of a server: of bots that are connected or may come back."""

import math
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Admission, Refusal, Share
from ordago.arena.admission.hello import owner_of
from ordago.arena.admission.limits import ConnectionBounds, full
from ordago.arena.bot import Bot, Identity, Session
from ordago.arena.deadline_queue import DeadlineQueue
from ordago.arena.referee_clock import RefereeClock
from ordago.fingerprint import fingerprint
from ordago.journal import MatchJournal
from ordago.journal.v1 import JournaledSession
from ordago.telemetry.telemetry import Telemetry


class DrainingUntil(NamedTuple):
    """The notice that the server will go down."""

    sentence: str
    closing_at: float
    """The latest time, in seconds of trio's clock."""

    def message(self) -> v1.Draining:
        """Return the message with the time left, at least 1 ms, since 0 would mean that the time is unknown."""
        left_ms = math.ceil(1000 * (self.closing_at - trio.current_time()))
        return v1.Draining(sentence=self.sentence, closing_in_ms=max(1, left_ms))


RESUME_WINDOW_SECONDS: Final = 60
"""Time to resume after a connection broke: long enough for a network or a laptop to recover, and short enough for the
bots that wait at the same tables."""

_RETIRED: Final = "the bot has retired, and its matches are over"


class Member(NamedTuple):
    """A bot with a session, and its admission."""

    bot: Bot
    admission: Admission
    hello_key: bytes = b""
    """The key of its process, as ``hello_key`` returns it; empty if the Hello was before a restart."""


@dataclass(frozen=True, slots=True)
class _Absence:
    """The absence of a bot that may come back."""

    sessions: "Sessions"
    bot: Bot
    deadline: float

    def expire(self) -> None:
        self.bot.telemetry.given_up()
        self.sessions.forget(self.bot, "the bot did not reconnect in time")


class Sessions:
    """All bots that are connected or may come back, by their sessions."""

    def __init__(
        self, clock: RefereeClock, *, bounds: ConnectionBounds, telemetry: Telemetry, journal: MatchJournal
    ) -> None:
        """Begin without sessions.

        Args:
            clock: the clock that bots are charged by.
            bounds: the limits on sessions.
            telemetry: receives what happens to bots.
            journal: holds the sessions, so that they can be resumed after a restart.
        """
        self._clock = clock
        self._bounds = bounds
        self._telemetry = telemetry
        self._journal = journal
        self._members: dict[str, Member] = {}
        self._by_hello: dict[bytes, Member] = {}
        self._owned: dict[str, Counter[str]] = {}
        """Numbers of sessions, by owner and by the name of the bot."""
        self._absences: dict[str, dict[str, _Absence]] = {}
        """The absences by owner and session ID; those of each owner begin with the longest."""
        self._deadlines = DeadlineQueue(clock, telemetry)
        self._draining: DrainingUntil | None = None
        self._announcements: Sequence[v1.Announcement] = ()
        """The announcements that stand."""

    @property
    def bots(self) -> list[Bot]:
        """The bots that are connected or may come back."""
        return [member.bot for member in self._members.values()]

    def by_account(self) -> Counter[tuple[str, str]]:
        """Return the numbers of sessions of bots that belong to accounts, by the account and the name of the bot."""
        identities = (member.bot.identity for member in self._members.values())
        return Counter((identity.account, identity.name) for identity in identities if identity.account)

    @property
    def connected(self) -> int:
        """Number of connected bots."""
        return sum(member.bot.connected for member in self._members.values())

    def begun_by(self, hello_key: bytes) -> Member | None:
        """Return the member whose session began with this Hello; ``None`` if there is none any more."""
        return self._by_hello.get(hello_key)

    def to_resume(self, resume: v1.Resume) -> Member | None:
        """Return the member of the session to resume; ``None`` if there is none or the token is wrong."""
        member = self._members.get(resume.session_id)
        return member if member is not None and member.bot.is_resumed_by(resume.resume_token) else None

    def make_room(self, newcomer: Identity, share: Share | None = None) -> Refusal | None:
        """Make room for one more session, or return a refusal if a limit is reached.

        Absent bots are given up for it, the longest absence first: one of the same owner if that is at its limit,
        otherwise one of the owner with the most absent bots. So no owner can push out the bots of all others.

        Args:
            newcomer: the bot to begin a session.
            share: the limits of its account; ``None`` for those of the server alone.
        """
        owner, most = newcomer.owner, self._bounds.max_sessions_each
        owned = self._owned.get(owner, Counter())
        if share is not None:
            most = min(most, share.sessions - share.elsewhere.total())
            names = owned.keys() | share.elsewhere.keys()
            if newcomer.name not in names and len(names) >= share.bots:
                return full(f"{len(names)} bots of your account are connected, its maximum; come back later")
        if owned.total() >= most and not self._give_up_one(of=owner):
            return full("too many bots of your account or from your address are connected; come back later")
        if len(self._members) >= self._bounds.max_sessions and not self._give_up_one():
            return full("the server is full; come back later")
        return None

    def give_up_a_player(self) -> bool:
        """Give up a bot that is absent from a match, to make room for other matches; return False if there is none."""
        return self._give_up_one(playing=True)

    def _give_up_one(self, *, of: str = "", playing: bool = False) -> bool:
        owners = [of] if of else sorted(self._absences, key=lambda owner: len(self._absences[owner]), reverse=True)
        for absence in (one for owner in owners for one in self._absences.get(owner, {}).values()):
            # A bot that has not connected since a restart is not to blame, and so makes room only for its own owner.
            if (of or absence.bot.channel.has_come) and (absence.bot.matches or not playing):
                absence.bot.telemetry.given_up()
                self.forget(absence.bot, "the bot was disconnected, and its place was needed for others")
                return True
        return False

    def begin(self, identity: Identity, admission: Admission, hello_key: bytes) -> tuple[Member, str]:
        """Begin a session and return its member and its resume token.

        Raises:
            JournalError: it cannot be journaled.
        """
        session, token = new_session()
        self._journal.begin_session(session_entry(session, identity, admission))
        member = self._by_hello[hello_key] = self._take_in(Member(self._bot(identity, session), admission, hello_key))
        return member, token

    def _bot(self, identity: Identity, session: Session) -> Bot:
        return Bot(identity, self._clock, session, telemetry=self._telemetry, done=self._let_go)

    def _take_in(self, member: Member) -> Member:
        self._members[member.bot.session.id] = member
        identity = member.bot.identity
        self._owned.setdefault(identity.owner, Counter())[identity.name] += 1
        return member

    def hand_over(self, bot: Bot, admission: Admission, hello_key: bytes) -> Member:
        """Hand the session of a bot over to another process, which has an admission of its own."""
        before = self._members[bot.session.id]
        self._by_hello.pop(before.hello_key, None)
        after = self._members[bot.session.id] = self._by_hello[hello_key] = Member(bot, admission, hello_key)
        return after

    def renewed_token(self, bot: Bot) -> str:
        """Return a new resume token for a session, since only the digest of the old one is stored.

        Raises:
            JournalError: it cannot be journaled.
        """
        digest, token = new_token()
        self._journal.begin_session(JournaledSession(session_id=bot.session.id, token_digest=digest))
        bot.session = bot.session._replace(token_digest=digest)
        return token

    def restore(self, entry: JournaledSession, admission: Admission) -> Bot:
        """Restore a session from before a restart and return its bot, whose resume window begins now."""
        bot = self._bot(identity_of(entry), session_of(entry))
        self._take_in(Member(bot, admission))
        self._expect_back(bot)
        return bot

    def arrived(self, bot: Bot) -> None:
        """Note that a bot is connected, and send it what stands announced, and whether the server is draining."""
        self._end_absence(bot)
        for announcement in self._announcements:
            bot.channel.send(announcement)
        if self._draining is not None:
            bot.channel.send(self._draining.message())

    def lose(self, bot: Bot) -> None:
        """Note that a bot lost its connection. It may resume within ``RESUME_WINDOW_SECONDS``."""
        bot.disconnect()
        if bot.session.id in self._members:
            self._expect_back(bot)
            self._members[bot.session.id].admission.gone(bot)

    def _expect_back(self, bot: Bot) -> None:
        absence = _Absence(self, bot, self._clock.now() + RESUME_WINDOW_SECONDS)
        self._absences.setdefault(bot.identity.owner, {})[bot.session.id] = absence
        self._deadlines.add(absence)

    def _end_absence(self, bot: Bot) -> None:
        of_owner = self._absences.get(bot.identity.owner, {})
        absence = of_owner.pop(bot.session.id, None)
        if absence is not None:
            self._deadlines.discard(absence)
            if not of_owner:
                del self._absences[bot.identity.owner]

    def forget(self, bot: Bot, sentence: str, *, fault: v1.Fault = v1.FAULT_DISCONNECTED) -> None:
        """End the session of a bot that does not come back, for this reason: it forfeits its running matches."""
        member = self._members.pop(bot.session.id, None)
        if member is not None:
            self._by_hello.pop(member.hello_key, None)
            self._disown(bot.identity)
        self._end_absence(bot)
        bot.give_up(fault, sentence)
        # After the forfeits: a journaled seat with neither session nor forfeit means that its match never went on.
        self._journal.end_session(bot.session.id)
        bot.disconnect()
        if member is not None:
            member.admission.gone(bot)

    def _disown(self, gone: Identity) -> None:
        owned = self._owned[gone.owner]
        owned[gone.name] -= 1
        if not owned[gone.name]:
            del owned[gone.name]
        if not owned:
            del self._owned[gone.owner]

    def _let_go(self, bot: Bot) -> None:
        """Send a Goodbye to a bot that has retired and has no match left, and end its session."""
        bot.say_goodbye(_RETIRED)
        self.forget(bot, _RETIRED)

    def review(self, objection_to: Callable[[Admission], Refusal | None]) -> None:
        """End the sessions of bots whose admission is not valid any more.

        Args:
            objection_to: returns a refusal if an admission is not valid any more, else ``None``.
        """
        for bot, admission, _ in list(self._members.values()):
            refusal = objection_to(admission)
            if refusal is not None:
                bot.say_goodbye(refusal.sentence, status=refusal.status)
                self.forget(bot, refusal.sentence)

    def dismiss(self, session_id: str, sentence: str) -> bool:
        """End a session for this reason: its bot forfeits its running matches. Return False if there is none."""
        member = self._members.get(session_id)
        if member is None:
            return False
        member.bot.say_goodbye(sentence)
        self.forget(member.bot, sentence)
        return True

    def announce(self, standing: Sequence[v1.Announcement]) -> None:
        """Send the announcements that are new to all bots, and all that stand to bots that connect later."""
        known = {one.number for one in self._announcements}
        self._announcements = standing
        for announcement in (one for one in standing if one.number not in known):
            for bot in self.bots:
                bot.channel.send(announcement)

    def drain(self, sentence: str, *, grace_seconds: float) -> None:
        """Announce to all bots, and to those that connect later, that the server will go down.

        Args:
            sentence: the reason.
            grace_seconds: the time until it goes down at the latest.
        """
        if self._draining is not None:
            return
        self._draining = DrainingUntil(sentence, trio.current_time() + grace_seconds)
        self._telemetry.drains(closing_in_seconds=grace_seconds)
        for member in self._members.values():
            member.bot.channel.send(self._draining.message())

    def close(self, sentence: str) -> None:
        """Send a Goodbye to all bots of a server that has no journal: none can resume its session."""
        for member in self._members.values():
            member.bot.say_goodbye(sentence)

    def suspend(self, sentence: str) -> None:
        """Close all connections so that the bots resume after the restart. The caller has to stop all matches."""
        for member in self._members.values():
            member.bot.suspend(sentence)


_SESSION_ID_BYTES: Final = 12
"""96 bits: enough that no two sessions get the same ID, which is no secret."""
_RESUME_TOKEN_BYTES: Final = 24
"""192 bits: too many to guess."""


def new_token() -> tuple[bytes, str]:
    """Return the digest of a new resume token, to store, and the token, to send to the bot."""
    token = secrets.token_urlsafe(_RESUME_TOKEN_BYTES)
    return fingerprint(token), token


def new_session() -> tuple[Session, str]:
    """Return a new session and its resume token."""
    digest, token = new_token()
    return Session(secrets.token_hex(_SESSION_ID_BYTES), digest), token


def session_entry(session: Session, identity: Identity, admission: Admission) -> JournaledSession:
    """Return the journal entry of a session."""
    return JournaledSession(
        session_id=session.id,
        token_digest=session.token_digest,
        bot=v1.Software(name=identity.name, version=identity.version, build=identity.build),
        nonce=identity.nonce,
        games=sorted(identity.games),
        max_open_decisions=identity.max_open_decisions,
        max_matches=identity.max_matches,
        matches_in_all=identity.matches_in_all,
        account=admission.account,
        account_token_digest=admission.fingerprint,
        last_match_handle=session.last_handle,
    )


def session_of(entry: JournaledSession) -> Session:
    """Return the session of a journal entry."""
    return Session(entry.session_id, entry.token_digest, entry.last_match_handle)


def identity_of(entry: JournaledSession) -> Identity:
    """Return the identity of the bot of a journal entry."""
    return Identity(
        name=entry.bot.name,
        version=entry.bot.version,
        build=entry.bot.build,
        nonce=entry.nonce,
        games=frozenset(entry.games),
        max_open_decisions=entry.max_open_decisions,
        max_matches=entry.max_matches,
        matches_in_all=entry.matches_in_all,
        # The journal holds no addresses. So a bot without an account gets an owner of its own.
        owner=owner_of(entry.account, f"session {entry.session_id}"),
        account=entry.account,
    )
