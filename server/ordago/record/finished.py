"""The record of a match that was just played. It was made of bytes, and most who get it want nothing else."""

from typing import Final, Self, final

from ordago import v1


@final
class FinishedRecord:
    """A record as it was made.

    Attributes:
        match_id: the name of its match.
        serialized: the ``v1.MatchRecord``, serialized as it is kept.
    """

    __slots__ = ("_message", "match_id", "serialized")

    def __init__(self, match_id: str, serialized: bytes) -> None:
        """Take the parts, as they are called above."""
        self.match_id: Final = match_id
        self.serialized: Final = serialized
        self._message: v1.MatchRecord | None = None

    @classmethod
    def of(cls, record: v1.MatchRecord) -> Self:
        """Return a record that is there as a message. It shares the message."""
        finished = cls(record.match_id, record.SerializeToString(deterministic=True))
        finished._message = record
        return finished

    @property
    def message(self) -> v1.MatchRecord:
        """The message. It is made once, when somebody asks for it first."""
        if self._message is None:
            self._message = v1.MatchRecord.FromString(self.serialized)
        return self._message
