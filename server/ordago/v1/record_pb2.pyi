from ordago.v1 import cards_pb2 as _cards_pb2
from ordago.v1 import clock_pb2 as _clock_pb2
from ordago.v1 import faults_pb2 as _faults_pb2
from ordago.v1 import games_pb2 as _games_pb2
from ordago.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchRecord(_message.Message):
    __slots__ = ("format_version", "match_id", "attempt", "game", "rules_version", "options", "seats", "clock", "commitment", "secret", "deal_seed", "entries", "outcome", "faults", "conceding")
    FORMAT_VERSION_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    DEAL_SEED_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    CONCEDING_FIELD_NUMBER: _ClassVar[int]
    format_version: int
    match_id: str
    attempt: int
    game: str
    rules_version: int
    options: _games_pb2.GameOptions
    seats: _containers.RepeatedCompositeFieldContainer[RecordSeat]
    clock: _clock_pb2.ClockTerms
    commitment: bytes
    secret: bytes
    deal_seed: str
    entries: _containers.RepeatedCompositeFieldContainer[RecordEntry]
    outcome: _match_pb2.Outcome
    faults: _faults_pb2.FaultTerms
    conceding: bool
    def __init__(self, format_version: _Optional[int] = ..., match_id: _Optional[str] = ..., attempt: _Optional[int] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Union[_games_pb2.GameOptions, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[RecordSeat, _Mapping]]] = ..., clock: _Optional[_Union[_clock_pb2.ClockTerms, _Mapping]] = ..., commitment: _Optional[bytes] = ..., secret: _Optional[bytes] = ..., deal_seed: _Optional[str] = ..., entries: _Optional[_Iterable[_Union[RecordEntry, _Mapping]]] = ..., outcome: _Optional[_Union[_match_pb2.Outcome, _Mapping]] = ..., faults: _Optional[_Union[_faults_pb2.FaultTerms, _Mapping]] = ..., conceding: bool = ...) -> None: ...

class RecordSeat(_message.Message):
    __slots__ = ("name", "version", "build", "side", "clock")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    build: str
    side: int
    clock: _clock_pb2.ClockTerms
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., build: _Optional[str] = ..., side: _Optional[int] = ..., clock: _Optional[_Union[_clock_pb2.ClockTerms, _Mapping]] = ...) -> None: ...

class RecordEntry(_message.Message):
    __slots__ = ("shuffle", "choice", "event", "forfeit")
    SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    shuffle: RecordedShuffle
    choice: RecordedChoice
    event: _games_pb2.Event
    forfeit: _match_pb2.Forfeit
    def __init__(self, shuffle: _Optional[_Union[RecordedShuffle, _Mapping]] = ..., choice: _Optional[_Union[RecordedChoice, _Mapping]] = ..., event: _Optional[_Union[_games_pb2.Event, _Mapping]] = ..., forfeit: _Optional[_Union[_match_pb2.Forfeit, _Mapping]] = ...) -> None: ...

class RecordedShuffle(_message.Message):
    __slots__ = ("deal", "shuffle", "cards")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    shuffle: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, deal: _Optional[int] = ..., shuffle: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class RecordedChoice(_message.Message):
    __slots__ = ("seat", "action", "charged_ms", "strikes", "fault", "lag_ms", "lost_ms", "away_ms", "broken_rules", "concede")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CHARGED_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    LAG_MS_FIELD_NUMBER: _ClassVar[int]
    LOST_MS_FIELD_NUMBER: _ClassVar[int]
    AWAY_MS_FIELD_NUMBER: _ClassVar[int]
    BROKEN_RULES_FIELD_NUMBER: _ClassVar[int]
    CONCEDE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: _games_pb2.Action
    charged_ms: int
    strikes: int
    fault: _faults_pb2.Fault
    lag_ms: int
    lost_ms: int
    away_ms: int
    broken_rules: _containers.RepeatedScalarFieldContainer[str]
    concede: bool
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ..., charged_ms: _Optional[int] = ..., strikes: _Optional[int] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., lag_ms: _Optional[int] = ..., lost_ms: _Optional[int] = ..., away_ms: _Optional[int] = ..., broken_rules: _Optional[_Iterable[str]] = ..., concede: bool = ...) -> None: ...

class RecordFile(_message.Message):
    __slots__ = ("record", "digest")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    record: MatchRecord
    digest: bytes
    def __init__(self, record: _Optional[_Union[MatchRecord, _Mapping]] = ..., digest: _Optional[bytes] = ...) -> None: ...
