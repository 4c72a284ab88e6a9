"""``ordago backup`` and ``ordago restore``: all that a server keeps, in one file."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from ordago.cli.accounts import data_option
from ordago.cli.errors import EXIT_OUTSIDE, CommandError
from ordago.cli.event_common import as_json_option
from ordago.cli.store_option import place_option
from ordago.store.backup import CONTENTS, LADDER_FILE, restore_backup, write_backup
from ordago.store.database import Stored
from ordago.store.errors import StoreError


@click.command(epilog="Example: ordago backup /backups/monday.zip --data /var/lib/ordago")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@place_option("The PostgreSQL database that keeps the ladder; default: a file in the folder of --data.")
@as_json_option
def backup(file: Path, data: Path, place: str | None, *, as_json: bool) -> None:
    """Write the accounts and the ladder of a server into FILE, while it runs.

    FILE is for your eyes alone: the secrets of all deals to come are in it.
    """
    with ExitStack() as opened, _told(file):
        sources = _sources(opened, data, place)
        if not sources:
            sentence = f"there is nothing to back up in {data}: name the folder of the server with --data"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
        write_backup(file, sources)
    size = file.stat().st_size
    if as_json:
        click.echo(json.dumps({"contents": list(sources), "bytes": size}))
    else:
        click.echo(f"{file}: {_plain(sources)}, {size:,} bytes")


@click.command(epilog="Example: ordago restore /backups/monday.zip /var/lib/ordago")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@place_option("The empty PostgreSQL database that gets the ladder; default: a file in DIR.")
@as_json_option
def restore(file: Path, folder: Path, place: str | None, *, as_json: bool) -> None:
    """Bring back what ordago backup wrote into FILE, as the folder DIR of a server's own files.

    Nothing is brought back unless all of it is whole. What happened after the backup is not in it.
    """
    with _told(folder):
        restored = restore_backup(file, folder, ladder=place)
    if as_json:
        click.echo(json.dumps(restored._asdict()))
        return
    click.echo(f"{folder}: {_plain(restored.contents)}")
    if LADDER_FILE in restored.contents:
        click.echo(f"The ladder has {restored.epochs} epochs and {restored.results} results; its ledgers are whole.")


def _sources(opened: ExitStack, data: Path, place: str | None) -> dict[str, Stored]:
    places: dict[str, Path | str] = {name: data / name for name in CONTENTS if (data / name).exists()}
    if place is not None:
        places[LADDER_FILE] = place
    return {name: opened.enter_context(CONTENTS[name].open(where)) for name, where in places.items()}


def _plain(names: Iterable[str]) -> str:
    return " and ".join(f"the {name.partition('.')[0]}" for name in names)


@contextmanager
def _told(place: Path) -> Iterator[None]:
    """Tell what went wrong in a sentence."""
    try:
        yield
    except StoreError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        where = os.fsdecode(error.filename) if error.filename else place
        raise CommandError(f"{where}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
