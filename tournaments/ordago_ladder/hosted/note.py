"""The note of a server about a hosted event, from which it is restored after a restart."""

from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from ordago.files import write_whole
from ordago_ladder.event_file.entry import Entry, entered_text
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.events_api import HostedStage

_ENDED: Final = (HostedStage.OVER, HostedStage.STOPPED, HostedStage.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The stored state of an event."""

    title: str
    """The title in the event file."""
    text: str
    """The text of the event file, as it was sent."""
    entries: tuple[Entry, ...] = ()
    """The entrants that authors entered, in the order of their entry, with those that the organiser removed."""
    places: int = 0
    """The number of entrants that may enter, with those that have."""
    named: tuple[tuple[str, str], ...] = ()
    """The name and the account of each entrant in ``text``; an empty account for a house bot."""
    opened: int
    """The time of its first opening, in seconds since 1970 UTC."""
    opened_by: str
    """The account that opened it first."""
    begins: int | None
    """The latest begin, in seconds since 1970 UTC; ``None`` to begin as soon as all entrants are here."""
    check_in_ends: int | None = None
    """The end of check-in, in seconds since 1970 UTC; ``None`` in notes of versions without one."""
    size: int = 0
    """Its disk usage in bytes when it last ended."""
    stage: HostedStage
    """The stage of the event."""
    sentence: str = ""
    """The reason why it stopped or failed; empty otherwise."""
    played: int = 0
    """The number of matches with results; in the file only known once it has ended."""
    planned: int = 0
    """The number of matches due so far."""

    @property
    def has_ended(self) -> bool:
        """True if it does not resume by itself at the next start of the server."""
        return self.stage in _ENDED

    @property
    def entered(self) -> tuple[Entry, ...]:
        """The entrants that authors entered, without those that the organiser removed."""
        return tuple(entry for entry in self.entries if not entry.removed)

    @property
    def whole_text(self) -> str:
        """The event file with the entrants that authors entered.

        Raises:
            EventFileError: the file is invalid.
        """
        return entered_text(self.text, self.entries)

    def write(self, folder: EventFolder) -> None:
        """Write the note into the folder of the event, durably: it survives a power cut after this returns.

        Raises:
            OSError: the file cannot be written.
        """
        write_whole(folder.hosted_note, _NOTES.dump_json(self))


_NOTES: Final = TypeAdapter(Note)


def read_note(folder: EventFolder) -> Note:
    """Return the note in the folder of an event.

    Raises:
        OSError: the file is missing or cannot be read.
        ValueError: its contents are no note.
    """
    return _NOTES.validate_json(folder.hosted_note.read_bytes())
