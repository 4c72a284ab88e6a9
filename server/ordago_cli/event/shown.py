"""Output of hosted events for people. All text from the server goes through ``visible``."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago import v1
from ordago.edge.services.event_streams import RUNS
from ordago.names import visible
from ordago_cli.ladder.command import title_of
from ordago_cli.terminal.tables import moment
from ordago_ladder.pages.figures import rating_cells
from ordago_ladder.rating.known import Known, Note, noted

STAGE_WORDS: Final = {
    v1.HOSTED_EVENT_STAGE_ENTRY: "entry",
    v1.HOSTED_EVENT_STAGE_CHECK_IN: "check-in",
    v1.HOSTED_EVENT_STAGE_PLAYING: "playing",
    v1.HOSTED_EVENT_STAGE_OVER: "over",
    v1.HOSTED_EVENT_STAGE_STOPPED: "stopped",
    v1.HOSTED_EVENT_STAGE_FAILED: "failed",
}
"""The stages of an event, in the words of the command line."""
_STEPS: Final = 20
"""The number of steps in which played matches are reported."""
_MOST_NAMES: Final = 8
"""The number of names in a line."""


def opened_lines(event: v1.HostedEvent, address: str, *, tls: bool) -> list[str]:
    """Return the lines after opening an event: its state, and the next steps."""
    name = visible(event.name)
    if event.stage not in RUNS:
        return event_lines(event)
    over = " --tls" if tls else ""
    lines = [f"{name} is open at {address}", *event_lines(event)]
    if event.stage == v1.HOSTED_EVENT_STAGE_ENTRY:
        lines.append(
            f"authors enter with: ordago event enter {name} --server {address}{over} --token-file FILE --as NAME"
        )
    if event.here or event.missing:
        come_in = f"--address {address}{over} --token-file FILE --event {name}"
        lines.append(f"entrants connect with: python my_bot.py {come_in}")
    return [*lines, f"follow it: ordago event show {name} --server {address}{over} --follow"]


def entered_lines(event: v1.HostedEvent, entrant: str, address: str, *, tls: bool) -> list[str]:
    """Return the lines after entering an event: when it begins, and the next step."""
    name, over = visible(event.name), " --tls" if tls else ""
    return [
        f"{visible(entrant)} is entered in {_heading(event)}, which begins {moment(event.begins_at)}",
        f"start the bot before: python my_bot.py --address {address}{over} --token-file FILE --event {name}",
    ]


def event_lines(event: v1.HostedEvent) -> list[str]:
    """Return an event as lines, the first of which is its state."""
    lines = [f"{_heading(event)}: {_stage(event)}", _opened(event)]
    if event.stage == v1.HOSTED_EVENT_STAGE_CHECK_IN:
        lines.append(_begins(event))
    if event.stage == v1.HOSTED_EVENT_STAGE_ENTRY:
        return [*lines, *_entry_lines(event)]
    if event.here:
        lines.append(f"checked in: {_names(event.here)}")
    if event.missing:
        lines.append(f"not here: {_names(event.missing)}")
    return lines


def _entry_lines(event: v1.HostedEvent) -> Iterator[str]:
    """Yield how long authors may enter an event, how many, and which have."""
    yield f"authors may enter until it begins, {moment(event.begins_at)}: {_places(event)}"
    if event.missing:
        yield f"entrants: {_names(event.missing)}"


def _places(event: v1.HostedEvent) -> str:
    return f"{event.places_left:,} {'place is' if event.places_left == 1 else 'places are'} left"


def event_row(event: v1.HostedEvent) -> Sequence[str]:
    """Return an event as a row of a table."""
    stage = STAGE_WORDS.get(event.stage, str(event.stage))
    if event.stage == v1.HOSTED_EVENT_STAGE_ENTRY:
        stage = f"{stage}, {event.places_left:,} left"
    return event.name, stage, _matches(event), moment(event.opened_at), event.opened_by, event.title


def follow_lines(responses: Iterable[v1.WatchEventResponse]) -> Iterator[str]:
    """Yield the progress of an event: a line for each change, matches in steps."""
    shown, step = None, -1
    for event in (response.event for response in responses):
        if shown is None:
            yield from (_heading(event), _opened(event))
        known = (event.stage, event.sentence, event.planned, *event.here, "", *event.missing)
        now = event.played * _STEPS // max(event.planned, 1)
        if known != shown or now != step:
            yield _news(event)
            shown, step = known, now


def stopped_line(event: v1.HostedEvent) -> str:
    """Return the line after stopping an event."""
    line = f"{visible(event.name)}: {_stage(event)}"
    if event.stage != v1.HOSTED_EVENT_STAGE_STOPPED:
        return line
    return f"{line}; it goes on when it is opened again: ordago event open FILE"


def removed_lines(answer: v1.RemoveEventResponse) -> list[str]:
    """Return the lines after removing an event: what is gone, and what is left."""
    event = answer.event
    lines = [
        f"{_heading(event)} is removed: {answer.files:,} files, {event.size_mib:,} MiB: its results, records and pages",
        "only downloaded copies and receipts of bots remain",
    ]
    taken = f"no other event can have the name {visible(event.name)}"
    return [*lines, taken] if event.planned or event.played else lines


def standing_heads(*, with_points: bool) -> Sequence[str]:
    """Return the column heads of standings."""
    points = (" points",) if with_points else ()
    return (" #", "entrant", "version", " Elo", " ±", " matches", *points, " faults", " forfeits")


def standing_row(line: v1.EventStanding, *, with_points: bool) -> Sequence[str]:
    """Return a standing as a row of a table."""
    points = (f"{line.points:.2f}" if line.HasField("points") else "-",) if with_points else ()
    forfeits = f"{line.forfeits:,}{' suspended' if line.suspended else ''}"
    return (
        str(line.rank),
        line.entrant,
        line.version or "-",
        *rating_cells(_known(line)),
        f"{line.matches:,}",
        *points,
        f"{line.faults:,}",
        forfeits,
    )


def _known(line: v1.EventStanding) -> Known:
    # A newer server may have more notes than this version.
    note = Note(line.rating_note) if line.rating_note in list(Note) else Note.TOO_FEW
    return noted(note, line.elo, line.low, line.high)


def _heading(event: v1.HostedEvent) -> str:
    name, title = visible(event.name), visible(event.title)
    return f"{title} ({name})" if title not in ("", name) else name


def _stage(event: v1.HostedEvent) -> str:
    stage = STAGE_WORDS.get(event.stage, str(event.stage))
    count = f", {_matches(event)} matches" if event.planned or event.played else ""
    sentence = visible(event.sentence)
    if sentence.startswith(stage):
        return f"{sentence}{count}"
    return f"{stage}{count}{f': {sentence}' if sentence else ''}"


def _matches(event: v1.HostedEvent) -> str:
    return f"{event.played:,} of {event.planned:,}" if event.planned else f"{event.played:,}"


def _opened(event: v1.HostedEvent) -> str:
    games = ", ".join(title_of(game) for game in event.games)
    plays = f"; plays {games}" if games else ""
    return f"opened {moment(event.opened_at)} by {visible(event.opened_by)}{plays}"


def _begins(event: v1.HostedEvent) -> str:
    if not event.HasField("begins_at"):
        ends = f"; check-in ends {moment(event.check_in_ends_at)}" if event.HasField("check_in_ends_at") else ""
        return f"begins when everybody is here{ends}"
    return f"begins when everybody is here, at the latest {moment(event.begins_at)}"


def _news(event: v1.HostedEvent) -> str:
    if event.stage == v1.HOSTED_EVENT_STAGE_ENTRY:
        return f"entry: {len(event.missing)} will come in; {_places(event)}"
    if event.stage != v1.HOSTED_EVENT_STAGE_CHECK_IN:
        return _stage(event)
    here = f"{len(event.here)} of {len(event.here) + len(event.missing)} are here"
    return f"check-in: {here}{f'; not here: {_names(event.missing)}' if event.missing else ''}"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(map(visible, names[:_MOST_NAMES]))
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
