from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MitainesCombination(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITAINES_COMBINATION_UNSPECIFIED: _ClassVar[MitainesCombination]
    MITAINES_COMBINATION_MITTEN: _ClassVar[MitainesCombination]
    MITAINES_COMBINATION_GLOVE: _ClassVar[MitainesCombination]
    MITAINES_COMBINATION_SOCK: _ClassVar[MitainesCombination]
    MITAINES_COMBINATION_ADDED_GLOVE: _ClassVar[MitainesCombination]
    MITAINES_COMBINATION_ADDED_SOCK: _ClassVar[MitainesCombination]

class MitainesEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITAINES_EVENT_KIND_UNSPECIFIED: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_DEAL_STARTED: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_TABLE_LAID: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_HAND_DEALT: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_CARD_PLAYED: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_DECLARATION_STOLEN: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_PILE_CLEARED: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_LAST_TEN: _ClassVar[MitainesEventKind]
    MITAINES_EVENT_KIND_DEAL_SCORED: _ClassVar[MitainesEventKind]

class MitainesClear(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITAINES_CLEAR_UNSPECIFIED: _ClassVar[MitainesClear]
    MITAINES_CLEAR_MATCH: _ClassVar[MitainesClear]
    MITAINES_CLEAR_JACK: _ClassVar[MitainesClear]
    MITAINES_CLEAR_COMPLETION: _ClassVar[MitainesClear]
    MITAINES_CLEAR_STEAL: _ClassVar[MitainesClear]
MITAINES_COMBINATION_UNSPECIFIED: MitainesCombination
MITAINES_COMBINATION_MITTEN: MitainesCombination
MITAINES_COMBINATION_GLOVE: MitainesCombination
MITAINES_COMBINATION_SOCK: MitainesCombination
MITAINES_COMBINATION_ADDED_GLOVE: MitainesCombination
MITAINES_COMBINATION_ADDED_SOCK: MitainesCombination
MITAINES_EVENT_KIND_UNSPECIFIED: MitainesEventKind
MITAINES_EVENT_KIND_DEAL_STARTED: MitainesEventKind
MITAINES_EVENT_KIND_TABLE_LAID: MitainesEventKind
MITAINES_EVENT_KIND_HAND_DEALT: MitainesEventKind
MITAINES_EVENT_KIND_CARD_PLAYED: MitainesEventKind
MITAINES_EVENT_KIND_DECLARATION_STOLEN: MitainesEventKind
MITAINES_EVENT_KIND_PILE_CLEARED: MitainesEventKind
MITAINES_EVENT_KIND_LAST_TEN: MitainesEventKind
MITAINES_EVENT_KIND_DEAL_SCORED: MitainesEventKind
MITAINES_CLEAR_UNSPECIFIED: MitainesClear
MITAINES_CLEAR_MATCH: MitainesClear
MITAINES_CLEAR_JACK: MitainesClear
MITAINES_CLEAR_COMPLETION: MitainesClear
MITAINES_CLEAR_STEAL: MitainesClear

class MitainesOptions(_message.Message):
    __slots__ = ("target", "max_deals")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    target: int
    max_deals: int
    def __init__(self, target: _Optional[int] = ..., max_deals: _Optional[int] = ...) -> None: ...

class MitainesStolen(_message.Message):
    __slots__ = ("seat", "combination", "rank")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMBINATION_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    combination: MitainesCombination
    rank: int
    def __init__(self, seat: _Optional[int] = ..., combination: _Optional[_Union[MitainesCombination, str]] = ..., rank: _Optional[int] = ...) -> None: ...

class MitainesDeclaration(_message.Message):
    __slots__ = ("seat", "combination", "rank", "cards_left", "points", "stolen")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMBINATION_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    CARDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    STOLEN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    combination: MitainesCombination
    rank: int
    cards_left: int
    points: int
    stolen: _containers.RepeatedCompositeFieldContainer[MitainesStolen]
    def __init__(self, seat: _Optional[int] = ..., combination: _Optional[_Union[MitainesCombination, str]] = ..., rank: _Optional[int] = ..., cards_left: _Optional[int] = ..., points: _Optional[int] = ..., stolen: _Optional[_Iterable[_Union[MitainesStolen, _Mapping]]] = ...) -> None: ...

class MitainesView(_message.Message):
    __slots__ = ("target", "max_deals", "deal", "dealer", "hand", "hand_sizes", "stock", "pile", "laid", "declaration", "played", "declared", "clears", "last_clearer", "scores", "totals")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    STOCK_FIELD_NUMBER: _ClassVar[int]
    PILE_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    DECLARATION_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    DECLARED_FIELD_NUMBER: _ClassVar[int]
    CLEARS_FIELD_NUMBER: _ClassVar[int]
    LAST_CLEARER_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    target: int
    max_deals: int
    deal: int
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    stock: int
    pile: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    laid: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    declaration: MitainesDeclaration
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    declared: _containers.RepeatedScalarFieldContainer[MitainesCombination]
    clears: _containers.RepeatedScalarFieldContainer[int]
    last_clearer: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, target: _Optional[int] = ..., max_deals: _Optional[int] = ..., deal: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., stock: _Optional[int] = ..., pile: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., laid: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., declaration: _Optional[_Union[MitainesDeclaration, _Mapping]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., declared: _Optional[_Iterable[_Union[MitainesCombination, str]]] = ..., clears: _Optional[_Iterable[int]] = ..., last_clearer: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...

class MitainesAction(_message.Message):
    __slots__ = ("card", "combination")
    CARD_FIELD_NUMBER: _ClassVar[int]
    COMBINATION_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    combination: MitainesCombination
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., combination: _Optional[_Union[MitainesCombination, str]] = ...) -> None: ...

class MitainesEvent(_message.Message):
    __slots__ = ("kind", "seat", "card", "combination", "cards", "deal", "robbed_seat", "clear", "doubled", "points", "declared_points", "laid_points", "single_points", "ten_points", "scores", "totals")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    COMBINATION_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ROBBED_SEAT_FIELD_NUMBER: _ClassVar[int]
    CLEAR_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    DECLARED_POINTS_FIELD_NUMBER: _ClassVar[int]
    LAID_POINTS_FIELD_NUMBER: _ClassVar[int]
    SINGLE_POINTS_FIELD_NUMBER: _ClassVar[int]
    TEN_POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    kind: MitainesEventKind
    seat: int
    card: _cards_pb2.Card
    combination: MitainesCombination
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    deal: int
    robbed_seat: int
    clear: MitainesClear
    doubled: bool
    points: int
    declared_points: int
    laid_points: int
    single_points: int
    ten_points: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[MitainesEventKind, str]] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., combination: _Optional[_Union[MitainesCombination, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., deal: _Optional[int] = ..., robbed_seat: _Optional[int] = ..., clear: _Optional[_Union[MitainesClear, str]] = ..., doubled: bool = ..., points: _Optional[int] = ..., declared_points: _Optional[int] = ..., laid_points: _Optional[int] = ..., single_points: _Optional[int] = ..., ten_points: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...
