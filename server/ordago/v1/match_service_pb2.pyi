from ordago.v1 import clock_pb2 as _clock_pb2
from ordago.v1 import games_pb2 as _games_pb2
from ordago.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STAGE_UNSPECIFIED: _ClassVar[MatchStage]
    MATCH_STAGE_RUNNING: _ClassVar[MatchStage]
    MATCH_STAGE_OVER: _ClassVar[MatchStage]
    MATCH_STAGE_VOID: _ClassVar[MatchStage]
MATCH_STAGE_UNSPECIFIED: MatchStage
MATCH_STAGE_RUNNING: MatchStage
MATCH_STAGE_OVER: MatchStage
MATCH_STAGE_VOID: MatchStage

class ListMatchesRequest(_message.Message):
    __slots__ = ("game", "bot", "account", "epoch", "running", "page_size", "page_token", "by_end")
    GAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BY_END_FIELD_NUMBER: _ClassVar[int]
    game: str
    bot: str
    account: str
    epoch: int
    running: bool
    page_size: int
    page_token: str
    by_end: bool
    def __init__(self, game: _Optional[str] = ..., bot: _Optional[str] = ..., account: _Optional[str] = ..., epoch: _Optional[int] = ..., running: bool = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., by_end: bool = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[LadderMatch]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[LadderMatch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LadderMatch(_message.Message):
    __slots__ = ("match_id", "game", "epoch", "number", "stage", "seats", "begun", "ended", "record_digest", "record_open", "void_reason", "unrated", "lane")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    RECORD_OPEN_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    epoch: int
    number: int
    stage: MatchStage
    seats: _containers.RepeatedCompositeFieldContainer[LadderSeat]
    begun: int
    ended: int
    record_digest: bytes
    record_open: bool
    void_reason: str
    unrated: bool
    lane: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., epoch: _Optional[int] = ..., number: _Optional[int] = ..., stage: _Optional[_Union[MatchStage, str]] = ..., seats: _Optional[_Iterable[_Union[LadderSeat, _Mapping]]] = ..., begun: _Optional[int] = ..., ended: _Optional[int] = ..., record_digest: _Optional[bytes] = ..., record_open: bool = ..., void_reason: _Optional[str] = ..., unrated: bool = ..., lane: _Optional[str] = ...) -> None: ...

class LadderSeat(_message.Message):
    __slots__ = ("player", "name", "version", "account", "side", "placing", "score", "forfeited")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    PLACING_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    player: int
    name: str
    version: str
    account: str
    side: int
    placing: int
    score: int
    forfeited: bool
    def __init__(self, player: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., account: _Optional[str] = ..., side: _Optional[int] = ..., placing: _Optional[int] = ..., score: _Optional[int] = ..., forfeited: bool = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: LadderMatch
    def __init__(self, match: _Optional[_Union[LadderMatch, _Mapping]] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("file",)
    FILE_FIELD_NUMBER: _ClassVar[int]
    file: bytes
    def __init__(self, file: _Optional[bytes] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("start", "end", "first_event", "events")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    start: WatchedStart
    end: WatchedEnd
    first_event: int
    events: _containers.RepeatedCompositeFieldContainer[_games_pb2.Event]
    def __init__(self, start: _Optional[_Union[WatchedStart, _Mapping]] = ..., end: _Optional[_Union[WatchedEnd, _Mapping]] = ..., first_event: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_games_pb2.Event, _Mapping]]] = ...) -> None: ...

class WatchedStart(_message.Message):
    __slots__ = ("match_id", "game", "rules_version", "options", "players", "clock", "delay_seconds")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    DELAY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    rules_version: int
    options: _games_pb2.GameOptions
    players: _containers.RepeatedCompositeFieldContainer[_match_pb2.Player]
    clock: _clock_pb2.ClockTerms
    delay_seconds: int
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Union[_games_pb2.GameOptions, _Mapping]] = ..., players: _Optional[_Iterable[_Union[_match_pb2.Player, _Mapping]]] = ..., clock: _Optional[_Union[_clock_pb2.ClockTerms, _Mapping]] = ..., delay_seconds: _Optional[int] = ...) -> None: ...

class WatchedEnd(_message.Message):
    __slots__ = ("outcome", "forfeits", "sentence")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    outcome: _match_pb2.Outcome
    forfeits: _containers.RepeatedCompositeFieldContainer[_match_pb2.Forfeit]
    sentence: str
    def __init__(self, outcome: _Optional[_Union[_match_pb2.Outcome, _Mapping]] = ..., forfeits: _Optional[_Iterable[_Union[_match_pb2.Forfeit, _Mapping]]] = ..., sentence: _Optional[str] = ...) -> None: ...
