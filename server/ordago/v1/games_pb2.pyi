from google.protobuf import any_pb2 as _any_pb2
from ordago.v1 import mittlere_pb2 as _mittlere_pb2
from ordago.v1 import mus_pb2 as _mus_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameOptions(_message.Message):
    __slots__ = ("mus", "mittlere", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusOptions
    mittlere: _mittlere_pb2.MittlereOptions
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusOptions, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereOptions, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("mus", "mittlere", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusView
    mittlere: _mittlere_pb2.MittlereView
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusView, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereView, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("mus", "mittlere", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusAction
    mittlere: _mittlere_pb2.MittlereAction
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusAction, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereAction, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("mus", "mittlere", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusEvent
    mittlere: _mittlere_pb2.MittlereEvent
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusEvent, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereEvent, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
