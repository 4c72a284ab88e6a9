"""``ordago prune``: deletes old records of a standing ladder."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ordago.names import visible
from ordago.store.backup import LADDERS_FOLDER, kind_of, ladder_file
from ordago.store.errors import StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_WRONG, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import data_option, place_option
from ordago_ladder.standing.retention import Limits, Upkeep, make_room


@click.command(epilog="Example: ordago prune demo --data /var/lib/ordago --keep-days 90")
@click.argument("name", metavar="LADDER")
@data_option
@place_option("PostgreSQL database of the ladder; default: a file in the data folder.")
@click.option("--keep-days", type=click.FloatRange(0), metavar="DAYS", help="Keep records for this many days.")
@click.option("--keep-bytes", type=click.IntRange(0), metavar="BYTES", help="Keep at most this many bytes of records.")
@click.option(
    "--keep-archive-days",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Keep published records for this many days, if the store has dropped its own.",
)
@click.option(
    "--keep-archive-bytes",
    type=click.IntRange(0),
    metavar="BYTES",
    help="Keep at most this many bytes of published records.",
)
@json_option
def prune(
    name: str,
    data: Path,
    place: str | None,
    *,
    as_json: bool,
    **keep: Any,  # noqa: ANN401 - as Limits takes them
) -> None:
    """Delete old records of LADDER from its store, while its server runs.

    Each epoch is verified first as it was published. Records go only if their epoch is revealed and verified. Results,
    ratings and ledgers stay, and published records without a limit of their own.
    """
    limits = Limits(**keep)
    if limits == Limits():
        raise click.UsageError("add --keep-days, --keep-bytes, --keep-archive-days or --keep-archive-bytes")
    if kind_of(ladder_file(name)) is None:
        raise click.UsageError(
            f"{name!r} is no short name of a ladder, which has small letters, digits and hyphens only"
        )
    archive = data / LADDERS_FOLDER / name / "archive"
    with _opened(name, place or data / ladder_file(name)) as (store, queries):
        done = make_room(store, queries, archive, limits)
    _show(done, as_json=as_json)
    if done.doubts:
        raise CommandError(
            f"{len(done.doubts)} epochs did not verify, so their records stay: ordago verify names what is wrong",
            exit_code=EXIT_WRONG,
        )


@contextmanager
def _opened(name: str, place: Path | str) -> Iterator[tuple[LadderStore, LadderQueries]]:
    try:
        with LadderStore.open(place) as store, LadderQueries.open(place) as queries:
            _check_name(queries, name)
            yield store, queries
    except StoreError as error:
        raise CommandError(f"ladder {name!r}: {error}", exit_code=EXIT_OUTSIDE) from None


def _check_name(queries: LadderQueries, name: str) -> None:
    kept = queries.ladder().name
    if kept != name:
        raise StoreError(f"the database holds the ladder {kept!r}; name that one, or another database with --store")


def _show(done: Upkeep, *, as_json: bool) -> None:
    epochs, size = done.pruned
    if as_json:
        doubts = [doubt._asdict() for doubt in done.doubts]
        report = {"verified": done.verified, "doubts": doubts, "pruned": epochs, "bytes": size, "dropped": done.dropped}
        click.echo(json.dumps(report))
        return
    click.echo(f"{len(done.verified)} epochs verified; records of {len(epochs)} deleted: {size:,} bytes")
    if done.dropped:
        click.echo(f"published records of {len(done.dropped)} epochs deleted")
    for doubt in done.doubts:
        # It may quote text from a foreign file, which must not control the terminal.
        click.echo(visible(f"epoch {doubt.epoch}: {doubt.sentence}"))
