"""The due matches of an event, from its event file, ledger and results; also its growth and its beacon.

More entrants may join an event that has begun. The event file lists them after all others. Matches that were due stay
due, and results stand. The ledger records the growth before the new entrants check in.

The value of a public beacon must be unknown when the secret and all nonces are fixed. Otherwise an organiser, who knows
the secret, could choose the deals through the nonce of their own entrant. So the first run of an event with a beacon
only begins it, and all entrants check in. Later runs play the event; the first of them is given the value.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple, TypeAlias

from ordago.record.ledgers.event import BeaconEntry, GrowthEntry, Ledger, ResultEntry, VoidEntry
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.schedule.schedule import Plan, Schedule, plan
from ordago_ladder.settings.identity import identity_of, settings_digest
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import BY_ROUNDS

_Issued: TypeAlias = dict[tuple[str, int], PlannedMatch]
"""The matches issued so far, by set and seating, in the order of the rows."""


class Progress(NamedTuple):
    """The number of matches of an event that are due, and its settings digest."""

    planned: int
    """The number of matches that are due so far."""
    complete: bool
    """True once no more will come due."""
    settings_digest: bytes
    """The digest of the settings that the event began with."""
    rounds: tuple[int, ...] = ()
    """The number of matches after each round that is known, in the formats in which results decide who plays next."""


def due_matches(
    settings: Settings, ledger: Ledger, results: Collection[MatchResult], *, schedule: Schedule | None = None
) -> Plan:
    """Return the matches of an event that are due. Those issued before it grew stay due, and come first.

    Args:
        settings: the event.
        ledger: its ledger, with its growths and its closing.
        results: the results so far, in any order.
        schedule: the schedule of an earlier call with some of these results, which saves work. It has to be made from
            the settings that ``as_played`` returns.
    """
    settings = as_played(settings, ledger)
    if not ledger.growths:
        return _closed((schedule or Schedule(settings)).plan(results), ledger)
    matches: _Issued = {}
    for size, growth in zip(ledger.fields, (*ledger.growths, None), strict=True):
        matches = _with_due(matches, settings.of_first(size), most=growth.issued if growth else None)
    return Plan(tuple(matches.values()), complete=True)


def _with_due(before: _Issued, settings: Settings, *, most: int | None = None) -> _Issued:
    """Return the matches issued before, followed by the others that are due, but no more than ``most`` in all."""
    matches = dict(before)
    if len(matches) == most:
        return matches
    for planned in plan(settings).matches:
        matches.setdefault((planned.set_key, planned.seating), planned._replace(row=len(matches)))
        if len(matches) == most:
            break
    return matches


def _closed(known: Plan, ledger: Ledger) -> Plan:
    """Cut off the plan of a closed event at its last issued match. Keep a plan that does not reach it yet."""
    if ledger.closing is None or len(known.matches) < ledger.closing.issued:
        return known
    issued = ledger.closing.issued
    return Plan(known.matches[:issued], complete=True, rounds=tuple(end for end in known.rounds if end <= issued))


def course_problems(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Iterator[str]:
    """Yield a sentence for each ledger entry after which the due matches differ from those of a real run.

    Args:
        settings: the event.
        ledger: its ledger, whose entrants are those of the event.
        results: all of its results.
    """
    settings = as_played(settings, ledger)
    yield from _growth_problems(settings, ledger)
    if ledger.closing is not None:
        issued = ledger.closing.issued
        before_the_last = [played for played in results if played.planned.row < issued - 1]
        if len(plan(settings, before_the_last).matches) != issued:
            yield "The event was closed within a round, and the rest of the round was dropped."


def _growth_problems(settings: Settings, ledger: Ledger) -> Iterator[str]:
    issued: _Issued = {}
    for growth, size, has_played in zip(ledger.growths, ledger.fields, _play_before_growths(ledger), strict=False):
        # A run issues all due matches before it plays any of them.
        due = _with_due(issued, settings.of_first(size))
        if growth.issued == len(due):
            issued = due
        elif has_played or growth.issued != len(issued):
            yield f"When {growth.entrants[0]!r} came, {len(due)} matches were due, and only {growth.issued} stayed so."
            return


def _play_before_growths(ledger: Ledger) -> Iterator[bool]:
    """Yield one value for each growth: True if a match ended since the previous growth."""
    has_played = False
    for entry in ledger.entries:
        if isinstance(entry, GrowthEntry):
            yield has_played
            has_played = False
        has_played |= isinstance(entry, ResultEntry | VoidEntry)


def unaltered(settings: Settings) -> Progress:
    """Return the progress of an event that has not grown and whose matches are all due at once."""
    return Progress(match_count(settings), complete=True, settings_digest=settings_digest(settings))


def progress_of(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Progress:
    """Return the progress of an event. A Swiss event has a known number of matches, and all of them are counted."""
    by_rounds = settings.event.format in BY_ROUNDS
    if not ledger.growths and not by_rounds:
        return unaltered(settings)
    due = due_matches(settings, ledger, results)
    planned = match_count(settings) if settings.event.format == "swiss" else len(due.matches)
    return Progress(planned, due.complete, settings_digest(settings.of_first(ledger.fields[0])), due.rounds)


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


MOST_GROWTHS: Final = 20
"""The most growths of an event: a verification plans the event once for each."""


class GrowthError(Exception):
    """Entrants added to an event file too late to take part: a mistake of the organiser."""


def growth_of(settings: Settings, ledger: Ledger, *, identity: str, issued: int) -> GrowthEntry | None:
    """Return the growth of an event since its last run; ``None`` if it has not grown or is not the same event.

    Args:
        settings: the event file as it is now.
        ledger: the ledger so far.
        identity: the event's ``identity_of`` so far.
        issued: the number of matches issued so far.

    Raises:
        GrowthError: it cannot grow any more.
    """
    known = len(ledger.entrants)
    if len(settings.entrants) <= known or identity_of(settings.of_first(known)) != identity:
        return None
    names = tuple(entrant.name for entrant in settings.entrants[known:])
    reason = _reason_against(settings, ledger)
    if reason:
        raise GrowthError(f"{', '.join(map(repr, names))} cannot take part any more: {reason}; remove the section")
    return GrowthEntry(settings_digest=settings_digest(settings).hex(), issued=issued, entrants=names)


def _reason_against(settings: Settings, ledger: Ledger) -> str:
    if ledger.end is not None:
        return "the event is over, and its secret is known"
    if settings.event.format in BY_ROUNDS:
        return f"in the format {settings.event.format} earlier rounds decide who plays in the next one"
    if settings.event.beacon is not None:
        return "the event has a beacon, and its value may be known before the nonces of late entrants"
    if len(ledger.growths) >= MOST_GROWTHS:
        return f"the event has grown {MOST_GROWTHS} times, the maximum"
    return ""


def field_problems(settings: Settings, ledger: Ledger) -> Iterator[str]:
    """Yield a sentence for each difference between the entrants of a ledger and those of an event file."""
    if ledger.entrants != tuple(entrant.name for entrant in settings.entrants):
        yield "The entrants are not those of the event file."
        return
    if ledger.growths and settings.event.format in BY_ROUNDS:
        yield f"More entrants came in an event of the format {settings.event.format}, where that cannot be."
    if len(ledger.growths) > MOST_GROWTHS:
        yield f"More entrants came {len(ledger.growths)} times, and they may {MOST_GROWTHS} times."
        return
    for growth, size in zip(ledger.growths, ledger.fields[1:], strict=True):
        if growth.settings_digest != settings_digest(settings.of_first(size)).hex():
            yield f"The event file with {growth.entrants[-1]!r} in it was another."
