"""``ordago migrate``: migrates tables of an older Ordago, after a backup, while nobody uses them."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from ordago.files import private_file
from ordago.outputs import Output
from ordago.store.backup import ACCOUNTS_FILE, LADDERS_FOLDER, is_backup, write_backup
from ordago.store.event.store import Store
from ordago.store.ladder.store import LadderStore
from ordago.store.sqlite import used_file
from ordago.store.versioned import Stored
from ordago_cli.account.place import accounts_url
from ordago_cli.backup import naming_errors, sources_of
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.store import data_option, place_option
from ordago_cli.serve.journals import check_journal


@click.command(epilog="Example: ordago migrate --data /var/lib/ordago")
@click.option(
    "--event", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="An event, by its output folder."
)
@data_option
@place_option("PostgreSQL database of the ladder or the event.")
def migrate(event: Path | None, data: Path, place: str | None) -> None:
    """Migrate the tables of an older Ordago to this version: a server's accounts and ladders, or an event.

    A backup is made first. The server, or the run, has to be stopped, since it could not go on. A start of either
    migrates as well, but without a backup.
    """
    if event is not None:
        _migrate_event(event, place)
        return
    with ExitStack() as opened, naming_errors(data):
        _check_stopped(data)
        sources = sources_of(opened, data, place)
        if not sources:
            sentence = f"{data} has nothing to migrate: name the server's folder with --data"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
        opened.enter_context(_alone(data, sources, place))
        _migrate(data, sources)


def _migrate(data: Path, sources: Mapping[str, Stored]) -> None:
    outdated = {name: stored for name, stored in sources.items() if stored.version < stored.newest_version}
    for name in sources.keys() - outdated.keys():
        click.echo(f"{name}: its tables have version {sources[name].version}, the newest")
    if outdated:
        file = data / f"before-migration-{_now()}.zip"
        write_backup(Output(file, "a backup", is_backup), sources)
        click.echo(f"backup: {file}")
    for name, stored in outdated.items():
        click.echo(f"{name}: {stored.migrate()}")


def _migrate_event(event: Path, place: str | None) -> None:
    from ordago_ladder.folder import EventFolder, FolderBusyError

    folder = EventFolder(event)
    try:
        with (
            naming_errors(event),
            Store.open(place or folder.store, outdated=True) as store,
            folder.locked(),
            store.held(),
        ):
            if store.version == store.newest_version:
                click.echo(f"{event}: its tables have version {store.version}, the newest")
                return
            copy = folder.private / f"before-migration-{_now()}.db"
            private_file(copy)
            store.copy_to_file(copy)
            click.echo(f"backup: {copy}")
            click.echo(f"{event}: {store.migrate()}")
    except FolderBusyError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None


def _check_stopped(data: Path) -> None:
    """Check that no server, of any version, uses the folder.

    Raises:
        CommandError: one does.
    """
    for folder in (data, *data.glob(f"{LADDERS_FOLDER}/*")):
        check_journal(folder)


@contextmanager
def _alone(data: Path, sources: Mapping[str, Stored], place: str | None) -> Iterator[None]:
    """Lock the databases to migrate.

    Raises:
        StoreBusyError: one of them is in use.
    """
    with ExitStack() as stack:
        for name in sources:
            if name == ACCOUNTS_FILE:
                if accounts_url() is None:
                    stack.enter_context(used_file(data / name, "the accounts", alone=True))
            else:
                where = data / name if (data / name).exists() else str(place)
                store = stack.enter_context(LadderStore.open(where, outdated=True))
                stack.enter_context(store.held())
        yield


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
