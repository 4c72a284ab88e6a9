from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.ledgers import beginning

from ordago import v1
from ordago.record import FaultCount, FinishedRecord, Result, SeatForfeit, StrikeCount, digest, from_file_bytes
from ordago.record.ledgers.chain import chained
from ordago.store import Entrant, EventRow, IssuedMatch, MatchResult, PlayedMatch, StoreError, played_match
from ordago.store.event.store import Store

MakeIssued = Callable[[int], IssuedMatch]
MakePlayed = Callable[..., PlayedMatch]

MATCHES = 12


def _begin_again(store: Store, *, identity: str = "d1", secret: bytes = b"x" * 32) -> EventRow:
    return store.begin_event(
        beginning(secret=secret, entrants=["ana"]), settings="[event]", identity=identity, secret=secret
    )


def test_an_event_comes_back_as_it_was_begun(store: Store, place: Path | str, secret: bytes):
    begun = EventRow("trial", "[event]", "d1", secret)
    assert store.event() == begun
    with Store.open(place) as again:
        assert again.event() == begun
        assert again.entrants() == [Entrant("ana"), Entrant("ben"), Entrant("chloé")]


def test_an_event_that_is_begun_again_keeps_its_secret_and_its_entrants(store: Store, secret: bytes):
    assert _begin_again(store).secret == secret
    assert store.state().lines == chained([beginning(secret=secret, entrants=("ana", "ben", "chloé"))])
    assert len(store.entrants()) == 3


def test_the_database_of_another_event_is_refused(store: Store, secret: bytes):
    with pytest.raises(StoreError, match="another event, or to 'trial' with other settings"):
        _begin_again(store, identity="d2")
    assert store.event().secret == secret


def test_nothing_can_be_done_before_the_event_is_begun(empty_store: Store, issued: MakeIssued, played: MakePlayed):
    for act in (
        empty_store.event,
        empty_store.finish_event,
        lambda: empty_store.issue([issued(0)]),
        lambda: empty_store.commit_results([played(0)]),
    ):
        with pytest.raises(StoreError, match="not begun yet"):
            act()


def test_the_secret_stands_in_no_text(store: Store, secret: bytes):
    event = store.event()
    texts = [repr(event), str(event)]
    with pytest.raises(StoreError) as error:
        _begin_again(store, identity="d2", secret=secret)
    texts += [repr(error.value), str(error.value)]
    assert not any(spelling in text for text in texts for spelling in (repr(secret)[2:-1], secret.hex()))


def test_what_an_entrant_brought_is_kept_once_and_stands(store: Store):
    ana, ben = Entrant("ana", b"a", "1.0", "abc"), Entrant("ben", b"b")
    store.check_in([ben, ana])
    store.check_in([ben])
    for other in (ben._replace(nonce=b"c"), ben._replace(version="2"), Entrant("ben")):
        with pytest.raises(StoreError, match="'ben' has checked in already"):
            store.check_in([Entrant("chloé", b"c"), other])
    assert store.entrants() == [ana, ben, Entrant("chloé")]
    with pytest.raises(StoreError, match="no entrant 'dirk'"):
        store.check_in([Entrant("dirk", b"d")])


def test_matches_are_issued_once_and_come_back_in_the_order_of_the_plan(store: Store, issued: MakeIssued):
    store.issue([issued(13), issued(12), issued(13)])
    store.issue([issued(5), issued(12)])
    store.issue([])
    assert store.matches() == [issued(row) for row in range(MATCHES + 2)]


def test_a_match_cannot_be_issued_as_another_one(store: Store, issued: MakeIssued):
    other = issued(3)
    other = other._replace(planned=other.planned._replace(entrants=("ana", "ben", "chloé")))
    with pytest.raises(StoreError, match="match-3 was issued before as another"):
        store.issue([issued(12), other])
    with pytest.raises(StoreError, match="refused the change"):
        store.issue([issued(12), issued(13)._replace(planned=issued(3).planned)])
    assert len(store.matches()) == MATCHES


def test_a_void_match_is_begun_anew_under_its_name(store: Store, issued: MakeIssued):
    assert store.begin_anew("match-2", reason="it failed") == issued(2)._replace(attempt=1)
    assert store.begin_anew("match-2", reason="it failed").attempt == 2
    store.issue([issued(2)])
    assert [match.attempt for match in store.matches()][:4] == [0, 0, 2, 0]
    with pytest.raises(StoreError, match="never issued"):
        store.begin_anew("match-99", reason="it failed")


def test_a_match_with_a_result_is_not_begun_anew(store: Store, played: MakePlayed):
    store.commit_results([played(2)])
    with pytest.raises(StoreError, match="has a result"):
        store.begin_anew("match-2", reason="it failed")
    assert {match.attempt for match in store.matches()} == {0}


def test_a_result_comes_back_as_it_was_committed(
    store: Store, place: Path | str, issued: MakeIssued, played: MakePlayed
):
    store.commit_results([played(4), played(5)])
    late, forfeits, strikes = FaultCount("too_late", 2), (SeatForfeit(1, "too_late"),), StrikeCount("follow_suit", 5)
    with Store.open(place) as again:
        results = again.state().results
        assert results == [
            MatchResult(issued(4), Result((4, -4, 0), (1, 3, 2), ((), (late,), ()), forfeits, ((), (), ()))),
            MatchResult(issued(5), Result((5, -5, 0), (1, 3, 2), ((), (late,), ()), forfeits, ((strikes,), (), ()))),
        ]
        assert results[0].result.faults[1][0].fault == results[0].result.forfeits[0].fault == "too_late"
        assert again.record("match-4") == b"the record"


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_results_does_not_depend_on_the_order_of_commits(store: Store, played: MakePlayed, seed: int):
    rows = list(range(MATCHES))
    Random(seed).shuffle(rows)
    for some in (rows[:1], rows[1:7], rows[7:]):
        store.commit_results([played(row, record=b"%02d record" % row) for row in some])
    assert [found.planned.row for found in store.state().results] == list(range(MATCHES))
    assert [store.record(f"match-{row}") for row in range(MATCHES)] == [b"%02d record" % row for row in range(MATCHES)]


def test_a_result_is_never_doubled(store: Store, played: MakePlayed):
    store.commit_results([played(1), played(2), played(1)])
    store.commit_results([played(2), played(3)])
    store.commit_results([])
    assert [found.planned.row for found in store.state().results] == [1, 2, 3]


@pytest.mark.parametrize("before", [True, False])
def test_another_result_of_the_same_match_is_refused(store: Store, played: MakePlayed, before: bool):  # noqa: FBT001
    """Whether the first one was committed before, or is committed together with it."""
    if before:
        store.commit_results([played(1)])
    first = [] if before else [played(1)]
    with pytest.raises(StoreError, match="match-1 has another result already"):
        store.commit_results([*first, played(0), played(1, record=b"another record")])
    assert len(store.state().results) == before


def test_a_match_that_was_never_issued_has_no_result(store: Store, played: MakePlayed):
    with pytest.raises(StoreError, match="match-12 was never issued"):
        store.commit_results([played(0), played(12)])
    assert store.state().results == []
    with pytest.raises(StoreError, match="match-0 has no result"):
        store.record("match-0")


def test_a_finished_event_takes_nothing_more(store: Store, issued: MakeIssued, played: MakePlayed):
    store.commit_results([played(0)])
    store.finish_event()
    assert store.event().finished
    assert _begin_again(store).finished
    for act in (
        lambda: store.issue([issued(12)]),
        lambda: store.commit_results([played(1)]),
        lambda: store.begin_anew("match-1", reason="it failed"),
    ):
        with pytest.raises(StoreError, match="finished"):
            act()
    assert len(store.state().results) == 1


def test_more_matches_than_a_statement_takes_are_issued_and_committed(
    store: Store, issued: MakeIssued, played: MakePlayed
):
    rows = range(1201)
    for _ in range(2):
        store.issue([issued(row) for row in rows])
        store.commit_results([played(row) for row in rows])
    assert [found.planned.row for found in store.state().results] == list(rows)


@pytest.mark.slow
def test_what_is_committed_of_a_match_follows_from_its_record():
    entries = [
        v1.RecordEntry(choice=v1.RecordedChoice(seat=0, strikes=2, broken_rules=["needless", "follow_suit"])),
        v1.RecordEntry(choice=v1.RecordedChoice(seat=0, strikes=1, broken_rules=["follow_suit"])),
        v1.RecordEntry(choice=v1.RecordedChoice(seat=1, fault=v1.FAULT_TOO_LATE)),
        v1.RecordEntry(forfeit=v1.Forfeit(seat=1, fault=v1.FAULT_TOO_LATE)),
        v1.RecordEntry(forfeit=v1.Forfeit(seat=0, fault=v1.FAULT_CRASHED)),
    ]
    record = v1.MatchRecord(
        match_id="m",
        seats=[v1.RecordSeat(name="ana"), v1.RecordSeat(name="ben")],
        entries=entries,
        outcome=v1.Outcome(scores=[3, -3], placings=[1, 2]),
    )
    played = played_match(FinishedRecord.of(record))
    assert played.match_id == "m"
    assert played.result == Result(
        scores=(3, -3),
        placings=(1, 2),
        faults=((), (FaultCount("too_late", 1),)),
        forfeits=(SeatForfeit(0, "crashed"), SeatForfeit(1, "too_late")),
        strikes=((StrikeCount("follow_suit", 2), StrikeCount("needless", 1)), ()),
    )
    assert from_file_bytes(played.record) == record
    assert played.record_digest == digest(record)
