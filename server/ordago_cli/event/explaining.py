"""``ordago explain``: the rounds of a Swiss event, a bracket, or the groups of a league, and why entrants met."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import click

from ordago.record.ledgers.event import read_ledger
from ordago.store import EventState
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.event.common import event_argument, folder_of, open_store, out_option, read_event
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import store_option
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import due_matches
from ordago_ladder.matches.stages import stages_of
from ordago_ladder.pages.figures import trimmed
from ordago_ladder.pages.swiss_page import reason_sentences
from ordago_ladder.publication.format_json import bracket_json, league_json, rounds_json
from ordago_ladder.publication.terminal import contest_line, group_lines, swiss_lines
from ordago_ladder.schedule.elimination import Bracket
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.schedule.schedule import bracket_of, league_of
from ordago_ladder.schedule.stages import Stage
from ordago_ladder.schedule.swiss_reasons import reasons_of
from ordago_ladder.schedule.swiss_standings import SwissRound, swiss_rounds
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import DRAWN


@click.command(epilog="Example: ordago explain tournaments/events/swiss-24.toml --round 4 --entrant solid-4")
@event_argument
@click.option("--round", "number", type=click.IntRange(min=1), help="Only this round, or this stage of a bracket.")
@click.option("--entrant", "names", multiple=True, help="Only the tables of this entrant; may be repeated.")
@out_option
@store_option
@json_option
def explain(
    event: Path,
    number: int | None,
    names: tuple[str, ...],
    out: Path | None,
    place: str | None,
    *,
    as_json: bool,
) -> None:
    """Show who met whom in a Swiss event, a knockout or a league, and why.

    EVENT.toml may also be the folder of an event. The command only reads, and works while the event runs.
    """
    if as_json and (number or names):
        raise click.UsageError("--json shows all rounds; leave out --round and --entrant")
    if event.is_dir():
        event, out = EventFolder(event).event_file, out or event
    settings, _ = read_event(event)
    _check(settings, event, names)
    with open_store(folder_of(settings, out), settings, place) as store:
        state = store.state()
    lines_of = {"swiss": _swiss, "league": _league}.get(settings.event.format, _elimination)
    for line in lines_of(settings, state, number, names, as_json=as_json):
        click.echo(line)


def _check(settings: Settings, event: Path, names: Iterable[str]) -> None:
    if settings.event.format not in ("swiss", *DRAWN):
        kinds = "a Swiss event, a knockout, a double elimination or a league"
        sentence = f"{event}: only {kinds} has pairings to explain; see ordago plan --balance"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    known = [entrant.name for entrant in settings.entrants]
    for name in names:
        if name not in known:
            raise CommandError(f"there is no entrant {name!r}; there are: {', '.join(known)}", exit_code=EXIT_USAGE)


def _swiss(
    settings: Settings, state: EventState, number: int | None, names: Sequence[str], *, as_json: bool
) -> Iterable[str]:
    ledger = read_ledger(state.lines)
    due = due_matches(settings, ledger, state.results)
    rounds = swiss_rounds(as_played(settings, ledger), due.matches, due.rounds, state.results)
    return [json.dumps(rounds_json(rounds))] if as_json else _round_lines(rounds, number, names)


def _elimination(
    settings: Settings, state: EventState, number: int | None, names: Sequence[str], *, as_json: bool
) -> Iterable[str]:
    begun, *later = _stages(settings, state)
    bracket = bracket_of(begun.settings, state.results, later)
    return [json.dumps(bracket_json(bracket))] if as_json else _bracket_lines(bracket, number, names)


def _league(
    settings: Settings, state: EventState, number: int | None, names: Sequence[str], *, as_json: bool
) -> Iterable[str]:
    begun, *later = _stages(settings, state)
    league = league_of(begun.settings, state.results, later)
    if as_json:
        return [json.dumps(league_json(league))]
    shown = [table for table in league.tables if not names or {line.entrant for line in table.lines} & {*names}]
    bracket = _bracket_lines(league.bracket, number, names) if league.bracket else ()
    return chain(group_lines(shown) if number is None else (), bracket)


def _stages(settings: Settings, state: EventState) -> Sequence[Stage]:
    ledger = read_ledger(state.lines)
    return stages_of(as_played(settings, ledger), ledger)


def _round_lines(rounds: Sequence[SwissRound], number: int | None, names: Sequence[str]) -> Iterator[str]:
    for one in rounds:
        if number in (None, one.number):
            yield f"Round {one.number}" + ("" if one.standings else ", being played")
            yield from _table_lines(rounds, one, names)
            yield from swiss_lines(one.standings) if not names else ()


def _table_lines(rounds: Sequence[SwissRound], one: SwissRound, names: Sequence[str]) -> Iterator[str]:
    for table, reason in zip(one.tables, reasons_of(rounds, one.number), strict=True):
        if names and not set(names) & set(table.entrants):
            continue
        sat = (
            f"{name} ({trimmed(one.before[name])}" + (f" + {trimmed(table.points[name])})" if table.points else ")")
            for name in table.entrants
        )
        yield f"  {table.game}: {', '.join(sat)}"
        yield f"    {' '.join(said.written() for said in reason_sentences(one, table, reason))}"
    for game, name in one.byes:
        if not names or name in names:
            yield f"  {game}: {name} has a bye: of those with the fewest byes, it had the fewest points"


def _bracket_lines(bracket: Bracket, number: int | None, names: Sequence[str]) -> Iterator[str]:
    came: dict[str, str] = {}
    for one in bracket.contests:
        sat = {contender.entrant for contender in one.contenders}
        if number in (None, one.stage) and (not names or sat & set(names)):
            yield contest_line(one)
            for name in (name for name in sorted(sat) if not names or name in names):
                seed = 1 + bracket.seeds.index(name)
                yield f"  {name}: {came.get(name, f'seed {seed}, its first table')}"
        for contender in one.contenders:
            won = "went on from" if contender.goes_on else "lost"
            came[contender.entrant] = f"{won} table {one.number}"
