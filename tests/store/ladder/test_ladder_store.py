"""What is written to the store of a standing ladder, and what is refused."""

import json

from ordago.chance import commitment, keyed_name
from ordago.record.head import Head
from ordago.record.ledger import head_after
from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_store import LadderStore


def told(queries: LadderQueries, epoch: int) -> list[dict[str, object]]:
    """Return what the ledger of an epoch tells, whose lines follow from one another."""
    entries, before = [], bytes(32)
    for index, line in enumerate(queries.ledger(epoch)):
        entry = json.loads(line)
        assert (entry.pop("index"), entry.pop("before")) == (index, before.hex())
        before = head_after(line, length=index + 1).digest
        entries.append(entry)
    assert queries.head(epoch) == Head(len(entries), before)
    return entries


def test_an_epoch_is_told_from_its_begin_to_its_secret(writer, store: LadderStore, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    first = writer.begin(ana, ben)
    second = writer.begin(ben, ana)
    store.begin_epoch(2, began=writer.now + 60)
    writer.now += 100
    writer.finish(first)
    store.void(second.match_id, reason="The server failed.")
    store.reveal(1)
    secret = bytes.fromhex(told(queries, 1)[-1]["secret"])
    assert [entry["kind"] for entry in told(queries, 1)] == [
        *("begin", "player", "player", "seating", "seating", "result", "void", "end")
    ]
    assert told(queries, 1)[0]["secret_digest"] == commitment(secret).hex() == queries.ladder().anchor.hex()
    assert first.match_id == keyed_name(secret, "match", 0).hex()
    assert told(queries, 2)[0]["previous"]["length"] == 5
    assert store.running() == []
