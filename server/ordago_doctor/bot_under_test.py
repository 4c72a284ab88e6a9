"""A bot under test: its process, and the doctor's end of its connections."""

import shutil
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Self

from google.protobuf.message import DecodeError

from ordago import v1
from ordago.games import find_game, game_names
from ordago.protocol import MAX_FRAME_MESSAGES
from ordago.version import __version__
from ordago_doctor.case import Start
from ordago_doctor.certificates import Certificates
from ordago_doctor.findings import NotTriedError, ProblemError
from ordago_doctor.messages import short
from ordago_doctor.process import BotProcess
from ordago_doctor.server import Arrival, Connection, Ending, ScriptedServer, SilenceError, StreamOverError, status_of
from ordago_doctor.wire import Wire

TOKEN: Final = "doctor-token-6f1d"  # noqa: S105 - it opens nothing
SESSION: Final = "doctor-session"
RESUME_TOKEN: Final = "doctor-resume-token-9ab2"  # noqa: S105 - the same
_LIMITS: Final = v1.Limits(
    max_frame_bytes=65_536,
    max_open_decisions=1_024,
    max_matches=1_024,
    messages_per_second=50,
    resume_window_ms=60_000,
    max_frame_messages=MAX_FRAME_MESSAGES,
)
_KEPT_LINES: Final = 12
"""The number of messages before a problem that are shown."""
_LAST_LINES: Final = 5
"""The number of printed lines that are shown."""
_LOOK_SECONDS: Final = 0.1
"""The interval between looks at the process."""
_ENDS_SECONDS: Final = 1.0
"""The time for a process to end whose connection was lost because it ends."""


@dataclass(frozen=True, slots=True)
class Practice:
    """The settings of an examination."""

    command: tuple[str, ...]
    """The command that starts the bot. Empty: its author starts it."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables added to its environment."""
    host: str = "127.0.0.1"
    """The address at which the doctor listens."""
    port: int = 0
    """The port; 0 for any free one."""
    patience_seconds: float = 5.0
    """The time for each answer."""
    start_seconds: float = 20.0
    """The time for the first connection."""


class Heard(NamedTuple):
    """A message of the bot."""

    message: v1.BotMessage
    seconds: float
    """The time of its arrival, by the monotonic clock."""
    frame: int
    """The number of its frame on this connection, from 1."""


class BotUnderTest:
    """A bot under test, from its start to its end."""

    def __init__(self, practice: Practice, start: Start) -> None:
        """Prepare to start a bot.

        Args:
            practice: the settings of the examination.
            start: the start settings of the case.
        """
        self.practice = practice
        self.start = start
        self.process: BotProcess | None = None
        """The process; ``None`` if its author started it."""
        self.hello = v1.Hello()
        """The Hello of its last connection."""
        self.metadata: Mapping[str, str] = {}
        """The metadata of its last connection."""
        self._welcomed = False
        """True once it was welcomed on the current connection."""
        self.handles = 0
        """The highest match handle used in its session."""
        self._course: deque[tuple[str, v1.BotMessage | v1.ServerMessage | str]] = deque(maxlen=_KEPT_LINES)
        self._printed = 0
        """The number of bytes that it had printed when the case began."""
        self._connection: Connection | None = None
        self._pending: deque[Heard] = deque()
        self._frames = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with self._stack as stack:
            self._folder = Path(tempfile.mkdtemp(prefix="ordago-doctor-"))
            stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
            environment = self._listen(stack)
            if self.practice.command:
                command = (*self.practice.command, *self.start.arguments)
                variables = {**self.practice.environment, **environment, **self.start.environment}
                token = TOKEN if self.start.token else ""
                self.process = BotProcess(command, variables, token=token, output=self.start.output)
                stack.callback(self.process.end)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _listen(self, stack: ExitStack) -> dict[str, str]:
        """Listen, and return the environment that points the bot here."""
        certificates, tls = Certificates(self._folder), self.start.tls
        socket = str(self._folder / "socket") if self.start.unix_socket else ""
        certificate = certificates.of_server(tls) if tls not in ("", "refused") else None
        self._server = stack.enter_context(ScriptedServer(certificate=certificate, socket=socket))
        self.wire = stack.enter_context(Wire(self._server.port, host=self.practice.host, port=self.practice.port))
        variables = {"ORDAGO_ADDRESS": f"unix:{socket}" if socket else f"127.0.0.1:{self.wire.port}"}
        if self.start.launched:
            variables["ORDAGO_LAUNCHED"] = "1"
        if tls not in ("", "untold"):
            variables["ORDAGO_TLS_CA"] = certificates.authority_file(strange=tls == "strange")
        if tls == "mutual":
            variables["ORDAGO_TLS_CERT"], variables["ORDAGO_TLS_KEY"] = certificates.bot_files()
        return variables

    @property
    def open(self) -> bool:
        """True if it was welcomed and still runs."""
        return self._welcomed and (self.process is None or self.process.wait(0.0) is None)

    def begin_case(self) -> None:
        """Forget messages and output of earlier cases."""
        self._course.clear()
        self._printed = 0 if self.process is None else self.process.printed

    # Messages

    def meet(self, seconds: float) -> v1.Hello:
        """Wait for a connection of the bot, and return its Hello.

        Raises:
            ProblemError: the bot does not connect, or sends something else first.
        """
        self._forget_connection()
        connection = self._next_connection(seconds)
        if connection is None:
            raise ProblemError(f"the bot did not connect{self.end_words() or f' within {seconds:.0f} s'}")
        self._connection, self.metadata = connection, connection.metadata
        heard = self.hear(self.practice.patience_seconds)
        if heard.message.WhichOneof("body") != "hello":
            raise ProblemError(f"its first message was not Hello, but {short(heard.message)}")
        self.hello = heard.message.hello
        return self.hello

    def _next_connection(self, seconds: float) -> Connection | None:
        """Return the next connection, or ``None`` at the timeout or soon after the process has ended."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            connection = self._server.next(min(left, _ENDS_SECONDS))
            if connection is not None or (self.process is not None and self.process.wait(0.0) is not None):
                return connection
        return None

    def comes_within(self, seconds: float) -> bool:
        """Return True if the bot opens another connection within these seconds. It gets no answer."""
        return self._server.next(seconds) is not None

    def welcome(self, *, capabilities: Sequence[str] = ()) -> None:
        """Welcome the bot, and grant it these capabilities."""
        said = v1.ServerMessage(welcome=welcome(capabilities=capabilities))
        self.send(v1.PlayResponse(messages=[said]).SerializeToString())

    def ensure_open(self) -> None:
        """Open a session, unless one is open.

        Raises:
            ProblemError: the bot does not connect.
        """
        if not self.open:
            self.meet(self.practice.start_seconds)
            self.welcome()

    def send(self, frame: bytes) -> None:
        """Send a frame.

        Raises:
            ProblemError: there is no connection.
        """
        for message in v1.PlayResponse.FromString(frame).messages:
            self._course.append(("→", message))
            self._note_sent(message)
        self._stands().send(frame)

    def _note_sent(self, message: v1.ServerMessage) -> None:
        self.handles = max(self.handles, message.match_start.match_handle)
        if message.HasField("welcome"):
            self._welcomed = True
        if message.HasField("goodbye"):
            self._welcomed = False

    def hear(self, seconds: float) -> Heard:
        """Return the next message of the bot.

        Raises:
            ProblemError: none comes within these seconds, or a malformed or oversized frame does.
        """
        until = time.monotonic() + seconds
        while not self._pending:
            try:
                self._take_until(until)
            except SilenceError:
                raise ProblemError(f"it sent nothing within {round(seconds, 1):g} s{self.end_words()}") from None
            except StreamOverError:
                self._stands().end(Ending(status_of("OK")))
                self._forget_connection()
                raise ProblemError(f"the bot's connection was lost{self.end_words(_ENDS_SECONDS)}") from None
        return self._pending.popleft()

    def hear_all(self, seconds: float) -> list[Heard]:
        """Return the next message of the bot, and all that came together with it.

        Raises:
            ProblemError: none comes within these seconds, or a malformed or oversized frame does.
        """
        first = self.hear(seconds)
        heard = [first, *self._pending]
        self._pending.clear()
        return heard

    def keeps_silent(self, seconds: float) -> v1.BotMessage | None:
        """Wait these seconds, and return the first message of the bot in them; ``None`` if there is none."""
        until = time.monotonic() + seconds
        try:
            while not self._pending:
                self._take_until(until)
        except (SilenceError, StreamOverError):
            return None
        return self._pending.popleft().message

    def _take_until(self, until: float) -> None:
        """Take the next frame, which may be empty, before a time by the monotonic clock."""
        if (left := until - time.monotonic()) <= 0:
            raise SilenceError
        self._take(self._stands().hear(left))

    def _take(self, arrival: Arrival) -> None:
        try:
            messages = v1.PlayRequest.FromString(arrival.frame).messages
        except DecodeError:
            raise ProblemError(f"it sent a frame of {len(arrival.frame)} bytes that is no PlayRequest") from None
        if len(messages) > _LIMITS.max_frame_messages or len(arrival.frame) > _LIMITS.max_frame_bytes:
            size = f"{len(messages)} messages and {len(arrival.frame)} bytes"
            raise ProblemError(f"it sent a frame of {size}, more than the limits in Welcome")
        self._frames += 1
        for message in messages:
            self._course.append(("←", message))
            self._pending.append(Heard(message, arrival.seconds, self._frames))

    def forget(self) -> None:
        """Drop the messages that nobody has read."""
        self._pending.clear()

    # The end

    def end_stream(self, ending: Ending) -> None:
        """End the stream of the bot with a status."""
        self._course.append(("→", f"the stream ends with {ending.status.name} {ending.sentence}".rstrip()))
        self._stands().end(ending)
        self._forget_connection()

    def cut(self) -> None:
        """Break the connection."""
        self._course.append(("→", "the connection is cut"))
        self.wire.cut()
        self._forget_connection()

    def exit_code(self, seconds: float) -> int | None:
        """Wait for the end of the process and return its exit code; ``None`` if it still runs.

        Meanwhile its stream is ended as a server does: when the bot says Goodbye or closes its side.

        Raises:
            NotTriedError: the author of the bot started it.
        """
        process, until = self.started(), time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._connection is not None:
            try:
                over = self.hear(min(left, _LOOK_SECONDS)).message.HasField("goodbye")
            except ProblemError:
                over = self._connection is None
            if over and self._connection is not None:
                self.end_stream(Ending(status_of("OK")))
            if (code := process.wait(0.0)) is not None:
                return code
        return process.wait(until - time.monotonic())

    def started(self) -> BotProcess:
        """Return the process.

        Raises:
            NotTriedError: the author of the bot started it.
        """
        if self.process is None:
            raise NotTriedError("it tests the process of the bot, which its author started")
        return self.process

    def end_words(self, seconds: float = 0.0) -> str:
        """Return the end of the process as the end of a sentence; empty if it runs or is not the doctor's."""
        code = None if self.process is None else self.process.wait(seconds)
        if self.process is not None and self.process.printed_too_much:
            return ": it printed more than 16 MiB, and was killed"
        return "" if code is None else f": its process had ended with the exit code {code}"

    def course(self) -> tuple[str, ...]:
        """Return the last messages in both directions, shortened."""
        return tuple(f"{way} {said if isinstance(said, str) else short(said)}" for way, said in self._course)

    def last_lines(self) -> tuple[str, ...]:
        """Return the last lines that the bot printed in this case, or at all if its process has ended."""
        if self.process is None:
            return ()
        since = self._printed if self.process.wait(0.0) is None else 0
        return tuple(self.process.last_lines(_LAST_LINES, since=since))

    def _stands(self) -> Connection:
        if self._connection is None:
            raise ProblemError(f"the bot is not connected{self.end_words()}")
        return self._connection

    def _forget_connection(self) -> None:
        self._connection, self._welcomed, self._frames = None, False, 0
        self._pending.clear()


def welcome(*, capabilities: Sequence[str] = ()) -> v1.Welcome:
    """Return the doctor's Welcome."""
    return v1.Welcome(
        version=1,
        server=v1.Software(name="ordago doctor", version=__version__),
        games=[v1.OfferedGame(game=name, rules_version=find_game(name).rules.version) for name in game_names()],
        limits=_LIMITS,
        session_id=SESSION,
        resume_token=RESUME_TOKEN,
        capabilities=capabilities,
    )
