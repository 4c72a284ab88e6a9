"""What comes back from machines that are not the runner's is held against what was issued."""

from google.protobuf.message import DecodeError

from ordago import v1
from ordago.match.audit import audit
from ordago.match.messages import record_heading
from ordago.record import FinishedRecord, RecordError, read_record, verify
from ordago.store import PlayedMatch, played_match
from ordago_ladder.workers.messages import Issued, Played, terms_issued


def inspected(issued: Issued, played: Played) -> PlayedMatch | str:
    """Return what is to be committed of a match that was issued, or what is wrong with its record, as a sentence.

    It has to be a record of this match at this attempt, by its terms, of its deals, and as rules and referee allow.
    That the bots chose what it says cannot be seen here. It takes milliseconds, and belongs into a worker thread.
    """
    try:
        record = read_record(played.played.record)
    except (RecordError, DecodeError) as error:
        return f"it cannot be read: {error}"
    begun = issued.journaled
    terms = terms_issued(begun)
    heading = v1.MatchRecord()
    heading.CopyFrom(record)
    heading.ClearField("entries")
    heading.ClearField("outcome")
    if heading != record_heading(terms):
        return "it is of another match, or of other terms"
    problems = [*verify(record, secret=begun.record.secret), *audit(record).problems]
    return problems[0].sentence if problems else played_match(FinishedRecord.of(record))
