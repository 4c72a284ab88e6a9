"""Names that events on a server may not have: those that mean something else there, and those that look like another's.

A name is made of small letters, digits and hyphens. It stands in addresses of the site, in the folder of all events,
and as the name of a folder with whoever downloads.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from ordago.names import looks_like_one_of
from ordago_ladder.hosted.events_api import EventRefusedError, EventTakenError

_ENDS: Final = "0123456789"
RESERVED: Final = frozenset(
    # The site shows nothing that is called so.
    {"private"}
    # Files in the folder of all events.
    | {"lock", "removed"}
    # Names that Windows gives to devices, whatever follows: a folder with such a name cannot be made there.
    | {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in _ENDS}
)
"""Names that no event has."""


class Taken(NamedTuple):
    """A name that an event has, or had."""

    name: str
    account: str
    """Whose event it is, or was."""


def check_reserved(name: str) -> None:
    """Check that a name means nothing else.

    Raises:
        EventRefusedError: it does.
    """
    if name in RESERVED:
        raise EventRefusedError(f"the event file: [event]: 'name' cannot be {name!r} on a server: choose another one")


def check_alike(name: str, account: str, taken: Iterable[Taken]) -> None:
    """Check that a name does not look like that of an event of another account.

    Raises:
        EventTakenError: it does.
    """
    other = next((one for one in taken if one.account != account and looks_like_one_of(name, [one.name])), None)
    if other is not None:
        sentence = f"the name {name!r} looks like {other.name!r}, an event of {other.account!r}: choose another 'name'"
        raise EventTakenError(sentence)
