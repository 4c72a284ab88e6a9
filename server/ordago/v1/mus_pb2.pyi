from ordago.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MusRuleset(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_RULESET_UNSPECIFIED: _ClassVar[MusRuleset]
    MUS_RULESET_SOURCE: _ClassVar[MusRuleset]
    MUS_RULESET_FEDERATION: _ClassVar[MusRuleset]

class MusSignals(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_SIGNALS_UNSPECIFIED: _ClassVar[MusSignals]
    MUS_SIGNALS_OFF: _ClassVar[MusSignals]
    MUS_SIGNALS_PARTNER: _ClassVar[MusSignals]
    MUS_SIGNALS_OPEN: _ClassVar[MusSignals]

class MusPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_PHASE_UNSPECIFIED: _ClassVar[MusPhase]
    MUS_PHASE_MUS: _ClassVar[MusPhase]
    MUS_PHASE_DISCARD: _ClassVar[MusPhase]
    MUS_PHASE_BETTING: _ClassVar[MusPhase]

class MusLance(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_LANCE_UNSPECIFIED: _ClassVar[MusLance]
    MUS_LANCE_GRANDE: _ClassVar[MusLance]
    MUS_LANCE_CHICA: _ClassVar[MusLance]
    MUS_LANCE_PARES: _ClassVar[MusLance]
    MUS_LANCE_JUEGO: _ClassVar[MusLance]
    MUS_LANCE_PUNTO: _ClassVar[MusLance]

class MusActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_ACTION_KIND_UNSPECIFIED: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_MUS: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_NO_MUS: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_DISCARD: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_PASO: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_ENVIDO: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_ORDAGO: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_QUIERO: _ClassVar[MusActionKind]
    MUS_ACTION_KIND_NO_QUIERO: _ClassVar[MusActionKind]

class MusSignal(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_SIGNAL_UNSPECIFIED: _ClassVar[MusSignal]
    MUS_SIGNAL_TWO_KINGS: _ClassVar[MusSignal]
    MUS_SIGNAL_TWO_ACES: _ClassVar[MusSignal]
    MUS_SIGNAL_MEDIAS_OF_KINGS: _ClassVar[MusSignal]
    MUS_SIGNAL_MEDIAS_OF_ACES: _ClassVar[MusSignal]
    MUS_SIGNAL_MEDIAS: _ClassVar[MusSignal]
    MUS_SIGNAL_DUPLES: _ClassVar[MusSignal]
    MUS_SIGNAL_JUEGO: _ClassVar[MusSignal]
    MUS_SIGNAL_THIRTY_ONE: _ClassVar[MusSignal]
    MUS_SIGNAL_THIRTY: _ClassVar[MusSignal]
    MUS_SIGNAL_TWENTY_NINE: _ClassVar[MusSignal]
    MUS_SIGNAL_CIEGO: _ClassVar[MusSignal]
    MUS_SIGNAL_CUT_MUS: _ClassVar[MusSignal]
    MUS_SIGNAL_BET_MORE: _ClassVar[MusSignal]
    MUS_SIGNAL_THREE_KINGS: _ClassVar[MusSignal]
    MUS_SIGNAL_THREE_ACES: _ClassVar[MusSignal]
    MUS_SIGNAL_SOLOMILLO: _ClassVar[MusSignal]

class MusResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_RESULT_UNSPECIFIED: _ClassVar[MusResult]
    MUS_RESULT_PASSED: _ClassVar[MusResult]
    MUS_RESULT_CALLED: _ClassVar[MusResult]
    MUS_RESULT_REFUSED: _ClassVar[MusResult]
    MUS_RESULT_UNCONTESTED: _ClassVar[MusResult]
    MUS_RESULT_NOBODY: _ClassVar[MusResult]
    MUS_RESULT_ORDAGO: _ClassVar[MusResult]

class MusEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_EVENT_KIND_UNSPECIFIED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_DEAL_STARTED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_HAND_DEALT: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_SAID: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_SIGNALLED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_DISCARDED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_RESHUFFLED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_DRAWN: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_LANCE_STARTED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_LANCE_SETTLED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_HAND_SHOWN: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_POINTS_SCORED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_DENTRO: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_DEAL_ENDED: _ClassVar[MusEventKind]
    MUS_EVENT_KIND_GAME_WON: _ClassVar[MusEventKind]

class MusReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MUS_REASON_UNSPECIFIED: _ClassVar[MusReason]
    MUS_REASON_REFUSED: _ClassVar[MusReason]
    MUS_REASON_CALLED: _ClassVar[MusReason]
    MUS_REASON_BONUS: _ClassVar[MusReason]
    MUS_REASON_ORDAGO: _ClassVar[MusReason]
    MUS_REASON_DEAL_CAP: _ClassVar[MusReason]
MUS_RULESET_UNSPECIFIED: MusRuleset
MUS_RULESET_SOURCE: MusRuleset
MUS_RULESET_FEDERATION: MusRuleset
MUS_SIGNALS_UNSPECIFIED: MusSignals
MUS_SIGNALS_OFF: MusSignals
MUS_SIGNALS_PARTNER: MusSignals
MUS_SIGNALS_OPEN: MusSignals
MUS_PHASE_UNSPECIFIED: MusPhase
MUS_PHASE_MUS: MusPhase
MUS_PHASE_DISCARD: MusPhase
MUS_PHASE_BETTING: MusPhase
MUS_LANCE_UNSPECIFIED: MusLance
MUS_LANCE_GRANDE: MusLance
MUS_LANCE_CHICA: MusLance
MUS_LANCE_PARES: MusLance
MUS_LANCE_JUEGO: MusLance
MUS_LANCE_PUNTO: MusLance
MUS_ACTION_KIND_UNSPECIFIED: MusActionKind
MUS_ACTION_KIND_MUS: MusActionKind
MUS_ACTION_KIND_NO_MUS: MusActionKind
MUS_ACTION_KIND_DISCARD: MusActionKind
MUS_ACTION_KIND_PASO: MusActionKind
MUS_ACTION_KIND_ENVIDO: MusActionKind
MUS_ACTION_KIND_ORDAGO: MusActionKind
MUS_ACTION_KIND_QUIERO: MusActionKind
MUS_ACTION_KIND_NO_QUIERO: MusActionKind
MUS_SIGNAL_UNSPECIFIED: MusSignal
MUS_SIGNAL_TWO_KINGS: MusSignal
MUS_SIGNAL_TWO_ACES: MusSignal
MUS_SIGNAL_MEDIAS_OF_KINGS: MusSignal
MUS_SIGNAL_MEDIAS_OF_ACES: MusSignal
MUS_SIGNAL_MEDIAS: MusSignal
MUS_SIGNAL_DUPLES: MusSignal
MUS_SIGNAL_JUEGO: MusSignal
MUS_SIGNAL_THIRTY_ONE: MusSignal
MUS_SIGNAL_THIRTY: MusSignal
MUS_SIGNAL_TWENTY_NINE: MusSignal
MUS_SIGNAL_CIEGO: MusSignal
MUS_SIGNAL_CUT_MUS: MusSignal
MUS_SIGNAL_BET_MORE: MusSignal
MUS_SIGNAL_THREE_KINGS: MusSignal
MUS_SIGNAL_THREE_ACES: MusSignal
MUS_SIGNAL_SOLOMILLO: MusSignal
MUS_RESULT_UNSPECIFIED: MusResult
MUS_RESULT_PASSED: MusResult
MUS_RESULT_CALLED: MusResult
MUS_RESULT_REFUSED: MusResult
MUS_RESULT_UNCONTESTED: MusResult
MUS_RESULT_NOBODY: MusResult
MUS_RESULT_ORDAGO: MusResult
MUS_EVENT_KIND_UNSPECIFIED: MusEventKind
MUS_EVENT_KIND_DEAL_STARTED: MusEventKind
MUS_EVENT_KIND_HAND_DEALT: MusEventKind
MUS_EVENT_KIND_SAID: MusEventKind
MUS_EVENT_KIND_SIGNALLED: MusEventKind
MUS_EVENT_KIND_DISCARDED: MusEventKind
MUS_EVENT_KIND_RESHUFFLED: MusEventKind
MUS_EVENT_KIND_DRAWN: MusEventKind
MUS_EVENT_KIND_LANCE_STARTED: MusEventKind
MUS_EVENT_KIND_LANCE_SETTLED: MusEventKind
MUS_EVENT_KIND_HAND_SHOWN: MusEventKind
MUS_EVENT_KIND_POINTS_SCORED: MusEventKind
MUS_EVENT_KIND_DENTRO: MusEventKind
MUS_EVENT_KIND_DEAL_ENDED: MusEventKind
MUS_EVENT_KIND_GAME_WON: MusEventKind
MUS_REASON_UNSPECIFIED: MusReason
MUS_REASON_REFUSED: MusReason
MUS_REASON_CALLED: MusReason
MUS_REASON_BONUS: MusReason
MUS_REASON_ORDAGO: MusReason
MUS_REASON_DEAL_CAP: MusReason

class MusOptions(_message.Message):
    __slots__ = ("ruleset", "kings", "target", "games", "max_mus", "max_deals", "signals", "signals_from_deal", "more_signals")
    RULESET_FIELD_NUMBER: _ClassVar[int]
    KINGS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_MUS_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FROM_DEAL_FIELD_NUMBER: _ClassVar[int]
    MORE_SIGNALS_FIELD_NUMBER: _ClassVar[int]
    ruleset: MusRuleset
    kings: int
    target: int
    games: int
    max_mus: int
    max_deals: int
    signals: MusSignals
    signals_from_deal: int
    more_signals: int
    def __init__(self, ruleset: _Optional[_Union[MusRuleset, str]] = ..., kings: _Optional[int] = ..., target: _Optional[int] = ..., games: _Optional[int] = ..., max_mus: _Optional[int] = ..., max_deals: _Optional[int] = ..., signals: _Optional[_Union[MusSignals, str]] = ..., signals_from_deal: _Optional[int] = ..., more_signals: _Optional[int] = ...) -> None: ...

class MusStatement(_message.Message):
    __slots__ = ("seat", "kind", "lance", "amount", "binding", "signal")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LANCE_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    BINDING_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: MusActionKind
    lance: MusLance
    amount: int
    binding: bool
    signal: MusSignal
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[MusActionKind, str]] = ..., lance: _Optional[_Union[MusLance, str]] = ..., amount: _Optional[int] = ..., binding: bool = ..., signal: _Optional[_Union[MusSignal, str]] = ...) -> None: ...

class MusSettlement(_message.Message):
    __slots__ = ("lance", "result", "side", "stake")
    LANCE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    STAKE_FIELD_NUMBER: _ClassVar[int]
    lance: MusLance
    result: MusResult
    side: int
    stake: int
    def __init__(self, lance: _Optional[_Union[MusLance, str]] = ..., result: _Optional[_Union[MusResult, str]] = ..., side: _Optional[int] = ..., stake: _Optional[int] = ...) -> None: ...

class MusView(_message.Message):
    __slots__ = ("options", "game", "deal", "deal_of_game", "dealer", "points", "games", "phase", "lance", "hand", "stock", "said", "discarded", "drawn", "reshuffled", "pares", "juego", "stake", "agreed", "ordago", "bettor", "answered", "settled", "shown")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEAL_OF_GAME_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    LANCE_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    STOCK_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    RESHUFFLED_FIELD_NUMBER: _ClassVar[int]
    PARES_FIELD_NUMBER: _ClassVar[int]
    JUEGO_FIELD_NUMBER: _ClassVar[int]
    STAKE_FIELD_NUMBER: _ClassVar[int]
    AGREED_FIELD_NUMBER: _ClassVar[int]
    ORDAGO_FIELD_NUMBER: _ClassVar[int]
    BETTOR_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    options: MusOptions
    game: int
    deal: int
    deal_of_game: int
    dealer: int
    points: _containers.RepeatedScalarFieldContainer[int]
    games: _containers.RepeatedScalarFieldContainer[int]
    phase: MusPhase
    lance: MusLance
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    stock: int
    said: _containers.RepeatedCompositeFieldContainer[MusStatement]
    discarded: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    drawn: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    reshuffled: _containers.RepeatedScalarFieldContainer[int]
    pares: _containers.RepeatedScalarFieldContainer[bool]
    juego: _containers.RepeatedScalarFieldContainer[bool]
    stake: int
    agreed: int
    ordago: bool
    bettor: int
    answered: MusActionKind
    settled: _containers.RepeatedCompositeFieldContainer[MusSettlement]
    shown: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, options: _Optional[_Union[MusOptions, _Mapping]] = ..., game: _Optional[int] = ..., deal: _Optional[int] = ..., deal_of_game: _Optional[int] = ..., dealer: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., games: _Optional[_Iterable[int]] = ..., phase: _Optional[_Union[MusPhase, str]] = ..., lance: _Optional[_Union[MusLance, str]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., stock: _Optional[int] = ..., said: _Optional[_Iterable[_Union[MusStatement, _Mapping]]] = ..., discarded: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., drawn: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., reshuffled: _Optional[_Iterable[int]] = ..., pares: _Optional[_Iterable[bool]] = ..., juego: _Optional[_Iterable[bool]] = ..., stake: _Optional[int] = ..., agreed: _Optional[int] = ..., ordago: bool = ..., bettor: _Optional[int] = ..., answered: _Optional[_Union[MusActionKind, str]] = ..., settled: _Optional[_Iterable[_Union[MusSettlement, _Mapping]]] = ..., shown: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class MusAction(_message.Message):
    __slots__ = ("kind", "amount", "cards", "binding", "signal")
    KIND_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    BINDING_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    kind: MusActionKind
    amount: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    binding: bool
    signal: MusSignal
    def __init__(self, kind: _Optional[_Union[MusActionKind, str]] = ..., amount: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., binding: bool = ..., signal: _Optional[_Union[MusSignal, str]] = ...) -> None: ...

class MusEvent(_message.Message):
    __slots__ = ("kind", "seat", "side", "lance", "said", "amount", "binding", "signal", "cards", "seats", "result", "reason", "deal", "game", "points", "games")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    LANCE_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    BINDING_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    kind: MusEventKind
    seat: int
    side: int
    lance: MusLance
    said: MusActionKind
    amount: int
    binding: bool
    signal: MusSignal
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    seats: _containers.RepeatedScalarFieldContainer[int]
    result: MusResult
    reason: MusReason
    deal: int
    game: int
    points: _containers.RepeatedScalarFieldContainer[int]
    games: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[MusEventKind, str]] = ..., seat: _Optional[int] = ..., side: _Optional[int] = ..., lance: _Optional[_Union[MusLance, str]] = ..., said: _Optional[_Union[MusActionKind, str]] = ..., amount: _Optional[int] = ..., binding: bool = ..., signal: _Optional[_Union[MusSignal, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., seats: _Optional[_Iterable[int]] = ..., result: _Optional[_Union[MusResult, str]] = ..., reason: _Optional[_Union[MusReason, str]] = ..., deal: _Optional[int] = ..., game: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., games: _Optional[_Iterable[int]] = ...) -> None: ...
