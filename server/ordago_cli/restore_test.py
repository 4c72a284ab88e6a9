"""``ordago restore-test``: restores a backup for a test."""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from ordago.names import visible
from ordago.store.backup import Restored, kind_of, restore_backup
from ordago.store.errors import StoreError
from ordago.store.event.store import Store
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.queries import LadderQueries
from ordago_cli.backup import identity_option, naming_errors
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_WRONG, CommandError
from ordago_cli.options.outputs import json_option
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.folders import publish_restored
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.archive import ArchiveError, publish_epochs
from ordago_ladder.standing.publication.publisher import PublishedStore
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import NoEventError, Verdict, Verification
from ordago_ladder.verification.sharing import processors


@click.command("restore-test", epilog="Example: ordago restore-test /backups --most-hours 30")
@click.argument("path", type=click.Path(path_type=Path))
@identity_option
@click.option("--most-hours", metavar="HOURS", type=click.IntRange(1), help="Fail if the backup is older.")
@json_option
def restore_test(path: Path, identity: Path | None, most_hours: int | None, *, as_json: bool) -> None:
    """Restore a backup PATH, or the newest in a folder, for a test only, and verify all of it by replaying.

    It is restored into a temporary folder (TMPDIR), which is deleted again; nothing else changes. Exit code 1 if a
    record or a ledger in it is wrong, 3 if it cannot be restored or is too old.
    """
    with naming_errors(path):
        file = _newest(path) if path.is_dir() else path
        hours = (time.time() - file.stat().st_mtime) / 3600
        if most_hours is not None and hours > most_hours:
            sentence = f"the newest backup is {file}, {hours:.0f} hours old: find out why there is none since"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
        with TemporaryDirectory(prefix="ordago-restore-") as folder:
            tested = [_tested(Path(folder), part) for part in restore_backup(file, Path(folder), identity=identity)]
    if as_json:
        click.echo(json.dumps({"file": str(file), "contents": tested}))
    else:
        lines = [f"{one['name']}: {one['verdict']}; {one['records']} records replayed" for one in tested]
        findings = [f"{one['name']}: {one['finding']}" for one in tested if one["finding"]]
        click.echo("\n".join(map(visible, [f"{file}:", *lines, *findings])))
    if any(one["finding"] for one in tested):
        raise SystemExit(EXIT_WRONG)


def _newest(folder: Path) -> Path:
    """Return the newest file of a folder of backups. Hidden ones are not complete yet."""
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    if not files:
        raise CommandError(f"{folder} has no backups: name their folder", exit_code=EXIT_OUTSIDE)
    return max(files, key=lambda path: path.stat().st_mtime)


def _tested(data: Path, part: Restored) -> dict[str, Any]:
    """Verify a restored database, and return the verdict, with the first finding; empty if nothing is wrong."""
    verdict, records, finding = "restored", 0, ""
    try:
        if (found := _verified(data, part.name)) is not None:
            verdict, records = found.verdict.value, found.records
            if found.verdict is Verdict.NOT_CLEAN:
                finding = f"{found.findings[0].file}: {found.findings[0].sentence}"
    except (ArchiveError, NoEventError, StoreError, ValueError) as error:
        verdict, finding = Verdict.NOT_CLEAN.value, str(error)
    return part._asdict() | {"verdict": verdict, "records": records, "finding": finding}


def _verified(data: Path, name: str) -> Verification | None:
    """Publish a restored database as a server would, and verify that. Accounts publish nothing."""
    kind, database = kind_of(name), data / name
    if kind is LadderInspection:
        with LadderQueries.open(database) as queries:
            publish_epochs(PublishedStore(queries), database.with_name("archive"))
        return verify_ladder(database.with_name("archive"), processes=processors())
    if kind is Store:
        folder = EventFolder(database.parents[1])
        publish_restored(folder)
        return verify_folder(folder.path, processes=processors())
    return None
