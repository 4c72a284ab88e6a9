"""``ordago run | trial``: events that are played."""

import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import (
    EXIT_BOT,
    EXIT_OUTSIDE,
    EXIT_USAGE,
    EXIT_WRONG,
    CommandError,
    run,
)
from ordago_cli.event.common import (
    ALL_FOLDERS,
    check_parquet,
    event_argument,
    naming_errors,
    out_option,
    parquet_option,
    publishing,
    read_event,
    run_folder_of,
    show_ladders,
    write_parquet_too,
)
from ordago_cli.event.progress import PlainWatcher, watcher_for
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import store_option
from ordago_cli.options.watching import check_address, metrics_option, watched_by
from ordago_cli.serve.entrance import EntranceSettings, entrance_options
from ordago_cli.serve.outside import raise_file_limit
from ordago_cli.terminal.json_lines import json_lines
from ordago_cli.terminal.tables import counted
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.event_builds import noted_builds
from ordago_ladder.entrants.sandboxes import isolation_of
from ordago_ladder.entrants.trial import Tried, trial
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.playing import Opening
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.watching import EventListener
from ordago_ladder.workers.pool import pool_of

_COLUMNS = ("entrant", "game", "decisions", "p50 ms", "p99 ms", "MiB", "")


def tried(
    settings: Settings,
    folder: EventFolder,
    *,
    hidden: Sequence[Path],
    listener: EventListener,
    entrance: Entrance | None,
) -> tuple[Tried, ...]:
    """Try all entrants of an event. Remote ones play with the bots that have checked in.

    Raises:
        NoIsolationError: the event requires isolation, and this machine has none.
        EdgeError: the address cannot be listened on.
    """
    logs = Path(tempfile.mkdtemp(prefix="ordago-trial-"))
    with isolation_of(settings) as isolation:
        return tuple(
            run(
                partial(
                    trial,
                    settings,
                    isolation=isolation,
                    hidden=(*hidden, logs),
                    logs=logs,
                    listener=listener,
                    entrance=entrance,
                    built=noted_builds(folder.build_notes),
                )
            )
        )


def show(rows: Sequence[Tried], *, as_json: bool, err: bool = False) -> None:
    """Print the results of a trial."""
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows]), err=err)
        return
    table = Table(*_COLUMNS, header_style="bold")
    for row in rows:
        figures = (str(row.decisions), str(row.p50_ms), str(row.p99_ms), f"{row.memory_mib:.0f}")
        cells = (row.entrant, row.game, *(figures if row.decisions else ("", "", "", "")))
        said = Text("; ".join(row.problems) or "is well", style="red" if row.problems else "green")
        table.add_row(*map(Text, cells), said)
    Console(stderr=err).print(table)


address_option = click.option("--address", help="HOST:PORT to listen on for bots of remote entrants; port 0: any.")


def _beacon(_context: click.Context, _option: click.Parameter, written: str | None) -> bytes | None:
    try:
        value = None if written is None else bytes.fromhex(written)
    except ValueError:
        value = b""
    if value is not None and not MIN_NONCE_BYTES <= len(value) <= MAX_NONCE_BYTES:
        raise click.BadParameter(f"takes {MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} bytes in hexadecimal")
    return value


@click.command(name="trial", epilog="Example: ordago trial tournaments/events/demo.toml")
@event_argument
@out_option
@address_option
@entrance_options
@json_option
def trial_command(
    event: Path, out: Path | None, address: str | None, entrance: EntranceSettings, *, as_json: bool
) -> None:
    """Try the entrants: each plays a short match of each game against house bots, and nothing counts."""
    settings = read_event(event)[0].present
    raise_file_limit()
    opened = entrance_at(settings, address, entrance) if address else nullcontext()
    folder = run_folder_of(settings, out)
    with opened as opening, naming_errors(folder):
        rows = tried(
            settings,
            folder,
            hidden=hidden_from_bots(event, address, entrance),
            listener=PlainWatcher(),
            entrance=opening,
        )
    show(rows, as_json=as_json)
    failed = sorted({row.entrant for row in rows if row.problems})
    if failed:
        raise CommandError(f"these entrants failed: {', '.join(failed)}", exit_code=EXIT_BOT)


def hidden_from_bots(event: Path, address: str | None, entrance: EntranceSettings) -> tuple[Path, ...]:
    """Return the paths that bots must not read, besides the output folder."""
    # Other events usually are in the same folder, with secrets of their own.
    return (event, ALL_FOLDERS, *(entrance.secret_files if address else ()))


@click.command(name="run", epilog="Example: ordago run tournaments/events/demo.toml --out out/demo")
@event_argument
@out_option
@store_option
@address_option
@entrance_options
@click.option(
    "--trial", "try_first", is_flag=True, help="Try the entrants first, as ordago trial does, and report what fails."
)
@metrics_option
@click.option("--beacon", metavar="HEX", callback=_beacon, help="The value of the beacon that the event file names.")
@click.option(
    "--workers", type=click.IntRange(1), help="Worker processes; default: the runner plays the matches itself."
)
@click.option("--cluster", metavar="ADDRESS", help="Scheduler of a Dask cluster to play on: tls://HOST:PORT.")
@parquet_option
@json_option
@click.option("--json-lines", "as_lines", is_flag=True, help="Print progress as JSON lines, for programs.")
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
    """Run an event to its end, and verify it. If it is interrupted, the same command continues it."""
    if as_json and as_lines:
        raise click.UsageError("--json and --json-lines cannot be combined")
    settings, text = read_event(event)
    folder = run_folder_of(settings, out)
    check_parquet(parquet, folder)
    telemetry = Telemetry()
    raise_file_limit()
    hidden = hidden_from_bots(event, address, entrance)
    play = partial(run_event, settings, text, folder, telemetry=telemetry, hidden=hidden, beacon=beacon, place=place)
    play = partial(play, opening=_opening(workers, cluster))
    opened = entrance_at(settings, address, entrance)
    if try_first:
        with opened as opening, naming_errors(folder):
            show(
                tried(settings, folder, hidden=hidden, listener=PlainWatcher(), entrance=opening),
                as_json=False,
                err=True,
            )
        opened = entrance_at(settings, address, entrance)
    if as_lines:
        shown = json_lines(sys.stdout)
        with opened as opening, watched_by(metrics, telemetry.counters), shown as lines, naming_errors(folder):
            ladder = run(partial(play, listener=lines, entrance=opening))
            lines.finished(ladder, page=str(folder.page.resolve()))
    else:
        watching = watcher_for(Console(stderr=as_json), title=settings.event.heading)
        with opened as opening, watched_by(metrics, telemetry.counters), watching as watcher, naming_errors(folder):
            ladder = run(partial(play, listener=watcher, entrance=opening))
        show_ladders(ladder, folder, as_json=as_json)
    with publishing(folder):
        write_parquet_too(ladder, parquet)
    _verify(folder)


def entrance_at(
    settings: Settings, address: str | None, entrance: EntranceSettings
) -> AbstractContextManager[Entrance | None]:
    """Return a context with the entrance for remote bots; ``None`` in it if no entrant is remote."""
    remote = [entrant.name for entrant in settings.remote_entrants]
    if remote and address is None:
        sentence = f"{', '.join(remote)} connect from other machines: add --address HOST:PORT and --tokens"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    if address is None:
        return nullcontext()
    check_address(address, option="--address")
    if not remote:
        sentence = "--address has no use: no entrant is remote; omit it, or write 'remote = true'"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return entrance.event_entrance(address)


def _opening(workers: int | None, cluster: str | None) -> Opening | None:
    """Return the opener of the workers that play; ``None`` if the runner plays itself."""
    if cluster is None:
        return None if workers is None else pool_of(workers)
    if workers is not None:
        raise CommandError("--workers and --cluster cannot be combined: omit one", exit_code=EXIT_USAGE)
    try:
        module = import_module("ordago_ladder.workers.cluster")
    except ModuleNotFoundError as error:
        sentence = f"--cluster needs {error.name}, which is not installed: pip install 'ordago[cluster]'"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    opening: Opening = module.cluster_at(cluster)
    return opening


def _verify(folder: EventFolder) -> None:
    """Verify the published files, and print the result in one line."""
    verification = verify_folder(folder.path)
    found = len(verification.findings)
    if found:
        raise CommandError(
            f"{folder.path} does not verify, {counted(found, 'finding')}: ordago verify {folder.path} names them",
            exit_code=EXIT_WRONG,
        )
    click.echo(f"verified: {verification.records} records, no findings", err=True)
