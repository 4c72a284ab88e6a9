"""``ordago token``: the tokens in a server's folder."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ordago.edge.services.account_messages import checked_why
from ordago.files import private_file, private_folder
from ordago.names import MAX_NAME_LENGTH, is_shown_name
from ordago.store.accounts.rows import KnownBot, Scope, Token
from ordago_cli.account.accounts import opened_accounts
from ordago_cli.account.shown import MOST_DAYS, SECONDS_A_DAY, print_rows, why_option, written
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import data_option


@click.group(epilog="Example: ordago token create --account ana --scope play")
def token() -> None:
    """Create, list and revoke the tokens that bots connect with."""


def _name(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str:
    """Check a name; return an empty text without one."""
    if value is None:
        return ""
    if not is_shown_name(value):
        raise click.BadParameter(f"a name has 1 to {MAX_NAME_LENGTH} printable characters, unlike {value!r}")
    return value


@token.command(epilog="Example: ordago token create --account ana --scope play")
@data_option
@click.option("--account", required=True, metavar="NAME", callback=_name, help="Account that the token belongs to.")
@click.option(
    "--scope",
    "scopes",
    required=True,
    multiple=True,
    type=click.Choice([one.value for one in Scope]),
    help="What the token permits.",
)
@click.option("--bot", metavar="NAME", callback=_name, help="The only bot that may connect with it.")
@click.option(
    "--expires", metavar="DAYS", type=click.IntRange(1, MOST_DAYS), help="Lifetime of the token; default: no expiry."
)
@json_option
def create(data: Path, account: str, scopes: Sequence[str], bot: str, expires: int | None, *, as_json: bool) -> None:
    """Create a token and print it. It is shown only once: nobody can look it up again."""
    now = time.time()
    with opened_accounts(data, create=True) as accounts:
        secret, made = accounts.create_token(
            account=account,
            scopes=map(Scope, scopes),
            now=now,
            bot=bot,
            expires_at=None if expires is None else int(now) + expires * SECONDS_A_DAY,
        )
    if as_json:
        click.echo(json.dumps({"token": secret} | _as_json(made, now), indent=1))
        return
    click.echo(f"token {made.id} of account {made.account}; it is shown only once:", err=True)
    click.echo(secret)


@token.command(epilog="Example: ordago token remote friday.toml --out tokens")
@data_option
@click.argument("event", metavar="EVENT.toml", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="The folder for the files of tokens."
)
@json_option
def remote(data: Path, event: Path, out: Path, *, as_json: bool) -> None:
    """Create a token to play for each remote entrant of an event, in a file of its own to send to the author.

    Accounts whose file is there already are left out, so the command can be repeated when more entrants have come.
    """
    # Only this command needs events, and their import takes most of a second.
    from ordago_ladder.event_file.file import EventFileError, read_event

    try:
        settings = read_event(event)
    except EventFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None
    paths = {one.account or one.name: out / f"{one.account or one.name}.token" for one in settings.remote_entrants}
    new = {account: path for account, path in paths.items() if not path.exists()}
    try:
        private_folder(out)
        with opened_accounts(data, create=True) as accounts:
            for account, path in new.items():
                secret, _ = accounts.create_token(account=account, scopes=[Scope.PLAY], now=time.time())
                private_file(path)
                path.write_text(f"{secret}\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write into {out}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error
    if as_json:
        click.echo(json.dumps({account: str(path) for account, path in new.items()}, indent=1))
        return
    there = len(paths) - len(new)
    click.echo(f"{len(new)} tokens are in {out}{f'; {there} were there already' if there else ''}")


@token.command("list", epilog="Example: ordago token list --json")
@data_option
@json_option
def list_command(data: Path, *, as_json: bool) -> None:
    """List the tokens, without their secrets."""
    with opened_accounts(data, create=False) as accounts:
        known, now = accounts.holders(), time.time()
    rows = [_as_json(one.token, now) | {"state": str(one.state(now))} for one in known]
    print_rows(rows, ("id", "account", "scopes", "bot", "created", "expires", "last_used", "state"), as_json=as_json)


@token.command(epilog="Example: ordago token bots")
@data_option
@json_option
def bots(data: Path, *, as_json: bool) -> None:
    """List the bots that have connected, and the accounts that own their names."""
    with opened_accounts(data, create=False) as accounts:
        rows = [_bot_as_json(bot) for bot in accounts.bots()]
    print_rows(rows, ("name", "account", "version", "build", "first_seen"), as_json=as_json)


@token.command(epilog="Example: ordago token revoke 4f1c02a9be77")
@data_option
@click.argument("token_id", metavar="ID")
@why_option
def revoke(data: Path, token_id: str, why: str) -> None:
    """Revoke a token for good. Its sessions on a running server end within seconds."""
    with opened_accounts(data, create=False) as accounts:
        revoked = accounts.revoke(token_id, now=time.time(), why=checked_why(why))
    click.echo(f"token {revoked.id} of account {revoked.account} is revoked")


def _as_json(one: Token, now: float) -> dict[str, Any]:
    return {
        "id": one.id,
        "account": one.account,
        "scopes": sorted(one.scopes),
        "bot": one.bot,
        "created": written(one.created_at),
        "expires": written(one.expires_at),
        "last_used": written(one.last_used_at),
        "state": str(one.state(now)),
    }


def _bot_as_json(bot: KnownBot) -> dict[str, Any]:
    return bot._asdict() | {"first_seen": written(bot.first_seen_at)}
