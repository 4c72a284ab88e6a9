from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TaihePhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TAIHE_PHASE_UNSPECIFIED: _ClassVar[TaihePhase]
    TAIHE_PHASE_DECLARING: _ClassVar[TaihePhase]
    TAIHE_PHASE_EXCHANGING: _ClassVar[TaihePhase]
    TAIHE_PHASE_GIVING_BACK: _ClassVar[TaihePhase]
    TAIHE_PHASE_PLAYING: _ClassVar[TaihePhase]

class TaiheBid(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TAIHE_BID_UNSPECIFIED: _ClassVar[TaiheBid]
    TAIHE_BID_PASSED: _ClassVar[TaiheBid]
    TAIHE_BID_DECLARED: _ClassVar[TaiheBid]
    TAIHE_BID_EXCHANGED: _ClassVar[TaiheBid]

class TaiheActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TAIHE_ACTION_KIND_UNSPECIFIED: _ClassVar[TaiheActionKind]
    TAIHE_ACTION_KIND_PASS: _ClassVar[TaiheActionKind]
    TAIHE_ACTION_KIND_DECLARE: _ClassVar[TaiheActionKind]
    TAIHE_ACTION_KIND_ASK: _ClassVar[TaiheActionKind]
    TAIHE_ACTION_KIND_GIVE_BACK: _ClassVar[TaiheActionKind]
    TAIHE_ACTION_KIND_PLAY: _ClassVar[TaiheActionKind]

class TaiheEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TAIHE_EVENT_KIND_UNSPECIFIED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_DEAL_STARTED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_HAND_DEALT: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_BIDDING_STARTED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_PASSED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_DECLARED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_ASKED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_GAVE_BACK: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_DECLARER_FOUND: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_PASSED_OUT: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_PLAYED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_ROUND_ENDED: _ClassVar[TaiheEventKind]
    TAIHE_EVENT_KIND_DEAL_SCORED: _ClassVar[TaiheEventKind]
TAIHE_PHASE_UNSPECIFIED: TaihePhase
TAIHE_PHASE_DECLARING: TaihePhase
TAIHE_PHASE_EXCHANGING: TaihePhase
TAIHE_PHASE_GIVING_BACK: TaihePhase
TAIHE_PHASE_PLAYING: TaihePhase
TAIHE_BID_UNSPECIFIED: TaiheBid
TAIHE_BID_PASSED: TaiheBid
TAIHE_BID_DECLARED: TaiheBid
TAIHE_BID_EXCHANGED: TaiheBid
TAIHE_ACTION_KIND_UNSPECIFIED: TaiheActionKind
TAIHE_ACTION_KIND_PASS: TaiheActionKind
TAIHE_ACTION_KIND_DECLARE: TaiheActionKind
TAIHE_ACTION_KIND_ASK: TaiheActionKind
TAIHE_ACTION_KIND_GIVE_BACK: TaiheActionKind
TAIHE_ACTION_KIND_PLAY: TaiheActionKind
TAIHE_EVENT_KIND_UNSPECIFIED: TaiheEventKind
TAIHE_EVENT_KIND_DEAL_STARTED: TaiheEventKind
TAIHE_EVENT_KIND_HAND_DEALT: TaiheEventKind
TAIHE_EVENT_KIND_BIDDING_STARTED: TaiheEventKind
TAIHE_EVENT_KIND_PASSED: TaiheEventKind
TAIHE_EVENT_KIND_DECLARED: TaiheEventKind
TAIHE_EVENT_KIND_ASKED: TaiheEventKind
TAIHE_EVENT_KIND_GAVE_BACK: TaiheEventKind
TAIHE_EVENT_KIND_DECLARER_FOUND: TaiheEventKind
TAIHE_EVENT_KIND_PASSED_OUT: TaiheEventKind
TAIHE_EVENT_KIND_PLAYED: TaiheEventKind
TAIHE_EVENT_KIND_ROUND_ENDED: TaiheEventKind
TAIHE_EVENT_KIND_DEAL_SCORED: TaiheEventKind

class TaiheOptions(_message.Message):
    __slots__ = ("deals", "max_passes")
    DEALS_FIELD_NUMBER: _ClassVar[int]
    MAX_PASSES_FIELD_NUMBER: _ClassVar[int]
    deals: int
    max_passes: int
    def __init__(self, deals: _Optional[int] = ..., max_passes: _Optional[int] = ...) -> None: ...

class TaiheExchange(_message.Message):
    __slots__ = ("seat", "asked", "holder", "given_back")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BACK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    asked: _cards_pb2.Card
    holder: int
    given_back: _cards_pb2.Card
    def __init__(self, seat: _Optional[int] = ..., asked: _Optional[_Union[_cards_pb2.Card, str]] = ..., holder: _Optional[int] = ..., given_back: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class TaiheView(_message.Message):
    __slots__ = ("deal", "deals", "passed_out", "max_passes", "phase", "taker", "first_bidder", "bids", "exchanges", "declarer", "value", "hand", "hand_sizes", "turns", "played", "to_beat", "to_beat_seat", "totals")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    PASSED_OUT_FIELD_NUMBER: _ClassVar[int]
    MAX_PASSES_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    TAKER_FIELD_NUMBER: _ClassVar[int]
    FIRST_BIDDER_FIELD_NUMBER: _ClassVar[int]
    BIDS_FIELD_NUMBER: _ClassVar[int]
    EXCHANGES_FIELD_NUMBER: _ClassVar[int]
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    TO_BEAT_FIELD_NUMBER: _ClassVar[int]
    TO_BEAT_SEAT_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    deals: int
    passed_out: int
    max_passes: int
    phase: TaihePhase
    taker: int
    first_bidder: int
    bids: _containers.RepeatedScalarFieldContainer[TaiheBid]
    exchanges: _containers.RepeatedCompositeFieldContainer[TaiheExchange]
    declarer: int
    value: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    turns: _containers.RepeatedScalarFieldContainer[int]
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    to_beat: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    to_beat_seat: int
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal: _Optional[int] = ..., deals: _Optional[int] = ..., passed_out: _Optional[int] = ..., max_passes: _Optional[int] = ..., phase: _Optional[_Union[TaihePhase, str]] = ..., taker: _Optional[int] = ..., first_bidder: _Optional[int] = ..., bids: _Optional[_Iterable[_Union[TaiheBid, str]]] = ..., exchanges: _Optional[_Iterable[_Union[TaiheExchange, _Mapping]]] = ..., declarer: _Optional[int] = ..., value: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., turns: _Optional[_Iterable[int]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., to_beat: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., to_beat_seat: _Optional[int] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...

class TaiheAction(_message.Message):
    __slots__ = ("kind", "card", "cards")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    kind: TaiheActionKind
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, kind: _Optional[_Union[TaiheActionKind, str]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class TaiheEvent(_message.Message):
    __slots__ = ("kind", "seat", "card", "cards", "holder", "deal", "value", "scores")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    kind: TaiheEventKind
    seat: int
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    holder: int
    deal: int
    value: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[TaiheEventKind, str]] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., holder: _Optional[int] = ..., deal: _Optional[int] = ..., value: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...
