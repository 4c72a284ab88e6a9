"""``ordago rules``: the rules of the games, for bots beside it."""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import click

from ordago.addresses import Address, AddressError, parse_address
from ordago.arena.processes.kernel import LAST_SOCKET, make_no_more_sockets
from ordago.arena.processes.processor import ALLOWED
from ordago.edge import EdgeError
from ordago.edge.services.rules import is_loopback, open_rules
from ordago.search.pool import Pool
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError

_MOST_PROCESSES: Final = 64
_LISTENS: Final = b"listens"
_LOOK_SECONDS: Final = 0.2
"""The interval in which the service beside a bot checks that the bot still runs."""
_VARIABLE: Final = "ORDAGO_RULES"
"""The variable that tells a bot the address of the service."""


class _RulesCommand(click.Command):
    """A command whose arguments, from the first that is no option, are the command of a bot."""

    allow_interspersed_args = False


@click.command(
    cls=_RulesCommand,
    epilog="Examples: ordago rules --unix /tmp/rules; ordago rules -- bin/search --address 127.0.0.1:7550",
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--unix", metavar="PATH", help="Unix socket to listen on; only you can connect to it.")
@click.option(
    "--address", metavar="HOST:PORT", help="Address of this machine in place of it, for every user; port 0: any."
)
@click.option(
    "--processes",
    metavar="NUMBER",
    type=click.IntRange(1, _MOST_PROCESSES),
    default=len(ALLOWED) or 1,
    show_default="one for each processor",
    help="Calls that are answered at the same time.",
)
def rules(unix: str | None, address: str | None, processes: int, command: tuple[str, ...]) -> None:
    """Serve the rules of all games to bots on this machine that search.

    With the COMMAND of a bot, the bot starts once the rules are served. It has their address in ORDAGO_RULES, and they
    end with it.
    """
    if not command:
        _serve(_place(unix, address), processes)
    elif unix or address:
        raise CommandError("a COMMAND has a socket of its own: leave out --unix and --address", exit_code=EXIT_USAGE)
    else:
        _start_beside(command, processes)


def _serve(place: Address, processes: int) -> None:
    """Serve until a signal says to stop."""
    stopped = _stop_signal()
    with _open(place, processes) as listens:
        click.echo(f"the rules are at {listens}; Ctrl-C to stop")
        stopped.wait()


def _stop_signal() -> Event:
    """Return an event that signals set. Handle them before the first process exists, so that all are ended."""
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: stopped.set())
    return stopped


@contextmanager
def _open(place: Address, processes: int) -> Iterator[str]:
    """Serve within the context, and yield the address."""
    pool = Pool(processes)
    try:
        with open_rules(place, pool) as listens:
            pool.start()
            yield listens
    except EdgeError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        raise CommandError(f"cannot start a process: {error.strerror}", exit_code=EXIT_OUTSIDE) from None


def _start_beside(command: tuple[str, ...], processes: int) -> None:
    """Serve in a child process, and become the command once that listens.

    So the bot has the process, the standard streams and the signals that it was started with, and its end is its own.
    """
    folder, address = _socket_folder()
    bot = os.getpid()
    outlet, inlet = os.pipe()
    service = os.fork()
    if service:
        os.close(inlet)
        if os.read(outlet, len(_LISTENS)) != _LISTENS:
            # The service has said why.
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(service, 0)[1]))
        _become(command, address)
    try:
        _serve_beside(bot, address, processes, inlet)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _socket_folder() -> tuple[Path, str]:
    """Make a folder that only this user can enter, and return it with the address of a socket in it."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="rules-"))
    except OSError as error:
        sentence = f"cannot make a folder for the socket of the rules in {tempfile.gettempdir()}: {error.strerror}"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None
    address = f"unix:{folder}/s"
    try:
        parse_address(address)
    except AddressError as error:
        folder.rmdir()
        raise CommandError(f"{address}: {error}; set TMPDIR to a shorter one", exit_code=EXIT_OUTSIDE) from None
    return folder, address


def _become(command: tuple[str, ...], address: str) -> None:
    os.environ[_VARIABLE] = address
    if os.environ.pop(LAST_SOCKET, ""):
        make_no_more_sockets()
    try:
        os.execvp(command[0], command)  # noqa: S606 - the author's own command
    except OSError as error:
        raise CommandError(f"cannot start {command[0]!r}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None


def _serve_beside(bot: int, address: str, processes: int, inlet: int) -> None:
    """Serve until the bot has ended.

    Args:
        bot: the ID of its process, the parent of this one.
        address: the address to listen on.
        processes: the calls to answer at the same time.
        inlet: the pipe to tell that it listens.
    """
    _let_go_of_what_the_bot_has(inlet)
    stopped = _stop_signal()
    with _open(parse_address(address), processes):
        os.write(inlet, _LISTENS)
        os.close(inlet)
        while os.getppid() == bot and not stopped.wait(_LOOK_SECONDS):
            """The bot still runs."""


def _let_go_of_what_the_bot_has(inlet: int) -> None:
    """Leave the terminal, the input, the output and the files of the bot, among them that with its token."""
    # Ctrl-C is for the bot, which plays its matches to their end.
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.closerange(3, inlet)
    os.closerange(inlet + 1, os.sysconf("SC_OPEN_MAX"))


def _place(unix: str | None, address: str | None) -> Address:
    """Return where to listen."""
    if (unix is None) == (address is None):
        sentence = "give --unix PATH or --address HOST:PORT, one of the two, or the COMMAND of a bot"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    option, text = ("--unix", f"unix:{unix}") if unix is not None else ("--address", address or "")
    try:
        place = parse_address(text, least_port=0)
    except AddressError as error:
        raise CommandError(f"{option} {unix or address}: {error}", exit_code=EXIT_USAGE) from None
    if place.host and not is_loopback(place.host):
        sentence = f"--address {address}: others can reach it; take --unix PATH, or an address such as 127.0.0.1:7552"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return place
