"""Shared parts of the event commands: arguments, files, errors and output."""

import importlib.util
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.supervisor import FailedToStartError
from ordago.edge import EdgeError, EdgeFailedError
from ordago.journal import JournalError
from ordago.outputs import OccupiedError
from ordago.store import StoreError, StoreFailedError
from ordago.store.event.store import Store
from ordago_cli.errors import (
    EXIT_BOT,
    EXIT_INTERRUPTED,
    EXIT_OUTSIDE,
    EXIT_SERVER,
    EXIT_UNFINISHED,
    EXIT_USAGE,
    CommandError,
)
from ordago_cli.options.outputs import check
from ordago_ladder.entrants.build import BuildError
from ordago_ladder.entrants.entrant_bots import EntrantError
from ordago_ladder.entrants.launch import what_is_missing
from ordago_ladder.entrants.remote_entrant import AbsentError
from ordago_ladder.event_file.entry import filled_settings
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.event_file.written_file import decoded
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.matches.due import BeaconDueError, BeaconError
from ordago_ladder.matches.stages import ChangeError
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.publication.terminal import forfeit_lines, format_lines, ladder_lines, ladder_table
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError, VoidMatchError
from ordago_ladder.run.changes import check_same_event
from ordago_ladder.run.playing import WorkforceError
from ordago_ladder.settings.settings import Settings

_MEND = "; nothing is lost: fix it and run again"
_ABSENT = "; nothing is lost: run again when it is there, or write absentees_forfeit = true to go on without"
_AGAIN = "; nothing is lost: run again"
_ENDS: Mapping[type[Exception], tuple[str, int]] = {
    StoppedError: ("", EXIT_INTERRUPTED),
    BeaconDueError: ("", EXIT_UNFINISHED),
    BeaconError: ("", EXIT_USAGE),
    ChangeError: ("", EXIT_USAGE),
    FailedToStartError: (_MEND, EXIT_BOT),
    EntrantError: (_MEND, EXIT_BOT),
    BuildError: (_MEND, EXIT_BOT),
    AbsentError: (_ABSENT, EXIT_BOT),
    VoidMatchError: (_MEND, EXIT_SERVER),
    EdgeFailedError: (_AGAIN, EXIT_SERVER),
    NotStartableError: (_AGAIN, EXIT_OUTSIDE),
    WorkforceError: (_AGAIN, EXIT_OUTSIDE),
    JournalError: ("; nothing is lost: then run again", EXIT_OUTSIDE),
    NoIsolationError: ("", EXIT_OUTSIDE),
    StoreFailedError: (" Nothing is lost: fix it and run again.", EXIT_OUTSIDE),
    StoreError: ("", EXIT_OUTSIDE),
    FolderBusyError: ("", EXIT_OUTSIDE),
    EdgeError: ("", EXIT_OUTSIDE),
}
"""The expected ends of an unfinished run: the advice after the reason, and the exit code."""
ALL_FOLDERS = Path("out")
"""The parent of the default output folders of events."""


event_argument = click.argument("event", metavar="EVENT.toml", type=click.Path(path_type=Path))
out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="The output folder; default: out/NAME of the event."
)

parquet_option = click.option(
    "--parquet",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write results and ladders as Parquet, too, into a folder elsewhere; needs the extra 'parquet'.",
)


@contextmanager
def naming_errors(folder: EventFolder) -> Iterator[None]:
    """Turn errors of a run into one-sentence errors with advice for the organiser."""
    try:
        yield
    except tuple(_ENDS) as error:
        advice, exit_code = next(end for kind, end in _ENDS.items() if isinstance(error, kind))
        raise CommandError(f"{error}{advice}", exit_code=exit_code) from error
    except OSError as error:
        what = f"cannot use {error.filename or folder.path}: {error.strerror or error}"
        raise CommandError(f"{what}; fix it, or choose another folder with --out", exit_code=EXIT_OUTSIDE) from error


@contextmanager
def publishing(folder: EventFolder) -> Iterator[None]:
    """Turn errors of publishing into one-sentence errors."""
    try:
        yield
    except (OSError, OccupiedError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        why = f"{error.filename}: {reason}" if isinstance(error, OSError) and error.filename else reason or str(error)
        sentence = (
            f"cannot publish into {folder.path}: {why}; the results are safe: fix it, then run ordago report again"
        )
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error


def check_parquet(parquet: Path | None, folder: EventFolder) -> None:
    """Check, before anything is played, that Parquet can be written there and would not break verification."""
    if parquet is None:
        return
    if importlib.util.find_spec("pyarrow") is None:
        raise CommandError("--parquet needs the extra 'parquet': pip install 'ordago[parquet]'", exit_code=EXIT_USAGE)
    if parquet.resolve().is_relative_to(folder.path.resolve()):
        why = "what is published there is proved byte for byte, and Parquet differs from version to version"
        raise CommandError(f"--parquet: {parquet} lies in {folder.path}: {why}; name another", exit_code=EXIT_USAGE)
    # This import takes half a second, and needs an optional library.
    from ordago_ladder.publication.parquet import outputs

    with publishing(folder):
        check(*outputs(parquet))


def write_parquet_too(ladder: Ladder, parquet: Path | None) -> None:
    """Write a ladder as Parquet, if a folder is given."""
    if parquet is not None:
        from ordago_ladder.publication.parquet import write_parquet

        write_parquet(ladder, parquet)


def read_event(path: Path, *, filled: bool = False) -> tuple[Settings, str]:
    """Read an event file, and check that everything it names is on this machine; return the settings and the text.

    Args:
        path: the file.
        filled: True to put placeholders in all places that authors may take by entering.

    Raises:
        CommandError: it is unreadable or invalid.
    """
    try:
        text = decoded(read_file(path, follow=True))
        settings = (filled_settings if filled else parse_event)(text, source=str(path))
    except UnreadableError as error:
        raise CommandError(f"cannot read {path}: {error}", exit_code=EXIT_OUTSIDE) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text; save it as UTF-8", exit_code=EXIT_USAGE) from error
    except EventFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error
    for sentence in what_is_missing(settings.present):
        raise CommandError(f"{path}: {sentence}", exit_code=EXIT_USAGE)
    return settings, text


def folder_of(settings: Settings, out: Path | None) -> EventFolder:
    """Return the output folder of an event: the given one, or the default."""
    return EventFolder(out if out is not None else ALL_FOLDERS / settings.event.name)


def run_folder_of(settings: Settings, out: Path | None) -> EventFolder:
    """Return the output folder of an event to run.

    Raises:
        CommandError: the folder contains something other than an event.
    """
    folder = folder_of(settings, out)
    with naming_errors(folder):
        folder.check_kind()
    return folder


@contextmanager
def open_store(folder: EventFolder, settings: Settings, place: str | None) -> Iterator[Store]:
    """Open the store of an event that has begun.

    Raises:
        CommandError: it cannot be opened, or belongs to another event.
    """
    try:
        store = Store.open(place or folder.store)
    except StoreError as error:
        sentence = f"{folder.path} holds no event: {error} Run it first, or name its folder with --out."
        if place is not None:
            sentence = str(error)
        elif folder.store.exists():
            why = f"{error} Check whether the disk is full or write-protected; nothing is lost."
            sentence = f"the event in {folder.path} cannot be read: {why}"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    with store:
        try:
            check_same_event(settings, store.state())
            yield store
        except StoreError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


def show_ladders(ladder: Ladder, folder: EventFolder, *, as_json: bool) -> None:
    """Print the published ladders."""
    if as_json:
        click.echo(ladder_json(ladder), nl=False)
        return
    print_ladders(ladder)
    click.echo(f"the page: {folder.page.resolve().as_uri()}")


def print_ladders(ladder: Ladder) -> None:
    """Print the ladders of an event, the overall one last, and the forfeits that are in them."""
    console = Console()
    several = len(ladder.by_game) > 1
    for standings in (*(ladder.by_game if several else ()), ladder.overall):
        title = standings.game or (ladder.event.heading if not several else "overall")
        if console.is_terminal:
            console.print(ladder_table(standings, title=title))
        else:
            click.echo("\n".join([title, *ladder_lines(standings)]))
    for line in (*forfeit_lines(ladder.overall), *format_lines(ladder)):
        click.echo(line)
