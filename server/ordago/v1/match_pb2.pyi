from ordago.v1 import clock_pb2 as _clock_pb2
from ordago.v1 import decision_pb2 as _decision_pb2
from ordago.v1 import faults_pb2 as _faults_pb2
from ordago.v1 import games_pb2 as _games_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OutcomeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_REASON_UNSPECIFIED: _ClassVar[OutcomeReason]
    OUTCOME_REASON_DEALS_PLAYED: _ClassVar[OutcomeReason]
    OUTCOME_REASON_TARGET_REACHED: _ClassVar[OutcomeReason]
    OUTCOME_REASON_CAP_REACHED: _ClassVar[OutcomeReason]
    OUTCOME_REASON_CONCEDED: _ClassVar[OutcomeReason]
OUTCOME_REASON_UNSPECIFIED: OutcomeReason
OUTCOME_REASON_DEALS_PLAYED: OutcomeReason
OUTCOME_REASON_TARGET_REACHED: OutcomeReason
OUTCOME_REASON_CAP_REACHED: OutcomeReason
OUTCOME_REASON_CONCEDED: OutcomeReason

class Player(_message.Message):
    __slots__ = ("name", "version", "side")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    side: int
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., side: _Optional[int] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("match_handle", "match_id", "game", "rules_version", "options", "seat", "players", "clock", "seed", "commitment", "faults", "last_decision", "ledger_length", "ledger_head")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    LAST_DECISION_FIELD_NUMBER: _ClassVar[int]
    LEDGER_LENGTH_FIELD_NUMBER: _ClassVar[int]
    LEDGER_HEAD_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    match_id: str
    game: str
    rules_version: int
    options: _games_pb2.GameOptions
    seat: int
    players: _containers.RepeatedCompositeFieldContainer[Player]
    clock: _clock_pb2.ClockTerms
    seed: bytes
    commitment: bytes
    faults: _faults_pb2.FaultTerms
    last_decision: int
    ledger_length: int
    ledger_head: bytes
    def __init__(self, match_handle: _Optional[int] = ..., match_id: _Optional[str] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Union[_games_pb2.GameOptions, _Mapping]] = ..., seat: _Optional[int] = ..., players: _Optional[_Iterable[_Union[Player, _Mapping]]] = ..., clock: _Optional[_Union[_clock_pb2.ClockTerms, _Mapping]] = ..., seed: _Optional[bytes] = ..., commitment: _Optional[bytes] = ..., faults: _Optional[_Union[_faults_pb2.FaultTerms, _Mapping]] = ..., last_decision: _Optional[int] = ..., ledger_length: _Optional[int] = ..., ledger_head: _Optional[bytes] = ...) -> None: ...

class Choice(_message.Message):
    __slots__ = ("match_handle", "number", "answer", "thought_ms")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    THOUGHT_MS_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    number: int
    answer: _decision_pb2.Answer
    thought_ms: int
    def __init__(self, match_handle: _Optional[int] = ..., number: _Optional[int] = ..., answer: _Optional[_Union[_decision_pb2.Answer, _Mapping]] = ..., thought_ms: _Optional[int] = ...) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("match_handle", "number", "charged_ms", "bank_ms", "fault", "answer", "sentence", "lag_ms", "lost_ms", "faults_left")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    LAG_MS_FIELD_NUMBER: _ClassVar[int]
    LOST_MS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_LEFT_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    number: int
    charged_ms: int
    bank_ms: int
    fault: _faults_pb2.Fault
    answer: _decision_pb2.Answer
    sentence: str
    lag_ms: int
    lost_ms: int
    faults_left: int
    def __init__(self, match_handle: _Optional[int] = ..., number: _Optional[int] = ..., charged_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., answer: _Optional[_Union[_decision_pb2.Answer, _Mapping]] = ..., sentence: _Optional[str] = ..., lag_ms: _Optional[int] = ..., lost_ms: _Optional[int] = ..., faults_left: _Optional[int] = ...) -> None: ...

class Forfeited(_message.Message):
    __slots__ = ("match_handle", "fault", "sentence")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    fault: _faults_pb2.Fault
    sentence: str
    def __init__(self, match_handle: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., sentence: _Optional[str] = ...) -> None: ...

class Forfeit(_message.Message):
    __slots__ = ("seat", "fault")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    fault: _faults_pb2.Fault
    def __init__(self, seat: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ...) -> None: ...

class Refused(_message.Message):
    __slots__ = ("match_handle", "number", "fault", "rule", "sentence", "field", "strikes", "strikes_left", "time_left_ms", "retry_after_ms")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    STRIKES_LEFT_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    number: int
    fault: _faults_pb2.Fault
    rule: str
    sentence: str
    field: str
    strikes: int
    strikes_left: int
    time_left_ms: int
    retry_after_ms: int
    def __init__(self, match_handle: _Optional[int] = ..., number: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., rule: _Optional[str] = ..., sentence: _Optional[str] = ..., field: _Optional[str] = ..., strikes: _Optional[int] = ..., strikes_left: _Optional[int] = ..., time_left_ms: _Optional[int] = ..., retry_after_ms: _Optional[int] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("reason", "scores", "placings")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    PLACINGS_FIELD_NUMBER: _ClassVar[int]
    reason: OutcomeReason
    scores: _containers.RepeatedScalarFieldContainer[int]
    placings: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, reason: _Optional[_Union[OutcomeReason, str]] = ..., scores: _Optional[_Iterable[int]] = ..., placings: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchEnd(_message.Message):
    __slots__ = ("match_handle", "first_event", "events", "outcome", "secret", "forfeits", "sentence", "record_digest", "ledger_length", "ledger_head")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    LEDGER_LENGTH_FIELD_NUMBER: _ClassVar[int]
    LEDGER_HEAD_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    first_event: int
    events: _containers.RepeatedCompositeFieldContainer[_games_pb2.Event]
    outcome: Outcome
    secret: bytes
    forfeits: _containers.RepeatedCompositeFieldContainer[Forfeit]
    sentence: str
    record_digest: bytes
    ledger_length: int
    ledger_head: bytes
    def __init__(self, match_handle: _Optional[int] = ..., first_event: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_games_pb2.Event, _Mapping]]] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ..., secret: _Optional[bytes] = ..., forfeits: _Optional[_Iterable[_Union[Forfeit, _Mapping]]] = ..., sentence: _Optional[str] = ..., record_digest: _Optional[bytes] = ..., ledger_length: _Optional[int] = ..., ledger_head: _Optional[bytes] = ...) -> None: ...
