"""Commit finished matches: each record with its result and its ledger entries, in one transaction.

The bots are notified of the end of a match only after that.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import trio

from ordago.record.head import Head
from ordago.store import PlayedMatch
from ordago_ladder.schedule.conduct import Suspension, Suspensions

if TYPE_CHECKING:  # workers import this module without a database
    from ordago.store.event.store import Store

_LARGEST_COMMIT: Final = 64
"""The most records in one transaction: a few megabytes, written in a fraction of a second."""

T = TypeVar("T")
Committed = Callable[[int], Awaitable[None]]
"""A function that is called with the number of results just committed."""


class Uncommitted(Protocol):
    """A finished match whose result is not committed yet."""

    @property
    def match_id(self) -> str:
        """The id of the match."""

    @property
    def entrants(self) -> Sequence[str]:
        """The entrant of each seat."""

    def played(self) -> PlayedMatch:
        """Return the match as it is committed. It may take milliseconds, so it is called in a worker thread."""

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Notify the bots, or the worker, of the commit and the head of the ledger after it.

        The digest is empty if this play of the match does not count.
        """


class Committing:
    """The commits of an event, with the head of the ledger and the suspensions that follow from them."""

    def __init__(self, store: "Store", *, suspensions: Suspensions, head: Head, committed: Iterable[str]) -> None:
        """Continue from the state of the store.

        Args:
            store: the store for the results.
            suspensions: the suspensions so far.
            head: the head of the ledger.
            committed: the ids of the matches that have results.
        """
        self._store = store
        self._suspensions = suspensions
        self._head = head
        self._committed = set(committed)
        self._taken = set(self._committed)
        """The matches with results, and those whose results are being committed."""

    @property
    def head(self) -> Head:
        """The head of the ledger."""
        return self._head

    @property
    def suspended(self) -> tuple[Suspension, ...]:
        """The suspensions by the results so far."""
        return self._suspensions.suspended

    def is_over(self, match_id: str, entrants: Collection[str]) -> bool:
        """Return True if a match has a committed result, or will never have one, since an entrant is suspended."""
        return match_id in self._committed or not self._suspensions.names.isdisjoint(entrants)

    def advance(self, head: Head) -> None:
        """Advance to a newer head; ignore an older one, since two threads may report out of order."""
        self._head = max(self._head, head)

    async def commit_all(self, finished: trio.MemoryReceiveChannel[Uncommitted], committed: Committed) -> None:
        """Commit results as they come, all that are waiting in one transaction, and notify the players.

        A match can be played twice, if it was reissued because its worker seemed lost. The first result counts; the
        other has no consequences for anyone. The same goes for a match that was going on when an entrant of it was
        suspended.
        """
        async for first in finished:
            matches = [match for match in (first, *at_hand(finished)) if self._is_first(match)]
            if not matches:
                continue
            played, head = await trio.to_thread.run_sync(self._commit, matches)
            self.advance(head)
            self._committed |= played.keys()
            for match in matches:
                match.tell(played.get(match.match_id, b""), self._head)
            if played:
                await committed(len(played))

    def _is_first(self, match: Uncommitted) -> bool:
        if match.match_id in self._taken:
            match.tell(b"", self._head)
            return False
        self._taken.add(match.match_id)
        return True

    def _commit(self, matches: Sequence[Uncommitted]) -> tuple[Mapping[str, bytes], Head]:
        """Commit those of some matches that count. Return the digests of their records, and the head after them."""
        # One after the other: a match may suspend an entrant of the next.
        played = [
            self._with_suspensions(match.played(), match.entrants)
            for match in matches
            if self._suspensions.names.isdisjoint(match.entrants)
        ]
        return {match.match_id: match.record_digest for match in played}, self._store.commit_results(played)

    def _with_suspensions(self, match: PlayedMatch, entrants: Sequence[str]) -> PlayedMatch:
        new = self._suspensions.count(entrants, match.result)
        return replace(match, suspensions=tuple(suspension.entry for suspension in new))


def at_hand(channel: trio.MemoryReceiveChannel[T]) -> Iterator[T]:
    """Yield the values that a channel holds now, at most as many as fit into a commit after the first one."""
    try:
        for _ in range(_LARGEST_COMMIT - 1):
            yield channel.receive_nowait()
    except (trio.WouldBlock, trio.EndOfChannel):
        return
