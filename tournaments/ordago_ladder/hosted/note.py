"""What a server notes of an event that it plays, so that it goes on after a restart, or stays as it ended."""

from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from ordago.files import write_whole
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.events_api import HostedStage

_ENDED: Final = (HostedStage.OVER, HostedStage.STOPPED, HostedStage.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is noted of an event."""

    title: str
    """What its event file calls it."""
    text: str
    """The event file."""
    opened: int
    """When it was opened first, in seconds since 1970 UTC."""
    opened_by: str
    """The account that opened it first."""
    begins: int | None
    """When it begins at the latest, in seconds since 1970 UTC; ``None``: as soon as everybody is here."""
    check_in_ends: int | None = None
    """When check-in ends, in seconds since 1970 UTC; ``None``: before there was an end to it."""
    size: int = 0
    """How much room it took on the disk when it ended last, in bytes."""
    stage: HostedStage
    """How far it has come."""
    sentence: str = ""
    """Why it stopped or failed."""
    played: int = 0
    """How many matches have results; only known where it has ended."""
    planned: int = 0
    """How many are due by then."""

    @property
    def has_ended(self) -> bool:
        """Whether it goes on only when somebody says so, if at all."""
        return self.stage in _ENDED

    def write(self, folder: EventFolder) -> None:
        """Write it into the folder of the event. When this returns, it is safe from a power cut.

        Raises:
            OSError: it cannot be written.
        """
        write_whole(folder.hosted_note, _NOTES.dump_json(self))


_NOTES: Final = TypeAdapter(Note)


def read_note(folder: EventFolder) -> Note:
    """Return what is noted in the folder of an event.

    Raises:
        OSError: nothing is, or it cannot be read.
        ValueError: it is none.
    """
    return _NOTES.validate_json(folder.hosted_note.read_bytes())
