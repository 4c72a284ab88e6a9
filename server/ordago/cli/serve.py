"""``ordago serve``: casual tables for bots from outside."""

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import click
import trio

from ordago import v1
from ordago.arena.reception import ReceptionDesk
from ordago.arena.tables import CasualTables, TableTerms
from ordago.cli.complaints import EXIT_OUTSIDE, EXIT_USAGE, Complaint, run
from ordago.cli.serving_options import DoorSettings, door_options, watch_door
from ordago.cli.specs import check_options, known_game, option_pairs
from ordago.edge import Edge, EdgeError
from ordago.match import FaultTerms, TimeTerms
from ordago.record import to_file_bytes

DEFAULT_ADDRESS: Final = "127.0.0.1:7447"
_REPORT_SECONDS: Final = 10.0


@click.command(epilog="Example: ordago serve --tables mittlere --option deals=24")
@click.option("--tables", required=True, metavar="GAME[,GAME…]", help="The games that are played.")
@click.option("--address", default=DEFAULT_ADDRESS, show_default=True, help="HOST:PORT to listen on; port 0: any.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option("--decision-ms", default=10_000, show_default=True, type=click.IntRange(1), help="Time for a decision.")
@click.option("--strikes", default=3, show_default=True, type=click.IntRange(1), help="Refused answers to a decision.")
@click.option("--matches", default=16, show_default=True, type=click.IntRange(1), help="Matches at once for each bot.")
@door_options
@click.option("--records", type=click.Path(path_type=Path), help="A folder to keep the records of the matches in.")
def serve(
    tables: str,
    address: str,
    options: tuple[str, ...],
    decision_ms: int,
    strikes: int,
    matches: int,
    records: Path | None,
    **door: object,
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
    entrance = DoorSettings(**door)  # type: ignore[arg-type]  # the options are named and typed as the fields are
    entrance.tls(address)
    run(partial(_serve, kinds, address, matches, records, entrance))


async def _serve(
    kinds: list[TableTerms], address: str, matches: int, records: Path | None, entrance: DoorSettings
) -> None:
    tables = CasualTables(kinds, keep=partial(_keep, records))
    games = [kind.game.name for kind in kinds]
    with entrance.door(tables.arrived) as door:
        desk = ReceptionDesk(door=door, games=games, max_matches=matches, bounds=entrance.bounds)
        try:
            async with Edge.open(address, desk, tls=entrance.tls(address)) as edge, trio.open_nursery() as nursery:
                where = _with_port(address, edge.port)
                click.echo(f"listening on {where}; tables: {', '.join(games)}; Ctrl-C to stop")
                nursery.start_soon(_stop_on_signal, edge, desk, tables, nursery.cancel_scope)
                nursery.start_soon(_report, desk, tables)
                nursery.start_soon(watch_door, door, desk.review)
                await tables.run()
                desk.close("the server goes down")
                nursery.cancel_scope.cancel()
        except EdgeError as error:
            raise Complaint(str(error), exit_code=EXIT_OUTSIDE) from error
    click.echo(f"stopped after {tables.finished} matches")


async def _keep(records: Path | None, record: v1.MatchRecord) -> None:
    if records is not None:
        path = records / f"{record.match_id}.record"
        await trio.to_thread.run_sync(path.write_bytes, to_file_bytes(record))


async def _stop_on_signal(edge: Edge, desk: ReceptionDesk, tables: CasualTables, scope: trio.CancelScope) -> None:
    """At the first signal begin no new match, at the second stop at once."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        steps: list[Callable[[], None]] = [partial(_drain, edge, desk, tables), scope.cancel]
        async for _ in signals:
            steps.pop(0)()


def _drain(edge: Edge, desk: ReceptionDesk, tables: CasualTables) -> None:
    click.echo(f"going down when {tables.running} running matches are over; once more to stop at once")
    edge.stop_inviting()
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
