"""What an event file may say of entrants whose bots are started elsewhere."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ordago_ladder.settings import EntrantSettings, Settings


def begins_of(written: object) -> datetime:
    """Return when an event begins.

    Raises:
        ValueError: it is no time that everybody understands alike.
    """
    if isinstance(written, datetime) and written.utcoffset() is not None:
        try:
            return written.astimezone(UTC)
        except OverflowError:
            raise ValueError(f"'begins' takes a time of the years 1 to 9999, not {written.isoformat()}") from None
    raise ValueError("'begins' takes a time with its distance from UTC, without quotes: 2026-11-22T18:00:00Z")


def way_problem(entrant: "EntrantSettings") -> str | None:
    """Return what is wrong with the way in which an entrant's bots come to play, if anything is."""
    ways = [entrant.house is not None, entrant.command is not None, entrant.remote].count(True)
    if ways != 1:
        found = "more than one of them is here" if ways else "none of them is here"
        wanted = "write 'house', 'command' or 'remote = true'"
        return f"an entrant is a house bot, a command or remote, and {found}; {wanted}"
    if entrant.build and entrant.command is None:
        return "'build' is for entrants with a 'command'; leave it out"
    if entrant.build and not entrant.folder:
        return "'build' needs a 'folder' of the entrant's own, which it works in and may write to; name it"
    if entrant.account and not entrant.remote:
        return "'account' is for remote entrants; write 'remote = true' in place of a bot, or leave it out"
    if entrant.remote and (entrant.env or entrant.folder or entrant.readable):
        return "'env', 'folder' and 'readable' are for bots that are started here; a remote entrant has none of them"
    return None


def account_problems(settings: "Settings") -> Iterator[str]:
    """Yield a sentence for each account that two entrants have: nobody could tell whose bot comes in."""
    taken: dict[str, str] = {}
    for entrant in settings.remote_entrants:
        account = entrant.account or entrant.name
        first = taken.setdefault(account, entrant.name)
        if first != entrant.name:
            yield f"the account {account!r} is that of {first!r}; {entrant.name!r} needs one of its own"
