from ordago.v1 import announcement_pb2 as _announcement_pb2
from ordago.v1 import decision_pb2 as _decision_pb2
from ordago.v1 import faults_pb2 as _faults_pb2
from ordago.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_STAGE_UNSPECIFIED: _ClassVar[EventStage]
    EVENT_STAGE_CHECK_IN: _ClassVar[EventStage]
    EVENT_STAGE_PLAYING: _ClassVar[EventStage]
    EVENT_STAGE_OVER: _ClassVar[EventStage]
EVENT_STAGE_UNSPECIFIED: EventStage
EVENT_STAGE_CHECK_IN: EventStage
EVENT_STAGE_PLAYING: EventStage
EVENT_STAGE_OVER: EventStage

class PlayRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[BotMessage, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[ServerMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[ServerMessage, _Mapping]]] = ...) -> None: ...

class BotMessage(_message.Message):
    __slots__ = ("hello", "choice", "goodbye", "retire")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    RETIRE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    choice: _match_pb2.Choice
    goodbye: Goodbye
    retire: Retire
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., choice: _Optional[_Union[_match_pb2.Choice, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., retire: _Optional[_Union[Retire, _Mapping]] = ...) -> None: ...

class ServerMessage(_message.Message):
    __slots__ = ("welcome", "match_start", "decision", "accepted", "refused", "match_end", "draining", "goodbye", "forfeited", "event_notice", "announcement")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_START_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    MATCH_END_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    EVENT_NOTICE_FIELD_NUMBER: _ClassVar[int]
    ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_start: _match_pb2.MatchStart
    decision: _decision_pb2.Decision
    accepted: _match_pb2.Accepted
    refused: _match_pb2.Refused
    match_end: _match_pb2.MatchEnd
    draining: Draining
    goodbye: Goodbye
    forfeited: _match_pb2.Forfeited
    event_notice: EventNotice
    announcement: _announcement_pb2.Announcement
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_start: _Optional[_Union[_match_pb2.MatchStart, _Mapping]] = ..., decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ..., accepted: _Optional[_Union[_match_pb2.Accepted, _Mapping]] = ..., refused: _Optional[_Union[_match_pb2.Refused, _Mapping]] = ..., match_end: _Optional[_Union[_match_pb2.MatchEnd, _Mapping]] = ..., draining: _Optional[_Union[Draining, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., forfeited: _Optional[_Union[_match_pb2.Forfeited, _Mapping]] = ..., event_notice: _Optional[_Union[EventNotice, _Mapping]] = ..., announcement: _Optional[_Union[_announcement_pb2.Announcement, _Mapping]] = ...) -> None: ...

class Software(_message.Message):
    __slots__ = ("name", "version", "build")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    build: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., build: _Optional[str] = ...) -> None: ...

class Resume(_message.Message):
    __slots__ = ("session_id", "resume_token", "matches")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    resume_token: str
    matches: _containers.RepeatedCompositeFieldContainer[KnownMatch]
    def __init__(self, session_id: _Optional[str] = ..., resume_token: _Optional[str] = ..., matches: _Optional[_Iterable[_Union[KnownMatch, _Mapping]]] = ...) -> None: ...

class KnownMatch(_message.Message):
    __slots__ = ("match_handle", "last_decision")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    LAST_DECISION_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    last_decision: int
    def __init__(self, match_handle: _Optional[int] = ..., last_decision: _Optional[int] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("min_version", "max_version", "sdk", "bot", "nonce", "games", "max_open_decisions", "max_matches", "capabilities", "resume", "matches_in_all")
    MIN_VERSION_FIELD_NUMBER: _ClassVar[int]
    MAX_VERSION_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_MATCHES_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_IN_ALL_FIELD_NUMBER: _ClassVar[int]
    min_version: int
    max_version: int
    sdk: Software
    bot: Software
    nonce: bytes
    games: _containers.RepeatedScalarFieldContainer[str]
    max_open_decisions: int
    max_matches: int
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    resume: Resume
    matches_in_all: int
    def __init__(self, min_version: _Optional[int] = ..., max_version: _Optional[int] = ..., sdk: _Optional[_Union[Software, _Mapping]] = ..., bot: _Optional[_Union[Software, _Mapping]] = ..., nonce: _Optional[bytes] = ..., games: _Optional[_Iterable[str]] = ..., max_open_decisions: _Optional[int] = ..., max_matches: _Optional[int] = ..., capabilities: _Optional[_Iterable[str]] = ..., resume: _Optional[_Union[Resume, _Mapping]] = ..., matches_in_all: _Optional[int] = ...) -> None: ...

class OfferedGame(_message.Message):
    __slots__ = ("game", "rules_version")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    game: str
    rules_version: int
    def __init__(self, game: _Optional[str] = ..., rules_version: _Optional[int] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_frame_bytes", "max_open_decisions", "max_matches", "messages_per_second", "resume_window_ms", "max_frame_messages")
    MAX_FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_MATCHES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    RESUME_WINDOW_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAME_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    max_frame_bytes: int
    max_open_decisions: int
    max_matches: int
    messages_per_second: int
    resume_window_ms: int
    max_frame_messages: int
    def __init__(self, max_frame_bytes: _Optional[int] = ..., max_open_decisions: _Optional[int] = ..., max_matches: _Optional[int] = ..., messages_per_second: _Optional[int] = ..., resume_window_ms: _Optional[int] = ..., max_frame_messages: _Optional[int] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("version", "server", "capabilities", "games", "limits", "session_id", "resume_token", "resumed")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    version: int
    server: Software
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    games: _containers.RepeatedCompositeFieldContainer[OfferedGame]
    limits: Limits
    session_id: str
    resume_token: str
    resumed: bool
    def __init__(self, version: _Optional[int] = ..., server: _Optional[_Union[Software, _Mapping]] = ..., capabilities: _Optional[_Iterable[str]] = ..., games: _Optional[_Iterable[_Union[OfferedGame, _Mapping]]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., session_id: _Optional[str] = ..., resume_token: _Optional[str] = ..., resumed: bool = ...) -> None: ...

class Draining(_message.Message):
    __slots__ = ("sentence", "closing_in_ms")
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    CLOSING_IN_MS_FIELD_NUMBER: _ClassVar[int]
    sentence: str
    closing_in_ms: int
    def __init__(self, sentence: _Optional[str] = ..., closing_in_ms: _Optional[int] = ...) -> None: ...

class Retire(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EventNotice(_message.Message):
    __slots__ = ("stage", "entrant", "sentence", "waiting_for", "matches_begun", "matches_planned", "rank")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FOR_FIELD_NUMBER: _ClassVar[int]
    MATCHES_BEGUN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PLANNED_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    stage: EventStage
    entrant: str
    sentence: str
    waiting_for: int
    matches_begun: int
    matches_planned: int
    rank: int
    def __init__(self, stage: _Optional[_Union[EventStage, str]] = ..., entrant: _Optional[str] = ..., sentence: _Optional[str] = ..., waiting_for: _Optional[int] = ..., matches_begun: _Optional[int] = ..., matches_planned: _Optional[int] = ..., rank: _Optional[int] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("sentence", "fault", "retry_after_ms")
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    sentence: str
    fault: _faults_pb2.Fault
    retry_after_ms: int
    def __init__(self, sentence: _Optional[str] = ..., fault: _Optional[_Union[_faults_pb2.Fault, str]] = ..., retry_after_ms: _Optional[int] = ...) -> None: ...
