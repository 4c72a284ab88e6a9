"""Events that grow: more entrants take part in an event that has begun.

They stand in the event file behind all others. What was due before stays due, and what was played stands. The ledger
tells of it before they check in.
"""

from collections.abc import Iterator
from typing import Final

from ordago.record.ledgers.event import GrowthEntry, Ledger
from ordago_ladder.settings.formats import BY_ROUNDS
from ordago_ladder.settings.identity import identity_of, settings_digest
from ordago_ladder.settings.settings import Settings

MOST_GROWTHS: Final = 20
"""So often an event may grow. Whoever verifies it plans it once for each."""


class GrowthError(Exception):
    """More entrants than before stand in an event file, and cannot take part any more. The organiser erred."""


def growth_of(settings: Settings, ledger: Ledger, *, identity: str, issued: int) -> GrowthEntry | None:
    """Return how an event has grown since it was run last; ``None`` where it has not, or is another event.

    Args:
        settings: the event file as it is now.
        ledger: the ledger so far.
        identity: the digest of what determined the event so far.
        issued: how many matches were issued so far.

    Raises:
        GrowthError: it may not grow any more.
    """
    known = len(ledger.entrants)
    if len(settings.entrants) <= known or identity_of(settings.of_first(known)) != identity:
        return None
    names = tuple(entrant.name for entrant in settings.entrants[known:])
    reason = _reason_against(settings, ledger)
    if reason:
        raise GrowthError(f"{', '.join(map(repr, names))} cannot take part any more: {reason}; take the section out")
    return GrowthEntry(settings_digest=settings_digest(settings).hex(), issued=issued, entrants=names)


def _reason_against(settings: Settings, ledger: Ledger) -> str:
    if ledger.end is not None:
        return "the event is over, and its secret is known"
    if settings.event.format in BY_ROUNDS:
        return f"who plays in the next round of the format {settings.event.format} is settled by those before"
    if settings.event.beacon is not None:
        return "the event names a beacon, whose value they may know before they bring a nonce"
    if len(ledger.growths) >= MOST_GROWTHS:
        return f"the event has grown {MOST_GROWTHS} times, and may not more often"
    return ""


def field_problems(settings: Settings, ledger: Ledger) -> Iterator[str]:
    """Yield in what the entrants of a ledger are not those of an event file."""
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
