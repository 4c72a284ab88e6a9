"""``ordago serve``: casual tables for bots from outside."""

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import click
import trio

from ordago import v1
from ordago.arena.doors import OpenDoor
from ordago.arena.reception import ReceptionDesk
from ordago.arena.restart import restore
from ordago.arena.tables import CasualTables, TableTerms
from ordago.arena.upkeep import keep_up
from ordago.cli.complaints import EXIT_OUTSIDE, EXIT_USAGE, Complaint, run
from ordago.cli.journals import opened_journal
from ordago.cli.specs import check_options, known_game, option_pairs
from ordago.edge import Edge, EdgeError
from ordago.journal import NO_JOURNAL, Journal
from ordago.match import FaultTerms, TimeTerms
from ordago.record import to_file_bytes
from ordago.store.files import write_whole

DEFAULT_ADDRESS: Final = "127.0.0.1:7447"
_REPORT_SECONDS: Final = 10.0
_STARTED_ANEW: Final = "the server is started anew; come back with a resume"


@click.command(epilog="Example: ordago serve --tables mittlere --option deals=24")
@click.option("--tables", required=True, metavar="GAME[,GAME…]", help="The games that are played.")
@click.option("--address", default=DEFAULT_ADDRESS, show_default=True, help="HOST:PORT to listen on; port 0: any.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option("--decision-ms", default=10_000, show_default=True, type=click.IntRange(1), help="Time for a decision.")
@click.option("--strikes", default=3, show_default=True, type=click.IntRange(1), help="Refused answers to a decision.")
@click.option("--matches", default=16, show_default=True, type=click.IntRange(1), help="Matches at once for each bot.")
@click.option("--records", type=click.Path(path_type=Path), help="A folder to keep the records of the matches in.")
@click.option("--data", type=click.Path(path_type=Path), help="A folder for what lets matches go on after a restart.")
def serve(
    tables: str,
    address: str,
    options: tuple[str, ...],
    decision_ms: int,
    strikes: int,
    matches: int,
    records: Path | None,
    data: Path | None,
) -> None:
    """Seat bots that connect from outside at casual tables, as they come."""
    values = option_pairs(options)
    names = tables.split(",")
    if values and len(names) > 1:
        raise Complaint("options belong to one game; serve one game to give any", exit_code=EXIT_USAGE)
    kinds = []
    for name in names:
        game = known_game(name)
        check_options(game, values)
        time, faults = TimeTerms(decision_ms=decision_ms), FaultTerms(strikes=strikes)
        kinds.append(TableTerms(game, game.rules.seat_counts[0], values, time, faults))
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    with opened_journal(data) as journal:
        run(partial(_serve, kinds, address, matches, records, journal))


async def _serve(
    kinds: list[TableTerms], address: str, matches: int, records: Path | None, journal: Journal | None
) -> None:
    tables = CasualTables(kinds, keep=partial(_keep, records), journal=journal or NO_JOURNAL)
    door, games = OpenDoor(tables.arrived), [kind.game.name for kind in kinds]
    desk = ReceptionDesk(door=door, games=games, max_matches=matches, journal=journal or NO_JOURNAL)
    if journal is not None:
        restore(journal, desk, tables, readmit=door.readmit)
    try:
        async with Edge.open(address, desk) as edge, trio.open_nursery() as nursery:
            click.echo(f"listening on {_with_port(address, edge.port)}; tables: {', '.join(games)}; Ctrl-C to stop")
            if journal is not None:
                nursery.start_soon(keep_up, journal)
            nursery.start_soon(_report, desk, tables)
            await _play_until_signals(desk, tables, goes_on_later=journal is not None)
            nursery.cancel_scope.cancel()
    except EdgeError as error:
        raise Complaint(str(error), exit_code=EXIT_OUTSIDE) from error
    click.echo(f"stopped after {tables.finished} matches")


async def _play_until_signals(desk: ReceptionDesk, tables: CasualTables, *, goes_on_later: bool) -> None:
    async with trio.open_nursery() as nursery:
        with trio.CancelScope() as playing:
            nursery.start_soon(_stop_on_signal, desk, tables, playing)
            await tables.run()
        if playing.cancelled_caught and goes_on_later:
            click.echo("running matches go on when the server is started again")
            desk.suspend(_STARTED_ANEW)
        else:
            desk.close("the server goes down")
        nursery.cancel_scope.cancel()


async def _keep(records: Path | None, record: v1.MatchRecord) -> None:
    if records is not None:
        path = records / f"{record.match_id}.record"
        await trio.to_thread.run_sync(write_whole, path, to_file_bytes(record))


async def _stop_on_signal(desk: ReceptionDesk, tables: CasualTables, playing: trio.CancelScope) -> None:
    """At the first signal begin no new match, at the second stop at once."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        steps: list[Callable[[], None]] = [partial(_drain, desk, tables), playing.cancel]
        async for _ in signals:
            if steps:
                steps.pop(0)()


def _drain(desk: ReceptionDesk, tables: CasualTables) -> None:
    click.echo(f"going down when {tables.running} running matches are over; once more to stop at once")
    desk.drain("the server goes down")
    tables.close()


async def _report(desk: ReceptionDesk, tables: CasualTables) -> None:
    """Say from time to time what happens, if anything does."""
    said = (0, 0, 0)
    while True:
        await trio.sleep(_REPORT_SECONDS)
        now = (desk.connected, tables.running, tables.finished)
        if now != said:
            click.echo(f"bots: {now[0]}; matches running: {now[1]}, finished: {now[2]}")
            said = now


def _with_port(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}"
