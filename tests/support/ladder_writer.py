"""A program that writes a ladder as a server does, for ever, and says what is written: its test kills it."""

import sys
from collections.abc import Sequence
from itertools import count
from typing import Final

from support.ladders import BEGAN, Writer, finished, ladder_row

from ordago.record.epochs import LinkChain
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import SeatingRow
from ordago.store.ladder.store import LadderStore

_AN_EPOCH: Final = 4
"""So many matches begin in each epoch."""
_CHAIN: Final = LinkChain(bytes(32), 10_000)


def say(what: str, match_id: str) -> None:
    """Tell the test of a match."""
    print(what, match_id, flush=True)  # noqa: T201 - the test reads it


def end(store: LadderStore, seatings: Sequence[SeatingRow]) -> None:
    """Commit the results of matches, the first alone, the others together, and the first once more."""
    for some in (seatings[:1], seatings[1:], seatings[:1]):
        store.commit_results([finished(seating) for seating in some])
        for seating in some:
            say("committed", seating.match_id)


def go_on(store: LadderStore, queries: LadderQueries) -> None:
    """End what ran, and begin and end matches, epoch after epoch, giving up all records that may go."""
    writer = Writer(store)
    ana, ben = writer.player("ana"), writer.player("ben")
    end(store, store.running())
    for epoch in count(len(queries.epochs()) + 1):
        store.begin_epoch(epoch, began=BEGAN)
        begun = []
        for _ in range(_AN_EPOCH):
            begun.append(writer.begin(ana, ben))
            say("begun", begun[-1].match_id)
        for older in range(max(1, epoch - 3), epoch):
            store.reveal(older)
            store.mark_verified(older)
        store.prune_records(keep_days=None, keep_bytes=100)
        end(store, begun)


def main() -> None:
    """Write the ladder at a place."""
    with LadderStore.open(sys.argv[1], create=True) as store, store.held():
        store.create(ladder_row(chain=_CHAIN))
        with LadderQueries.open(sys.argv[1]) as queries:
            go_on(store, queries)


if __name__ == "__main__":
    main()
