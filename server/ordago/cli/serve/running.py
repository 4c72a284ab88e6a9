"""How ``ordago serve`` runs: what it is told, and the way from its start to its end."""

import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import trio

from ordago.arena.admission.authenticator import LastingAuthenticator
from ordago.arena.restart import restore
from ordago.arena.server import casual_server
from ordago.arena.stall_detector import stall_detector
from ordago.arena.tables import CasualTables, RecordKeeper, TableTerms
from ordago.cli.arguments import check_options, known_game, option_pairs
from ordago.cli.errors import EXIT_OUTSIDE, EXIT_SERVER, EXIT_USAGE, CommandError
from ordago.cli.serve.entrance import EntranceSettings, services_of, watch_authenticator
from ordago.cli.serve.journals import keep_up_journal, opened_journal
from ordago.cli.watching import watched_by
from ordago.edge import Edge, EdgeError, EdgeFailedError
from ordago.journal import NO_JOURNAL, Journal
from ordago.match import FaultTerms, TimeTerms
from ordago.ops.records import RecordFolder, keep_nothing
from ordago.telemetry.telemetry import Telemetry

_GOING_DOWN: Final = "the server goes down"
_STARTED_ANEW: Final = "the server is started anew; come back with a resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """What ``ordago serve`` is told, as it stands on the command line."""

    tables: str
    """The games, with commas between them."""
    options: tuple[str, ...]
    """Options of the one game, each ``KEY=VALUE``."""
    address: str
    """Where to listen, ``HOST:PORT``."""
    entrance: EntranceSettings
    """Who may come in, and how."""
    time: TimeTerms
    faults: FaultTerms
    matches: int
    """How many matches each bot plays at once, at most."""
    pause_seconds: float
    """For how long whoever forfeits a match first is not seated again."""
    records: Path | None
    """The folder for the records, if they are kept."""
    grace_seconds: float
    """How long running matches may go on after the first signal."""
    journaled: bool
    """Whether matches go on after a restart, by a journal in the data folder."""
    metrics: str | None
    """Where to serve metrics and health, ``HOST:PORT``; ``None`` for nowhere."""

    def kinds(self) -> list[TableTerms]:
        """Return the kinds of tables.

        Raises:
            CommandError: a game is not known, or its options are not.
        """
        values = option_pairs(self.options)
        names = self.tables.split(",")
        if values and len(names) > 1:
            raise CommandError("options belong to one game; serve one game to give any", exit_code=EXIT_USAGE)
        return [self._kind(name, values) for name in names]

    def _kind(self, name: str, values: dict[str, str]) -> TableTerms:
        game = known_game(name)
        check_options(game, values)
        return TableTerms(game, game.rules.seat_counts[0], values, self.time, self.faults)

    def make_folder(self) -> None:
        """Make the folder for the records, if there is to be one.

        Raises:
            CommandError: it cannot be made.
        """
        if self.records is None:
            return
        try:
            self.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sentence = f"cannot make the folder {self.records}: {error.strerror}; name another one with --records"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error


async def serve_tables(settings: ServeSettings) -> None:
    """Run casual tables until signals end them.

    Raises:
        CommandError: an address cannot be listened on, the accounts or the journal cannot be used, records could not be
            kept, or the server failed.
    """
    telemetry = Telemetry()
    with opened_journal(settings.entrance.data if settings.journaled else None) as journal:
        keep = _keeper(settings, telemetry)
        tables = CasualTables(
            settings.kinds(),
            keep=keep,
            telemetry=telemetry,
            journal=journal or NO_JOURNAL,
            pause_seconds=settings.pause_seconds,
        )
        with settings.entrance.authenticator(tables.arrived) as authenticator:
            await _serve(settings, _Service(settings, tables, authenticator, journal))
    click.echo(f"stopped after {tables.finished} matches")
    lost = telemetry.counters.records_lost
    if lost:
        raise CommandError(f"{lost} records could not be kept; the log names their matches", exit_code=EXIT_OUTSIDE)


async def _serve(settings: ServeSettings, service: "_Service") -> None:
    tls = settings.entrance.tls(settings.address)
    # Signals are waited for before anybody can know that the server is there.
    receiver = trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM)
    with watched_by(settings.metrics, service.telemetry.counters), receiver as signals:
        try:
            open_edge = Edge.open(
                settings.address,
                service.server,
                tls=tls,
                services=service.services,
                reflection=settings.entrance.reflection,
            )
            async with open_edge as edge:
                click.echo(f"listening on {_with_port(settings.address, edge.port)}; {service.offer}; Ctrl-C to stop")
                await service.run(signals, edge)
        except EdgeError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
        except EdgeFailedError as error:
            raise CommandError(f"{error}; start it again", exit_code=EXIT_SERVER) from error


class _Service:
    """The tables, the server before them, and whoever ends it all."""

    def __init__(
        self,
        settings: ServeSettings,
        tables: CasualTables,
        authenticator: LastingAuthenticator,
        journal: Journal | None,
    ) -> None:
        self.telemetry = tables.telemetry
        self._grace_seconds = settings.grace_seconds
        self._playing = trio.CancelScope()
        self._tables = tables
        self._authenticator = authenticator
        self.services = services_of(authenticator)
        self.offer = f"tables: {', '.join(settings.tables.split(','))}"
        self.server = casual_server(
            tables,
            authenticator,
            max_matches=settings.matches,
            bounds=settings.entrance.bounds,
            journal=journal or NO_JOURNAL,
        )
        self._journal = journal
        if journal is not None:
            restore(journal, self.server, tables, readmit=authenticator.readmit)

    async def run(self, signals: AsyncIterator[int], edge: Edge) -> None:
        """Play until the signals say that it is over, and say goodbye."""
        detector = stall_detector(self.telemetry, self.server.clock)
        async with detector, trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_on_signals, signals, edge)
            nursery.start_soon(watch_authenticator, self._authenticator, self.server.review)
            if self._journal is not None:
                nursery.start_soon(keep_up_journal, self._journal, self.telemetry)
            with self._playing:
                await self._tables.run()
            self._see_off()
            nursery.cancel_scope.cancel()

    def _see_off(self) -> None:
        """Say goodbye, or, where matches go on when the server is started again, nothing that would end a session."""
        if self._journal is not None and self._playing.cancelled_caught:
            click.echo(f"{len(self._journal.matches)} matches go on when the server is started again")
            self.server.sessions.suspend(_STARTED_ANEW)
        else:
            self.server.sessions.close(_GOING_DOWN)

    async def _stop_on_signals(self, signals: AsyncIterator[int], edge: Edge) -> None:
        """At the first signal begin no new match, at the second stop at once."""
        await anext(signals)
        edge.stop_inviting()
        self._drain()
        await anext(signals)
        self._playing.cancel()

    def _drain(self) -> None:
        running = self.telemetry.matches_running
        click.echo(
            f"going down when {running} running matches are over, at the latest in {self._grace_seconds:g} s; "
            "once more to stop at once"
        )
        self._playing.deadline = trio.current_time() + self._grace_seconds
        self.server.sessions.drain(_GOING_DOWN, grace_seconds=self._grace_seconds)
        self._tables.close()


def _keeper(settings: ServeSettings, telemetry: Telemetry) -> RecordKeeper:
    if settings.records is None:
        return keep_nothing
    return RecordFolder(settings.records, telemetry=telemetry, journaled=settings.journaled).keep


def _with_port(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}"
