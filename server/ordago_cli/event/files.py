"""``ordago check | plan | status | report``: information on events, before and while they are played."""

import json
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click

from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago_cli.errors import (
    EXIT_OUTSIDE,
    EXIT_USAGE,
    CommandError,
    run,
)
from ordago_cli.event.common import (
    ALL_FOLDERS,
    check_parquet,
    event_argument,
    folder_of,
    naming_errors,
    open_store,
    out_option,
    parquet_option,
    print_ladders,
    publishing,
    read_event,
    show_ladders,
    write_parquet_too,
)
from ordago_cli.event.progress import status_lines
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import store_option
from ordago_ladder.entrants.sandboxes import exposures, isolation_of
from ordago_ladder.event_file.entry import without_places
from ordago_ladder.event_file.file import time_problems
from ordago_ladder.folder import EventFolder
from ordago_ladder.pages.facts import duplicate_sentences
from ordago_ladder.publication.archive import ladder_of, publish_event
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.run.estimate import Estimate, LikeError, SpreadRange, estimate, published_spreads
from ordago_ladder.run.measuring import Pace, measured_pace
from ordago_ladder.run.run_note import run_of
from ordago_ladder.run.status import status_of
from ordago_ladder.run.store_check import checked_state
from ordago_ladder.schedule import schedule
from ordago_ladder.schedule.balance import balance, balance_lines
from ordago_ladder.schedule.process_slots import few_processes
from ordago_ladder.settings.settings import Settings

_WIDTH: Final = 24


def measured(settings: Settings, text: str, *, hidden: Sequence[Path]) -> list[Pace]:
    """Measure the games of an event one after the other, and report each."""
    paces = []
    for game in settings.games:
        click.echo(f"{game.name}: playing some matches", err=True)
        paces.append(run(partial(measured_pace, settings, game, text=text, tell=_warn, hidden=hidden)))
    return paces


def duplicate_lines(settings: Settings) -> Iterator[str]:
    """Yield which tables play duplicates, by game, and how remote entrants with few processes could play them too."""
    yield from (said.written() for said in duplicate_sentences(settings))
    remote = {entrant.name for entrant in settings.remote_entrants}
    if any(remote.intersection(few_processes(settings, game).apart) for game in settings.games):
        yield "With duplicates = true, processes of remote entrants take turns: see docs/duplicates.md for the risk."


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)


def figure_lines(figures: Estimate, paces: Sequence[Pace]) -> Iterator[str]:
    """Yield the figures of an event as lines, and the measured pace of each game."""
    values = figures._asdict()
    fewest, least = values.pop("fewest_matches"), values.pop("least_elo_error")
    if fewest < figures.matches:
        values["matches"] = f"{fewest} to {figures.matches}"
    values["elo_error"] = f"{least:.1f} to {figures.elo_error:.1f}"
    for name, value in values.items():
        shown = "unknown; --measure plays a few matches" if value is None else value
        yield f"{name.replace('_', ' '):{_WIDTH}} {f'{shown:.1f}' if isinstance(shown, float) else shown}"
    for pace in paces:
        speed = f"{pace.matches} matches at {pace.per_second:.2f}/s take {pace.seconds:.1f} s"
        yield f"{pace.game:{_WIDTH}} {speed}, if they go as {pace.sample} went"


@click.command(epilog="Example: ordago check tournaments/events/demo.toml")
@event_argument
@json_option
def check(event: Path, *, as_json: bool) -> None:
    """Check an event file, and show what it describes."""
    settings, text = read_event(event, filled=True)
    try:
        with isolation_of(settings) as isolation:
            holds = isolation.sentence if isolation is not None else ""
            exposed = list(exposures(settings, isolation))
    except NoIsolationError as error:
        raise CommandError(f"{event}: {error}", exit_code=EXIT_OUTSIDE) from error
    times = list(time_problems(settings, now=datetime.now(tz=UTC)))
    duplicates = list(duplicate_lines(settings.present))
    names = {
        "event": settings.event.name,
        "games": [game.name for game in settings.games],
        "entrants": [entrant.name for entrant in without_places(settings, text).entrants],
        "isolation": holds,
        "exposures": exposed,
        "times": times,
        "duplicates": duplicates,
    }
    if as_json:
        click.echo(json.dumps(names))
    else:
        games = ", ".join(game.name for game in settings.games)
        most = "up to " if settings.event.open_entry else ""
        click.echo(f"{event} is valid: {most}{len(settings.entrants)} entrants play {games}")
        for sentence in filter(None, (holds, *exposed, *duplicates, *(f"warning: {sentence}" for sentence in times))):
            click.echo(sentence)


@click.command(epilog="Example: ordago plan tournaments/events/demo.toml --measure")
@event_argument
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Matches per second to assume. Without it and --measure no duration is estimated.",
)
@click.option("--measure", is_flag=True, help="Measure the speed: play matches of each game for about 20 seconds.")
@click.option("--balance", "with_balance", is_flag=True, help="Show how often each pair meets, and who sits where.")
@click.option(
    "--like",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LADDER.json",
    help="Expect entrants as far apart, in each game, as in this ladder of an earlier event.",
)
@json_option
def plan(
    event: Path, rate: float | None, like: Path | None, *, measure: bool, with_balance: bool, as_json: bool
) -> None:
    """Show how many matches an event takes, how long they last, and how exact its ladder will be."""
    if measure and rate is not None:
        raise click.UsageError("--rate and --measure cannot be combined")
    settings, text = read_event(event, filled=True)
    settings = settings.present
    if with_balance:
        _show_balance(settings, as_json=as_json)
        return
    spreads = _spreads_of(like, settings) if like is not None else None
    figures, paces = estimate(settings, matches_per_second=rate, spreads=spreads), []
    if measure and settings.remote_entrants:
        away = ", ".join(entrant.name for entrant in settings.remote_entrants)
        raise click.UsageError(
            f"--measure plays here, where these remote entrants are not: {away}; give --rate instead"
        )
    if measure:
        with naming_errors(EventFolder(Path())):
            # A path that is missing is not created: the measured matches leave nothing behind.
            hidden = [path for path in (event, ALL_FOLDERS) if path.exists()]
            paces = measured(settings, text, hidden=hidden)
        figures = figures._replace(seconds=sum(pace.seconds for pace in paces))
    if as_json:
        by_game = {pace.game: pace._asdict() | {"seconds": pace.seconds} for pace in paces}
        click.echo(json.dumps(figures._asdict() | ({"by_game": by_game} if measure else {})))
        return
    for line in figure_lines(figures, paces):
        click.echo(line)
    for line in duplicate_lines(settings):
        click.echo(line)


def _spreads_of(like: Path, settings: Settings) -> dict[str, SpreadRange]:
    """Read the spreads of the games of an earlier event."""
    try:
        spreads = published_spreads(read_file(like, follow=True))
    except (UnreadableError, LikeError) as error:
        sentence = f"{like}: {error}; give the ladder.json of an earlier event"
        raise CommandError(sentence, exit_code=EXIT_USAGE) from error
    for game in settings.games:
        if game.name not in spreads:
            _warn(f"{like} has no {game.name}, where the usual spread is expected")
    return spreads


def _show_balance(settings: Settings, *, as_json: bool) -> None:
    """Show the balance of the schedule, as far as it is known before the first match."""
    found = balance(settings, schedule.plan(settings).matches)
    if as_json:
        games = [game._asdict() for game in found.games]
        click.echo(json.dumps(found._asdict() | {"games": games}))
        return
    for line in balance_lines(found):
        click.echo(line)


@click.command(epilog="Example: ordago status tournaments/events/demo.toml")
@event_argument
@out_option
@store_option
@json_option
def status(event: Path, out: Path | None, place: str | None, *, as_json: bool) -> None:
    """Show how far an event has come, how fast it goes, what went wrong, and its ladder so far.

    EVENT.toml may also be the folder of an event. The command only reads, and works while the event runs.
    """
    if event.is_dir():
        event, out = EventFolder(event).event_file, out or event
    settings, _ = read_event(event)
    folder = folder_of(settings, out)
    with open_store(folder, settings, place) as store:
        state = store.state()
    found = status_of(settings, state, run=run_of(folder), now=time.time())
    if as_json:
        click.echo(json.dumps(found._asdict()))
        return
    for line in status_lines(found):
        click.echo(line)
    print_ladders(ladder_of(settings, state))


@click.command(epilog="Example: ordago report tournaments/events/demo.toml")
@event_argument
@out_option
@store_option
@parquet_option
@json_option
def report(event: Path, out: Path | None, place: str | None, parquet: Path | None, *, as_json: bool) -> None:
    """Publish the results of an event so far into its folder, and show its ladder."""
    settings, text = read_event(event)
    folder = folder_of(settings, out)
    check_parquet(parquet, folder)
    with publishing(folder), open_store(folder, settings, place) as store:
        checked_state(settings, store, folder)
        ladder = publish_event(settings, text, store, folder).ladder
        write_parquet_too(ladder, parquet)
    show_ladders(ladder, folder, as_json=as_json)
