from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MittlereEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITTLERE_EVENT_KIND_UNSPECIFIED: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_DEAL_STARTED: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_HAND_DEALT: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_CARD_PLAYED: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_TRUMP_SET: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_TRICK_TAKEN: _ClassVar[MittlereEventKind]
    MITTLERE_EVENT_KIND_DEAL_SCORED: _ClassVar[MittlereEventKind]

class MittlereScoringRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITTLERE_SCORING_RULE_UNSPECIFIED: _ClassVar[MittlereScoringRule]
    MITTLERE_SCORING_RULE_ALL_TRICKS: _ClassVar[MittlereScoringRule]
    MITTLERE_SCORING_RULE_NO_TRICK: _ClassVar[MittlereScoringRule]
    MITTLERE_SCORING_RULE_HUNDRED: _ClassVar[MittlereScoringRule]
    MITTLERE_SCORING_RULE_MIDDLE: _ClassVar[MittlereScoringRule]
    MITTLERE_SCORING_RULE_EQUAL: _ClassVar[MittlereScoringRule]
MITTLERE_EVENT_KIND_UNSPECIFIED: MittlereEventKind
MITTLERE_EVENT_KIND_DEAL_STARTED: MittlereEventKind
MITTLERE_EVENT_KIND_HAND_DEALT: MittlereEventKind
MITTLERE_EVENT_KIND_CARD_PLAYED: MittlereEventKind
MITTLERE_EVENT_KIND_TRUMP_SET: MittlereEventKind
MITTLERE_EVENT_KIND_TRICK_TAKEN: MittlereEventKind
MITTLERE_EVENT_KIND_DEAL_SCORED: MittlereEventKind
MITTLERE_SCORING_RULE_UNSPECIFIED: MittlereScoringRule
MITTLERE_SCORING_RULE_ALL_TRICKS: MittlereScoringRule
MITTLERE_SCORING_RULE_NO_TRICK: MittlereScoringRule
MITTLERE_SCORING_RULE_HUNDRED: MittlereScoringRule
MITTLERE_SCORING_RULE_MIDDLE: MittlereScoringRule
MITTLERE_SCORING_RULE_EQUAL: MittlereScoringRule

class MittlereOptions(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: int
    def __init__(self, deals: _Optional[int] = ...) -> None: ...

class MittlereTrump(_message.Message):
    __slots__ = ("suit", "card", "seat", "trick")
    SUIT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    suit: _cards_pb2.Suit
    card: _cards_pb2.Card
    seat: int
    trick: int
    def __init__(self, suit: _Optional[_Union[_cards_pb2.Suit, str]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., seat: _Optional[int] = ..., trick: _Optional[int] = ...) -> None: ...

class MittlereView(_message.Message):
    __slots__ = ("deal", "deals", "dealer", "hand", "trick", "leader", "played", "takers", "trump", "totals")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    TAKERS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    deals: int
    dealer: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    trick: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leader: int
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    takers: _containers.RepeatedScalarFieldContainer[int]
    trump: MittlereTrump
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal: _Optional[int] = ..., deals: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., trick: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leader: _Optional[int] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., takers: _Optional[_Iterable[int]] = ..., trump: _Optional[_Union[MittlereTrump, _Mapping]] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...

class MittlereAction(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class MittlereEvent(_message.Message):
    __slots__ = ("kind", "seat", "card", "cards", "deal", "points", "scores", "rule")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    kind: MittlereEventKind
    seat: int
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    deal: int
    points: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    rule: MittlereScoringRule
    def __init__(self, kind: _Optional[_Union[MittlereEventKind, str]] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., deal: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., rule: _Optional[_Union[MittlereScoringRule, str]] = ...) -> None: ...
