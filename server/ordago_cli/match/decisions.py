"""``ordago decisions``: the decisions of published matches as a file to learn from."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordago.names import visible
from ordago.outputs import OccupiedError, Output
from ordago.record.opening import OtherRulesError, UnplayableError
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.match.records import read_match, unplayable, unreadable
from ordago_cli.options.outputs import check, force_option, json_option
from ordago_cli.terminal.tables import counted
from ordago_gym.encoding import EncodingError
from ordago_gym.recorded import RecordedMatch
from ordago_ladder.folder import EventFolder, LadderFolder
from ordago_ladder.publication.files import UnreadableError
from ordago_ladder.standing.publication.published import is_ladder, published_epochs
from ordago_ladder.verification.findings import NoEventError
from ordago_ladder.verification.records import holds_records, record_names

if TYPE_CHECKING:
    from ordago_ladder.publication.decisions import DecisionFile


@click.command(epilog="Example: ordago decisions out/demo --out decisions.parquet")
@click.argument("paths", metavar="FILE|DIR…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The Parquet file to write.")
@force_option
@json_option
def decisions(paths: tuple[Path, ...], out: Path, *, force: bool, as_json: bool) -> None:
    """Write the decisions of published matches as Parquet, with observations and masks, to learn from.

    Each path is a record, a folder of records, or the folder of an event or a standing ladder. Records are played by
    the rules, and not verified: see ordago verify. This needs the extra 'parquet'.
    """
    try:
        from ordago_ladder.publication.decisions import DecisionFile, is_decisions
    except ModuleNotFoundError as error:
        needs = f"{error.name} is missing: pip install 'ordago[parquet]'"
        raise CommandError(needs, exit_code=EXIT_USAGE) from error
    records = [record for path in paths for record in _records(path)]
    output = Output(out, "a file of decisions", lambda _: is_decisions(out), force=force, inputs=tuple(records))
    check(output)
    try:
        with output.opened() as part:
            file = DecisionFile(part)
            left_out = _write(records, file, named=paths)
            file.close()
    except OccupiedError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    _tell(out, file.rows, len(records) - left_out.total(), left_out, as_json=as_json)


def _records(path: Path) -> list[Path]:
    """Return the published records at a path, which are at least one."""
    if not path.is_dir():
        return [path]
    try:
        found = [folder / name for folder in _folders(path) if folder.exists() for name in record_names(folder)]
    except UnreadableError as error:
        raise unreadable(error) from None
    except NoEventError as error:
        raise CommandError(visible(str(error)), exit_code=EXIT_OUTSIDE) from None
    if not found:
        why = "records are published when all matches with the same deals are over, those of a ladder with its epoch"
        raise CommandError(f"no record is published in {path}: {why}", exit_code=EXIT_OUTSIDE)
    return found


def _folders(path: Path) -> list[Path]:
    """Return the folders of published records in a folder; some may be missing."""
    if is_ladder(path):
        ladder = LadderFolder(path)
        return [ladder.epoch(number).records for number in published_epochs(ladder)]
    return [path if holds_records(path) else EventFolder(path).records]


def _write(records: Sequence[Path], file: "DecisionFile", *, named: Sequence[Path]) -> Counter[str]:
    """Write the decisions of matches, and count those left out, by the reason."""
    left_out = Counter[str]()
    with click.progressbar(records, file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        for path in shown:
            try:
                file.add(RecordedMatch(read_match(path, follow=path in named)))
            except (OtherRulesError, EncodingError) as error:
                left_out[str(error).removesuffix(".")] += 1
            except UnplayableError as error:
                raise unplayable(path, error) from None
    if not file.rows:
        reasons = "; ".join(left_out) or "nobody decided anything"
        raise CommandError(visible(f"nothing to learn from: {reasons}"), exit_code=EXIT_OUTSIDE)
    return left_out


def _tell(out: Path, rows: int, records: int, left_out: Counter[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"file": str(out), "rows": rows, "records": records, "left_out": left_out}))
        return
    click.echo(f"{out}: {counted(rows, 'row')} from {counted(records, 'record')}")
    for reason, number in left_out.items():
        click.echo(visible(f"left out {counted(number, 'record')}: {reason}"))
