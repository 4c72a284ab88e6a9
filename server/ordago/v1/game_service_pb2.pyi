from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OptionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPTION_KIND_UNSPECIFIED: _ClassVar[OptionKind]
    OPTION_KIND_INTEGER: _ClassVar[OptionKind]
    OPTION_KIND_WORD: _ClassVar[OptionKind]
    OPTION_KIND_BOOLEAN: _ClassVar[OptionKind]
OPTION_KIND_UNSPECIFIED: OptionKind
OPTION_KIND_INTEGER: OptionKind
OPTION_KIND_WORD: OptionKind
OPTION_KIND_BOOLEAN: OptionKind

class ListGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameInfo]
    def __init__(self, games: _Optional[_Iterable[_Union[GameInfo, _Mapping]]] = ...) -> None: ...

class GameInfo(_message.Message):
    __slots__ = ("name", "title", "rules_version", "seat_counts", "options")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    rules_version: int
    seat_counts: _containers.RepeatedScalarFieldContainer[int]
    options: _containers.RepeatedCompositeFieldContainer[OptionInfo]
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., rules_version: _Optional[int] = ..., seat_counts: _Optional[_Iterable[int]] = ..., options: _Optional[_Iterable[_Union[OptionInfo, _Mapping]]] = ...) -> None: ...

class OptionInfo(_message.Message):
    __slots__ = ("name", "kind", "default_value", "min", "max", "choices", "sentence")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: OptionKind
    default_value: str
    min: int
    max: int
    choices: _containers.RepeatedScalarFieldContainer[str]
    sentence: str
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[OptionKind, str]] = ..., default_value: _Optional[str] = ..., min: _Optional[int] = ..., max: _Optional[int] = ..., choices: _Optional[_Iterable[str]] = ..., sentence: _Optional[str] = ...) -> None: ...

class DescribeEventRequest(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: str
    def __init__(self, event: _Optional[str] = ...) -> None: ...

class DescribeEventResponse(_message.Message):
    __slots__ = ("event", "commitment", "secret_digest", "settings_digest", "entrants", "beacon")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SECRET_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    BEACON_FIELD_NUMBER: _ClassVar[int]
    event: str
    commitment: bytes
    secret_digest: bytes
    settings_digest: bytes
    entrants: _containers.RepeatedScalarFieldContainer[str]
    beacon: Beacon
    def __init__(self, event: _Optional[str] = ..., commitment: _Optional[bytes] = ..., secret_digest: _Optional[bytes] = ..., settings_digest: _Optional[bytes] = ..., entrants: _Optional[_Iterable[str]] = ..., beacon: _Optional[_Union[Beacon, _Mapping]] = ...) -> None: ...

class Beacon(_message.Message):
    __slots__ = ("source", "round", "value")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    source: str
    round: int
    value: bytes
    def __init__(self, source: _Optional[str] = ..., round: _Optional[int] = ..., value: _Optional[bytes] = ...) -> None: ...
