"""Check the order of a ledger: its entries one after the other, each against the earlier ones."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Generic

from ordago.record.ledgers.chain import Part, Told
from ordago.record.replay import Problem


class EntryOrder(ABC, Generic[Told]):
    """The state of a ledger up to an entry."""

    _end: ClassVar[type[Part]]
    """The entry after which there is no other."""
    _after_the_end: ClassVar[str]
    """The problem with an entry after the end."""
    _last: Told | None = None

    def problems(self, entries: Iterable[Told]) -> Iterator[Problem]:
        """Yield the problems of a ledger's entries. The number of a problem is the index of its entry."""
        for index, entry in enumerate(entries):
            if isinstance(self._last, self._end):
                yield Problem(index, self._after_the_end)
            for sentence in self._problems_of(entry):
                yield Problem(index, sentence)
            self._last = entry

    @abstractmethod
    def _problems_of(self, entry: Told) -> Iterator[str]:
        """Yield the problems of the next entry, and add it to the state."""
