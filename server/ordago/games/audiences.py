"""Events with their audiences, made quickly."""

from ordago.game import Event, EventT
from ordago.tuples import made


def public(full: EventT) -> Event[EventT]:
    """Return an event that everybody sees."""
    return made(Event, (full, None, None))


def hidden(full: EventT, audience: int, redacted: EventT) -> Event[EventT]:
    """Return an event that only some seats see in full, a bit mask, and what the others see of it."""
    return made(Event, (full, audience, redacted))
