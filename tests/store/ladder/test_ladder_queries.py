"""What is read of a standing ladder, while it is written."""

from contextlib import suppress

import pytest
from support.ladders import Writer, finished, result_of

from ordago.record.ledgers.chain import ledger_text
from ordago.store.errors import NotFoundError, NotOpenError
from ordago.store.ladder.pruning import Pruned, due_to_go
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow, LadderResult, SeatingRow
from ordago.store.ladder.store import LadderStore

DAY = 24 * 60 * 60


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is long is read in parts of three rows."""
    monkeypatch.setattr("ordago.store.ladder.queries._A_PART", 3)


@pytest.mark.usefixtures("small_parts")
def test_results_come_in_the_order_of_their_commits_and_whole(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    begun = [writer.begin(ana, ben) for _ in range(7)]
    order = [begun[number] for number in (3, 0, 6, 1, 5, 2, 4)]
    for seating in order:
        writer.now += 1
        writer.finish(seating)
    found = list(queries.results_since())
    assert found == [
        LadderResult(number, seating, result_of(2), writer.now - 7 + number, finished(seating).record_digest)
        for number, seating in enumerate(order, start=1)
    ]
    for position in (0, 1, 4, 6, 7, 99):
        assert list(queries.results_since(position)) == found[position:]


@pytest.mark.usefixtures("small_parts")
def test_results_that_are_committed_meanwhile_are_neither_missed_nor_doubled(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    begun = [writer.begin(ana, ben) for _ in range(9)]
    writer.finish(*begun[:4])
    reading = queries.results_since()
    found = [next(reading)]
    writer.finish(*begun[4:])
    found += reading
    assert [one.seating for one in found] == begun


def test_a_ledger_is_measured_from_anywhere_as_long_as_its_file_is(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    assert queries.ledger_size(2) == (0, 0)
    for _ in range(3):
        writer.play(ana, ben)
    lines = list(queries.ledger(1))
    for since in (0, 4, 9):
        rest = lines[since:]
        assert queries.ledger_size(1, since=since) == (len(rest), len(ledger_text(rest)))


@pytest.mark.usefixtures("small_parts")
def test_the_lines_of_a_ledger_are_read_from_anywhere(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    for _ in range(3):
        writer.play(ana, ben)
    lines = list(queries.ledger(1))
    assert len(lines) == 9
    for since in (0, 1, 3, 8, 9, 10):
        assert list(queries.ledger(1, since=since)) == lines[since:]
    assert list(queries.ledger(7)) == []


def test_a_reader_holds_up_nobody_and_sees_one_state(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    with queries._database.reading() as connection:
        count = "SELECT count(*) FROM matches"
        assert connection.exec_driver_sql(count).scalar() == 0
        writer.play(ana, ben)
        writer.store.begin_epoch(2, began=writer.now)
        assert connection.exec_driver_sql(count).scalar() == 0
    assert len(queries.matches().matches) == 1


def test_a_match_is_told_while_it_runs_and_when_it_has_ended(writer: Writer, queries: LadderQueries):
    seating = writer.begin(writer.player("ana"), writer.player("ben"), game="mus")
    found = queries.match(seating.match_id)
    assert (found.seating, found.outcome, found.void, found.running) == (seating, None, None, True)
    writer.finish(seating)
    found = queries.match(seating.match_id)
    assert found.outcome == next(queries.results_since())
    assert not found.running
    with pytest.raises(NotFoundError, match=r"^There is no match ff on this ladder\.$"):
        queries.match("ff")


def test_a_record_opens_when_its_epoch_is_revealed(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    played, void = writer.begin(ana, ben), writer.begin(ben, ana)
    writer.finish(played, record=b"what was played" * 100)
    writer.store.void(void.match_id, reason="The server failed.")
    writer.store.begin_epoch(2, began=writer.now)
    for seating in (played, void):
        with pytest.raises(NotOpenError, match=r"opens when epoch 1 is revealed\.$"):
            queries.record(seating.match_id)
    writer.store.reveal(1)
    assert queries.record(played.match_id) == b"what was played" * 100
    assert queries.epochs()[0].record_bytes < 200
    with pytest.raises(NotFoundError, match="has no record, since it has no result"):
        queries.record(void.match_id)
    with pytest.raises(NotFoundError, match=r"^There is no match ff on this ladder\.$"):
        queries.record("ff")


def test_epochs_count_what_became_of_their_matches(writer: Writer, queries: LadderQueries):
    ana, ben = writer.player("ana"), writer.player("ben")
    for _ in range(3):
        writer.play(ana, ben)
    writer.store.void(writer.begin(ana, ben).match_id, reason="The server failed.")
    writer.store.begin_epoch(2, began=writer.now + DAY)
    writer.begin(ana, ben)
    first, second = queries.epochs()
    assert (first.first_serial, first.matches, first.results, first.voids) == (1, 4, 3, 1)
    assert (second.first_serial, second.matches, second.results, second.voids) == (5, 1, 0, 0)
    assert second.began == first.began + DAY


@pytest.fixture
def old(writer: Writer) -> list[SeatingRow]:
    """The matches of four epochs of a day, of which the first three are revealed, and the first two verified."""
    ana, ben = writer.player("ana"), writer.player("ben")
    played = []
    for epoch in range(1, 5):
        played.append(writer.play(ana, ben))
        if epoch < 4:
            writer.now += DAY
            writer.store.begin_epoch(epoch + 1, began=writer.now)
            writer.store.reveal(epoch)
    for epoch in (1, 2):
        writer.store.mark_verified(epoch)
    return played


def gone(queries: LadderQueries, played: list[SeatingRow]) -> list[int]:
    """Return the epochs of those matches whose records were given up."""
    epochs = []
    for seating in played:
        with suppress(NotOpenError):
            try:
                queries.record(seating.match_id)
            except NotFoundError as error:
                epochs.append((seating.epoch, str(error)))
    assert all(sentence.endswith("was deleted to free space.") for _, sentence in epochs)
    return [epoch for epoch, _ in epochs]


def test_records_go_only_of_verified_epochs_and_all_else_stays(
    old: list[SeatingRow], store: LadderStore, queries: LadderQueries
):
    kept = list(queries.results_since()), [list(queries.ledger(epoch)) for epoch in range(1, 5)]
    assert store.prune_records(keep_days=None, keep_bytes=None) == Pruned((), 0)
    assert gone(queries, old) == []
    assert store.prune_records(keep_days=2, keep_bytes=None) == Pruned((1,), 18)
    assert gone(queries, old) == [1]
    assert store.prune_records(keep_days=None, keep_bytes=0) == Pruned((2,), 18)
    assert gone(queries, old) == [1, 2]
    assert [epoch.record_bytes for epoch in queries.epochs()] == [0, 0, 18, 18]
    assert (list(queries.results_since()), [list(queries.ledger(epoch)) for epoch in range(1, 5)]) == kept


def _days(*verified: bool) -> list[EpochRow]:
    """Return epochs of a day, with 100 bytes of records each."""
    return [
        EpochRow(
            epoch=1 + number,
            began=DAY * number,
            settings_digest="",
            first_serial=1,
            matches=1,
            results=1,
            voids=0,
            record_bytes=100,
            revealed=True,
            verified=is_verified,
            pruned=False,
        )
        for number, is_verified in enumerate(verified)
    ]


@pytest.mark.parametrize(
    ("verified", "days", "most_bytes", "due"),
    [
        ("110", None, None, []),
        ("110", 2, None, []),
        ("110", 1, None, [1]),
        ("110", 0.5, None, [1]),
        ("110", 0, None, [1, 2]),
        ("110", None, 300, []),
        ("110", None, 299, [1]),
        ("110", None, 200, [1]),
        ("110", None, 199, [1, 2]),
        ("110", None, 0, [1, 2]),
        ("010", None, 0, [2]),
        ("010", 0, 0, [2]),
        ("000", 0, 0, []),
    ],
)
def test_the_oldest_epochs_go_by_age_or_room(verified: str, days: float | None, most_bytes: int | None, due: list[int]):
    epochs = _days(*(one == "1" for one in verified))
    found = due_to_go(epochs, latest=2 * DAY, days=days, most_bytes=most_bytes)
    assert [epoch.epoch for epoch in found] == due
    gone_before = [epoch._replace(pruned=True) for epoch in epochs]
    assert due_to_go(gone_before, latest=2 * DAY, days=days, most_bytes=most_bytes) == []


def test_nothing_is_given_up_that_nobody_could_verify(old: list[SeatingRow], store: LadderStore):
    assert len(old) == 4
    for epoch in (0, 4, 9):
        with pytest.raises(Exception, match=f"Epoch {epoch} is not revealed, so it cannot be verified"):
            store.mark_verified(epoch)


def test_what_was_about_to_go_when_a_server_ended_goes_the_next_time(
    old: list[SeatingRow], store: LadderStore, queries: LadderQueries, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ordago.store.ladder.pruning._remove_records", _killed)
    with pytest.raises(KeyboardInterrupt):
        store.prune_records(keep_days=0, keep_bytes=None)
    monkeypatch.undo()
    assert gone(queries, old) == [1, 2]
    assert store.prune_records(keep_days=None, keep_bytes=None) == Pruned((1, 2), 36)
    with queries._database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM records").scalar() == 2


def _killed(*_: object) -> None:
    raise KeyboardInterrupt
