"""``ordago announce`` and ``ordago seating``: sentences for all bots and visitors, and pauses of seating."""

import time
from typing import Any, Final

import click

from ordago import v1
from ordago.names import visible
from ordago_cli.account.handlers import Handlers, Opened, asks_all
from ordago_cli.account.shown import print_rows, why_option, written
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option

_COLUMNS: Final = ("number", "announcement", "made", "ends", "seating")
_SECONDS_AN_HOUR: Final = 3600
_USUAL_HOURS: Final = 24.0
_MOST_HOURS: Final = 24.0 * 366
_PAUSED: Final = "No new match begins for now; running ones go on."
_hours: Final = click.FloatRange(0, _MOST_HOURS, min_open=True)


@click.command(epilog='Example: ordago announce "maintenance at 20:00 UTC" --for 3')
@asks_all
@click.argument("text", required=False, default="")
@click.option(
    "--for", "hours", default=_USUAL_HOURS, show_default=True, type=_hours, metavar="HOURS", help="How long it stands."
)
@click.option("--withdraw", "number", type=click.IntRange(1, 2**31 - 1), metavar="NUMBER", help="Withdraw this one.")
@why_option
@json_option
def announce(opened: Opened, *, text: str, hours: float, number: int | None, why: str, as_json: bool) -> None:
    """Announce TEXT to all bots and visitors of a server, withdraw an announcement, or list those that stand."""
    if text and number is not None:
        raise CommandError("give a text to announce, or --withdraw NUMBER", exit_code=EXIT_USAGE)
    with opened() as handlers:
        if number is not None:
            _withdraw(handlers, number, why=why, as_json=as_json)
            return
        if text:
            made = handlers.ask(_announcing(text, hours, why=why), v1.AnnounceResponse)
            shown = [made.announcement]
        else:
            standing = handlers.ask(v1.ListAnnouncementsRequest(), v1.ListAnnouncementsResponse)
            shown = list(standing.announcements)
    print_rows([_row(one) for one in shown], _COLUMNS, as_json=as_json)


@click.group(epilog='Example: ordago seating pause "upgrade of the database" --for 1')
def seating() -> None:
    """Pause and resume the seating of bots at the tables of a server."""


@seating.command(epilog='Example: ordago seating pause "upgrade of the database" --for 1')
@asks_all
@click.argument("text", required=False, default=_PAUSED)
@click.option("--for", "hours", type=_hours, metavar="HOURS", help="Resume after so long; default: never.")
@why_option
@json_option
def pause(opened: Opened, *, text: str, hours: float | None, why: str, as_json: bool) -> None:
    """Begin no new match at the tables, and announce TEXT. Running matches go on; a restart changes nothing."""
    with opened() as handlers:
        made = handlers.ask(_announcing(text, hours, why=why, pauses_seating=True), v1.AnnounceResponse)
    print_rows([_row(made.announcement)], _COLUMNS, as_json=as_json)


@seating.command(epilog="Example: ordago seating resume")
@asks_all
@why_option
@json_option
def resume(opened: Opened, *, why: str, as_json: bool) -> None:
    """Begin new matches again."""
    with opened() as handlers:
        standing = handlers.ask(v1.ListAnnouncementsRequest(), v1.ListAnnouncementsResponse).announcements
        number = next((one.number for one in standing if one.pauses_seating), None)
        if number is None:
            raise CommandError("seating is not paused", exit_code=EXIT_OUTSIDE)
        _withdraw(handlers, number, why=why, as_json=as_json)


def _withdraw(handlers: Handlers, number: int, *, why: str, as_json: bool) -> None:
    """Withdraw an announcement, and say which, since a table would look as if it still stood."""
    request = v1.WithdrawAnnouncementRequest(number=number, why=why)
    withdrawn = handlers.ask(request, v1.WithdrawAnnouncementResponse).announcement
    if as_json:
        print_rows([_row(withdrawn)], _COLUMNS, as_json=True)
        return
    click.echo(f"withdrawn: {withdrawn.number} {visible(withdrawn.sentence)}")
    if withdrawn.pauses_seating:
        click.echo("seating is resumed")


def _announcing(text: str, hours: float | None, *, why: str, pauses_seating: bool = False) -> v1.AnnounceRequest:
    ends_at = None if hours is None else int(time.time() + hours * _SECONDS_AN_HOUR)
    return v1.AnnounceRequest(sentence=text, ends_at=ends_at, pauses_seating=pauses_seating, why=why)


def _row(announcement: v1.Announcement) -> dict[str, Any]:
    return {
        "number": str(announcement.number),
        "announcement": announcement.sentence,
        "made": written(announcement.made_at),
        "ends": written(announcement.ends_at) if announcement.HasField("ends_at") else None,
        "seating": "paused" if announcement.pauses_seating else None,
    }
