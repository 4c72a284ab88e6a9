"""The due matches of an event, from its event file, ledger and results; also its beacon.

The file of an event that has begun may ask for more, and entrants may join or withdraw (see ``stages``). Matches that
were due stay due, and results stand. Who is suspended or withdraws plays no more: its other matches are dropped.

The value of a public beacon must be unknown when the secret and all nonces are fixed. Otherwise an organiser, who knows
the secret, could choose the deals through the nonce of their own entrant. So the first run of an event with a beacon
only begins it, and all entrants check in. Later runs play the event; the first of them is given the value.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ordago.record.ledgers.event import BeaconEntry, ChangeEntry, Ledger, ResultEntry, SuspensionEntry, VoidEntry
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.matches.parts import part_of
from ordago_ladder.matches.stages import stages_of
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.schedule.schedule import Plan, Schedule, round_robin_matches
from ordago_ladder.schedule.stages import Stage, StagedMatches
from ordago_ladder.schedule.turns import follow_one_another
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.settings import Settings


class Progress(NamedTuple):
    """The number of matches of an event that are due, and its settings digest."""

    planned: int
    """The number of matches that are due so far."""
    complete: bool
    """True once no more will come due."""
    settings_digest: bytes
    """The digest of the settings that the event, or its last part, began with."""
    rounds: tuple[int, ...] = ()
    """The number of matches after each round that is known, in the formats in which results decide who plays next."""
    stages: tuple[Stage, ...] = ()
    """The event from one change of its file to the next, with the processes that checked in; empty if that follows from
    the event file alone."""


def due_matches(
    settings: Settings, ledger: Ledger, results: Collection[MatchResult], *, schedule: Schedule | None = None
) -> Plan:
    """Return the matches of an event that are due. Those issued before its file changed come first.

    Args:
        settings: the event.
        ledger: its ledger, with its changes and its closing.
        results: the results so far, in any order.
        schedule: the schedule of an earlier call with some of these results and this ledger, which saves work; see
            ``schedule_of``.
    """
    schedule = schedule or schedule_of(settings, ledger)
    return unless_closed(schedule.plan(results), schedule, ledger)


def unless_closed(known: Plan, schedule: Schedule, ledger: Ledger) -> Plan:
    """Cut off the plan of a closed event at its last issued match. Keep a plan that does not reach it yet."""
    if ledger.closing is None or schedule.boundaries[-1] < ledger.closing.issued:
        return known
    issued = ledger.closing.issued
    matches = tuple(planned for planned in known.matches if planned.row < issued)
    return Plan(matches, complete=True, rounds=tuple(end for end in known.rounds if end <= issued))


def schedule_of(settings: Settings, ledger: Ledger) -> Schedule:
    """Return the schedule of an event with the processes that checked in, through all changes of its file."""
    first, *later = stages_of(as_played(settings, ledger), ledger)
    return Schedule(first.settings, later)


def course_problems(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Iterator[str]:
    """Yield a sentence for each ledger entry after which the due matches differ from those of a real run.

    Args:
        settings: the event.
        ledger: its ledger, whose entrants are those of the event.
        results: all of its results.
    """
    if settings.event.by_rounds:
        schedule = schedule_of(settings, ledger)
        schedule.plan(results)
        yield from _round_problems(ledger, schedule.boundaries)
    else:
        yield from _stage_problems(stages_of(as_played(settings, ledger), ledger), ledger)
    matches = {played.match.match_id: played.planned for played in results}
    yield from _part_problems(settings, ledger, results)
    yield from _order_problems(ledger, matches)
    yield from _turn_problems(as_played(settings, ledger), ledger, matches)


def _round_problems(ledger: Ledger, boundaries: Collection[int]) -> Iterator[str]:
    for change in ledger.changes:
        if change.issued not in boundaries:
            yield f"The event file changed at {change.time} within a round, and the rest of the round was dropped."
    if ledger.closing is not None and ledger.closing.issued not in boundaries:
        yield "The event was closed within a round, and the rest of the round was dropped."


def _stage_problems(stages: Sequence[Stage], ledger: Ledger) -> Iterator[str]:
    staged = StagedMatches(round_robin_matches)
    for stage, change, has_played in zip(stages, ledger.changes, _play_before_changes(ledger), strict=False):
        # A run issues all due matches before it plays any of them.
        due = staged.enter(stage)
        if change.issued != len(due) and (has_played or change.issued != len(staged.issued)):
            yield (
                f"When the event file changed at {change.time}, {len(due)} matches were due, and only {change.issued} "
                "stayed so."
            )
            return
        staged.leave(due, issued=change.issued)


def _play_before_changes(ledger: Ledger) -> Iterator[bool]:
    """Yield one value for each change: True if a match ended since the previous one."""
    has_played = False
    for entry in ledger.entries:
        if isinstance(entry, ChangeEntry):
            yield has_played
            has_played = False
        has_played |= isinstance(entry, ResultEntry | VoidEntry)


def _part_problems(settings: Settings, ledger: Ledger, results: Iterable[MatchResult]) -> Iterator[str]:
    """Yield a sentence for each part that ended too soon, and for each result that is not in the part of its match.

    An organiser who could end a part early, and so see its deals, could have others for the same matches.
    """
    known = {played.match.match_id: played for played in results}
    stages = stages_of(settings, ledger)
    for number, part in enumerate(ledger.parts):
        before = Ledger(ledger.lines[: part.first], ledger.entries[: part.first])
        ended = [known[entry.match_id] for entry in before.results if entry.match_id in known]
        if number:
            due = due_matches(stages[len(before.changes)].settings, before, ended)
            if not due.complete or {played.planned for played in ended} != set(due.matches):
                yield f"Part {number} of the event ended, although by its results more matches were due."
        for entry in part.entries:
            played = known.get(entry.match_id) if isinstance(entry, ResultEntry) else None
            if played is not None and part_of(played.planned, ledger) is not part:
                yield f"Match {played.match.match_id} has its result in part {number + 1}, to which it does not belong."


def _order_problems(ledger: Ledger, matches: Mapping[str, PlannedMatch]) -> Iterator[str]:
    """Yield a sentence for each result that cannot stand where it does in the ledger."""
    gone, most = set[str](), -1
    for entry in ledger.entries:
        match entry:
            case SuspensionEntry():
                gone.add(entry.entrant)
            case ChangeEntry():
                gone.update(entry.withdrawn)
                if most >= entry.issued:
                    yield f"When the event file changed at {entry.time}, more matches had been issued."
            case ResultEntry() if entry.match_id in matches:
                planned = matches[entry.match_id]
                most = max(most, planned.row)
                for name in sorted(gone.intersection(planned.entrants)):
                    yield f"Match {entry.match_id} has a result, though {name!r} had been suspended or had withdrawn."


def _turn_problems(settings: Settings, ledger: Ledger, matches: Mapping[str, PlannedMatch]) -> Iterator[str]:
    """Yield a sentence for each result that came before that of an earlier turn of its set."""
    latest = dict[str, int]()
    for match_id, planned in ((entry.match_id, matches.get(entry.match_id)) for entry in ledger.results):
        if planned is not None and follow_one_another(planned, settings):
            if planned.seating < latest.get(planned.set_key, -1):
                yield f"Match {match_id} ended after a later seating of its set, though their processes take turns."
            latest[planned.set_key] = planned.seating


def unaltered(settings: Settings) -> Progress:
    """Return the progress of an event as its file says, whose matches are all due at once."""
    return Progress(match_count(settings), complete=True, settings_digest=settings_digest(settings))


def progress_of(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Progress:
    """Return the progress of an event. A Swiss event has a known number of matches, and all of them are counted."""
    if not ledger.changes and not ledger.gone and not settings.event.by_rounds:
        return unaltered(settings)
    due = due_matches(settings, ledger, results)
    planned = len(due.matches)
    if settings.event.format == "swiss" and not due.complete:
        planned = max(planned, match_count(settings.present))
    begun = ledger.parts[-1].begin.settings_digest
    stages = stages_of(as_played(settings, ledger), ledger)
    return Progress(planned, due.complete, bytes.fromhex(begun), due.rounds, tuple(stages))


class BeaconError(Exception):
    """A beacon value that cannot be accepted: a mistake of the organiser."""


class BeaconDueError(Exception):
    """The event has begun and waits for the value of its beacon. This is no mistake."""


def due_beacon(settings: Settings, ledger: Ledger, value: bytes | None) -> BeaconEntry | None:
    """Return the beacon entry that the ledger needs before a match is played; ``None`` if it needs none.

    Args:
        settings: the event.
        ledger: its ledger so far.
        value: the value from the organiser; ``None`` without one.

    Raises:
        BeaconError: the value cannot be accepted. The message says what to do.
        BeaconDueError: the value is missing. The message says what to do.
    """
    beacon, entered = settings.event.beacon, ledger.beacon
    if beacon is None:
        _refuse(value, "the event file names no beacon: run without --beacon")
        return None
    if entered is not None:
        known = None if value is not None and value.hex() == entered.value else value
        _refuse(known, f"the value of the beacon is {entered.value} already, and deals depend on it")
        return None
    if not ledger.checked_in:
        _refuse(
            value, "no entrant has checked in yet, and the value must not be known before: run without --beacon first"
        )
        return None
    if value is None:
        raise BeaconDueError(
            "the event has begun and all nonces are published: run again with --beacon HEX, the value of round "
            f"{beacon.round} of {beacon.source}, once that is public"
        )
    return BeaconEntry(source=beacon.source, round=beacon.round, value=value.hex())


def _refuse(value: bytes | None, sentence: str) -> None:
    if value is not None:
        raise BeaconError(sentence)
