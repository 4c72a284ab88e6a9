"""The standing ladder of ``ordago serve``: its file, its store and its services."""

import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import click

from ordago.arena.play import HERE
from ordago.edge import Edge, open_host
from ordago.edge.services import ladder_services
from ordago.edge.services.status import server_status
from ordago.files import private_folder
from ordago.store import StoreBusyError, StoreError
from ordago.store.errors import StoreEmptyError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.account.accounts import describe_version, tell_migration
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.serve.certificates import Warned
from ordago_cli.serve.entrance import account_tokens, is_loopback
from ordago_cli.serve.hosting import opened_events_host
from ordago_cli.serve.journals import check_journal, opened_journal
from ordago_cli.serve.last_resort import LastResort
from ordago_cli.serve.service import Service, pool_of, serve_at
from ordago_cli.serve.settings import ServeSettings
from ordago_cli.terminal.tables import counted
from ordago_ladder.standing.admission import LadderAuthenticator
from ordago_ladder.standing.beginning import SettingsChangedError, begin_ladder, check_settings
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive
from ordago_ladder.standing.serving import OpenLadder, ServerFolder, described_ladder
from ordago_ladder.standing.settings import LadderFileError, StandingSettings, ladder_path, read_ladder

_FOLDER: Final = "ladders"
_logger = logging.getLogger("ordago.ladder")


def ladder_settings(settings: ServeSettings) -> StandingSettings:
    """Return the ladder to serve.

    Raises:
        CommandError: its file is invalid, or other machines could connect without tokens.
    """
    try:
        ladder = read_ladder(str(settings.ladder))
    except LadderFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None
    if not settings.entrance.asks_for_tokens and not is_loopback(settings.address):
        sentence = (
            "a ladder that other machines can reach needs tokens, since matches count for accounts: add --tokens, and "
            "make them with ordago token create"
        )
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return ladder


def warnings_of_house(ladder: StandingSettings) -> Iterator[Warned]:
    """Yield a warning if there are too few house bots to fill the largest table around a single bot."""
    largest = max(ladder.games, key=lambda game: game.seats)
    if (missing := largest.seats - 1 - len(ladder.houses)) > 0:
        yield Warned(
            "house",
            f"a single bot has to wait at {largest.name} for {largest.seats}: "
            f"{counted(len(ladder.houses), 'house bot')} cannot fill the table; add {missing} as [[house]]",
        )


def folder_of(settings: ServeSettings, ladder: StandingSettings) -> ServerFolder:
    """Return the folder of a ladder."""
    return ServerFolder(settings.entrance.data / _FOLDER / ladder.ladder.name)


def check_ladder(settings: ServeSettings) -> str:
    """Check that a ladder could be served, and describe it. Nothing is changed.

    Raises:
        CommandError: the ladder cannot be served.
    """
    ladder = ladder_settings(settings)
    folder = folder_of(settings, ladder)
    check_journal(folder.path)
    place = settings.place or folder.store
    begins = "begins"
    if settings.place or folder.store.exists():
        with _naming_errors():
            begins = _goes_on(settings, ladder, place)
    games = ", ".join(f"{game.name} for {game.seats}" for game in ladder.games)
    return f"{ladder.ladder.name!r} {begins}: {games}; {counted(len(ladder.houses), 'house bot')}"


def _goes_on(settings: ServeSettings, ladder: StandingSettings, place: str | Path) -> str:
    """Describe how a ladder would continue in an existing database, without changing or locking it."""
    try:
        opened = LadderStore.open(place, outdated=True)
    except StoreEmptyError:
        LadderStore.check_beginning(place)
        return "begins, in an empty database; the first start creates its tables"
    with opened as store:
        store.check_free(lane=settings.lane)
        if to_migrate := describe_version(store):
            return f"goes on; {to_migrate}"
    with LadderQueries.open(place) as queries:
        check_settings(queries, ladder, now=time.time, next_epoch=settings.next_epoch)
        epochs = len(queries.epochs())
        return f"goes on in epoch {epochs}" if epochs else "begins"


async def serve_ladder(settings: ServeSettings) -> None:
    """Run a ladder until signals end it.

    Raises:
        CommandError: the server cannot listen on an address; its file, accounts, store or journal are unusable; or it
            failed later.
    """
    ladder, telemetry = ladder_settings(settings), Telemetry()
    folder = folder_of(settings, ladder)
    place = settings.place or str(folder.store)
    # The journal locks the folder, so it is opened first.
    with (
        LastResort() as last_resort,
        opened_journal(folder.path) as journal,
        _naming_errors(),
        _opened(settings, ladder, place) as (store, queries, reading),
    ):
        assert journal is not None
        telemetry.counters.table_versions["ladder"] = store.version
        pool = pool_of(settings.processes, telemetry, journal)
        opened = OpenLadder(
            ladder,
            file=ladder_path(str(settings.ladder)).read_bytes(),
            folder=folder,
            place=place,
            store=store,
            queries=queries,
            journal=journal,
            telemetry=telemetry,
            pause_seconds=settings.pause_seconds,
            referees=pool or HERE,
            warn=_warn,
            exhibits=settings.web is not None,
            has_lane=bool(settings.lane),
        )
        for match in opened.take_stock():
            telemetry.not_carried_on(match.match_id, match.game, "it is not in the journal")
        seasons = SeasonArchive(folder.archive)
        with (
            settings.entrance.authenticator(opened.tables.arrived, telemetry) as accounts,
            opened_events_host(settings, accounts) as events_host,
        ):
            tokens = account_tokens(accounts)
            reader = StandingReader(
                reading,
                lambda: opened.ratings.current,
                seasons,
                described_ladder(ladder, has_accounts=settings.entrance.asks_for_tokens),
                tallies=lambda: opened.ratings.tallies,
                takes_challenges=opened.challenges.takes,
                shown_account=tokens.shown_account if tokens else str,
                lane=settings.lane,
            )
            opened.challenges.accounts = tokens.accounts if tokens else None
            services = ladder_services(
                reader,
                opened.watched,
                server_status(telemetry, (lambda: tokens.announcements) if tokens else tuple),
                accounts=opened.challenges.accounts,
                challenger=opened.challenges,
            )
            service = Service(
                settings,
                opened.tables,
                LadderAuthenticator(
                    accounts,
                    taken=[house.name for house in ladder.houses],
                    elsewhere=opened.other_lanes.elsewhere,
                ),
                journal,
                offer=f"ladder: {ladder.ladder.name}",
                accounts=tokens,
                services=services,
                event=opened.described,
                meanwhile=partial(_ladder_processes, opened, telemetry),
                events_host=events_host,
                pool=pool,
                last_resort=last_resort,
            )
            opened.other_lanes.sessions = service.server.sessions.by_account
            try:
                await serve_at(settings, service)
            except* StoreBusyError as group:
                raise CommandError(str(group.exceptions[0]), exit_code=EXIT_OUTSIDE) from group
    click.echo(f"stopped after {opened.tables.finished} matches")


@asynccontextmanager
async def _ladder_processes(opened: OpenLadder, telemetry: Telemetry, edge: Edge) -> AsyncIterator[None]:
    """Open a private address for house bots, and run the other tasks of the ladder."""
    hosted = open_host(opened.tables.games, telemetry=telemetry, unix_socket=True, on_loop_of=edge)
    async with hosted as host, opened.beside(host):
        yield


@contextmanager
def _opened(
    settings: ServeSettings, ladder: StandingSettings, place: str
) -> Iterator[tuple[LadderStore, LadderQueries, LadderQueries]]:
    """Open a ladder in its store; yield the writer, the reader for play, and the reader for queries of clients."""
    if not settings.place:
        private_folder(folder_of(settings, ladder).path)
    if settings.lane:
        # Only the ladder's only server could migrate it. Whichever comes first creates the tables.
        LadderStore.open(place, create=True).close()
    else:
        with LadderStore.open(place, create=True, outdated=True) as older, older.held():
            # The lock keeps servers of older versions out during the migration.
            tell_migration(older.migrate())
    with (
        LadderStore.open(place) as store,
        store.held(lane=settings.lane),
        LadderQueries.open(place) as queries,
        LadderQueries.open(place) as reading,
    ):
        begin_ladder(store, queries, ladder, now=time.time, next_epoch=settings.next_epoch)
        yield store, queries, reading


@contextmanager
def _naming_errors() -> Iterator[None]:
    """Turn errors of the store, or of changed settings, into one-sentence errors."""
    try:
        yield
    except (StoreError, SettingsChangedError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


def _warn(sentence: str) -> None:
    _logger.warning("worth a look", extra={"subject": "ladder", "what": sentence})
