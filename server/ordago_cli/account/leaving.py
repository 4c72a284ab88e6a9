"""Commands of ``ordago account`` about all that is kept of an account: its export, and its deletion."""

from typing import Final

import click

from ordago import v1
from ordago.edge.services.account_export import gathered
from ordago.edge.services.client import LadderClient
from ordago.names import visible
from ordago_cli.account.handlers import Opened, asks_all
from ordago_cli.account.shown import print_json, why_option
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option


@click.command(epilog="Example: ordago account export --server play.example.org:7447 --tls --token-file ana.token")
@asks_all
@click.option("--account", "name", default="", metavar="NAME", help="The account; default: that of the token.")
def export(opened: Opened, name: str) -> None:
    """Print all that a server keeps about an account as JSON: yours, or any for an admin or at the folder."""
    with opened() as handlers, opened(client=LadderClient) as ladder:
        if ladder is None and not name:
            raise CommandError("name the account with --account, or ask a server with --server", exit_code=EXIT_USAGE)
        print_json(gathered(name, handlers.ask, ask_ladder=ladder and ladder.ask))


@click.command(epilog="Example: ordago account delete ana --server play.example.org:7447 --tls --token-file ana.token")
@asks_all
@click.argument("name")
@click.option("--confirm", default="", metavar="NAME", help="The name once more; default: it is asked for.")
@why_option
@json_option
def delete(opened: Opened, name: str, confirm: str, why: str, *, as_json: bool) -> None:
    """Delete the account NAME for good: yours, or any with --why for an admin or at the folder."""
    if not confirm:
        click.echo(f"All tokens of {name} end, and its name is never free again. This cannot be undone.", err=True)
        confirm = click.prompt("Type the name of the account to delete it", err=True)
    if confirm != name:
        raise CommandError(f"nothing was deleted: the two names differ, {name!r} and {confirm!r}", exit_code=EXIT_USAGE)
    with opened() as handlers:
        done = handlers.ask(v1.DeleteAccountRequest(account=name, why=why), v1.DeleteAccountResponse)
    if as_json:
        print_json({"account": name, "pseudonym": done.pseudonym})
    else:
        click.echo(f"account {visible(name)} is deleted; where its name stood is now {visible(done.pseudonym)}")


LEAVING_COMMANDS: Final = (export, delete)
"""The commands for what is kept of an account."""
