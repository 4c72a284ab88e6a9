"""The group ``ordago account``, and its commands for admins."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

import click

from ordago import v1
from ordago.edge.services.account_messages import role_messages
from ordago.names import visible
from ordago.store.accounts.rows import MAX_LIMIT, Scope
from ordago_cli.account.handlers import Handlers, Opened, asks_all
from ordago_cli.account.leaving import LEAVING_COMMANDS
from ordago_cli.account.own import OWN_COMMANDS
from ordago_cli.account.shown import (
    MOST_DAYS,
    SECONDS_A_DAY,
    account_shown,
    entry_shown,
    print_json,
    print_rows,
    why_option,
    written,
)
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option, tell_more

ROLES: Final = click.Choice([one.value for one in Scope])
_LOG_COLUMNS: Final = ("at", "by", "act", "account", "subject", "detail", "why")
_COLUMNS: Final = ("name", "roles", "limits", "created", "banned", "reason")
_limit: Final = click.IntRange(0, MAX_LIMIT)


@click.group(epilog="Example: ordago account invite --role play")
def account() -> None:
    """Invite authors, and manage accounts: your own, or all of a server."""


@account.command(epilog="Example: ordago account invite --role play --account ana")
@asks_all
@click.option("--role", "roles", multiple=True, type=ROLES, help="What the account may do; default: play.")
@click.option("--account", "name", default="", metavar="NAME", help="Name of the account; default: the author chooses.")
@click.option(
    "--expires",
    default=7,
    show_default=True,
    metavar="DAYS",
    type=click.IntRange(1, MOST_DAYS),
    help="How long the code is valid.",
)
@why_option
@json_option
def invite(opened: Opened, roles: Sequence[str], name: str, expires: int, why: str, *, as_json: bool) -> None:
    """Create an invitation and print its code. The code opens one account, and is shown only once."""
    until_then = int(time.time()) + expires * SECONDS_A_DAY
    request = v1.InviteRequest(roles=role_messages(map(Scope, roles)), account=name, expires_at=until_then, why=why)
    with opened(create=True) as handlers:
        made = handlers.ask(request, v1.InviteResponse)
    until = written(made.expires_at)
    if as_json:
        print_json({"invitation": made.invitation, "account": name, "expires": until})
        return
    click.echo(
        f"good once, until {until}; its author joins with: ordago account join CODE --server HOST:PORT …", err=True
    )
    click.echo(visible(made.invitation))


@account.command("list", epilog="Example: ordago account list --json")
@asks_all
@json_option
def list_command(opened: Opened, *, as_json: bool) -> None:
    """List all accounts with their roles and limits, and bans."""
    with opened() as handlers:
        rows = [account_shown(one) for one in _accounts(handlers)]
    print_rows(rows, _COLUMNS, as_json=as_json)


def _accounts(handlers: Handlers) -> Iterator[v1.Account]:
    request = v1.ListAccountsRequest()
    while True:
        page = handlers.ask(request, v1.ListAccountsResponse)
        yield from page.accounts
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@account.command(epilog="Example: ordago account roles ana play organise")
@asks_all
@click.argument("name")
@click.argument("roles", nargs=-1, type=ROLES)
@click.option("--none", "none_at_all", is_flag=True, help="Take all roles away.")
@why_option
@json_option
def roles(opened: Opened, name: str, roles: Sequence[str], why: str, *, none_at_all: bool, as_json: bool) -> None:
    """Give an account these roles and no others. Its tokens are limited to them."""
    if bool(roles) == none_at_all:
        raise CommandError("give the roles that the account is to have, or --none", exit_code=EXIT_USAGE)
    request = v1.SetRolesRequest(account=name, roles=role_messages(map(Scope, roles)), why=why)
    with opened() as handlers:
        _print(handlers.ask(request, v1.SetRolesResponse).account, as_json=as_json)


@account.command(epilog="Example: ordago account limits ana --bots 4 --sessions 16")
@asks_all
@click.argument("name")
@click.option("--bots", type=_limit, help="Bots connected at once, counted by name.")
@click.option("--tokens", type=_limit, help="Valid tokens.")
@click.option("--sessions", type=_limit, help="Sessions at once.")
@click.option("--names", type=_limit, help="Names of bots.")
@why_option
@json_option
def limits(opened: Opened, name: str, why: str, *, as_json: bool, **numbers: int | None) -> None:
    """Set the limits of an account. Options that are left out do not change."""
    if all(number is None for number in numbers.values()):
        raise CommandError("give a limit: --bots, --tokens, --sessions or --names", exit_code=EXIT_USAGE)
    request = v1.SetLimitsRequest(account=name, limits=v1.AccountLimits(**numbers), why=why)
    with opened() as handlers:
        _print(handlers.ask(request, v1.SetLimitsResponse).account, as_json=as_json)


@account.command(epilog='Example: ordago account ban ana --reason "two bots at one table"')
@asks_all
@click.argument("name")
@click.option("--reason", "--why", "reason", required=True, metavar="TEXT", help="The reason shown to the author.")
@json_option
def ban(opened: Opened, name: str, reason: str, *, as_json: bool) -> None:
    """Ban an account. Its sessions end within seconds, and forfeit their matches."""
    with opened() as handlers:
        _print(handlers.ask(v1.BanRequest(account=name, reason=reason), v1.BanResponse).account, as_json=as_json)


@account.command(epilog="Example: ordago account unban ana")
@asks_all
@click.argument("name")
@why_option
@json_option
def unban(opened: Opened, name: str, why: str, *, as_json: bool) -> None:
    """Lift the ban of an account."""
    with opened() as handlers:
        _print(handlers.ask(v1.UnbanRequest(account=name, why=why), v1.UnbanResponse).account, as_json=as_json)


@account.command(epilog="Example: ordago account log --account ana")
@asks_all
@click.option("--account", "name", default="", metavar="NAME", help="Only actions on this account or by it.")
@click.option("--rows", default=50, show_default=True, type=click.IntRange(1, 100), help="Maximum number of rows.")
@click.option(
    "--page", "page_token", default="", metavar="TOKEN", help="Continue after the last row of an earlier answer."
)
@json_option
def log(opened: Opened, name: str, rows: int, page_token: str, *, as_json: bool) -> None:
    """List what was done to accounts and to their events: who, when and why, newest first."""
    request = v1.ListAccountLogRequest(account=name, page_size=rows, page_token=page_token)
    with opened() as handlers:
        page = handlers.ask(request, v1.ListAccountLogResponse)
    shown = [entry_shown(entry) for entry in page.entries]
    if as_json:
        print_json({"entries": shown, "next_page_token": page.next_page_token})
        return
    # Names of accounts have no parentheses, so this cannot be taken for one.
    rows_shown = [row | {"by": f"{row['by']} (at the folder)" if row["at_folder"] else row["by"]} for row in shown]
    print_rows(rows_shown, _LOG_COLUMNS, as_json=False)
    tell_more(page.next_page_token)


def _print(changed: v1.Account, *, as_json: bool) -> None:
    """Show an account after a change."""
    shown = account_shown(changed)
    if as_json:
        print_json(shown)
    else:
        print_rows([shown], _COLUMNS, as_json=False)


for command in (*OWN_COMMANDS, *LEAVING_COMMANDS):
    account.add_command(command)
