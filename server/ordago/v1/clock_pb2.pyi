from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class ClockTerms(_message.Message):
    __slots__ = ("decision_ms", "bank_ms", "increment_ms", "lag_credit_ms", "lag_bank_ms", "disconnect_bank_ms")
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    LAG_CREDIT_MS_FIELD_NUMBER: _ClassVar[int]
    LAG_BANK_MS_FIELD_NUMBER: _ClassVar[int]
    DISCONNECT_BANK_MS_FIELD_NUMBER: _ClassVar[int]
    decision_ms: int
    bank_ms: int
    increment_ms: int
    lag_credit_ms: int
    lag_bank_ms: int
    disconnect_bank_ms: int
    def __init__(self, decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., lag_credit_ms: _Optional[int] = ..., lag_bank_ms: _Optional[int] = ..., disconnect_bank_ms: _Optional[int] = ...) -> None: ...

class ClockState(_message.Message):
    __slots__ = ("decision_ms", "bank_ms", "lag_credit_ms", "disconnect_bank_ms")
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    LAG_CREDIT_MS_FIELD_NUMBER: _ClassVar[int]
    DISCONNECT_BANK_MS_FIELD_NUMBER: _ClassVar[int]
    decision_ms: int
    bank_ms: int
    lag_credit_ms: int
    disconnect_bank_ms: int
    def __init__(self, decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., lag_credit_ms: _Optional[int] = ..., disconnect_bank_ms: _Optional[int] = ...) -> None: ...
