"""``ordago faults``: what went wrong with one's own bots on the standing ladder of a server."""

import json
from typing import Final

import click

from ordago import v1
from ordago.edge.services.client import LadderClient
from ordago.names import visible
from ordago.record import fault_name
from ordago_bot.asked import asked_in
from ordago_cli.options.asking import Asked, as_values, asks
from ordago_cli.options.outputs import paged, tell_more
from ordago_cli.terminal.tables import moment, print_table

_HEADS: Final = ("match", " decision", "over", "bot", "game", "seat", "what went wrong")


@click.command(epilog="Example: ordago faults --token-file my.token --bot sota")
@asks
@click.argument("match", required=False, default="")
@click.argument("decision", required=False, type=click.IntRange(1, 2**31 - 1))
@click.option("--bot", default="", help="Only faults of this bot.")
@click.option("--account", default="", help="The account; for admins. Default: that of the token.")
@paged(rows=20)
def faults(
    asked: Asked[LadderClient],
    *,
    match: str,
    decision: int | None,
    bot: str,
    account: str,
    rows: int,
    page_token: str,
    as_json: bool,
) -> None:
    """List what went wrong with your bots on a server's ladder, or print a DECISION of a MATCH to replay it.

    It is printed as lines of JSON, as bots log their decisions.
    """
    if match and decision is None:
        raise click.UsageError("MATCH needs the DECISION too, as ordago faults lists both")
    if match:
        _print_decision(asked, v1.GetFaultRequest(account=account, bot=bot, match_id=match, decision=decision))
        return
    request = v1.ListFaultsRequest(account=account, bot=bot, page_size=rows, page_token=page_token)
    with asked(LadderClient) as client:
        answer = client.ask(request, v1.ListFaultsResponse)
    if as_json:
        click.echo(json.dumps(as_values(answer), indent=1))
        return
    if answer.faults:
        print_table(_HEADS, map(_row, answer.faults))
    else:
        click.echo("nothing went wrong")
    tell_more(answer.next_page_token)


def _print_decision(asked: Asked[LadderClient], request: v1.GetFaultRequest) -> None:
    with asked(LadderClient) as client:
        answer = client.ask(request, v1.GetFaultResponse)
    for line in asked_in(answer):
        click.echo(line.json_line(), nl=False)


def _row(fault: v1.BotFault) -> tuple[str, ...]:
    bot = visible(f"{fault.bot} {fault.version}".strip())
    seat = str(fault.seat + 1)
    return fault.match_id, str(fault.decision), moment(fault.ended), bot, fault.game, seat, visible(_in_words(fault))


def _in_words(fault: v1.BotFault) -> str:
    if fault.forfeited:
        return f"forfeited: {fault.sentence}"
    words = [f"refused ({each.refused.rule}): {each.refused.sentence}" for each in fault.refusals]
    if fault.fault:
        away = f", {fault.away_ms} ms without a connection" if fault.away_ms else ""
        words.append(f"default answer ({fault_name(fault.fault)}, {fault.charged_ms} ms{away})")
    return "; ".join(words)
