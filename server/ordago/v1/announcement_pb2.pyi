from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Announcement(_message.Message):
    __slots__ = ("number", "sentence", "made_at", "ends_at", "pauses_seating")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    MADE_AT_FIELD_NUMBER: _ClassVar[int]
    ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    PAUSES_SEATING_FIELD_NUMBER: _ClassVar[int]
    number: int
    sentence: str
    made_at: int
    ends_at: int
    pauses_seating: bool
    def __init__(self, number: _Optional[int] = ..., sentence: _Optional[str] = ..., made_at: _Optional[int] = ..., ends_at: _Optional[int] = ..., pauses_seating: bool = ...) -> None: ...
