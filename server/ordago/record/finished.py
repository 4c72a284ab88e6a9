"""The record of a match that was just played, as bytes: most users need nothing else."""

from typing import Final, Self, final

from ordago import v1
from ordago.record.digest import digest, digest_of_written


@final
class FinishedRecord:
    """A record as it was made.

    Attributes:
        match_id: the name of its match.
        serialized: the ``v1.MatchRecord``, serialized as it is kept.
        refusals: the refused answers, as the ``refusals`` of a serialized ``v1.BotFault``. They are private, and so no
            part of the record.
    """

    __slots__ = ("_digest", "_message", "match_id", "refusals", "serialized")

    def __init__(self, match_id: str, serialized: bytes, *, digest: bytes = b"", refusals: bytes = b"") -> None:
        """Take the values that are described above.

        Args:
            match_id: as above.
            serialized: as above.
            digest: its digest, where it is known; the record has to be of today's format where it is not.
            refusals: as above.
        """
        self.match_id: Final = match_id
        self.serialized: Final = serialized
        self.refusals: Final = refusals
        self._digest = digest
        self._message: v1.MatchRecord | None = None

    @classmethod
    def of(cls, record: v1.MatchRecord) -> Self:
        """Return a record that is there as a message. It shares the message."""
        # Deterministic, since published records are compared byte for byte.
        finished = cls(record.match_id, record.SerializeToString(deterministic=True), digest=digest(record))
        finished._message = record
        return finished

    @property
    def digest(self) -> bytes:
        """The digest, 32 bytes."""
        if not self._digest:
            self._digest = digest_of_written(self.serialized)
        return self._digest

    @property
    def message(self) -> v1.MatchRecord:
        """The message. It is parsed once, on first use."""
        if self._message is None:
            self._message = v1.MatchRecord.FromString(self.serialized)
        return self._message
