"""What comes back from other machines, and what workers leave behind."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import trio
from support.ledgers import beginning
from support.matches import SECRET, match_terms
from support.players import FakePlayer, play_match

from ordago import v1
from ordago.journal import Journal
from ordago.journal.terms import match_entry
from ordago.journal.v1 import JournaledSeat
from ordago.match import DealTerms
from ordago.record import FinishedRecord, Result, digest, to_file_bytes
from ordago.record.head import Head
from ordago.store import IssuedMatch, PlannedMatch, PlayedMatch, played_match
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.attempts import journal_of_worker, take_over_journals
from ordago_ladder.run.commit_queue import Committing
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.workers.cluster import inspected
from ordago_ladder.workers.messages import Issued, Played, terms_issued

TERMS = match_terms()
PLANNED = PlannedMatch(0, "mittlere", "mittlere|bot 0,bot 1,bot 2|0", 0, 0, ("bot 0", "bot 1", "bot 2"))


def issued() -> Issued:
    entry = match_entry(TERMS, [JournaledSeat() for _ in TERMS.seats])
    entry.record.secret = SECRET
    return Issued(PLANNED, TERMS.match_id, entry.SerializeToString())


def played(terms: object = TERMS, *, thinks: float = 0.0) -> v1.MatchRecord:
    return play_match(terms, [FakePlayer(thinks=thinks) for _ in range(3)])  # type: ignore[arg-type]


def said(record: bytes) -> Played:
    """What a worker says, and what it says of the result does not matter."""
    liked = Result(scores=(9, 9, 9), placings=(1, 1, 1), faults=((), (), ()), forfeits=(), strikes=((), (), ()))
    return Played(TERMS.match_id, PlayedMatch(TERMS.match_id, liked, record, bytes(32)))


def test_what_was_issued_is_played_under_the_terms_of_the_runner() -> None:
    record = played(terms_issued(issued().journaled))
    assert not record.secret
    assert record == played()
    assert inspected(issued(), said(to_file_bytes(record))) == played_match(FinishedRecord.of(record))


def other_deals(record: v1.MatchRecord) -> v1.MatchRecord:
    """Deals that the worker likes better, committed to as the runner did."""
    liked = played(match_terms(source=DealTerms.of(b"w" * 32, "w", revealed=False).source))
    record.entries.clear()
    record.entries.extend(liked.entries)
    record.outcome.CopyFrom(liked.outcome)
    return record


def other_match(record: v1.MatchRecord) -> v1.MatchRecord:
    record.match_id = "1" * 32
    return record


def other_attempt(record: v1.MatchRecord) -> v1.MatchRecord:
    record.attempt = 1
    return record


def other_seats(record: v1.MatchRecord) -> v1.MatchRecord:
    """The winner and a loser change places."""
    record.seats[0].name, record.seats[1].name = record.seats[1].name, record.seats[0].name
    return record


def other_terms(record: v1.MatchRecord) -> v1.MatchRecord:
    record.clock.decision_ms *= 2
    return record


def other_outcome(record: v1.MatchRecord) -> v1.MatchRecord:
    record.outcome.scores[0] += 100
    return record


def too_much_time(record: v1.MatchRecord) -> v1.MatchRecord:
    next(entry for entry in record.entries if entry.HasField("choice")).choice.charged_ms = 10_000_000
    return record


@pytest.mark.parametrize(
    "forge", [other_deals, other_match, other_attempt, other_seats, other_terms, other_outcome, too_much_time]
)
def test_a_forged_record_is_refused(forge: Callable[[v1.MatchRecord], v1.MatchRecord]) -> None:
    forged = to_file_bytes(forge(played()))
    assert isinstance(inspected(issued(), said(forged)), str)


def test_what_is_no_record_is_refused() -> None:
    for content in (b"", b"no record", Random(1).randbytes(1000)):
        assert isinstance(inspected(issued(), said(content)), str)


# Results that come twice


class Told:
    """A match whose end is told."""

    def __init__(self, record: v1.MatchRecord) -> None:
        self.record = record
        self.match_id = record.match_id
        self.entrants = PLANNED.entrants
        self.digests: list[bytes] = []

    def played(self) -> PlayedMatch:
        return played_match(FinishedRecord.of(self.record))

    def tell(self, record_digest: bytes, head: Head) -> None:
        assert head.length
        self.digests.append(record_digest)


async def test_of_two_plays_of_a_match_the_one_that_came_first_counts(tmp_path: Path) -> None:
    """The bots of the other one are told so, whether it comes at once or later, and no forfeit counts twice."""
    with Store.open(tmp_path / "event.db", create=True) as store:
        store.begin_event(
            beginning(secret=SECRET, entrants=PLANNED.entrants), settings="[event]", identity="1", secret=SECRET
        )
        store.issue([IssuedMatch(PLANNED, TERMS.match_id)])
        suspensions = Suspensions(suspend_after=2)
        committing = Committing(store, suspensions=suspensions, head=store.head(), committed=())
        first, at_once, later = (Told(played(thinks=seconds)) for seconds in (0.0, 0.001, 0.002))
        assert digest(first.record) != digest(at_once.record)
        send, receive = trio.open_memory_channel[Told](10)
        counts = []

        async def committed(number: int) -> None:
            counts.append(number)
            if len(counts) == 1:
                await send.send(later)
                send.close()

        await send.send(first)
        await send.send(at_once)
        await committing.commit_all(receive, committed)
        assert counts == [1]
        assert [match.digests for match in (first, at_once, later)] == [[digest(first.record)], [b""], [b""]]
        assert store.record(TERMS.match_id) == to_file_bytes(first.record)


# Journals


def begun(path: Path, *, choices: int) -> None:
    entries = played().entries[:choices]
    journal = Journal(path)
    journal.page_for(TERMS, past=entries)
    journal.close()


@pytest.mark.slow
@pytest.mark.parametrize(("own", "of_worker", "left"), [(0, 5, 5), (3, 8, 8), (8, 3, 8)])
def test_a_match_goes_on_from_where_the_journal_that_came_farthest_has_it(
    tmp_path: Path, own: int, of_worker: int, left: int
) -> None:
    folder = EventFolder(tmp_path)
    folder.private.mkdir()
    if own:
        begun(folder.journal, choices=own)
    begun(journal_of_worker(folder, 1), choices=of_worker)
    journal = Journal(folder.journal)
    take_over_journals(folder, journal)
    assert list(journal.past_of(TERMS)) == list(played().entries[:left])
    assert journal.past_of(match_terms(attempt=1)) == ()
    journal.close()
    assert not journal_of_worker(folder, 1).exists()
