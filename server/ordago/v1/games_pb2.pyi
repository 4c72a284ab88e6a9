from google.protobuf import any_pb2 as _any_pb2
from ordago.v1 import mitaines_pb2 as _mitaines_pb2
from ordago.v1 import mitigati_pb2 as _mitigati_pb2
from ordago.v1 import mittlere_pb2 as _mittlere_pb2
from ordago.v1 import mus_pb2 as _mus_pb2
from ordago.v1 import taihe_pb2 as _taihe_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameOptions(_message.Message):
    __slots__ = ("mus", "mitaines", "mitigati", "mittlere", "taihe", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITAINES_FIELD_NUMBER: _ClassVar[int]
    MITIGATI_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    TAIHE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusOptions
    mitaines: _mitaines_pb2.MitainesOptions
    mitigati: _mitigati_pb2.MitigatiOptions
    mittlere: _mittlere_pb2.MittlereOptions
    taihe: _taihe_pb2.TaiheOptions
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusOptions, _Mapping]] = ..., mitaines: _Optional[_Union[_mitaines_pb2.MitainesOptions, _Mapping]] = ..., mitigati: _Optional[_Union[_mitigati_pb2.MitigatiOptions, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereOptions, _Mapping]] = ..., taihe: _Optional[_Union[_taihe_pb2.TaiheOptions, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("mus", "mitaines", "mitigati", "mittlere", "taihe", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITAINES_FIELD_NUMBER: _ClassVar[int]
    MITIGATI_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    TAIHE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusView
    mitaines: _mitaines_pb2.MitainesView
    mitigati: _mitigati_pb2.MitigatiView
    mittlere: _mittlere_pb2.MittlereView
    taihe: _taihe_pb2.TaiheView
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusView, _Mapping]] = ..., mitaines: _Optional[_Union[_mitaines_pb2.MitainesView, _Mapping]] = ..., mitigati: _Optional[_Union[_mitigati_pb2.MitigatiView, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereView, _Mapping]] = ..., taihe: _Optional[_Union[_taihe_pb2.TaiheView, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("mus", "mitaines", "mitigati", "mittlere", "taihe", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITAINES_FIELD_NUMBER: _ClassVar[int]
    MITIGATI_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    TAIHE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusAction
    mitaines: _mitaines_pb2.MitainesAction
    mitigati: _mitigati_pb2.MitigatiAction
    mittlere: _mittlere_pb2.MittlereAction
    taihe: _taihe_pb2.TaiheAction
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusAction, _Mapping]] = ..., mitaines: _Optional[_Union[_mitaines_pb2.MitainesAction, _Mapping]] = ..., mitigati: _Optional[_Union[_mitigati_pb2.MitigatiAction, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereAction, _Mapping]] = ..., taihe: _Optional[_Union[_taihe_pb2.TaiheAction, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("mus", "mitaines", "mitigati", "mittlere", "taihe", "other")
    MUS_FIELD_NUMBER: _ClassVar[int]
    MITAINES_FIELD_NUMBER: _ClassVar[int]
    MITIGATI_FIELD_NUMBER: _ClassVar[int]
    MITTLERE_FIELD_NUMBER: _ClassVar[int]
    TAIHE_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    mus: _mus_pb2.MusEvent
    mitaines: _mitaines_pb2.MitainesEvent
    mitigati: _mitigati_pb2.MitigatiEvent
    mittlere: _mittlere_pb2.MittlereEvent
    taihe: _taihe_pb2.TaiheEvent
    other: _any_pb2.Any
    def __init__(self, mus: _Optional[_Union[_mus_pb2.MusEvent, _Mapping]] = ..., mitaines: _Optional[_Union[_mitaines_pb2.MitainesEvent, _Mapping]] = ..., mitigati: _Optional[_Union[_mitigati_pb2.MitigatiEvent, _Mapping]] = ..., mittlere: _Optional[_Union[_mittlere_pb2.MittlereEvent, _Mapping]] = ..., taihe: _Optional[_Union[_taihe_pb2.TaiheEvent, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
