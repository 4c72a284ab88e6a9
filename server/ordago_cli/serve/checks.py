"""``ordago serve --check``: checks everything that a start needs, and starts nothing.

Each check is a small function of the settings, which returns its result in a few words or raises an error. To add one,
write it and enter it in ``SERVE_CHECKS``.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from ordago.addresses import AddressError
from ordago.ops.addresses import collide, listened
from ordago_cli.account.accounts import check_accounts
from ordago_cli.errors import EXIT_OK, EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.serve.journals import check_journal
from ordago_cli.serve.ladder import check_ladder, ladder_settings, warnings_of_house
from ordago_cli.serve.outside import warnings_of
from ordago_cli.serve.settings import ServeSettings
from ordago_cli.serve.site import site_settings


class Check(NamedTuple):
    """A check of the settings."""

    subject: str
    """The subject, in a word or two."""
    look: Callable[[ServeSettings], str]
    """Returns the result; raises ``CommandError`` with the exit code of a failed start."""


def run_checks(settings: ServeSettings, checks: Sequence[Check]) -> int:
    """Run all checks and print a line for each; return the exit code of the first failure, or 0.

    Without a failure, print the warnings too.
    """
    codes = []
    for check in checks:
        try:
            click.echo(f"ok     {check.subject}: {check.look(settings)}")
        except CommandError as error:
            for line in error.message.splitlines():
                click.echo(f"wrong  {check.subject}: {line}")
            codes.append(error.exit_code)
    if codes:
        return codes[0]
    warned = [
        *warnings_of(settings),
        *(warnings_of_house(ladder_settings(settings)) if settings.ladder is not None else ()),
    ]
    for subject, sentence in warned:
        click.echo(f"warn   {subject}: {sentence}")
    return EXIT_OK


def _played(settings: ServeSettings) -> str:
    if settings.ladder is not None:
        return check_ladder(settings)
    return ", ".join(f"{kind.game.name} for {kind.seats}" for kind in settings.kinds())


def _terms(settings: ServeSettings) -> str:
    if settings.ladder is not None:
        return f"as the ladder file says, {settings.matches} matches for a bot"
    time, faults = settings.time, settings.faults
    return f"{time.decision_ms} ms for a decision, {faults.strikes} strikes, {settings.matches} matches for a bot"


def _records(settings: ServeSettings) -> str:
    if settings.records is None:
        return "not kept" if settings.ladder is None else "kept in the database of the ladder"
    folder = settings.records
    if not folder.exists():
        parent = _nearest_folder(folder)
        _try_writing(parent)
        return f"{folder} will be created in {parent}"
    if not folder.is_dir():
        raise CommandError(f"{folder} is not a folder; name another one with --records", exit_code=EXIT_OUTSIDE)
    _try_writing(folder)
    return f"{folder} is writable"


def _nearest_folder(path: Path) -> Path:
    """Return the nearest existing folder above a path."""
    return next(parent for parent in path.absolute().parents if parent.exists())


def _try_writing(folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        sentence = f"cannot write into {folder}: {error.strerror}; fix it, or name another folder"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None


def _entrance(settings: ServeSettings) -> str:
    return settings.entrance.described(settings.address)


def _data(settings: ServeSettings) -> str:
    data = settings.entrance.data
    if not (settings.uses_data or settings.entrance.asks_for_tokens):
        return "not used"
    _try_writing(data if data.exists() else _nearest_folder(data))
    to_migrate = check_accounts(data) if settings.entrance.asks_for_tokens else ""
    if settings.ladder is None and settings.journaled:
        check_journal(data)
    lasts = settings.ladder is not None or settings.journaled
    how = "carry on after a restart" if lasts else "end with the server (--data keeps them)"
    return f"{data} is writable; matches {how}" + (f"; accounts: {to_migrate}" if to_migrate else "")


def _listening(settings: ServeSettings) -> str:
    return _can_listen(settings.address)


def _metrics(settings: ServeSettings) -> str:
    if settings.metrics is None:
        return "not served"
    found = _can_listen(settings.metrics)
    _check_apart(settings.metrics, settings.address, is_where="is where bots connect to", what="metrics")
    return found


def _site(settings: ServeSettings) -> str:
    site = site_settings(settings)
    if site is None:
        return "not served"
    address = site.place.address
    found = _can_listen(address)
    _check_apart(address, settings.address, is_where="is where bots connect to", what="the site")
    if settings.metrics is not None:
        _check_apart(address, settings.metrics, is_where="is where metrics are", what="the site")
    return f"{found}, for {site.place.scheme}"


def _can_listen(address: str) -> str:
    try:
        with listened(address):
            return f"{address} is free"
    except AddressError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None
    except OSError as error:
        sentence = f"cannot listen on {address}: {error.strerror}; choose another address, or port 0 for any"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None


def _check_apart(address: str, other: str, *, is_where: str, what: str) -> None:
    if collide(address, other):
        raise CommandError(f"{address} {is_where}; choose another port for {what}", exit_code=EXIT_USAGE)


def _grace(settings: ServeSettings) -> str:
    return f"running matches get {settings.grace_seconds:g} s when the server goes down"


SERVE_CHECKS: Final[Sequence[Check]] = (
    Check("tables", _played),
    Check("terms", _terms),
    Check("records", _records),
    Check("data", _data),
    Check("address", _listening),
    Check("entrance", _entrance),
    Check("metrics", _metrics),
    Check("site", _site),
    Check("grace", _grace),
)
"""The checks of ``ordago serve --check``, in this order."""
