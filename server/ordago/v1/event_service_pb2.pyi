from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HostedEventStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HOSTED_EVENT_STAGE_UNSPECIFIED: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_CHECK_IN: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_PLAYING: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_OVER: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_STOPPED: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_FAILED: _ClassVar[HostedEventStage]
    HOSTED_EVENT_STAGE_ENTRY: _ClassVar[HostedEventStage]
HOSTED_EVENT_STAGE_UNSPECIFIED: HostedEventStage
HOSTED_EVENT_STAGE_CHECK_IN: HostedEventStage
HOSTED_EVENT_STAGE_PLAYING: HostedEventStage
HOSTED_EVENT_STAGE_OVER: HostedEventStage
HOSTED_EVENT_STAGE_STOPPED: HostedEventStage
HOSTED_EVENT_STAGE_FAILED: HostedEventStage
HOSTED_EVENT_STAGE_ENTRY: HostedEventStage

class HostedEvent(_message.Message):
    __slots__ = ("name", "title", "stage", "sentence", "opened_at", "opened_by", "begins_at", "played", "planned", "here", "missing", "games", "check_in_ends_at", "size_mib", "entries", "places_left")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_FIELD_NUMBER: _ClassVar[int]
    OPENED_BY_FIELD_NUMBER: _ClassVar[int]
    BEGINS_AT_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PLANNED_FIELD_NUMBER: _ClassVar[int]
    HERE_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CHECK_IN_ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    SIZE_MIB_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    PLACES_LEFT_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    stage: HostedEventStage
    sentence: str
    opened_at: int
    opened_by: str
    begins_at: int
    played: int
    planned: int
    here: _containers.RepeatedScalarFieldContainer[str]
    missing: _containers.RepeatedScalarFieldContainer[str]
    games: _containers.RepeatedScalarFieldContainer[str]
    check_in_ends_at: int
    size_mib: int
    entries: _containers.RepeatedCompositeFieldContainer[EventEntry]
    places_left: int
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., stage: _Optional[_Union[HostedEventStage, str]] = ..., sentence: _Optional[str] = ..., opened_at: _Optional[int] = ..., opened_by: _Optional[str] = ..., begins_at: _Optional[int] = ..., played: _Optional[int] = ..., planned: _Optional[int] = ..., here: _Optional[_Iterable[str]] = ..., missing: _Optional[_Iterable[str]] = ..., games: _Optional[_Iterable[str]] = ..., check_in_ends_at: _Optional[int] = ..., size_mib: _Optional[int] = ..., entries: _Optional[_Iterable[_Union[EventEntry, _Mapping]]] = ..., places_left: _Optional[int] = ...) -> None: ...

class EventEntry(_message.Message):
    __slots__ = ("entrant", "account", "author", "version")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    entrant: str
    account: str
    author: str
    version: str
    def __init__(self, entrant: _Optional[str] = ..., account: _Optional[str] = ..., author: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class OpenEventRequest(_message.Message):
    __slots__ = ("file", "why")
    FILE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    file: str
    why: str
    def __init__(self, file: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class OpenEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class StopEventRequest(_message.Message):
    __slots__ = ("name", "why")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    name: str
    why: str
    def __init__(self, name: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class StopEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class RemoveEventRequest(_message.Message):
    __slots__ = ("name", "why")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    name: str
    why: str
    def __init__(self, name: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class RemoveEventResponse(_message.Message):
    __slots__ = ("event", "files")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    files: int
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ..., files: _Optional[int] = ...) -> None: ...

class EnterEventRequest(_message.Message):
    __slots__ = ("name", "entrant", "author", "version")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    name: str
    entrant: str
    author: str
    version: str
    def __init__(self, name: _Optional[str] = ..., entrant: _Optional[str] = ..., author: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class EnterEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class LeaveEventRequest(_message.Message):
    __slots__ = ("name", "entrant")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    name: str
    entrant: str
    def __init__(self, name: _Optional[str] = ..., entrant: _Optional[str] = ...) -> None: ...

class LeaveEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class GetEventRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("stages", "page_size", "page_token")
    STAGES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    stages: _containers.RepeatedScalarFieldContainer[HostedEventStage]
    page_size: int
    page_token: str
    def __init__(self, stages: _Optional[_Iterable[_Union[HostedEventStage, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[HostedEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[HostedEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListEventResultsRequest(_message.Message):
    __slots__ = ("name", "game", "page_size", "page_token")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    name: str
    game: str
    page_size: int
    page_token: str
    def __init__(self, name: _Optional[str] = ..., game: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEventResultsResponse(_message.Message):
    __slots__ = ("event", "standings", "next_page_token")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    standings: _containers.RepeatedCompositeFieldContainer[EventStanding]
    next_page_token: str
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ..., standings: _Optional[_Iterable[_Union[EventStanding, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EventStanding(_message.Message):
    __slots__ = ("rank", "entrant", "version", "elo", "low", "high", "matches", "points", "faults", "forfeits", "suspended", "rating_note", "rated")
    RANK_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    RATING_NOTE_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    rank: int
    entrant: str
    version: str
    elo: float
    low: float
    high: float
    matches: int
    points: float
    faults: int
    forfeits: int
    suspended: bool
    rating_note: str
    rated: int
    def __init__(self, rank: _Optional[int] = ..., entrant: _Optional[str] = ..., version: _Optional[str] = ..., elo: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., matches: _Optional[int] = ..., points: _Optional[float] = ..., faults: _Optional[int] = ..., forfeits: _Optional[int] = ..., suspended: bool = ..., rating_note: _Optional[str] = ..., rated: _Optional[int] = ...) -> None: ...

class WatchEventRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: HostedEvent
    def __init__(self, event: _Optional[_Union[HostedEvent, _Mapping]] = ...) -> None: ...

class DownloadEventRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DownloadEventResponse(_message.Message):
    __slots__ = ("files", "parts")
    FILES_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    files: int
    parts: _containers.RepeatedCompositeFieldContainer[PublishedPart]
    def __init__(self, files: _Optional[int] = ..., parts: _Optional[_Iterable[_Union[PublishedPart, _Mapping]]] = ...) -> None: ...

class PublishedPart(_message.Message):
    __slots__ = ("path", "size", "data")
    PATH_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    path: str
    size: int
    data: bytes
    def __init__(self, path: _Optional[str] = ..., size: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...
