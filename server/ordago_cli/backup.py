"""``ordago backup`` and ``ordago restore``: the accounts, ladders and events of a server in one file."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from ordago.ops.backups import note_backup
from ordago.outputs import OccupiedError, Output
from ordago.store.accounts.accounts import Accounts
from ordago.store.backup import ACCOUNTS_FILE, Restored, is_backup, kind_of, ladder_file, restore_backup, write_backup
from ordago.store.encryption import recipients
from ordago.store.errors import StoreError
from ordago.store.event.store import Store
from ordago.store.ladder.check import LadderInspection
from ordago.store.versioned import Stored
from ordago_cli.account.place import accounts_url
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.outputs import check, force_option, json_option
from ordago_cli.options.store import data_option, place_option
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.folders import publish_restored

identity_option = click.option(
    "--identity",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="ORDAGO_IDENTITY",
    show_envvar=True,
    help="Secret key of an encrypted backup, as age-keygen writes it.",
)
"""The option ``--identity FILE``."""


def _owners(_context: click.Context, _option: click.Parameter, written: tuple[str, ...]) -> list[Any]:
    try:
        return recipients(written) if written else []
    except (ValueError, StoreError) as error:
        raise click.BadParameter(str(error)) from None


@click.command(epilog="Example: ordago backup /backups/monday.zip --data /var/lib/ordago")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@place_option("PostgreSQL database of the ladder; default: a file in the data folder.")
@click.option(
    "--encrypt-to",
    "owners",
    metavar="KEY",
    multiple=True,
    envvar="ORDAGO_ENCRYPT_TO",
    show_envvar=True,
    callback=_owners,
    help="Encrypt for the owner of this age public key; may be repeated.",
)
@force_option
@json_option
def backup(file: Path, data: Path, place: str | None, owners: list[Any], *, force: bool, as_json: bool) -> None:
    """Write the accounts, ladders and events of a server into FILE, while it runs.

    Keep FILE private, or encrypt it: it contains the secrets of all future deals. The ladder of --store is in it, too,
    and the accounts of ORDAGO_ACCOUNTS.
    With --encrypt-to only the owners of these keys can read it, and this machine cannot.
    """
    databases = (data / ACCOUNTS_FILE, *data.glob(ladder_file("*")))
    # Nobody can tell an encrypted backup from another encrypted file.
    what = "an unencrypted backup" if owners else "a backup"
    output = Output(file, what, is_backup, force=force, inputs=databases)
    check(output)
    with ExitStack() as opened, naming_errors(file):
        sources = sources_of(opened, data, place)
        if not sources:
            sentence = f"{data} has nothing to back up: name the server's folder with --data"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
        contents = write_backup(output, sources, events_of=data, owners=owners)
        _note(data)
    size = file.stat().st_size
    if as_json:
        click.echo(json.dumps({"contents": contents, "bytes": size}))
    else:
        click.echo(f"{file}: {', '.join(contents)}; {size:,} bytes")


@click.command(epilog="Example: ordago restore /backups/monday.zip --data /var/lib/ordago")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@place_option("Empty PostgreSQL database to restore the ladder into; default: a file in the data folder.")
@identity_option
@json_option
def restore(file: Path, data: Path, place: str | None, identity: Path | None, *, as_json: bool) -> None:
    """Restore a backup FILE into the folder of a server that has none of its contents.

    Nothing is restored unless the whole file is intact. Whatever happened after the backup is not in it; events go on
    with other deals than then. With --store the ladder goes into that database, which has to be empty; with
    ORDAGO_ACCOUNTS so do the accounts.
    """
    with naming_errors(data):
        restored = restore_backup(file, data, ladder=place, accounts=accounts_url(), identity=identity)
        for part in restored:
            if kind_of(part.name) is Store:
                _publish(data / part.name)
    if as_json:
        click.echo(json.dumps({"contents": [part._asdict() for part in restored]}))
        return
    for part in restored:
        click.echo(f"{part.name}{_found(part)}")


def _note(data: Path) -> None:
    """Record the time of a complete backup for the metrics of the server."""
    try:
        note_backup(data, now=time.time())
    except OSError as error:
        # The backup is good all the same, and a program that runs this must not take it for a failure.
        click.echo(f"warning: the time of this backup cannot be written into {data}: {error.strerror}", err=True)


def _found(part: Restored) -> str:
    if kind_of(part.name) is Store:
        return f": {part.results} results, ledger whole"
    return "" if part.name == ACCOUNTS_FILE else f": {part.epochs} epochs, {part.results} results, ledgers whole"


def _publish(database: Path) -> None:
    """Publish a restored event. A server only does so for those that it plays."""
    folder = EventFolder(database.parents[1])
    try:
        publish_restored(folder)
    except (OSError, StoreError, ValueError) as error:
        click.echo(f"warning: the pages of {folder.path} are missing: {error}", err=True)


def sources_of(opened: ExitStack, data: Path, place: str | None) -> dict[str, Stored]:
    """Open the databases of a server by their file names. Tables of an older version are not migrated."""
    found = sorted(path.relative_to(data).as_posix() for path in (data / ACCOUNTS_FILE, *data.glob(ladder_file("*"))))
    kinds = {name: kind_of(name) for name in found if (data / name).exists()}
    sources = {
        name: opened.enter_context(kind.open(data / name, outdated=True)) for name, kind in kinds.items() if kind
    }
    if place is not None:
        ladder = opened.enter_context(LadderInspection.open(place, outdated=True))
        sources[ladder_file(ladder.name())] = ladder
    if url := accounts_url():
        sources[ACCOUNTS_FILE] = opened.enter_context(Accounts.open(url, outdated=True))
    return sources


@contextmanager
def naming_errors(place: Path) -> Iterator[None]:
    """Turn errors of storage into one-sentence errors."""
    try:
        yield
    except (StoreError, OccupiedError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        where = os.fsdecode(error.filename) if error.filename else place
        raise CommandError(f"{where}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
