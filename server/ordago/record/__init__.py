"""Records of matches: stored, read, verified and retold."""

from ordago.record.builder import RecordBuilder, outcome_message
from ordago.record.digest import DIGEST_BYTES, FORMAT_VERSION, digest
from ordago.record.files import (
    RecordError,
    finished_file,
    from_file_bytes,
    from_json,
    read_record,
    record_file,
    to_file_bytes,
    to_json,
)
from ordago.record.finished import FinishedRecord
from ordago.record.replay import Problem, Replay, replay
from ordago.record.result import (
    FaultCount,
    Result,
    SeatForfeit,
    StrikeCount,
    fault_name,
    fault_named,
    faults_of,
    forfeits_of,
    result_of,
    strikes_of,
)
from ordago.record.rewriting import Rewritten, Turn, rewritten, time_of_each_ms
from ordago.record.text import tell
from ordago.record.verify import verify

__all__ = [
    "FORMAT_VERSION",
    "RecordBuilder",
    "outcome_message",
    "DIGEST_BYTES",
    "digest",
    "RecordError",
    "FinishedRecord",
    "record_file",
    "finished_file",
    "to_file_bytes",
    "from_file_bytes",
    "to_json",
    "from_json",
    "read_record",
    "Replay",
    "replay",
    "Problem",
    "verify",
    "Rewritten",
    "rewritten",
    "Turn",
    "time_of_each_ms",
    "FaultCount",
    "fault_name",
    "faults_of",
    "StrikeCount",
    "strikes_of",
    "SeatForfeit",
    "forfeits_of",
    "fault_named",
    "Result",
    "result_of",
    "tell",
]
