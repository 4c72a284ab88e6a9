from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MitigatiRanking(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_RANKING_UNSPECIFIED: _ClassVar[MitigatiRanking]
    MITIGATI_RANKING_SOURCE: _ClassVar[MitigatiRanking]
    MITIGATI_RANKING_PIEDMONT: _ClassVar[MitigatiRanking]

class MitigatiPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_PHASE_UNSPECIFIED: _ClassVar[MitigatiPhase]
    MITIGATI_PHASE_BARGAIN: _ClassVar[MitigatiPhase]
    MITIGATI_PHASE_DISCARD: _ClassVar[MitigatiPhase]
    MITIGATI_PHASE_TRICKS: _ClassVar[MitigatiPhase]

class MitigatiBargainEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_BARGAIN_END_UNSPECIFIED: _ClassVar[MitigatiBargainEnd]
    MITIGATI_BARGAIN_END_PLAY: _ClassVar[MitigatiBargainEnd]
    MITIGATI_BARGAIN_END_BELOW_ZERO: _ClassVar[MitigatiBargainEnd]

class MitigatiHolding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_HOLDING_UNSPECIFIED: _ClassVar[MitigatiHolding]
    MITIGATI_HOLDING_TAROCCHI: _ClassVar[MitigatiHolding]
    MITIGATI_HOLDING_REALE: _ClassVar[MitigatiHolding]
    MITIGATI_HOLDING_MITIGATI: _ClassVar[MitigatiHolding]
    MITIGATI_HOLDING_ONORI: _ClassVar[MitigatiHolding]

class MitigatiActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_ACTION_KIND_UNSPECIFIED: _ClassVar[MitigatiActionKind]
    MITIGATI_ACTION_KIND_STATEMENT: _ClassVar[MitigatiActionKind]
    MITIGATI_ACTION_KIND_PLAY: _ClassVar[MitigatiActionKind]
    MITIGATI_ACTION_KIND_DISCARD: _ClassVar[MitigatiActionKind]
    MITIGATI_ACTION_KIND_CARD: _ClassVar[MitigatiActionKind]

class MitigatiEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MITIGATI_EVENT_KIND_UNSPECIFIED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_DEAL_STARTED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_CARDS_DEALT: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_STATEMENT_MADE: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_PLAY_SAID: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_BARGAIN_FAILED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_BARGAIN_STRUCK: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_CARDS_DISCARDED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_HOLDING_DECLARED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_CARD_PLAYED: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_TRICK_TAKEN: _ClassVar[MitigatiEventKind]
    MITIGATI_EVENT_KIND_DEAL_SCORED: _ClassVar[MitigatiEventKind]
MITIGATI_RANKING_UNSPECIFIED: MitigatiRanking
MITIGATI_RANKING_SOURCE: MitigatiRanking
MITIGATI_RANKING_PIEDMONT: MitigatiRanking
MITIGATI_PHASE_UNSPECIFIED: MitigatiPhase
MITIGATI_PHASE_BARGAIN: MitigatiPhase
MITIGATI_PHASE_DISCARD: MitigatiPhase
MITIGATI_PHASE_TRICKS: MitigatiPhase
MITIGATI_BARGAIN_END_UNSPECIFIED: MitigatiBargainEnd
MITIGATI_BARGAIN_END_PLAY: MitigatiBargainEnd
MITIGATI_BARGAIN_END_BELOW_ZERO: MitigatiBargainEnd
MITIGATI_HOLDING_UNSPECIFIED: MitigatiHolding
MITIGATI_HOLDING_TAROCCHI: MitigatiHolding
MITIGATI_HOLDING_REALE: MitigatiHolding
MITIGATI_HOLDING_MITIGATI: MitigatiHolding
MITIGATI_HOLDING_ONORI: MitigatiHolding
MITIGATI_ACTION_KIND_UNSPECIFIED: MitigatiActionKind
MITIGATI_ACTION_KIND_STATEMENT: MitigatiActionKind
MITIGATI_ACTION_KIND_PLAY: MitigatiActionKind
MITIGATI_ACTION_KIND_DISCARD: MitigatiActionKind
MITIGATI_ACTION_KIND_CARD: MitigatiActionKind
MITIGATI_EVENT_KIND_UNSPECIFIED: MitigatiEventKind
MITIGATI_EVENT_KIND_DEAL_STARTED: MitigatiEventKind
MITIGATI_EVENT_KIND_CARDS_DEALT: MitigatiEventKind
MITIGATI_EVENT_KIND_STATEMENT_MADE: MitigatiEventKind
MITIGATI_EVENT_KIND_PLAY_SAID: MitigatiEventKind
MITIGATI_EVENT_KIND_BARGAIN_FAILED: MitigatiEventKind
MITIGATI_EVENT_KIND_BARGAIN_STRUCK: MitigatiEventKind
MITIGATI_EVENT_KIND_CARDS_DISCARDED: MitigatiEventKind
MITIGATI_EVENT_KIND_HOLDING_DECLARED: MitigatiEventKind
MITIGATI_EVENT_KIND_CARD_PLAYED: MitigatiEventKind
MITIGATI_EVENT_KIND_TRICK_TAKEN: MitigatiEventKind
MITIGATI_EVENT_KIND_DEAL_SCORED: MitigatiEventKind

class MitigatiOptions(_message.Message):
    __slots__ = ("rounds", "max_bid", "max_struck", "ranking", "chips")
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    MAX_BID_FIELD_NUMBER: _ClassVar[int]
    MAX_STRUCK_FIELD_NUMBER: _ClassVar[int]
    RANKING_FIELD_NUMBER: _ClassVar[int]
    CHIPS_FIELD_NUMBER: _ClassVar[int]
    rounds: int
    max_bid: int
    max_struck: int
    ranking: MitigatiRanking
    chips: int
    def __init__(self, rounds: _Optional[int] = ..., max_bid: _Optional[int] = ..., max_struck: _Optional[int] = ..., ranking: _Optional[_Union[MitigatiRanking, str]] = ..., chips: _Optional[int] = ...) -> None: ...

class MitigatiBargain(_message.Message):
    __slots__ = ("statements", "end")
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    statements: _containers.RepeatedScalarFieldContainer[int]
    end: MitigatiBargainEnd
    def __init__(self, statements: _Optional[_Iterable[int]] = ..., end: _Optional[_Union[MitigatiBargainEnd, str]] = ...) -> None: ...

class MitigatiDeclaration(_message.Message):
    __slots__ = ("seat", "holding", "number", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HOLDING_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    holding: MitigatiHolding
    number: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, seat: _Optional[int] = ..., holding: _Optional[_Union[MitigatiHolding, str]] = ..., number: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class MitigatiView(_message.Message):
    __slots__ = ("options", "deal", "deals_played", "turn", "struck", "dealer", "phase", "stage", "held", "hand", "discard", "bargains", "declarations", "trick", "leader", "played", "takers", "chips")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALS_PLAYED_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    STRUCK_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    BARGAINS_FIELD_NUMBER: _ClassVar[int]
    DECLARATIONS_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    TAKERS_FIELD_NUMBER: _ClassVar[int]
    CHIPS_FIELD_NUMBER: _ClassVar[int]
    options: MitigatiOptions
    deal: int
    deals_played: int
    turn: int
    struck: int
    dealer: int
    phase: MitigatiPhase
    stage: int
    held: _containers.RepeatedScalarFieldContainer[int]
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    discard: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    bargains: _containers.RepeatedCompositeFieldContainer[MitigatiBargain]
    declarations: _containers.RepeatedCompositeFieldContainer[MitigatiDeclaration]
    trick: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leader: int
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    takers: _containers.RepeatedScalarFieldContainer[int]
    chips: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, options: _Optional[_Union[MitigatiOptions, _Mapping]] = ..., deal: _Optional[int] = ..., deals_played: _Optional[int] = ..., turn: _Optional[int] = ..., struck: _Optional[int] = ..., dealer: _Optional[int] = ..., phase: _Optional[_Union[MitigatiPhase, str]] = ..., stage: _Optional[int] = ..., held: _Optional[_Iterable[int]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., discard: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., bargains: _Optional[_Iterable[_Union[MitigatiBargain, _Mapping]]] = ..., declarations: _Optional[_Iterable[_Union[MitigatiDeclaration, _Mapping]]] = ..., trick: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leader: _Optional[int] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., takers: _Optional[_Iterable[int]] = ..., chips: _Optional[_Iterable[int]] = ...) -> None: ...

class MitigatiAction(_message.Message):
    __slots__ = ("kind", "amount", "cards", "card")
    KIND_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    kind: MitigatiActionKind
    amount: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    card: _cards_pb2.Card
    def __init__(self, kind: _Optional[_Union[MitigatiActionKind, str]] = ..., amount: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class MitigatiEvent(_message.Message):
    __slots__ = ("kind", "seat", "card", "cards", "number", "amount", "holding", "deal", "turn", "points", "scores")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    HOLDING_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    kind: MitigatiEventKind
    seat: int
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    number: int
    amount: int
    holding: MitigatiHolding
    deal: int
    turn: int
    points: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[MitigatiEventKind, str]] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., number: _Optional[int] = ..., amount: _Optional[int] = ..., holding: _Optional[_Union[MitigatiHolding, str]] = ..., deal: _Optional[int] = ..., turn: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...
