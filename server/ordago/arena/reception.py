"""From a new connection to a welcomed bot, and from its frames to its seats."""

import hmac
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.bot import Bot, Identity
from ordago.arena.chronicle import Chronicle, Ending
from ordago.arena.clock import RefereeClock
from ordago.arena.connection import Connection, Status, Visit
from ordago.arena.deadlines import Deadlines
from ordago.arena.doors import Admission, Door
from ordago.games import find_game
from ordago.session import LocalProtocolError, RemoteProtocolError, ServerLink
from ordago.version import __version__

CONTRACT_VERSION: Final = 1
MAX_FRAME_BYTES: Final = 64 * 1024
MAX_OPEN_DECISIONS: Final = 1024
MAX_MATCHES: Final = 1024
RESUME_WINDOW_SECONDS: Final = 60
"""How long a bot can come back after its connection broke."""
_MIN_NONCE_BYTES: Final = 16
_MAX_NONCE_BYTES: Final = 64
_MAX_NAME_LENGTH: Final = 64


class _Unwelcome(Exception):  # noqa: N818 - it is a decision of the server, no error of it
    """The bot cannot come in."""

    def __init__(self, status: Status, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


class _Guest(NamedTuple):
    """A bot that came in, and by what leave."""

    bot: Bot
    admission: Admission


class _Draining(NamedTuple):
    """That the server will go down."""

    sentence: str
    closing_at: float
    """When at the latest, in seconds of trio's clock."""

    def message(self) -> v1.Draining:
        """Return the message, as it is true now. Zero would mean that nobody knows when."""
        left_ms = math.ceil(1000 * (self.closing_at - trio.current_time()))
        return v1.Draining(sentence=self.sentence, closing_in_ms=max(1, left_ms))


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
        chronicle: Chronicle | None = None,
    ) -> None:
        """Receive bots for some games, by their short names, each for at most this many matches at once."""
        self._door = door
        self._games = frozenset(games)
        self._max_matches = max_matches
        self._clock = RefereeClock()
        self._guests: dict[str, _Guest] = {}
        self._deadlines = Deadlines(self._clock)
        self._absences: dict[str, _Absence] = {}
        self._draining: _Draining | None = None
        self._chronicle = chronicle or Chronicle()

    def __call__(self, connection: Connection) -> Visit:
        """Take a new connection and return who is to be told about it."""
        return _Visit(self, connection)

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
        return sum(bot.connected for bot, _ in self._guests.values())

    def drain(self, sentence: str, *, grace_seconds: float) -> None:
        """Announce to everybody, and to all who come, that the server will go down, why, and when at the latest."""
        if self._draining is not None:
            return
        self._draining = _Draining(sentence, trio.current_time() + grace_seconds)
        self._chronicle.drains(closing_in_seconds=grace_seconds)
        for bot, _ in self._guests.values():
            bot.send(self._draining.message())

    def close(self, sentence: str) -> None:
        """Say goodbye to everybody."""
        for bot, _ in self._guests.values():
            bot.say_goodbye(sentence)

    def enter(self, connection: Connection, link: ServerLink, hello: v1.Hello) -> Bot:
        """Welcome a bot and return it.

        Raises:
            _Unwelcome: it cannot come in.
        """
        if not hello.min_version <= CONTRACT_VERSION <= hello.max_version:
            asked = f"{hello.min_version} to {hello.max_version}"
            sentence = f"this server speaks version {CONTRACT_VERSION} of the contract, the bot {asked}"
            raise _Unwelcome(Status.FAILED_PRECONDITION, sentence)
        resumed = hello.HasField("resume")
        guest = self._guest_to_resume(hello.resume) if resumed else self._new_guest(connection, hello)
        self._welcome(guest.bot, connection, link, resumed=resumed)
        (guest.bot.told.resumed if resumed else guest.bot.told.opened)()
        guest.admission.arrived(guest.bot)
        return guest.bot

    def _new_guest(self, connection: Connection, hello: v1.Hello) -> "_Guest":
        # The greeting is judged before the door is asked, so that a bad one does not use up a launch.
        games = self._common_games(hello)
        _check_greeting(hello)
        admission = self._door.admit(connection.token)
        if admission is None:
            sentence = "the token is missing, not valid or used up; start the bot with the one that it was given"
            raise _Unwelcome(Status.UNAUTHENTICATED, sentence)
        identity = _identity(hello, admission, games, max_matches=self._max_matches)
        bot = Bot(identity, self._clock, chronicle=self._chronicle)
        guest = self._guests[bot.session_id] = _Guest(bot, admission)
        return guest

    def _common_games(self, hello: v1.Hello) -> frozenset[str]:
        games = self._games & frozenset(hello.games) if hello.games else self._games
        if not games:
            offered, wanted = ", ".join(sorted(self._games)), ", ".join(hello.games)
            raise _Unwelcome(Status.FAILED_PRECONDITION, f"this server plays {offered}, the bot {wanted}")
        return games

    def _guest_to_resume(self, resume: v1.Resume) -> "_Guest":
        guest = self._guests.get(resume.session_id)
        if guest is None or not hmac.compare_digest(guest.bot.resume_token.encode(), resume.resume_token.encode()):
            raise _Unwelcome(Status.UNAUTHENTICATED, "there is no such session to resume; begin a new one")
        return guest

    def _welcome(self, bot: Bot, connection: Connection, link: ServerLink, *, resumed: bool) -> None:
        welcome = v1.Welcome(
            version=CONTRACT_VERSION,
            server=v1.Software(name="ordago", version=__version__),
            games=[
                v1.OfferedGame(game=game, rules_version=find_game(game).rules.version)
                for game in sorted(bot.identity.games)
            ],
            limits=v1.Limits(
                max_frame_bytes=MAX_FRAME_BYTES,
                max_open_decisions=bot.identity.max_open_decisions,
                max_matches=bot.identity.max_matches,
                resume_window_ms=RESUME_WINDOW_SECONDS * 1000,
            ),
            session_id=bot.session_id,
            resume_token=bot.resume_token,
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
        if bot.session_id in self._guests:
            absence = _Absence(self, bot, self._clock.now() + RESUME_WINDOW_SECONDS)
            self._absences[bot.session_id] = absence
            self._deadlines.add(absence)

    def forget(self, bot: Bot, sentence: str, *, fault: v1.Fault = v1.FAULT_DISCONNECTED) -> None:
        """Forget a bot that does not come back, for this reason: it forfeits the matches that it plays."""
        self._guests.pop(bot.session_id, None)
        self._end_absence(bot)
        bot.give_up(fault, sentence)
        bot.disconnect()

    def _end_absence(self, bot: Bot) -> None:
        absence = self._absences.pop(bot.session_id, None)
        if absence is not None:
            self._deadlines.discard(absence)


def _check_greeting(hello: v1.Hello) -> None:
    if not _MIN_NONCE_BYTES <= len(hello.nonce) <= _MAX_NONCE_BYTES:
        sentence = f"the nonce has {len(hello.nonce)} bytes; {_MIN_NONCE_BYTES} to {_MAX_NONCE_BYTES} are due"
        raise _Unwelcome(Status.FAILED_PRECONDITION, sentence)
    if max(len(hello.bot.name), len(hello.bot.version), len(hello.bot.build)) > _MAX_NAME_LENGTH:
        sentence = f"the bot's name, version and build may have {_MAX_NAME_LENGTH} characters each"
        raise _Unwelcome(Status.FAILED_PRECONDITION, sentence)


def _identity(hello: v1.Hello, admission: Admission, games: frozenset[str], *, max_matches: int) -> Identity:
    return Identity(
        name=admission.name or hello.bot.name or "bot",
        version=admission.version or hello.bot.version,
        build=hello.bot.build,
        nonce=hello.nonce,
        games=games,
        max_open_decisions=min(hello.max_open_decisions or MAX_OPEN_DECISIONS, MAX_OPEN_DECISIONS),
        max_matches=min(hello.max_matches or max_matches, max_matches),
    )


class _Visit:
    """What happens on one connection."""

    def __init__(self, desk: ReceptionDesk, connection: Connection) -> None:
        self._desk = desk
        self._connection = connection
        self._link = ServerLink()
        self._bot: Bot | None = None
        self._over = False

    def received(self, frame: bytes, at: float) -> None:
        """Take in a frame, unless it crossed with the end of the connection."""
        if self._over or not self._is_current():
            return
        try:
            for message in self._link.receive(frame):
                self._take(message, at)
        except RemoteProtocolError as error:
            self._refuse(error)
        except _Unwelcome as refusal:
            self._desk.chronicle.turned_away(refusal.status.value)
            self._end(refusal.status, refusal.sentence)

    def _is_current(self) -> bool:
        return self._bot is None or self._bot.is_on(self._connection)

    def _take(self, message: v1.BotMessage, at: float) -> None:
        if self._bot is None:
            self._bot = self._desk.enter(self._connection, self._link, message.hello)
        elif message.HasField("choice"):
            self._bot.choose(message.choice, at=at)
        else:
            self._leave(self._bot)

    def _leave(self, bot: Bot) -> None:
        """The bot said goodbye: it forfeits what it plays, and it cannot come back."""
        bot.told.ended(Ending.LEFT)
        self._desk.forget(bot, "the bot said goodbye before the match was over")
        self._end(Status.OK, "goodbye")

    def _refuse(self, error: RemoteProtocolError) -> None:
        status = Status.FAILED_PRECONDITION if self._bot is None else Status.INVALID_ARGUMENT
        if self._bot is not None:
            self._bot.told.ended(Ending.REFUSED)
            self._desk.forget(self._bot, str(error), fault=error.fault)
        try:
            goodbye = v1.Goodbye(sentence=str(error), fault=error.fault)
            self._connection.send(self._link.send(goodbye))
        except LocalProtocolError:
            pass  # Before a Hello nothing can be said but the status.
        self._end(status, str(error))

    def _end(self, status: Status, sentence: str) -> None:
        self.lost()
        self._connection.close(status, sentence)

    def failed(self) -> None:
        """End the connection, since the server failed. The bot may come back."""
        self._end(Status.UNAVAILABLE, "the server failed; come back with a resume")

    def lost(self) -> None:
        """Note that nothing more comes."""
        if not self._over:
            self._over = True
            if self._bot is not None and self._bot.is_on(self._connection):
                self._bot.told.ended(Ending.SLOW if self._connection.cut_off else Ending.LOST)
                self._desk.lose(self._bot)
