from ordago.v1 import cards_pb2 as _cards_pb2
from ordago.v1 import clock_pb2 as _clock_pb2
from ordago.v1 import games_pb2 as _games_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AmountRange(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: int
    max: int
    def __init__(self, min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...

class Pick(_message.Message):
    __slots__ = ("cards", "min", "max")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    min: int
    max: int
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...

class LegalAction(_message.Message):
    __slots__ = ("id", "action", "amount", "picks")
    ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    id: int
    action: _games_pb2.Action
    amount: AmountRange
    picks: _containers.RepeatedCompositeFieldContainer[Pick]
    def __init__(self, id: _Optional[int] = ..., action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ..., amount: _Optional[_Union[AmountRange, _Mapping]] = ..., picks: _Optional[_Iterable[_Union[Pick, _Mapping]]] = ...) -> None: ...

class Extra(_message.Message):
    __slots__ = ("id", "action")
    ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    id: int
    action: _games_pb2.Action
    def __init__(self, id: _Optional[int] = ..., action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("legal_action", "action", "amount", "cards", "extra", "concede")
    LEGAL_ACTION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    CONCEDE_FIELD_NUMBER: _ClassVar[int]
    legal_action: int
    action: _games_pb2.Action
    amount: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    extra: int
    concede: bool
    def __init__(self, legal_action: _Optional[int] = ..., action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ..., amount: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., extra: _Optional[int] = ..., concede: bool = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("match_handle", "number", "seat", "first_event", "events", "actions", "extras", "default_answer", "clock", "view", "may_concede")
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    EXTRAS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_ANSWER_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    MAY_CONCEDE_FIELD_NUMBER: _ClassVar[int]
    match_handle: int
    number: int
    seat: int
    first_event: int
    events: _containers.RepeatedCompositeFieldContainer[_games_pb2.Event]
    actions: _containers.RepeatedCompositeFieldContainer[LegalAction]
    extras: _containers.RepeatedCompositeFieldContainer[Extra]
    default_answer: Answer
    clock: _clock_pb2.ClockState
    view: _games_pb2.View
    may_concede: bool
    def __init__(self, match_handle: _Optional[int] = ..., number: _Optional[int] = ..., seat: _Optional[int] = ..., first_event: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_games_pb2.Event, _Mapping]]] = ..., actions: _Optional[_Iterable[_Union[LegalAction, _Mapping]]] = ..., extras: _Optional[_Iterable[_Union[Extra, _Mapping]]] = ..., default_answer: _Optional[_Union[Answer, _Mapping]] = ..., clock: _Optional[_Union[_clock_pb2.ClockState, _Mapping]] = ..., view: _Optional[_Union[_games_pb2.View, _Mapping]] = ..., may_concede: bool = ...) -> None: ...
