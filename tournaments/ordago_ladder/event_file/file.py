"""Reader of event files, with clear errors.

An event file stays valid when its times have passed, so ``time_problems`` only warns.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import tomlkit

from ordago.record.ledgers.event import BeaconRound
from ordago_ladder.event_file.written_file import Form, WrittenFileError
from ordago_ladder.schedule.counts import size_problem
from ordago_ladder.settings.sections import (
    AnnounceSettings,
    EntrantSettings,
    EventSettings,
    GameSettings,
    LimitSettings,
)
from ordago_ladder.settings.settings import Settings


class EventFileError(WrittenFileError):
    """An invalid event file: a mistake of the organiser."""


_FORM: Final = Form(
    Settings,
    {
        "event": ("[event]", EventSettings),
        "limits": ("[limits]", LimitSettings),
        "game": ("[[game]]", GameSettings),
        "entrant": ("[[entrant]]", EntrantSettings),
        "announce": ("[[announce]]", AnnounceSettings),
    },
    "[event], [limits], [anchors], [[announce]], [[game]] and [[entrant]]",
    EventFileError,
)


def read_event(path: Path) -> Settings:
    """Read an event file.

    Raises:
        EventFileError: it cannot be read, or it is invalid.
    """
    return _within_size(_FORM.read(path), source=path.name)


def parse_event(text: str, *, source: str = "event file") -> Settings:
    """Parse the text of an event file.

    Raises:
        EventFileError: it is invalid. The message has a line for each mistake, and each begins with the source.
    """
    return _within_size(_FORM.parse(text, source=source), source=source)


def _within_size(settings: Settings, *, source: str) -> Settings:
    problem = size_problem(settings)
    if problem is not None:
        raise EventFileError([problem], source=source)
    return settings


def without_environment(text: str) -> str:
    """Return the text of an event file for publication: without ``[[announce]]`` and values of environment variables.

    They may be secret. Everything else stays the same, including comments and layout.
    """
    document = tomlkit.parse(text)
    document.pop("announce", None)
    for entrant in document.get("entrant", ()):
        for name in entrant.get("env", ()):
            entrant["env"][name] = ""
    return tomlkit.dumps(document)


_LONGEST: Final = timedelta(days=366)
"""The longest wait before an event without a warning: a later date is most likely a mistyped year."""


class _Beacon(NamedTuple):
    """The times at which a public beacon publishes its values."""

    first: datetime
    """The time of round 1."""
    every: timedelta
    """The time between two rounds."""


# The genesis and the period of each chain, from https://api.drand.sh/v2/beacons/NAME/info.
_BEACONS: Final = {
    "drand quicknet": _Beacon(datetime.fromtimestamp(1_692_803_367, UTC), timedelta(seconds=3)),
    "drand default": _Beacon(datetime.fromtimestamp(1_595_431_050, UTC), timedelta(seconds=30)),
}


def time_problems(settings: Settings, *, now: datetime) -> Iterator[str]:
    """Yield a warning for each time of an event that cannot work as written if the event is run now."""
    event = settings.event
    if event.until is not None and event.until <= now:
        yield f"[event]: 'until' is in the past, {_iso(event.until)}: only one round is played"
    elif event.until is not None and event.begins is not None and event.until <= event.begins:
        yield "[event]: 'until' is no later than 'begins': only one round is played"
    if event.begins is not None and event.begins <= now:
        yield (
            f"[event]: 'begins' is in the past, {_iso(event.begins)}: a run waits {event.start_timeout:g} s "
            "(start_timeout) for remote entrants, and then begins without absent ones"
        )
    elif event.begins is not None and event.begins - now > _LONGEST:
        yield f"[event]: 'begins' is more than a year away, {_iso(event.begins)}: no match is played before"
    out = None if event.beacon is None else _out_at(event.beacon)
    if out is not None and out <= now:
        yield (
            f"[event]: the value of 'beacon' has been public since {_iso(out)}, before any check-in, so an entrant can "
            "choose the deals by its nonce; name a later round"
        )
    elif out is not None and event.begins is not None and out <= event.begins:
        yield (
            f"[event]: the value of 'beacon' becomes public at {_iso(out)}, before the event 'begins'; name a later "
            "round"
        )


def _out_at(beacon: BeaconRound) -> datetime | None:
    """Return the time at which the value of a beacon comes out; ``None`` for an unknown beacon."""
    known = _BEACONS.get(beacon.source.lower())
    return None if known is None else known.first + (max(1, beacon.round) - 1) * known.every


def _iso(time: datetime) -> str:
    return time.isoformat()
