"""Times in an event file that cannot be kept any more, or hardly are what its author meant.

An event file stays as it is when its times have come, so that none of this makes it unfit.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from ordago.record.ledgers.event import BeaconRound
from ordago_ladder.settings.settings import Settings

_LONGEST: Final = timedelta(days=366)
"""Who waits for longer has most likely mistyped a year."""


class _Beacon(NamedTuple):
    """When the values of a public beacon come out."""

    first: datetime
    """When round 1 came out."""
    every: timedelta


# The genesis and the period of each chain, from https://api.drand.sh/v2/beacons/NAME/info.
_BEACONS: Final = {
    "drand quicknet": _Beacon(datetime.fromtimestamp(1_692_803_367, UTC), timedelta(seconds=3)),
    "drand default": _Beacon(datetime.fromtimestamp(1_595_431_050, UTC), timedelta(seconds=30)),
}


def time_problems(settings: Settings, *, now: datetime) -> Iterator[str]:
    """Yield in a sentence each what will not come of the times of an event that begins now."""
    event = settings.event
    if event.until is not None and event.until <= now:
        yield f"[event]: 'until' is over, {_told(event.until)}: one round is played and no more"
    elif event.until is not None and event.begins is not None and event.until <= event.begins:
        yield "[event]: 'until' is no later than 'begins': one round is played and no more"
    if event.begins is not None and event.begins <= now:
        yield (
            f"[event]: 'begins' is over, {_told(event.begins)}: a run waits {event.start_timeout:g} s (start_timeout) "
            "for remote entrants, and begins without the others"
        )
    elif event.begins is not None and event.begins - now > _LONGEST:
        yield f"[event]: 'begins' is more than a year away, {_told(event.begins)}: nobody plays before"
    out = None if event.beacon is None else _out_at(event.beacon)
    if out is not None and out <= now:
        yield (
            f"[event]: the value of 'beacon' is out since {_told(out)}, before anybody has checked in: who knows it "
            "can choose the deals by a nonce; name a round that is still to come"
        )
    elif out is not None and event.begins is not None and out <= event.begins:
        yield f"[event]: the value of 'beacon' is out at {_told(out)}, before the event 'begins'; name a later round"


def _out_at(beacon: BeaconRound) -> datetime | None:
    """Return when the value of a beacon comes out; ``None`` where that is not known here."""
    known = _BEACONS.get(beacon.source.lower())
    return None if known is None else known.first + (max(1, beacon.round) - 1) * known.every


def _told(time: datetime) -> str:
    return time.isoformat()
