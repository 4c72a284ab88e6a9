"""``ordago check | plan | run | status | report``: events from their file to their ladder."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.supervisor import FailedToStartError, OutOfFilesError
from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.cli.errors import (
    EXIT_BOT,
    EXIT_INTERRUPTED,
    EXIT_OUTSIDE,
    EXIT_SERVER,
    EXIT_UNFINISHED,
    EXIT_USAGE,
    EXIT_WRONG,
    CommandError,
    run,
)
from ordago.cli.progress import watcher_for
from ordago.cli.serve.outside import raise_file_limit
from ordago.cli.watching import metrics_option, watched_by
from ordago.edge import EdgeError, EdgeFailedError
from ordago.journal import JournalError
from ordago.store import Store, StoreError
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder import schedule
from ordago_ladder.archive import ladder_of, publish_event
from ordago_ladder.attempts import VoidMatchError
from ordago_ladder.beacon import BeaconDueError, BeaconError
from ordago_ladder.cells import exposures, isolation_of
from ordago_ladder.estimate import estimate
from ordago_ladder.event_file import EventFileError, parse_event
from ordago_ladder.exports import ladder_json
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.identity import identity_of
from ordago_ladder.ladder import Ladder
from ordago_ladder.launch import what_is_missing
from ordago_ladder.reading import UnreadableError, read_file
from ordago_ladder.runner import EntrantError, StoppedError, run_event
from ordago_ladder.schedule.balance import balance, balance_lines
from ordago_ladder.settings import Settings
from ordago_ladder.store_check import checked_state
from ordago_ladder.terminal import ladder_lines, ladder_table
from ordago_ladder.verification import verify_folder

_DEFAULT_MATCHES_A_SECOND = 5.0
_MEND = "; nothing is lost: mend it and run again"
_AGAIN = "; nothing is lost: run again"
_ENDS: Mapping[type[Exception], tuple[str, int]] = {
    StoppedError: ("", EXIT_INTERRUPTED),
    BeaconDueError: ("", EXIT_UNFINISHED),
    BeaconError: ("", EXIT_USAGE),
    FailedToStartError: (_MEND, EXIT_BOT),
    EntrantError: (_MEND, EXIT_BOT),
    VoidMatchError: (_MEND, EXIT_SERVER),
    EdgeFailedError: (_AGAIN, EXIT_SERVER),
    OutOfFilesError: (_AGAIN, EXIT_OUTSIDE),
    JournalError: ("; nothing is lost: then run again", EXIT_OUTSIDE),
    NoIsolationError: ("", EXIT_OUTSIDE),
    StoreError: ("", EXIT_OUTSIDE),
    FolderBusyError: ("", EXIT_OUTSIDE),
    EdgeError: ("", EXIT_OUTSIDE),
}
"""Why a run ends before the event does: what is said beside the reason, and the exit code."""
_ALL_FOLDERS = Path("out")
"""Where the output folders of events lie."""

_event_file = click.argument("event", metavar="EVENT.toml", type=click.Path(path_type=Path))
_out = click.option("--out", type=click.Path(path_type=Path), help="The output folder; default: out/NAME of the event.")
_as_json_option = click.option("--json", "as_json", is_flag=True, help="Print what a program can read.")


def _beacon(_context: click.Context, _option: click.Parameter, written: str | None) -> bytes | None:
    try:
        value = None if written is None else bytes.fromhex(written)
    except ValueError:
        value = b""
    if value is not None and not MIN_NONCE_BYTES <= len(value) <= MAX_NONCE_BYTES:
        raise click.BadParameter(f"takes {MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} bytes in hexadecimal")
    return value


@click.command(epilog="Example: ordago check tournaments/events/demo.toml")
@_event_file
@_as_json_option
def check(event: Path, *, as_json: bool) -> None:
    """Check an event file and say what it describes."""
    settings, _ = _read(event)
    try:
        with isolation_of(settings) as isolation:
            holds = isolation.sentence if isolation is not None else ""
            exposed = list(exposures(settings, isolation))
    except NoIsolationError as error:
        raise CommandError(f"{event}: {error}", exit_code=EXIT_OUTSIDE) from error
    names = {
        "event": settings.event.name,
        "games": [game.name for game in settings.games],
        "entrants": [entrant.name for entrant in settings.entrants],
        "isolation": holds,
        "exposures": exposed,
    }
    if as_json:
        click.echo(json.dumps(names))
    else:
        games = ", ".join(game.name for game in settings.games)
        click.echo(f"{event} is well: {len(settings.entrants)} entrants play {games}")
        for sentence in filter(None, (holds, *exposed)):
            click.echo(sentence)


@click.command(epilog="Example: ordago plan tournaments/events/demo.toml")
@_event_file
@click.option(
    "--rate",
    default=_DEFAULT_MATCHES_A_SECOND,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Matches a second to reckon with.",
)
@click.option("--balance", "with_balance", is_flag=True, help="Show who meets whom how often, and who sits where.")
@_as_json_option
def plan(event: Path, rate: float, *, with_balance: bool, as_json: bool) -> None:
    """Say how many matches an event takes, how long they last, and how exact its ladder will be."""
    settings, _ = _read(event)
    if with_balance:
        _show_balance(settings, as_json=as_json)
        return
    figures = estimate(settings, matches_per_second=rate)
    if as_json:
        click.echo(json.dumps(figures._asdict()))
        return
    for name, value in figures._asdict().items():
        click.echo(
            f"{name.replace('_', ' '):24} {value:.1f}"
            if isinstance(value, float)
            else f"{name.replace('_', ' '):24} {value}"
        )


def _show_balance(settings: Settings, *, as_json: bool) -> None:
    """Show how balanced the schedule is, as far as it is known before anybody has played."""
    found = balance(settings, schedule.plan(settings).matches)
    if as_json:
        games = [game._asdict() for game in found.games]
        click.echo(json.dumps(found._asdict() | {"games": games}))
        return
    for line in balance_lines(found):
        click.echo(line)


@click.command(name="run", epilog="Example: ordago run tournaments/events/demo.toml --out out/demo")
@_event_file
@_out
@metrics_option
@click.option("--beacon", metavar="HEX", callback=_beacon, help="The value of the beacon that the event file names.")
@_as_json_option
def run_command(event: Path, out: Path | None, metrics: str | None, beacon: bytes | None, *, as_json: bool) -> None:
    """Run an event to its end, and verify it. Whatever stops it, the same command goes on where it was."""
    settings, text = _read(event)
    folder = _folder(settings, out)
    telemetry = Telemetry()
    raise_file_limit()
    watching = watcher_for(Console(stderr=as_json), title=settings.event.heading)
    with watched_by(metrics, telemetry.counters), watching as watcher, _told(folder):
        # Other events lie in the same folder, as a rule, with secrets of their own.
        hidden = (event, _ALL_FOLDERS)
        play = partial(run_event, settings, text, folder, watcher=watcher, telemetry=telemetry)
        ladder = run(partial(play, hidden=hidden, beacon=beacon))
    _show(ladder, folder, as_json=as_json)
    _verify(folder)


@contextmanager
def _told(folder: EventFolder) -> Iterator[None]:
    """Tell the organiser why a run did not come to its end, and what he can do."""
    try:
        yield
    except tuple(_ENDS) as error:
        advice, exit_code = next(end for kind, end in _ENDS.items() if isinstance(error, kind))
        raise CommandError(f"{error}{advice}", exit_code=exit_code) from error
    except OSError as error:
        what = f"cannot use {error.filename or folder.path}: {error.strerror or error}"
        raise CommandError(f"{what}; mend it, or name another folder with --out", exit_code=EXIT_OUTSIDE) from error


def _verify(folder: EventFolder) -> None:
    """Verify what was published, and say in one line what came of it."""
    verification = verify_folder(folder.path)
    found = len(verification.findings)
    if found:
        raise CommandError(
            f"{folder.path} does not verify, {found} findings: ordago verify {folder.path} names them",
            exit_code=EXIT_WRONG,
        )
    click.echo(f"verified: {verification.records} records, nothing is wrong", err=True)


@click.command(epilog="Example: ordago status tournaments/events/demo.toml")
@_event_file
@_out
@_as_json_option
def status(event: Path, out: Path | None, *, as_json: bool) -> None:
    """Say how far an event has come, and show its ladder so far."""
    settings, _ = _read(event)
    folder = _folder(settings, out)
    with _store(folder, settings) as store:
        ladder = ladder_of(settings, store.state())
    if as_json:
        click.echo(json.dumps({"played": len(ladder.results), "planned": ladder.planned, "finished": ladder.finished}))
        return
    click.echo(f"{len(ladder.results)} of {ladder.planned} matches are played")
    _print_ladders(ladder)


@click.command(epilog="Example: ordago report tournaments/events/demo.toml")
@_event_file
@_out
@_as_json_option
def report(event: Path, out: Path | None, *, as_json: bool) -> None:
    """Publish what is known of an event into its folder, and show its ladder."""
    settings, text = _read(event)
    folder = _folder(settings, out)
    with _store(folder, settings) as store:
        checked_state(settings, store, folder)
        publish_event(settings, text, store, folder)
        ladder = ladder_of(settings, store.state())
    _show(ladder, folder, as_json=as_json)


def _read(path: Path) -> tuple[Settings, str]:
    try:
        text = read_file(path, follow=True).decode()
        settings = parse_event(text, source=str(path))
    except UnreadableError as error:
        raise CommandError(f"cannot read {path}: {error}", exit_code=EXIT_OUTSIDE) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no UTF-8 text", exit_code=EXIT_USAGE) from error
    except EventFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error
    for sentence in what_is_missing(settings):
        raise CommandError(f"{path}: {sentence}", exit_code=EXIT_USAGE)
    return settings, text


def _folder(settings: Settings, out: Path | None) -> EventFolder:
    return EventFolder(out if out is not None else _ALL_FOLDERS / settings.event.name)


@contextmanager
def _store(folder: EventFolder, settings: Settings) -> Iterator[Store]:
    """Open the store of an event that was begun."""
    try:
        store = Store.open(folder.store)
    except StoreError as error:
        sentence = f"{folder.path} holds no event: {error} Run it first, or name its folder with --out."
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    with store:
        try:
            store.check_event(identity_of(settings))
            yield store
        except StoreError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


def _show(ladder: Ladder, folder: EventFolder, *, as_json: bool) -> None:
    if as_json:
        click.echo(ladder_json(ladder), nl=False)
        return
    _print_ladders(ladder)
    click.echo(f"the page: {folder.page.resolve()}")


def _print_ladders(ladder: Ladder) -> None:
    console = Console()
    several = len(ladder.by_game) > 1
    for standings in (*(ladder.by_game if several else ()), ladder.overall):
        title = standings.game or (ladder.event.heading if not several else "overall")
        if console.is_terminal:
            console.print(ladder_table(standings, title=title))
        else:
            click.echo("\n".join([title, *ladder_lines(standings)]))
