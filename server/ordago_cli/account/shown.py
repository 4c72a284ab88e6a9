"""Output of accounts, tokens and bots: tables for people, JSON for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import click
from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table

from ordago import v1
from ordago.names import visible

_WIDE: Final = 500
SECONDS_A_DAY: Final = 24 * 60 * 60
MOST_DAYS: Final = 36_500
"""A hundred years. For a token without an end there is no limit at all."""
_ROLE: Final = "ROLE_"
_ACT: Final = "ACCOUNT_ACT_"

why_option = click.option("--why", default="", metavar="TEXT", help="The reason, for ordago account log.")
"""The option ``--why``."""


def written(at: int | None) -> str | None:
    """Format a time in seconds since 1970 as ISO 8601, in UTC; ``None`` stays ``None``."""
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


def print_json(shown: object) -> None:
    """Print JSON."""
    click.echo(json.dumps(shown, indent=1))


def print_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool) -> None:
    """Print some columns of rows, as a table or as JSON."""
    if as_json:
        print_json([{column: row[column] for column in columns} for row in rows])
        return
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    terminal = Console(markup=False)
    # Output that is no terminal gets lines without folding, whatever their width.
    (terminal if terminal.is_terminal else Console(markup=False, width=_WIDE)).print(table)


def _cell(value: str | Sequence[str] | Mapping[str, object] | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return visible(", ".join(value))


def roles_shown(roles: Iterable[v1.Role]) -> list[str]:
    """Return roles in the words of the command line, and unknown ones of a newer server by number."""
    return sorted(_word(v1.Role, role, _ROLE) for role in roles)


def _word(kind: Any, value: int, prefix: str) -> str:  # noqa: ANN401 - a kind of enum has no type of its own
    """Return an enum value as a word, or its number if only a newer server knows it."""
    name: str = kind.Name(value) if value in kind.values() else str(value)
    return name.removeprefix(prefix).lower().replace("_", " ")


def account_shown(account: v1.Account) -> dict[str, Any]:
    """Convert an account for output."""
    return {
        "name": account.name,
        "roles": roles_shown(account.roles),
        "limits": {one.name: number for one, number in account.limits.ListFields()},
        "created": written(account.created_at),
        "banned": _at(account, "banned_at"),
        "reason": account.ban_reason or None,
    }


def token_shown(token: v1.AccountToken) -> dict[str, Any]:
    """Convert a token for output."""
    return {
        "id": token.id,
        "scopes": roles_shown(token.scopes),
        "bot": token.bot,
        "created": written(token.created_at),
        "expires": _at(token, "expires_at"),
        "last_used": _at(token, "last_used_at"),
        "revoked": _at(token, "revoked_at"),
    }


def entry_shown(entry: v1.AccountLogEntry) -> dict[str, Any]:
    """Convert an entry of the log for output."""
    return {
        "number": entry.number,
        "at": written(entry.at),
        "by": entry.by,
        "at_folder": entry.at_folder,
        "act": _word(v1.AccountAct, entry.act, _ACT),
        "account": entry.account or None,
        "subject": entry.subject or None,
        "detail": entry.detail or None,
        "why": entry.why or None,
    }


def builds_shown(bot: v1.AccountBot) -> list[dict[str, Any]]:
    """Return a row for each build of a bot, or one row without a build."""
    rows = [(one.version, one.build, written(one.first_seen_at)) for one in bot.builds] or [("", "", None)]
    return [{"name": bot.name, "version": version, "build": build, "first_seen": at} for version, build, at in rows]


def _at(message: Message, name: str) -> str | None:
    return written(getattr(message, name)) if message.HasField(name) else None
