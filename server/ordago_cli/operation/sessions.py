"""``ordago session``: the sessions of a running server, for its operator."""

from typing import Any, Final

import click

from ordago import v1
from ordago_cli.account.handlers import Opened, asks_own
from ordago_cli.account.shown import print_json, print_rows, written
from ordago_cli.options.outputs import json_option, paged, tell_more

_COLUMNS: Final = ("session", "account", "bot", "version", "games", "connected", "matches", "origin", "event")


@click.group(epilog="Example: ordago session list --server play.example.org:7447 --tls --token-file root.token")
def session() -> None:
    """List the sessions of bots at a server, and end one."""


@session.command(
    "list", epilog="Example: ordago session list --server play.example.org:7447 --tls --token-file root.token"
)
@asks_own
@click.option("--account", default="", metavar="NAME", help="Only sessions of this account.")
@paged(rows=50)
def list_command(opened: Opened, *, account: str, rows: int, page_token: str, as_json: bool) -> None:
    """List the bots that are connected or may come back: what they play, since when, and from where."""
    request = v1.ListSessionsRequest(account=account, page_size=rows, page_token=page_token)
    with opened() as handlers:
        page = handlers.ask(request, v1.ListSessionsResponse)
    shown = [_row(one) for one in page.sessions]
    if as_json:
        print_json({"sessions": shown, "next_page_token": page.next_page_token})
        return
    print_rows(shown, _COLUMNS, as_json=False)
    tell_more(page.next_page_token)


@session.command(
    epilog='Example: ordago session end SESSION --reason "it floods" --server HOST:7447 --tls --token-file root.token'
)
@asks_own
@click.argument("session_id", metavar="SESSION")
@click.option("--reason", "--why", "reason", required=True, metavar="TEXT", help="The reason shown to the author.")
@json_option
def end(opened: Opened, *, session_id: str, reason: str, as_json: bool) -> None:
    """End a SESSION. Its bot forfeits its matches, and is not asked to come back; ordago account ban keeps it out."""
    with opened() as handlers:
        ended = handlers.ask(v1.EndSessionRequest(session_id=session_id, reason=reason), v1.EndSessionResponse)
    print_rows([_row(ended.session)], _COLUMNS, as_json=as_json)


def _row(session: v1.BotSession) -> dict[str, Any]:
    return {
        "session": session.session_id,
        "account": session.account,
        "bot": session.bot,
        "version": session.version or None,
        "games": list(session.games),
        "connected": written(session.connected_at) if session.HasField("connected_at") else None,
        "matches": str(session.matches),
        "origin": session.origin or None,
        "event": session.event or None,
    }
