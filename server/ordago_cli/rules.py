"""``ordago rules``: the rules of the games, for bots beside it."""

import signal
from threading import Event
from typing import Final

import click

from ordago.addresses import Address, AddressError, parse_address
from ordago.arena.processes.processor import ALLOWED
from ordago.edge import EdgeError
from ordago.edge.services.rules import is_loopback, open_rules
from ordago.search.pool import Pool
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError

_MOST_PROCESSES: Final = 64


@click.command(epilog="Example: ordago rules --unix /tmp/rules")
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
def rules(unix: str | None, address: str | None, processes: int) -> None:
    """Serve the rules of all games to bots on this machine that search."""
    place = _place(unix, address)
    # Handle signals before the first process exists, so that all are ended.
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: stopped.set())
    pool = Pool(processes)
    try:
        with open_rules(place, pool) as listens:
            pool.start()
            click.echo(f"the rules are at {listens}; Ctrl-C to stop")
            stopped.wait()
    except EdgeError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        raise CommandError(f"cannot start a process: {error.strerror}", exit_code=EXIT_OUTSIDE) from None


def _place(unix: str | None, address: str | None) -> Address:
    """Return where to listen."""
    if (unix is None) == (address is None):
        raise CommandError("give --unix PATH or --address HOST:PORT, one of the two", exit_code=EXIT_USAGE)
    option, text = ("--unix", f"unix:{unix}") if unix is not None else ("--address", address or "")
    try:
        place = parse_address(text, least_port=0)
    except AddressError as error:
        raise CommandError(f"{option} {unix or address}: {error}", exit_code=EXIT_USAGE) from None
    if place.host and not is_loopback(place.host):
        sentence = f"--address {address}: others can reach it; take --unix PATH, or an address such as 127.0.0.1:7552"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return place
