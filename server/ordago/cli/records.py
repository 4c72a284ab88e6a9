"""``ordago record`` and ``ordago verify``: reading and proving what was played."""

import json
from pathlib import Path
from typing import Final

import click

from ordago import v1
from ordago.cli.errors import EXIT_OUTSIDE, EXIT_WRONG, CommandError
from ordago.record import RecordError, plain, read_record, tell, to_json
from ordago_ladder.verification import (
    NoEventError,
    Verification,
    holds_records,
    record_findings,
    verify_folder,
    verify_records,
)

_MOST_FINDINGS_SHOWN: Final = 20
"""They fit on a screen; with ``--json`` there are all."""


@click.command(epilog="Example: ordago record match.record --text")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option("--text", is_flag=True, help="Tell the match as a newspaper would; this is what is done without options.")
def record(file: Path, *, as_json: bool, text: bool) -> None:
    """Show the record of a match."""
    if as_json and text:
        raise click.UsageError("--json and --text exclude each other")
    read = _read(file)
    click.echo(to_json(read) if as_json else "\n".join(tell(read)))


@click.command(epilog="Example: ordago verify out/demo")
@click.argument("path", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--secret", metavar="HEX", help="The secret of the event, where it was revealed elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print what a program can read.")
def verify(path: Path, secret: str | None, *, as_json: bool) -> None:
    """Prove a record, a folder of records, or everything that an event published, by playing it again."""
    known = _secret(secret)
    found = _verify_folder(path, known) if path.is_dir() else _verify_file(path, known)
    click.echo(_as_json(found) if as_json else _as_text(found))
    if found.findings:
        raise SystemExit(EXIT_WRONG)


def _read(path: Path) -> v1.MatchRecord:
    try:
        return read_record(path.read_bytes())
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error
    except RecordError as error:
        raise CommandError(f"{path}: {error}", exit_code=EXIT_WRONG) from error


def _secret(written: str | None) -> bytes | None:
    try:
        return bytes.fromhex(written) if written else None
    except ValueError:
        raise click.UsageError(f"a secret is written in hexadecimal, not {written!r}") from None


def _verify_file(path: Path, secret: bytes | None) -> Verification:
    read = _read(path)
    findings = tuple(record_findings(read, path.name, secret=secret))
    return Verification(1, revealed=secret is not None or bool(read.secret), findings=findings)


def _verify_folder(path: Path, secret: bytes | None) -> Verification:
    try:
        return verify_records(path, secret=secret) if holds_records(path) else verify_folder(path)
    except NoEventError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    except OSError as error:
        raise CommandError(f"cannot read {error.filename or path}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error


def _as_text(found: Verification) -> str:
    if not found.findings:
        proved = "deals, games and results" if found.revealed else "games and results; the secret is not revealed yet"
        number = "1 record" if found.records == 1 else f"{found.records} records"
        return f"clean: {number} played again; proved: {proved}"
    lines = [f"{finding.file}: {finding.sentence}" for finding in found.findings[:_MOST_FINDINGS_SHOWN]]
    more = len(found.findings) - len(lines)
    if more:
        lines.append(f"and {more} more")
    # They may quote what stands in a file from anywhere, and no terminal is to obey that.
    lines = [plain(line) for line in lines]
    return "\n".join([*lines, f"not clean: {len(found.findings)} findings in {found.records} records"])


def _as_json(found: Verification) -> str:
    return json.dumps(
        {
            "clean": not found.findings,
            "records": found.records,
            "secret_revealed": found.revealed,
            "findings": [finding._asdict() for finding in found.findings],
        },
        indent=1,
    )
