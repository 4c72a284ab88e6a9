from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Fault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_UNSPECIFIED: _ClassVar[Fault]
    FAULT_FAILED_TO_START: _ClassVar[Fault]
    FAULT_ILLEGAL: _ClassVar[Fault]
    FAULT_MALFORMED: _ClassVar[Fault]
    FAULT_TOO_LATE: _ClassVar[Fault]
    FAULT_DISCONNECTED: _ClassVar[Fault]
    FAULT_CRASHED: _ClassVar[Fault]
    FAULT_FLOODING: _ClassVar[Fault]
    FAULT_STALE: _ClassVar[Fault]
    FAULT_SERVER: _ClassVar[Fault]
    FAULT_OVER_LIMIT: _ClassVar[Fault]
FAULT_UNSPECIFIED: Fault
FAULT_FAILED_TO_START: Fault
FAULT_ILLEGAL: Fault
FAULT_MALFORMED: Fault
FAULT_TOO_LATE: Fault
FAULT_DISCONNECTED: Fault
FAULT_CRASHED: Fault
FAULT_FLOODING: Fault
FAULT_STALE: Fault
FAULT_SERVER: Fault
FAULT_OVER_LIMIT: Fault

class FaultTerms(_message.Message):
    __slots__ = ("strikes", "forfeit_after")
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_AFTER_FIELD_NUMBER: _ClassVar[int]
    strikes: int
    forfeit_after: int
    def __init__(self, strikes: _Optional[int] = ..., forfeit_after: _Optional[int] = ...) -> None: ...
