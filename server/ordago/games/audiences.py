"""Events by audience."""

from ordago.game import Event, EventT


def public(full: EventT) -> Event[EventT]:
    """Return an event that everybody sees."""
    return Event(full)


def hidden(full: EventT, audience: int, redacted: EventT) -> Event[EventT]:
    """Return an event that the seats in a bit mask see in full, with its redacted form for the others."""
    return Event(full, audience, redacted)
