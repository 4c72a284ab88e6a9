"""``ordago check | plan | run | status | report``: events from their file to their ladder."""

import importlib.util
import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
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
from ordago.cli.json_lines import json_lines
from ordago.cli.planning import figure_lines, measured
from ordago.cli.progress import NotingWatcher, PlainWatcher, status_lines, watcher_for
from ordago.cli.serve.entrance import EntranceSettings, entrance_options
from ordago.cli.serve.outside import raise_file_limit
from ordago.cli.store_option import store_option
from ordago.cli.trying import show, tried
from ordago.cli.watching import check_address, metrics_option, watched_by
from ordago.edge import EdgeError, EdgeFailedError
from ordago.journal import JournalError
from ordago.store import Store, StoreError, StoreFailedError
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder import schedule
from ordago_ladder.archive import ladder_of, publish_event
from ordago_ladder.attempts import VoidMatchError
from ordago_ladder.beacon import BeaconDueError, BeaconError
from ordago_ladder.cells import exposures, isolation_of
from ordago_ladder.estimate import estimate
from ordago_ladder.event_file import EventFileError, decoded, parse_event
from ordago_ladder.exports import ladder_json
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.growth import GrowthError
from ordago_ladder.identity import identity_of
from ordago_ladder.ladder import Ladder
from ordago_ladder.launch import what_is_missing
from ordago_ladder.playing import Opening, WorkforceError
from ordago_ladder.reading import UnreadableError, read_file
from ordago_ladder.remote import Entrance
from ordago_ladder.remote_entrant import AbsentError
from ordago_ladder.runner import EntrantError, StoppedError, run_event
from ordago_ladder.schedule.balance import balance, balance_lines
from ordago_ladder.settings import Settings
from ordago_ladder.status import run_of, status_of
from ordago_ladder.store_check import checked_state
from ordago_ladder.terminal import ladder_lines, ladder_table
from ordago_ladder.verification import verify_folder
from ordago_ladder.workers.crew import crew_of

_MEND = "; nothing is lost: mend it and run again"
_ABSENT = "; nothing is lost: run again when it is there, or write absentees_forfeit = true to go on without"
_AGAIN = "; nothing is lost: run again"
_ENDS: Mapping[type[Exception], tuple[str, int]] = {
    StoppedError: ("", EXIT_INTERRUPTED),
    BeaconDueError: ("", EXIT_UNFINISHED),
    BeaconError: ("", EXIT_USAGE),
    GrowthError: ("", EXIT_USAGE),
    FailedToStartError: (_MEND, EXIT_BOT),
    EntrantError: (_MEND, EXIT_BOT),
    AbsentError: (_ABSENT, EXIT_BOT),
    VoidMatchError: (_MEND, EXIT_SERVER),
    EdgeFailedError: (_AGAIN, EXIT_SERVER),
    OutOfFilesError: (_AGAIN, EXIT_OUTSIDE),
    WorkforceError: (_AGAIN, EXIT_OUTSIDE),
    JournalError: ("; nothing is lost: then run again", EXIT_OUTSIDE),
    NoIsolationError: ("", EXIT_OUTSIDE),
    StoreFailedError: (" Nothing is lost: mend it and run again.", EXIT_OUTSIDE),
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

_parquet_option = click.option(
    "--parquet",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write results and ladders as Parquet, too, into a folder elsewhere; needs the extra 'parquet'.",
)


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


@click.command(epilog="Example: ordago plan tournaments/events/demo.toml --measure")
@_event_file
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Matches a second to reckon with. Without it, and without --measure, no time is told.",
)
@click.option("--measure", is_flag=True, help="Let the bots play some matches of each game, 20 seconds long or so.")
@click.option("--balance", "with_balance", is_flag=True, help="Show who meets whom how often, and who sits where.")
@_as_json_option
def plan(event: Path, rate: float | None, *, measure: bool, with_balance: bool, as_json: bool) -> None:
    """Say how many matches an event takes, how long they last, and how exact its ladder will be."""
    if measure and rate is not None:
        raise click.UsageError("--rate and --measure exclude each other")
    settings, text = _read(event)
    if with_balance:
        _show_balance(settings, as_json=as_json)
        return
    figures, paces = estimate(settings, matches_per_second=rate), []
    if measure:
        with _told(EventFolder(Path())):
            paces = measured(settings, text, hidden=(event, _ALL_FOLDERS))
        figures = figures._replace(seconds=sum(pace.seconds for pace in paces))
    if as_json:
        by_game = {pace.game: pace._asdict() | {"seconds": pace.seconds} for pace in paces}
        click.echo(json.dumps(figures._asdict() | ({"by_game": by_game} if measure else {})))
        return
    for line in figure_lines(figures, paces):
        click.echo(line)


_address_option = click.option("--address", help="HOST:PORT to listen on for bots of remote entrants; port 0: any.")


@click.command(name="trial", epilog="Example: ordago trial tournaments/events/demo.toml")
@_event_file
@_out
@_address_option
@entrance_options
@_as_json_option
def trial_command(
    event: Path, out: Path | None, address: str | None, entrance: EntranceSettings, *, as_json: bool
) -> None:
    """Try the entrants: each plays a short match of each game among house bots, and nothing counts."""
    settings, _ = _read(event)
    raise_file_limit()
    opened = _entrance(settings, address, entrance) if address else nullcontext()
    with opened as opening, _told(_folder(settings, out)):
        rows = tried(settings, hidden=_hidden(event, address, entrance), watcher=PlainWatcher(), entrance=opening)
    show(rows, as_json=as_json)
    failed = sorted({row.entrant for row in rows if row.problems})
    if failed:
        raise CommandError(f"not all is well with {', '.join(failed)}", exit_code=EXIT_BOT)


def _hidden(event: Path, address: str | None, entrance: EntranceSettings) -> tuple[Path, ...]:
    """Return what no bot may read beside the output folder."""
    # Other events lie in the same folder, as a rule, with secrets of their own.
    return (event, _ALL_FOLDERS, *(entrance.secret_files if address else ()))


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
@store_option
@_address_option
@entrance_options
@click.option(
    "--trial", "try_first", is_flag=True, help="Try the entrants first, as ordago trial does, and say what fails."
)
@metrics_option
@click.option("--beacon", metavar="HEX", callback=_beacon, help="The value of the beacon that the event file names.")
@click.option("--workers", type=click.IntRange(1), help="How many processes play. Unsaid: the runner plays by itself.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a Dask cluster that plays: tls://HOST:PORT.")
@_parquet_option
@_as_json_option
@click.option("--json-lines", "as_lines", is_flag=True, help="Print what happens while it happens, for programs.")
def run_command(
    event: Path,
    out: Path | None,
    address: str | None,
    entrance: EntranceSettings,
    place: str | None,
    metrics: str | None,
    beacon: bytes | None,
    workers: int | None,
    cluster: str | None,
    parquet: Path | None,
    *,
    try_first: bool,
    as_json: bool,
    as_lines: bool,
) -> None:
    """Run an event to its end, and verify it. Whatever stops it, the same command goes on where it was."""
    if as_json and as_lines:
        raise click.UsageError("--json and --json-lines exclude each other")
    settings, text = _read(event)
    folder = _folder(settings, out)
    _check_parquet(parquet, folder)
    telemetry = Telemetry()
    raise_file_limit()
    hidden = _hidden(event, address, entrance)
    play = partial(run_event, settings, text, folder, telemetry=telemetry, hidden=hidden, beacon=beacon, place=place)
    play = partial(play, opening=_opening(workers, cluster))
    opened = _entrance(settings, address, entrance)
    if try_first:
        with opened as opening, _told(folder):
            show(tried(settings, hidden=hidden, watcher=PlainWatcher(), entrance=opening), as_json=False, err=True)
        opened = _entrance(settings, address, entrance)
    if as_lines:
        shown = json_lines(sys.stdout)
        with opened as opening, watched_by(metrics, telemetry.counters), shown as lines, _told(folder):
            ladder = run(partial(play, watcher=NotingWatcher(lines, folder), entrance=opening))
            lines.finished(ladder, page=str(folder.page.resolve()))
    else:
        watching = watcher_for(Console(stderr=as_json), title=settings.event.heading)
        with opened as opening, watched_by(metrics, telemetry.counters), watching as watcher, _told(folder):
            ladder = run(partial(play, watcher=NotingWatcher(watcher, folder), entrance=opening))
        _show(ladder, folder, as_json=as_json)
    with _publishing(folder):
        _write_parquet(ladder, parquet)
    _verify(folder)


def _entrance(
    settings: Settings, address: str | None, entrance: EntranceSettings
) -> AbstractContextManager[Entrance | None]:
    """Return where remote bots come in, which is open in a context; nothing where no entrant is remote."""
    remote = [entrant.name for entrant in settings.remote_entrants]
    if remote and address is None:
        sentence = f"{', '.join(remote)} come in from elsewhere: give --address HOST:PORT and --tokens"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    if address is None:
        return nullcontext()
    check_address(address, option="--address")
    if not remote:
        sentence = "nobody would come in at --address: no entrant is remote; leave it out, or write 'remote = true'"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return entrance.event_entrance(address)


def _opening(workers: int | None, cluster: str | None) -> Opening | None:
    """Return what opens who plays; ``None`` if the runner plays by itself."""
    if cluster is None:
        return None if workers is None else crew_of(workers)
    if workers is not None:
        raise CommandError("--workers and --cluster are two ways to play: leave one out", exit_code=EXIT_USAGE)
    try:
        module = import_module("ordago_ladder.workers.cluster")
    except ModuleNotFoundError as error:
        sentence = f"--cluster needs {error.name}, which is not installed: pip install 'ordago[cluster]'"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    opening: Opening = module.cluster_at(cluster)
    return opening


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


@contextmanager
def _publishing(folder: EventFolder) -> Iterator[None]:
    """Tell the organiser why nothing could be published."""
    try:
        yield
    except OSError as error:
        why = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        sentence = f"cannot publish into {folder.path}: {why}; what was played is safe: mend it, and report again"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error


def _check_parquet(parquet: Path | None, folder: EventFolder) -> None:
    """Refuse, before anything is played, to write Parquet where that cannot be, or would not be proved."""
    if parquet is None:
        return
    if importlib.util.find_spec("pyarrow") is None:
        raise CommandError("--parquet needs the extra 'parquet': pip install 'ordago[parquet]'", exit_code=EXIT_USAGE)
    if parquet.resolve().is_relative_to(folder.path.resolve()):
        why = "what is published there is proved byte for byte, and Parquet differs from version to version"
        raise CommandError(f"--parquet: {parquet} lies in {folder.path}: {why}; name another", exit_code=EXIT_USAGE)


def _write_parquet(ladder: Ladder, parquet: Path | None) -> None:
    if parquet is not None:
        # It takes half a second, and a library that not everybody has.
        from ordago_ladder.parquet import write_parquet

        write_parquet(ladder, parquet)


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
@store_option
@_as_json_option
def status(event: Path, out: Path | None, place: str | None, *, as_json: bool) -> None:
    """Say how far an event has come, how fast it goes and what went wrong, and show its ladder so far.

    It only reads, and can be asked while the event runs.
    """
    settings, _ = _read(event)
    folder = _folder(settings, out)
    with _store(folder, settings, place) as store:
        state = store.state()
    found = status_of(settings, state, run=run_of(folder), now=time.time())
    if as_json:
        click.echo(json.dumps(found._asdict()))
        return
    for line in status_lines(found):
        click.echo(line)
    _print_ladders(ladder_of(settings, state))


@click.command(epilog="Example: ordago report tournaments/events/demo.toml")
@_event_file
@_out
@store_option
@_parquet_option
@_as_json_option
def report(event: Path, out: Path | None, place: str | None, parquet: Path | None, *, as_json: bool) -> None:
    """Publish what is known of an event into its folder, and show its ladder."""
    settings, text = _read(event)
    folder = _folder(settings, out)
    _check_parquet(parquet, folder)
    with _publishing(folder), _store(folder, settings, place) as store:
        checked_state(settings, store, folder)
        publish_event(settings, text, store, folder)
        ladder = ladder_of(settings, store.state())
        _write_parquet(ladder, parquet)
    _show(ladder, folder, as_json=as_json)


def _read(path: Path) -> tuple[Settings, str]:
    try:
        text = decoded(read_file(path, follow=True))
        settings = parse_event(text, source=str(path))
    except UnreadableError as error:
        raise CommandError(f"cannot read {path}: {error}", exit_code=EXIT_OUTSIDE) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no UTF-8 text; save it as UTF-8", exit_code=EXIT_USAGE) from error
    except EventFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error
    for sentence in what_is_missing(settings):
        raise CommandError(f"{path}: {sentence}", exit_code=EXIT_USAGE)
    return settings, text


def _folder(settings: Settings, out: Path | None) -> EventFolder:
    return EventFolder(out if out is not None else _ALL_FOLDERS / settings.event.name)


@contextmanager
def _store(folder: EventFolder, settings: Settings, place: str | None) -> Iterator[Store]:
    """Open the store of an event that was begun."""
    try:
        store = Store.open(place or folder.store)
    except StoreError as error:
        sentence = f"{folder.path} holds no event: {error} Run it first, or name its folder with --out."
        if place is not None:
            sentence = str(error)
        elif folder.store.exists():
            why = f"{error} Look whether the disk is full, or closed to you; nothing is lost."
            sentence = f"the event in {folder.path} cannot be read: {why}"
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
