"""Events by audience."""

from ordago.game import Event, EventT


def public(full: EventT) -> Event[EventT]:
    """Return an event that everybody sees."""
    return Event(full)


def hidden(full: EventT, audience: int, redacted: EventT) -> Event[EventT]:
    """Return an event that only some seats see in full, a bit mask, and what the others see of it."""
    return Event(full, audience, redacted)
