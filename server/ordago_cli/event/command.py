"""The group ``ordago event`` and its commands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import EventClient
from ordago.edge.services.events import LONGEST_FILE_BYTES
from ordago.names import visible
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_USAGE, CommandError
from ordago_cli.event.downloading import downloaded
from ordago_cli.event.shown import (
    STAGE_WORDS,
    entered_lines,
    event_lines,
    event_row,
    follow_lines,
    opened_lines,
    removed_lines,
    standing_heads,
    standing_row,
    stopped_line,
)
from ordago_cli.ladder.command import title_of
from ordago_cli.options.arguments import known_game
from ordago_cli.options.asking import Asked, as_values, asks
from ordago_cli.options.outputs import json_option
from ordago_cli.terminal.tables import print_table

_HEADS: Final = ("event", "", " matches", "opened", "by", "title")
_STAGES: Final = {word: stage for stage, word in STAGE_WORDS.items()}


_why: Final = click.option(
    "--why", default="", metavar="TEXT", help="The reason; needed where the event is not one's own."
)


@click.group(
    epilog="Example: ordago event open friday.toml --server play.example.org:7447 --tls --token-file org.token"
)
def event() -> None:
    """Open events on a running server, follow them, and download what they publish."""


@event.command("open", epilog="Example: ordago event open friday.toml --server HOST:7447 --token-file org.token")
@click.argument("file", type=click.Path(path_type=Path))
@asks
@click.option("--why", default="", metavar="TEXT", help="Why an admin opens another's event, for ordago account log.")
@json_option
def open_command(asked: Asked[EventClient], file: Path, why: str, *, as_json: bool) -> None:
    """Open an event by its FILE, or continue one that was stopped or has failed. For the roles organise and admin."""
    request = v1.OpenEventRequest(file=_text_of(file), why=why)
    with asked(EventClient) as client:
        answer = client.ask(request, v1.OpenEventResponse)
    given = click.get_current_context().params
    _print_answer(answer, opened_lines(answer.event, given["server"], tls=given["tls"]), as_json=as_json)


@event.command("list", epilog="Example: ordago event list --stage playing")
@asks
@click.option(
    "--stage",
    "stages",
    multiple=True,
    type=click.Choice(list(_STAGES)),
    help="Only events in this stage; may be repeated.",
)
@click.option("--rows", default=50, show_default=True, type=click.IntRange(1, 100), help="Maximum number of rows.")
@click.option(
    "--page", "page_token", default="", metavar="TOKEN", help="Continue after the last row of an earlier answer."
)
@json_option
def list_command(
    asked: Asked[EventClient], *, stages: tuple[str, ...], rows: int, page_token: str, as_json: bool
) -> None:
    """List the events of a server, newest first."""
    request = v1.ListEventsRequest(stages=[_STAGES[stage] for stage in stages], page_size=rows, page_token=page_token)
    with asked(EventClient) as client:
        answer = client.ask(request, v1.ListEventsResponse)
    if as_json:
        click.echo(json.dumps(as_values(answer), indent=1))
        return
    if answer.events:
        print_table(_HEADS, map(event_row, answer.events))
    else:
        click.echo("there are no such events" if stages else "there are no events yet: ordago event open FILE")
    _tell_more(answer.next_page_token)


@event.command(epilog="Example: ordago event show friday --follow")
@click.argument("name")
@asks
@click.option("--follow", is_flag=True, help="Print changes until the event ends.")
@json_option
def show(asked: Asked[EventClient], name: str, *, follow: bool, as_json: bool) -> None:
    """Show the progress of an event, and who has checked in.

    With --follow the exit code is 6 if the event was stopped or has failed, since it can go on.
    """
    with asked(EventClient) as client:
        if follow:
            _follow(client, name, as_json=as_json)
            return
        answer = client.ask(v1.GetEventRequest(name=name), v1.GetEventResponse)
    _print_answer(answer, event_lines(answer.event), as_json=as_json)


def _follow(client: EventClient, name: str, *, as_json: bool) -> None:
    """Print the progress of an event until it ends or stops."""
    last = v1.HostedEvent()

    def heard() -> Iterator[v1.WatchEventResponse]:
        for response in client.listen(v1.WatchEventRequest(name=name), v1.WatchEventResponse):
            last.CopyFrom(response.event)
            yield response

    lines = (json.dumps(as_values(each)) for each in heard()) if as_json else follow_lines(heard())
    for line in lines:
        click.echo(line)
    if last.stage in (v1.HOSTED_EVENT_STAGE_STOPPED, v1.HOSTED_EVENT_STAGE_FAILED):
        raise SystemExit(EXIT_UNFINISHED)
    if last.stage != v1.HOSTED_EVENT_STAGE_OVER:
        raise CommandError("the server closed the stream before the event ended", exit_code=EXIT_UNFINISHED)
    if not as_json:
        _show_results(client.ask(v1.ListEventResultsRequest(name=name), v1.ListEventResultsResponse), "")


@event.command(epilog="Example: ordago event results friday --game mus")
@click.argument("name")
@asks
@click.option("--game", default="", help="Only the matches of this game.")
@click.option("--rows", default=100, show_default=True, type=click.IntRange(1, 100), help="Maximum number of rows.")
@click.option(
    "--page", "page_token", default="", metavar="TOKEN", help="Continue after the last row of an earlier answer."
)
@json_option
def results(asked: Asked[EventClient], name: str, *, game: str, rows: int, page_token: str, as_json: bool) -> None:
    """Show the standings of an event, in a game or in all together."""
    short = known_game(game).name if game else ""
    request = v1.ListEventResultsRequest(name=name, game=short, page_size=rows, page_token=page_token)
    with asked(EventClient) as client:
        answer = client.ask(request, v1.ListEventResultsResponse)
    if as_json:
        click.echo(json.dumps(as_values(answer), indent=1))
        return
    click.echo(event_lines(answer.event)[0])
    _show_results(answer, short)


def _show_results(answer: v1.ListEventResultsResponse, game: str) -> None:
    if answer.standings:
        several = not game and len(answer.event.games) > 1
        click.echo("Standings in all games:" if several else f"Standings in {title_of(game or answer.event.games[0])}:")
        with_points = any(line.HasField("points") for line in answer.standings)
        rows = (standing_row(line, with_points=with_points) for line in answer.standings)
        print_table(standing_heads(with_points=with_points), rows)
    else:
        click.echo("no standings yet: they appear after the first finished matches")
    _tell_more(answer.next_page_token)


@event.command(epilog="Example: ordago event stop friday --server HOST:7447 --token-file org.token")
@click.argument("name")
@asks
@_why
@json_option
def stop(asked: Asked[EventClient], name: str, why: str, *, as_json: bool) -> None:
    """Stop an event; its results so far are safe. Open it again to continue. For its account, and for admins."""
    with asked(EventClient) as client:
        answer = client.ask(v1.StopEventRequest(name=name, why=why), v1.StopEventResponse)
    _print_answer(answer, [stopped_line(answer.event)], as_json=as_json)


@event.command(epilog="Example: ordago event remove friday --server HOST:7447 --token-file org.token")
@click.argument("name")
@asks
@_why
@json_option
def remove(asked: Asked[EventClient], name: str, why: str, *, as_json: bool) -> None:
    """Delete an event that does not run, for good: results, records and pages. For its account, and for admins."""
    with asked(EventClient) as client:
        answer = client.ask(v1.RemoveEventRequest(name=name, why=why), v1.RemoveEventResponse)
    _print_answer(answer, removed_lines(answer), as_json=as_json)


@event.command(epilog="Example: ordago event enter friday --server HOST:7447 --token-file ana.token --as my-bot")
@click.argument("name")
@asks
@click.option("--as", "entrant", required=True, metavar="NAME", help="The name of the entrant on the ladder.")
@click.option("--author", default="", metavar="TEXT", help="The author of the bot, for the ladder.")
@click.option("--version", default="", metavar="TEXT", help="The version; by default the one that the bot reports.")
@json_option
def enter(asked: Asked[EventClient], name: str, entrant: str, author: str, version: str, *, as_json: bool) -> None:
    """Enter a bot into an event that is open to authors, until it begins. For the role play."""
    request = v1.EnterEventRequest(name=name, entrant=entrant, author=author, version=version)
    with asked(EventClient) as client:
        answer = client.ask(request, v1.EnterEventResponse)
    given = click.get_current_context().params
    lines = entered_lines(answer.event, entrant, given["server"], tls=given["tls"])
    _print_answer(answer, lines, as_json=as_json)


@event.command(epilog="Example: ordago event leave friday --server HOST:7447 --token-file ana.token")
@click.argument("name")
@asks
@click.option("--entrant", default="", metavar="NAME", help="An entrant of another account; for the event's account.")
@json_option
def leave(asked: Asked[EventClient], name: str, entrant: str, *, as_json: bool) -> None:
    """Take a bot out of an event that is open to authors, until it begins.

    The account of the event takes out another's by --entrant; that account then cannot enter this event again.
    """
    with asked(EventClient) as client:
        answer = client.ask(v1.LeaveEventRequest(name=name, entrant=entrant), v1.LeaveEventResponse)
    _print_answer(answer, event_lines(answer.event), as_json=as_json)


@event.command(epilog="Example: ordago event download friday --out friday && ordago verify friday")
@click.argument("name")
@asks
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="A new or empty folder.",
)
@json_option
def download(asked: Asked[EventClient], name: str, out: Path, *, as_json: bool) -> None:
    """Download everything that an event has published so far into a folder, for ordago verify."""
    with asked(EventClient) as client:
        responses = client.listen(v1.DownloadEventRequest(name=name), v1.DownloadEventResponse)
        fetched = downloaded(responses, out)
    if as_json:
        click.echo(json.dumps({"event": name, "out": str(out), "files": fetched.files, "bytes": fetched.bytes}))
        return
    click.echo(
        f"{fetched.files:,} files, {fetched.bytes / 1e6:,.1f} MB, are in {out}; check them with: ordago verify {out}"
    )


def _text_of(file: Path) -> str:
    """Read an event file.

    Raises:
        CommandError: it is missing, too long, or not UTF-8.
    """
    try:
        with file.open("rb") as opened:
            written = opened.read(LONGEST_FILE_BYTES + 1)
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    if len(written) > LONGEST_FILE_BYTES:
        sentence = f"{file} has more than {LONGEST_FILE_BYTES:,} bytes, the most that a server accepts"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    try:
        return written.decode()
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not UTF-8 text; save it as UTF-8", exit_code=EXIT_USAGE) from None


def _print_answer(answer: Message, lines: list[str], *, as_json: bool) -> None:
    for line in [json.dumps(as_values(answer), indent=1)] if as_json else lines:
        click.echo(line)


def _tell_more(page_token: str) -> None:
    if page_token:
        click.echo(f"more: --page {visible(page_token)}")
