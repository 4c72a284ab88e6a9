"""Matches that came to their end at a worker, as the runner commits them."""

from collections.abc import Callable
from dataclasses import dataclass

from ordago.journal import Journal
from ordago.record.head import Head
from ordago.store import PlayedMatch
from ordago_ladder.workers.messages import Committed


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A match that a worker has played to its end, and that the journal holds until it is committed."""

    match_id: str
    entrants: tuple[str, ...]
    """The entrant of each seat."""
    result: PlayedMatch
    journal: Journal
    say: Callable[[Committed], None]
    """Tells the worker that it is committed."""

    def played(self) -> PlayedMatch:
        """Return what is committed of it."""
        return self.result

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Tell the worker that it is committed, and how far the ledger has come with it."""
        self.journal.end_match(self.match_id)
        self.say(Committed(self.match_id, record_digest, head))
