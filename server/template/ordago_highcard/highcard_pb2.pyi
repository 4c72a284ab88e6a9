from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HighcardEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HIGHCARD_EVENT_KIND_UNSPECIFIED: _ClassVar[HighcardEventKind]
    HIGHCARD_EVENT_KIND_DEAL_STARTED: _ClassVar[HighcardEventKind]
    HIGHCARD_EVENT_KIND_HAND_DEALT: _ClassVar[HighcardEventKind]
    HIGHCARD_EVENT_KIND_CARD_PLAYED: _ClassVar[HighcardEventKind]
    HIGHCARD_EVENT_KIND_TRICK_TAKEN: _ClassVar[HighcardEventKind]
HIGHCARD_EVENT_KIND_UNSPECIFIED: HighcardEventKind
HIGHCARD_EVENT_KIND_DEAL_STARTED: HighcardEventKind
HIGHCARD_EVENT_KIND_HAND_DEALT: HighcardEventKind
HIGHCARD_EVENT_KIND_CARD_PLAYED: HighcardEventKind
HIGHCARD_EVENT_KIND_TRICK_TAKEN: HighcardEventKind

class HighcardOptions(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: int
    def __init__(self, deals: _Optional[int] = ...) -> None: ...

class HighcardPlay(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: _cards_pb2.Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class HighcardView(_message.Message):
    __slots__ = ("deal", "deals", "hand", "plays", "totals")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    deals: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    plays: _containers.RepeatedCompositeFieldContainer[HighcardPlay]
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal: _Optional[int] = ..., deals: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., plays: _Optional[_Iterable[_Union[HighcardPlay, _Mapping]]] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...

class HighcardAction(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class HighcardEvent(_message.Message):
    __slots__ = ("kind", "seat", "card", "cards", "deal")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    kind: HighcardEventKind
    seat: int
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    deal: int
    def __init__(self, kind: _Optional[_Union[HighcardEventKind, str]] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., deal: _Optional[int] = ...) -> None: ...
