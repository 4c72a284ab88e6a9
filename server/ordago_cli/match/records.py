"""``ordago record`` and ``ordago verify``: show and verify records."""

import json
from pathlib import Path
from typing import Final

import click

from ordago import v1
from ordago.match import PastDecision, decisions_of
from ordago.names import visible
from ordago.record import RecordError, fault_name, read_record, tell, to_json
from ordago.record.ledgers.receipts import ReceiptError
from ordago.record.opening import OtherRulesError, UnplayableError
from ordago.version import __version__
from ordago_bot.asked import Asked
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_WRONG, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.terminal.tables import counted
from ordago_ladder.pages.claims import Basis
from ordago_ladder.publication.files import MOST_RECORD_BYTES, UnreadableError, read_file
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.published import is_ladder
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import NoEventError, Verdict, Verification
from ordago_ladder.verification.records import holds_records, verify_file, verify_records
from ordago_ladder.verification.sharing import processors

_MOST_FINDINGS_SHOWN: Final = 20
"""They fit on a screen; ``--json`` shows all."""
_LONGEST_LINE: Final = 400
"""The number of characters of a finding that are shown."""
_EXIT_CODES: Final = {
    Verdict.NOT_CLEAN: EXIT_WRONG,
    Verdict.NOT_JUDGED: EXIT_OUTSIDE,
    Verdict.UNFINISHED: EXIT_UNFINISHED,
}


@click.command(epilog="Example: ordago record match.record --text")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option("--text", is_flag=True, help="Print the match as readable text, the default.")
@click.option(
    "--decisions",
    "seat",
    metavar="SEAT",
    type=click.IntRange(1),
    help="Print the decisions of a seat, from 1, as JSON lines, as bots log theirs.",
)
def record(file: Path, *, as_json: bool, text: bool, seat: int | None) -> None:
    """Show the record of a match."""
    if as_json + text + (seat is not None) > 1:
        raise click.UsageError("--json, --text and --decisions cannot be combined")
    read = read_match(file)
    if seat is not None:
        _print_decisions(file, read, seat)
    else:
        click.echo(to_json(read) if as_json else "\n".join(tell(read)))


def logged(past: PastDecision) -> Asked:
    """Return a decision of a record as a bot would have logged it."""
    start, decision, choice = past
    error = f"the default answer was taken: {fault_name(choice.fault)}" if choice.fault else ""
    answer = v1.Answer(action=choice.action)
    return Asked(start, decision, answer=answer, milliseconds=choice.charged_ms, error=error)


def _print_decisions(file: Path, record: v1.MatchRecord, seat: int) -> None:
    if seat > len(record.seats):
        raise click.UsageError(
            f"--decisions: there is no seat {seat}; this match has the seats 1 to {len(record.seats)}"
        )
    try:
        for past in decisions_of(record, seat - 1):
            click.echo(logged(past).json_line(), nl=False)
    except UnplayableError as error:
        raise unplayable(file, error) from None


def unplayable(file: Path, error: UnplayableError) -> CommandError:
    """Return the error of a command that needs a match replayed."""
    code = EXIT_OUTSIDE if isinstance(error, OtherRulesError) else EXIT_WRONG
    return CommandError(visible(f"{file}: {error}"), exit_code=code)


@click.command(epilog="Example: ordago verify out/demo --receipts receipts.jsonl")
@click.argument("path", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--secret", metavar="HEX", help="Secret of the event, if it was revealed elsewhere.")
@click.option(
    "--receipts",
    metavar="FILE",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Receipts that a bot saved from the event or ladder; may be repeated.",
)
@click.option(
    "--standing",
    "standings",
    metavar="FILE",
    type=click.Path(path_type=Path),
    multiple=True,
    help="An earlier ladder.json of a standing ladder; may be repeated.",
)
@click.option("--epoch", metavar="NUMBER", type=click.IntRange(1), help="Only this epoch of a standing ladder.")
@json_option
def verify(
    path: Path,
    secret: str | None,
    receipts: tuple[Path, ...],
    standings: tuple[Path, ...],
    epoch: int | None,
    *,
    as_json: bool,
) -> None:
    """Verify a record, a folder of records, or all that an event or a standing ladder published, by replaying it.

    An event or an epoch that goes on is "unfinished" (exit code 6): nothing is wrong with it, but its deals are not yet
    proved.
    """
    known = written_secret(secret)
    try:
        found = _verified(path, known, receipts, epoch, standings)
    except UnreadableError as error:
        raise unreadable(error) from error
    except RecordError as error:
        raise CommandError(f"{path}: {error}", exit_code=EXIT_WRONG) from error
    except ReceiptError as error:
        raise CommandError(f"not a file of receipts: {error}", exit_code=EXIT_OUTSIDE) from error
    except NoEventError as error:
        raise CommandError(visible(str(error)), exit_code=EXIT_OUTSIDE) from error
    click.echo(_as_json(found) if as_json else _as_text(found))
    if found.verdict in _EXIT_CODES:
        raise SystemExit(_EXIT_CODES[found.verdict])


def read_match(path: Path, *, follow: bool = True) -> v1.MatchRecord:
    """Read a record, or raise a one-sentence error. Links are followed where the user named them."""
    try:
        return read_record(read_file(path, most=MOST_RECORD_BYTES, follow=follow))
    except UnreadableError as error:
        raise unreadable(error) from error
    except RecordError as error:
        raise CommandError(f"{path}: {error}", exit_code=EXIT_WRONG) from error


def unreadable(error: UnreadableError) -> CommandError:
    """Return the error of a command that cannot read a published file."""
    return CommandError(f"cannot read {error.path}: {error}", exit_code=EXIT_OUTSIDE)


def written_secret(written: str | None) -> bytes | None:
    """Return a secret that was written on the command line; ``None`` for none."""
    try:
        return bytes.fromhex(written) if written else None
    except ValueError:
        raise click.UsageError(f"a secret is written in hexadecimal, not {written!r}") from None


def _verified(
    path: Path,
    secret: bytes | None,
    receipts: tuple[Path, ...],
    epoch: int | None,
    standings: tuple[Path, ...],
) -> Verification:
    of_ladder = is_ladder(path)
    if epoch is not None and not of_ladder:
        raise click.UsageError("--epoch is for a standing ladder, whose folder contains epochs/")
    if standings and (epoch is not None or not of_ladder):
        raise click.UsageError("--standing needs the whole folder of a standing ladder, which contains epochs/")
    is_event = path.is_dir() and not of_ladder and not holds_records(path)
    if receipts and not (is_event or of_ladder):
        raise click.UsageError("--receipts need the folder of an event or of a standing ladder")
    shares = processors()
    if of_ladder:
        return verify_ladder(path, epoch=epoch, receipts=receipts, standings=standings, processes=shares)
    if is_event:
        return verify_folder(path, receipts=receipts, processes=shares)
    return verify_records(path, secret=secret, processes=shares) if path.is_dir() else verify_file(path, secret=secret)


def _as_text(found: Verification) -> str:
    # A finding may quote text from a foreign file, which must not control the terminal.
    return "\n".join(
        visible(line) for line in [*_findings(found), _summary(found), *_other_pages(found), *_claims(found)]
    )


def _findings(found: Verification) -> list[str]:
    sentences = (f"{finding.file}: {finding.sentence}" for finding in found.findings[:_MOST_FINDINGS_SHOWN])
    lines = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in sentences]
    more = len(found.findings) - len(lines)
    return [*lines, f"and {more} more"] if more else lines


def _other_pages(found: Verification) -> list[str]:
    """Tell who made the pages, if they were not compared."""
    if found.findings or not found.other_pages:
        return []
    made = f"not compared: the pages, which Ordago {found.other_pages} made, and this is {__version__}"
    return [f"{made}; ladder.json, ladder.csv and ladder.pgn are proved"]


def _summary(found: Verification) -> str:
    records = counted(found.records, "record")
    if found.verdict is Verdict.NOT_CLEAN:
        return f"not clean: {counted(len(found.findings), 'finding')} in {records}{_rests_on_receipts(found)}"
    if found.verdict is Verdict.NOT_JUDGED:
        return "not judged: verify it with the version of Ordago that played it"
    proved = "deals, games and results" if found.revealed else "games and results; the secret is not revealed yet"
    return f"{found.verdict.value}: {records} replayed; proved: {proved}{_receipts_that_agree(found)}"


def _receipts_that_agree(found: Verification) -> str:
    """Count the receipts that agree with the ledger, and those that it has not reached yet."""
    agree = found.receipts - found.receipts_ahead
    said = f"; {counted(agree, 'receipt')} {'agrees' if agree == 1 else 'agree'}" if found.receipts else ""
    ahead = f", {found.receipts_ahead} more are ahead of what is published: check them again at the end"
    return said + (ahead if found.receipts_ahead else "")


def _rests_on_receipts(found: Verification) -> str:
    """Explain findings that rest on receipts, since these are not signed; empty if there are none."""
    if not found.contradictions:
        return ""
    return (
        f"; {found.contradictions} of them by receipts, which are not signed: if they contradict what was published, "
        "one of the two is forged, and receipts of other entrants show which"
    )


def _claims(found: Verification) -> list[str]:
    """Return what is proved and what is not; nothing if there are findings."""
    if found.findings:
        return []
    return [f"{claim.basis.value}: {claim.sentence}" for claim in found.claims]


def _as_json(found: Verification) -> str:
    clean = not found.findings
    return json.dumps(
        {
            "clean": found.verdict is Verdict.CLEAN,
            "verdict": found.verdict.value,
            "records": found.records,
            "receipts": found.receipts,
            "receipts_ahead": found.receipts_ahead,
            "secret_revealed": found.revealed,
            "contradictions": found.contradictions,
            "other_pages": found.other_pages,
            "findings": [finding._asdict() for finding in found.findings],
            "claims": {
                basis.name.lower(): [claim.sentence for claim in found.claims if clean and claim.basis is basis]
                for basis in Basis
            },
        },
        indent=1,
    )
