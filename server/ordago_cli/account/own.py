"""Commands of ``ordago account`` for authors: join by an invitation, and manage the author's own account."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

import click
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.account_messages import role_messages
from ordago.edge.services.client import AccountClient
from ordago.files import PRIVATE_FILE
from ordago.names import visible
from ordago.store.accounts.rows import Scope
from ordago_cli.account.handlers import Handlers, Opened, asks_own, joins
from ordago_cli.account.shown import (
    MOST_DAYS,
    SECONDS_A_DAY,
    account_shown,
    builds_shown,
    print_json,
    print_rows,
    roles_shown,
    token_shown,
    why_option,
)
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.asking import Server
from ordago_cli.options.outputs import json_option

PageT = TypeVar("PageT", bound=Message)

_LONGEST_CODE: Final = 100
"""Twice the length of a code, which has 50 characters."""
_STANDARD_INPUT: Final = "-"


@click.command(
    epilog="Example: ordago account join CODE --server play.example.org:7447 --tls --name ana --token-file ana.token"
)
@joins
@click.argument("code")
@click.option("--name", default="", metavar="NAME", help="The name of the account; default: that of the invitation.")
@click.option(
    "--token-file", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Where to keep the token."
)
@json_option
def join(server: Server, code: str, name: str, token_file: Path, *, as_json: bool) -> None:
    """Open an account with the CODE of an invitation (-: from standard input), and save its first token."""
    request = v1.RegisterRequest(invitation=_code(code), account=name)
    # Create the file before the code is used up: a token that cannot be saved would be lost.
    with _new_file(token_file) as file, server.asked(AccountClient) as handlers:
        made = handlers.ask(request, v1.RegisterResponse)
        file.write(f"{_checked_token(made.token)}\n")
    shown = {"account": account_shown(made.account), "token": token_shown(made.token_info), "file": str(token_file)}
    if as_json:
        print_json(shown)
    else:
        click.echo(
            f"account {visible(made.account.name)} is open; its token is in {token_file}, which nobody else can read"
        )


def _code(given: str) -> str:
    code = (sys.stdin.readline(_LONGEST_CODE) if given == _STANDARD_INPUT else given).strip()
    if not (code.isascii() and code.isprintable() and code):
        raise CommandError("this is not an invitation code; check that it was copied in full", exit_code=EXIT_USAGE)
    return code


@contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    """Create a private file, and delete it again if its writing fails.

    Raises:
        CommandError: it exists, or cannot be created.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    except FileExistsError:
        raise CommandError(
            f"{path} already exists: choose another file for the token", exit_code=EXIT_OUTSIDE
        ) from None
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@click.command(epilog="Example: ordago account show --server play.example.org:7447 --tls --token-file ana.token")
@asks_own
@json_option
def show(opened: Opened, *, as_json: bool) -> None:
    """Show the account of a token, and the permissions of the token."""
    with opened() as handlers:
        who = handlers.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse)
    shown = account_shown(who.account)
    if as_json:
        print_json({"account": shown, "token": token_shown(who.token_info), "good_for": roles_shown(who.roles)})
    else:
        print_rows([shown], ("name", "roles", "limits", "created"), as_json=False)
        click.echo(
            f"the token {visible(who.token_info.id)} is good for: {', '.join(roles_shown(who.roles)) or 'nothing'}"
        )


@click.command(epilog="Example: ordago account tokens --server play.example.org:7447 --tls --token-file ana.token")
@asks_own
@json_option
def tokens(opened: Opened, *, as_json: bool) -> None:
    """List the tokens of your account, without their secrets."""
    with opened() as handlers:
        pages = _pages(handlers, v1.ListTokensRequest(), v1.ListTokensResponse)
        rows = [token_shown(token) for page in pages for token in page.tokens]
    print_rows(rows, ("id", "scopes", "bot", "created", "expires", "last_used", "revoked"), as_json=as_json)


@click.command(epilog="Example: ordago account bots --server play.example.org:7447 --tls --token-file ana.token")
@asks_own
@json_option
def bots(opened: Opened, *, as_json: bool) -> None:
    """List your reserved bot names, with the newest builds of each bot."""
    with opened() as handlers:
        pages = _pages(handlers, v1.ListBotsRequest(), v1.ListBotsResponse)
        rows = [row for page in pages for bot in page.bots for row in builds_shown(bot)]
    print_rows(rows, ("name", "version", "build", "first_seen"), as_json=as_json)


def _pages(handlers: Handlers, request: Any, answer: type[PageT]) -> Iterator[Any]:  # noqa: ANN401 - any request with pages
    """Yield all pages of a list."""
    while True:
        page: Any = handlers.ask(request, answer)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@click.command(
    "create-token",
    epilog="Example: ordago account create-token --server HOST:7447 --tls --token-file ana.token --bot deep",
)
@asks_own
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([one.value for one in Scope]),
    help="What the token permits; default: play.",
)
@click.option("--bot", default="", metavar="NAME", help="The only bot that may connect with it.")
@click.option(
    "--expires", metavar="DAYS", type=click.IntRange(1, MOST_DAYS), help="Lifetime of the token; default: no expiry."
)
@json_option
def create_token(opened: Opened, scopes: Sequence[str], bot: str, expires: int | None, *, as_json: bool) -> None:
    """Create a token with no more permissions than the one that asks, and print it. It is shown only once."""
    request = v1.CreateTokenRequest(scopes=role_messages(map(Scope, scopes)), bot=bot)
    if expires is not None:
        request.expires_at = int(time.time()) + expires * SECONDS_A_DAY
    with opened() as handlers:
        made = handlers.ask(request, v1.CreateTokenResponse)
    if as_json:
        print_json({"token": made.token} | token_shown(made.token_info))
        return
    click.echo(f"token {visible(made.token_info.id)}; it is shown only once:", err=True)
    click.echo(_checked_token(made.token))


@click.command(epilog="Example: ordago account revoke 4f1c02a9be77 --server HOST:7447 --tls --token-file ana.token")
@asks_own
@click.argument("token_id", metavar="ID")
@why_option
@json_option
def revoke(opened: Opened, token_id: str, why: str, *, as_json: bool) -> None:
    """Revoke one of your tokens for good. Its sessions end within seconds."""
    with opened() as handlers:
        revoked = handlers.ask(v1.RevokeTokenRequest(id=token_id, why=why), v1.RevokeTokenResponse).token_info
    if as_json:
        print_json(token_shown(revoked))
    else:
        click.echo(f"token {visible(revoked.id)} is revoked")


@click.command("name", epilog="Example: ordago account name deep --server HOST:7447 --tls --token-file ana.token")
@asks_own
@click.argument("bot")
@json_option
def name_command(opened: Opened, bot: str, *, as_json: bool) -> None:
    """Reserve the name of a bot for your account, even before the bot has connected."""
    with opened() as handlers:
        handlers.ask(v1.NameBotRequest(bot=bot), v1.NameBotResponse)
    _print_ownership(bot, "is yours", as_json=as_json, yours=True)


@click.command(epilog="Example: ordago account release deep --server HOST:7447 --tls --token-file ana.token")
@asks_own
@click.argument("bot")
@json_option
def release(opened: Opened, bot: str, *, as_json: bool) -> None:
    """Release the name of a bot, so that anybody may use it."""
    with opened() as handlers:
        handlers.ask(v1.ReleaseBotNameRequest(bot=bot), v1.ReleaseBotNameResponse)
    _print_ownership(bot, "is free for anybody", as_json=as_json, yours=False)


def _checked_token(token: str) -> str:
    """Return a token from a server.

    Raises:
        CommandError: it is malformed.
    """
    if not (token.isascii() and token.isprintable() and token):
        raise CommandError("the server did not return a token: is it an Ordago server?", exit_code=EXIT_OUTSIDE)
    return token


def _print_ownership(bot: str, sentence: str, *, as_json: bool, yours: bool) -> None:
    if as_json:
        print_json({"bot": bot, "yours": yours})
    else:
        click.echo(f"the bot name {bot} {sentence}")


OWN_COMMANDS: Final = (join, show, tokens, create_token, revoke, bots, name_command, release)
"""The commands for authors."""
