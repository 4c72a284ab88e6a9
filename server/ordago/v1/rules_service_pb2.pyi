from ordago.v1 import decision_pb2 as _decision_pb2
from ordago.v1 import games_pb2 as _games_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlayoutPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAYOUT_POLICY_UNSPECIFIED: _ClassVar[PlayoutPolicy]
    PLAYOUT_POLICY_RANDOM: _ClassVar[PlayoutPolicy]
    PLAYOUT_POLICY_DEFAULT: _ClassVar[PlayoutPolicy]
    PLAYOUT_POLICY_HOUSE: _ClassVar[PlayoutPolicy]

class PlayoutEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAYOUT_END_UNSPECIFIED: _ClassVar[PlayoutEnd]
    PLAYOUT_END_DEAL: _ClassVar[PlayoutEnd]
    PLAYOUT_END_MATCH: _ClassVar[PlayoutEnd]
PLAYOUT_POLICY_UNSPECIFIED: PlayoutPolicy
PLAYOUT_POLICY_RANDOM: PlayoutPolicy
PLAYOUT_POLICY_DEFAULT: PlayoutPolicy
PLAYOUT_POLICY_HOUSE: PlayoutPolicy
PLAYOUT_END_UNSPECIFIED: PlayoutEnd
PLAYOUT_END_DEAL: PlayoutEnd
PLAYOUT_END_MATCH: PlayoutEnd

class Situation(_message.Message):
    __slots__ = ("game", "seat", "view")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    game: str
    seat: int
    view: _games_pb2.View
    def __init__(self, game: _Optional[str] = ..., seat: _Optional[int] = ..., view: _Optional[_Union[_games_pb2.View, _Mapping]] = ...) -> None: ...

class Playouts(_message.Message):
    __slots__ = ("policy", "end", "times")
    POLICY_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    policy: PlayoutPolicy
    end: PlayoutEnd
    times: int
    def __init__(self, policy: _Optional[_Union[PlayoutPolicy, str]] = ..., end: _Optional[_Union[PlayoutEnd, str]] = ..., times: _Optional[int] = ...) -> None: ...

class EvaluateActionsRequest(_message.Message):
    __slots__ = ("situation", "candidates", "worlds", "playouts", "time_ms", "seed", "most_playouts")
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    MOST_PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    situation: Situation
    candidates: _containers.RepeatedCompositeFieldContainer[_games_pb2.Action]
    worlds: int
    playouts: Playouts
    time_ms: int
    seed: bytes
    most_playouts: int
    def __init__(self, situation: _Optional[_Union[Situation, _Mapping]] = ..., candidates: _Optional[_Iterable[_Union[_games_pb2.Action, _Mapping]]] = ..., worlds: _Optional[int] = ..., playouts: _Optional[_Union[Playouts, _Mapping]] = ..., time_ms: _Optional[int] = ..., seed: _Optional[bytes] = ..., most_playouts: _Optional[int] = ...) -> None: ...

class ActionValue(_message.Message):
    __slots__ = ("action", "scores", "lead", "lead_error")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    LEAD_FIELD_NUMBER: _ClassVar[int]
    LEAD_ERROR_FIELD_NUMBER: _ClassVar[int]
    action: _games_pb2.Action
    scores: _containers.RepeatedScalarFieldContainer[float]
    lead: float
    lead_error: float
    def __init__(self, action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ..., scores: _Optional[_Iterable[float]] = ..., lead: _Optional[float] = ..., lead_error: _Optional[float] = ...) -> None: ...

class EvaluateActionsResponse(_message.Message):
    __slots__ = ("values", "worlds", "playouts", "best")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    BEST_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedCompositeFieldContainer[ActionValue]
    worlds: int
    playouts: int
    best: int
    def __init__(self, values: _Optional[_Iterable[_Union[ActionValue, _Mapping]]] = ..., worlds: _Optional[int] = ..., playouts: _Optional[int] = ..., best: _Optional[int] = ...) -> None: ...

class DrawWorldsRequest(_message.Message):
    __slots__ = ("situation", "worlds", "seed")
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    situation: Situation
    worlds: int
    seed: bytes
    def __init__(self, situation: _Optional[_Union[Situation, _Mapping]] = ..., worlds: _Optional[int] = ..., seed: _Optional[bytes] = ...) -> None: ...

class DrawWorldsResponse(_message.Message):
    __slots__ = ("states",)
    STATES_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, states: _Optional[_Iterable[bytes]] = ...) -> None: ...

class Detail(_message.Message):
    __slots__ = ("actions", "view")
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    actions: bool
    view: bool
    def __init__(self, actions: bool = ..., view: bool = ...) -> None: ...

class StateInfo(_message.Message):
    __slots__ = ("state", "actor", "actions", "view", "deal", "scores")
    STATE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    state: bytes
    actor: int
    actions: _containers.RepeatedCompositeFieldContainer[_decision_pb2.LegalAction]
    view: _games_pb2.View
    deal: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, state: _Optional[bytes] = ..., actor: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[_decision_pb2.LegalAction, _Mapping]]] = ..., view: _Optional[_Union[_games_pb2.View, _Mapping]] = ..., deal: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

class DescribeStatesRequest(_message.Message):
    __slots__ = ("states", "detail")
    STATES_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[bytes]
    detail: Detail
    def __init__(self, states: _Optional[_Iterable[bytes]] = ..., detail: _Optional[_Union[Detail, _Mapping]] = ...) -> None: ...

class DescribeStatesResponse(_message.Message):
    __slots__ = ("states",)
    STATES_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedCompositeFieldContainer[StateInfo]
    def __init__(self, states: _Optional[_Iterable[_Union[StateInfo, _Mapping]]] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("state", "action")
    STATE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    state: bytes
    action: _games_pb2.Action
    def __init__(self, state: _Optional[bytes] = ..., action: _Optional[_Union[_games_pb2.Action, _Mapping]] = ...) -> None: ...

class ApplyActionsRequest(_message.Message):
    __slots__ = ("steps", "detail", "seed")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    detail: Detail
    seed: bytes
    def __init__(self, steps: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., detail: _Optional[_Union[Detail, _Mapping]] = ..., seed: _Optional[bytes] = ...) -> None: ...

class ApplyActionsResponse(_message.Message):
    __slots__ = ("states",)
    STATES_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedCompositeFieldContainer[StateInfo]
    def __init__(self, states: _Optional[_Iterable[_Union[StateInfo, _Mapping]]] = ...) -> None: ...

class PlayOutRequest(_message.Message):
    __slots__ = ("states", "playouts", "seed")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[bytes]
    playouts: Playouts
    seed: bytes
    def __init__(self, states: _Optional[_Iterable[bytes]] = ..., playouts: _Optional[_Union[Playouts, _Mapping]] = ..., seed: _Optional[bytes] = ...) -> None: ...

class PlayedOut(_message.Message):
    __slots__ = ("scores",)
    SCORES_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, scores: _Optional[_Iterable[float]] = ...) -> None: ...

class PlayOutResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[PlayedOut]
    def __init__(self, results: _Optional[_Iterable[_Union[PlayedOut, _Mapping]]] = ...) -> None: ...
