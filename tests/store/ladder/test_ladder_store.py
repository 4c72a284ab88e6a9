"""What is written to the store of a standing ladder, and what is refused."""

from support.ladders import Writer

from ordago.record.epochs import leads_back
from ordago.record.ladder_ledger import EpochLedger, ladder_match_id, read_epoch
from ordago.record.ladder_ledger_order import epoch_problems
from ordago.store.ladder_queries import LadderQueries


def ledger(queries: LadderQueries, epoch: int) -> EpochLedger:
    """Return the ledger of an epoch, whose lines follow from one another."""
    read = read_epoch(list(queries.ledger(epoch)))
    assert read.head == queries.head(epoch)
    return read


def test_an_epoch_is_told_from_its_begin_to_its_secret(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    first = writer.begin(ana, ben)
    second = writer.begin(ben, ana)
    writer.store.begin_epoch(2, began=writer.now + 60)
    writer.now += 100
    writer.finish(first)
    writer.store.void(second.match_id, reason="The server failed.")
    head = writer.store.reveal(1)
    told = ledger(queries, 1)
    assert told.head == head
    assert [entry.kind for entry in told.entries] == [
        *("begin", "player", "player", "seating", "seating", "result", "void", "end")
    ]
    assert list(epoch_problems(told)) == []
    assert told.end is not None
    assert told.secret is not None
    assert leads_back(bytes.fromhex(told.end.link), epoch=1, to=queries.ladder().anchor)
    assert first.match_id == ladder_match_id(0, secret=told.secret)
    begun = ledger(queries, 2).begin
    assert begun is not None
    assert begun.previous is not None
    assert begun.previous.length == 5
    assert writer.store.running() == []
