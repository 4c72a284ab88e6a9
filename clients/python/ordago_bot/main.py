"""Command line of a bot: its arguments, its log and the signals that stop it."""

import argparse
import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from ordago.addresses import AddressError, parse_address
from ordago.names import visible
from ordago.protocol import ProtocolError
from ordago.token_file import TokenFileError, is_token, read_token
from ordago.version import __version__
from ordago_bot import events
from ordago_bot.asked import DecisionLog
from ordago_bot.back_off import EXIT_OK, EXIT_SESSION_ENDED
from ordago_bot.bot import BotFactory
from ordago_bot.log import LOG_FORMATS, note
from ordago_bot.player import Player
from ordago_bot.receipts import ReceiptsFile
from ordago_bot.seat import authors_frames
from ordago_bot.standard_streams import LogHandler, lossy_output, open_descriptors
from ordago_bot.tls import add_tls_arguments, tls_of
from ordago_bot.transport import NO_EVENT, NO_TOKEN, SessionEndedError, Stop, is_event, play
from ordago_bot.variables import add_substitutable

_DEFAULT_ADDRESS: Final = "127.0.0.1:7447"
_TO_STOP: Final = (signal.SIGINT, signal.SIGTERM)
_LONGEST_LEAVE_SECONDS: Final = 3.0
"""Seconds after the order to leave before the process is ended. A bot leaves at once, or after its current thought."""
_GREATEST_COUNT: Final = 2**32 - 1
"""The maximum of a ``uint32``, the type of the counts in ``Hello``."""
_STANDARD_INPUT: Final = 0
_READ_BYTES: Final = 4096
"""The buffer for standard input. A page is plenty: nothing is expected there, and all input is dropped."""
EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 130
_STOP: Final = "stop"
_ON_ERROR: Final = (_STOP, "default")
"""What comes of a bot that fails at a decision."""

_EPILOG: Final = """
example: ordago_bot solid --address 127.0.0.1:7447 --matches 4

environment: ORDAGO_ADDRESS, ORDAGO_TOKEN and ORDAGO_TOKEN_FILE stand in for --address, --token and --token-file;
ORDAGO_EVENT for --event; ORDAGO_NONCE for --nonce; ORDAGO_RECEIPTS for --receipts; ORDAGO_LOG_DECISIONS for
--log-decisions; ORDAGO_ON_ERROR for --on-error; ORDAGO_TLS=1, ORDAGO_TLS_CA, ORDAGO_TLS_CERT and ORDAGO_TLS_KEY for the
TLS options. ORDAGO_LOG is text or json. Keep a token in a file: other programs can read command lines and environments.
With ORDAGO_LAUNCHED=1, set by a runner, the bot ends when its standard input does.

On Ctrl-C, SIGTERM or SIGHUP a bot takes no more seats, finishes its running matches and exits. On the next one it
leaves at once, as it does while it is not connected, or started by a runner.

exit codes: 0 the server said goodbye; 1 the bot failed, or --strict and there was a fault; 2 wrong command line or
environment; 3 the server cannot be reached, or ended the session otherwise; 130 stopped by the user.
"""


def run(
    factory: BotFactory,
    *,
    name: str = "",
    version: str = "",
    games: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
) -> NoReturn:
    """Play with a bot class until the server says goodbye, then exit the process.

    Args:
        factory: the bot class.
        name: the name of the bot; the name of the class if empty.
        version: the version of the bot.
        games: the games that it plays, unless the command line names some; empty for all that the server offers.
        arguments: the command line; ``None`` for that of the process.
    """
    open_descriptors()
    with lossy_output():
        name = name or _name_of(factory)
        parsed = parse(argument_parser(version=f"{name} {version}".rstrip()), arguments)
        sys.exit(serve(factory, name=name, version=version, games=games, parsed=parsed))


def argument_parser(prog: str | None = None, *, version: str = "") -> argparse.ArgumentParser:
    """Return a parser with the arguments of every bot; a bot may add its own.

    Args:
        prog: the name of the program; ``None`` for that of the process.
        version: the name and the version of the bot.
    """
    parser = argparse.ArgumentParser(
        prog=prog,
        usage="%(prog)s [options]",
        epilog=_EPILOG,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Connects to an Ordago server and plays.",
    )
    parser.add_argument("--version", action="version", version=f"{version} (ordago_bot {__version__})".lstrip())
    add_substitutable(
        parser,
        "--address",
        convert=_address,
        otherwise=_DEFAULT_ADDRESS,
        metavar="HOST:PORT",
        explanation="HOST:PORT of the server, or unix:PATH",
    )
    _add_token_arguments(parser)
    add_substitutable(
        parser,
        "--event",
        convert=_event,
        otherwise="",
        metavar="NAME",
        explanation="event to enter; default: the server's ladder, or its only event",
    )
    add_tls_arguments(parser)
    parser.add_argument("--name", type=_name, default="", help="name of the bot, unless its token has one")
    parser.add_argument(
        "--game", action="append", default=[], help="game to play; repeatable; default: all that it can play"
    )
    parser.add_argument("--matches", type=_count, default=0, help="matches to play at once; 0: no limit")
    parser.add_argument(
        "--matches-in-all",
        type=_count,
        default=0,
        help="matches after which to take no more; 0: never",
    )
    parser.add_argument("--decisions", type=_count, default=0, help="decisions to take at once; 0: no limit")
    add_substitutable(
        parser,
        "--nonce",
        convert=_nonce,
        otherwise=b"",
        metavar="HEXADECIMAL",
        explanation="16 to 64 bytes in hexadecimal, mixed into the deals; default: random",
    )
    add_substitutable(
        parser,
        "--receipts",
        convert=_receipts,
        otherwise=None,
        metavar="FILE",
        explanation="append receipts of what the server says about its event to this file; several bots may share it",
    )
    add_substitutable(
        parser,
        "--log-decisions",
        convert=_decision_log,
        otherwise=None,
        metavar="FILE",
        explanation="append what the bot was asked and answered to this file; it has the cards of its seat",
    )
    parser.add_argument(
        "--on-error",
        choices=_ON_ERROR,
        default=os.environ.get("ORDAGO_ON_ERROR") or _STOP,
        help="what to do when the bot fails at a decision: end the process, or take the default answer; default: stop",
    )
    parser.add_argument("--strict", action="store_true", help="end with exit code 1 after any fault; for tests")
    parser.add_argument("-v", "--verbose", action="store_true", help="show every message")
    return parser


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed arguments of a bot; ``None`` stands for those of the process."""
    parsed = parser.parse_args(arguments)
    for variable, given, known in (
        ("ORDAGO_ON_ERROR", parsed.on_error, _ON_ERROR),  # argparse does not check a default against the choices.
        ("ORDAGO_LOG", log_format := os.environ.get("ORDAGO_LOG") or LOG_FORMATS[0], LOG_FORMATS),
    ):
        if given not in known:
            parser.error(f"{variable}: {visible(repr(given))} is neither {' nor '.join(known)}")
    parsed.log_format = log_format
    return parsed


def _add_token_arguments(parser: argparse.ArgumentParser) -> None:
    # Both arguments set the token. The file goes first: of two defaults for one destination argparse takes the first.
    add_substitutable(
        parser,
        "--token-file",
        convert=_token_in,
        otherwise=argparse.SUPPRESS,
        dest="token",
        metavar="FILE",
        explanation="file that holds the bot's token; read once",
    )
    add_substitutable(
        parser,
        "--token",
        convert=_token,
        otherwise="",
        explanation="the token itself; other programs can see it here",
    )


def _token_in(path: str) -> str:
    try:
        return read_token(Path(path))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {path}: {error.strerror}") from None
    except TokenFileError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be used: {error}") from None


def _token(text: str) -> str:
    # The message leaves the secret token out.
    if not is_token(text):
        raise argparse.ArgumentTypeError(NO_TOKEN)
    return text


def _address(text: str) -> str:
    try:
        parse_address(text)
    except AddressError as error:
        sentence = f"{visible(repr(text))} is not HOST:PORT, [IPv6]:PORT or unix:PATH: {error}"
        raise argparse.ArgumentTypeError(sentence) from None
    return text


def _name(text: str) -> str:
    # Bytes that the locale cannot decode become surrogates, which no message can carry. Usually they are UTF-8, in a
    # container without a locale.
    try:
        return os.fsencode(text).decode() if any("\ud800" <= sign <= "\udfff" for sign in text) else text
    except UnicodeDecodeError:
        raise argparse.ArgumentTypeError(f"{text!r} is no text in UTF-8") from None


def _event(text: str) -> str:
    # grpc would refuse to send most of what is no name, and the bot would try to connect again and again.
    if not is_event(text):
        raise argparse.ArgumentTypeError(f"{text!r} is {NO_EVENT}")
    return text


def _nonce(text: str) -> bytes:
    if not re.fullmatch("(?:[0-9A-Fa-f]{2}){16,64}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not 16 to 64 bytes in hexadecimal")
    return bytes.fromhex(text)


def _receipts(path: str) -> ReceiptsFile:
    try:
        return ReceiptsFile(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write to {path}: {error.strerror}") from None


def _decision_log(path: str) -> DecisionLog:
    try:
        return DecisionLog(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write to {path}: {error.strerror}") from None


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > _GREATEST_COUNT:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {_GREATEST_COUNT}")
    return int(text)


def serve(
    factory: BotFactory, *, name: str, version: str, parsed: argparse.Namespace, games: Sequence[str] = ()
) -> int:
    """Play with arguments that ``parse`` returned, and return the exit code."""
    _begin_log(parsed.log_format, verbose=parsed.verbose)
    launched = bool(os.environ.get("ORDAGO_LAUNCHED"))
    stop = _stop_on_signals(at_once=launched)
    if launched:
        threading.Thread(target=_end_with_standard_input, daemon=True).start()
    player = Player(
        factory,
        name=parsed.name or name or _name_of(factory),
        version=version,
        games=parsed.game or games,
        nonce=parsed.nonce,
        max_open_decisions=parsed.decisions,
        max_matches=parsed.matches,
        matches_in_all=parsed.matches_in_all,
        stops_on_error=parsed.on_error == _STOP,
        keep=parsed.receipts and parsed.receipts.keep,
        on_asked=parsed.log_decisions and parsed.log_decisions.write,
    )
    exit_code = _exit_code(player, parsed, stop)
    summary = player.summary()
    if summary.matches:
        summary.event().log()
    return EXIT_FAILED if exit_code == EXIT_OK and parsed.strict and not summary.is_clean else exit_code


def _exit_code(player: Player, parsed: argparse.Namespace, stop: Stop) -> int:
    """Play to the end of the session and log the reason for it."""
    try:
        farewell = play(
            player,
            address=parsed.address,
            token=parsed.token,
            event=parsed.event,
            tls=tls_of(parsed),
            stop=stop,
        )
    except SessionEndedError as error:
        error.event.log()
        return EXIT_SESSION_ENDED
    except ProtocolError as error:
        note(str(error), level=logging.ERROR)
        return EXIT_SESSION_ENDED
    except Exception as error:  # noqa: BLE001 - the author's; shown now, since the summary is the last line
        sys.excepthook(type(error), error, authors_frames(error))
        return EXIT_FAILED
    if farewell is None:
        return EXIT_INTERRUPTED
    events.goodbye(farewell).log()
    return EXIT_OK


def _name_of(factory: BotFactory) -> str:
    return getattr(factory, "__name__", "bot")


def _begin_log(log_format: str, *, verbose: bool) -> None:
    logging.basicConfig(level=logging.DEBUG if verbose else logging.INFO, handlers=[LogHandler(log_format)])


def _stop_on_signals(*, at_once: bool) -> Stop:
    """Return orders to retire at the first signal and to leave at the second, or to leave at the first.

    A bot that takes too long to leave is ended with its process.

    Signal handlers run in the main thread, so they are of no use here, for three reasons:

    - An exception raised there could hit grpc while it holds a lock of its own.
    - The lock of a ``threading.Event`` may be held there too, if only by the handler of the signal before.
    - A signal that comes just before the thread begins to wait is not handled until the wait ends.

    So Python writes the number of the signal into a pipe, at once and wherever the main thread is, and another thread
    reads it.
    """
    retire = threading.Event()
    stop = Stop(retire, retire if at_once else threading.Event())
    outlet, inlet = os.pipe()
    os.set_blocking(inlet, False)

    first = _first_orders()

    def tell() -> None:
        # The shell and the kernel both send SIGHUP when a terminal closes, so it never counts as the second order.
        for order, numbers in zip(stop, (first, _TO_STOP), strict=True):
            while os.read(outlet, 1)[0] not in numbers:
                pass
            order.set()

    def end_at_last() -> None:
        stop.leave.wait()
        time.sleep(_LONGEST_LEAVE_SECONDS)
        os._exit(EXIT_INTERRUPTED)

    signal.set_wakeup_fd(inlet, warn_on_full_buffer=False)
    for number in first:
        signal.signal(number, lambda given, _frame: _stand_in(inlet, given))
    for task in (tell, end_at_last):
        threading.Thread(target=task, daemon=True).start()
    return stop


def _first_orders() -> tuple[signal.Signals, ...]:
    """Return the signals that tell a bot to stop; SIGHUP is among them, unless ``nohup`` made it ignored."""
    if sys.platform == "win32" or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return _TO_STOP
    return (*_TO_STOP, signal.SIGHUP)


def _stand_in(inlet: int, number: int) -> None:
    """Write a signal's number into the pipe, if an event loop in the bot has replaced the wake-up descriptor."""
    used = signal.set_wakeup_fd(inlet, warn_on_full_buffer=False)
    if used != inlet:
        signal.set_wakeup_fd(used, warn_on_full_buffer=False)
        os.write(inlet, bytes((number,)))


def _end_with_standard_input() -> None:
    """End the process when the one that started it ends, however that happens."""
    # Not through ``sys.stdin``: a thread that waits there holds the lock of its buffer, which Python needs when it
    # exits. Without the lock Python aborts, and its message hides the actual error.
    while os.read(_STANDARD_INPUT, _READ_BYTES):
        pass
    os._exit(EXIT_SESSION_ENDED)
