"""Commits what was played: each record with its result, and with what the ledger tells of it, in one transaction.

Only then the bots are told that a match is over.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import trio

from ordago.record.head import Head
from ordago.store import PlayedMatch
from ordago_ladder.schedule.conduct import Suspension, Suspensions

if TYPE_CHECKING:  # workers import this, and have no database
    from ordago.store.event.store import Store

_LARGEST_COMMIT: Final = 64
"""So many records in one transaction are some megabytes at most, and safe within a fraction of a second."""

T = TypeVar("T")
Committed = Callable[[int], Awaitable[None]]
"""Is told how many more results were committed."""


class Uncommitted(Protocol):
    """A match that came to its end, and whose result is not committed yet."""

    @property
    def match_id(self) -> str:
        """Its name."""

    @property
    def entrants(self) -> Sequence[str]:
        """The entrant of each seat."""

    def played(self) -> PlayedMatch:
        """Return what is to be committed. It may take milliseconds, and is called in a worker thread."""

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Tell whoever played it that it is committed, and how far the ledger has come with it.

        Where another play of it was committed, the digest is empty.
        """


class Committing:
    """Commits the results of an event, and counts what follows from them: how far the ledger is, who is suspended."""

    def __init__(self, store: "Store", *, suspensions: Suspensions, head: Head, committed: Iterable[str]) -> None:
        """Go on from where the store is.

        Args:
            store: where results are kept.
            suspensions: who is suspended so far.
            head: how far the ledger has come.
            committed: the names of the matches that have results.
        """
        self._store = store
        self._suspensions = suspensions
        self._head = head
        self._committed = set(committed)

    @property
    def head(self) -> Head:
        """How far the ledger has come."""
        return self._head

    @property
    def suspended(self) -> tuple[Suspension, ...]:
        """Who is suspended by the results so far."""
        return self._suspensions.suspended

    def advance(self, head: Head) -> None:
        """Note how far the ledger has come. What is told by two threads may come in another order."""
        self._head = max(self._head, head)

    async def commit_all(self, finished: trio.MemoryReceiveChannel[Uncommitted], committed: Committed) -> None:
        """Commit results as they come, as many in one transaction as there are, and tell of them.

        A match that was played twice, since it was given to another when its worker seemed lost, counts as it came in
        first. Nobody is held to the other play of it.
        """
        async for first in finished:
            matches = [match for match in (first, *at_hand(finished)) if self._is_first(match)]
            if not matches:
                continue
            played, head = await trio.to_thread.run_sync(self._commit, matches)
            self.advance(head)
            for match, committed_match in zip(matches, played, strict=True):
                match.tell(committed_match.record_digest, self._head)
            await committed(len(matches))

    def _is_first(self, match: Uncommitted) -> bool:
        if match.match_id in self._committed:
            match.tell(b"", self._head)
            return False
        self._committed.add(match.match_id)
        return True

    def _commit(self, matches: Sequence[Uncommitted]) -> tuple[list[PlayedMatch], Head]:
        played = [self._with_suspensions(match.played(), match.entrants) for match in matches]
        return played, self._store.commit_results(played)

    def _with_suspensions(self, match: PlayedMatch, entrants: Sequence[str]) -> PlayedMatch:
        new = self._suspensions.count(entrants, match.result)
        return replace(match, suspensions=tuple(suspension.entry for suspension in new))


def at_hand(channel: trio.MemoryReceiveChannel[T]) -> Iterator[T]:
    """Yield what a channel holds now, as far as that goes into a commit behind what came first."""
    try:
        for _ in range(_LARGEST_COMMIT - 1):
            yield channel.receive_nowait()
    except (trio.WouldBlock, trio.EndOfChannel):
        return
