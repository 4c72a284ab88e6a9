from ordago.v1 import bot_service_pb2 as _bot_service_pb2
from ordago.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JournalEntry(_message.Message):
    __slots__ = ("session", "session_end", "match", "match_end")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SESSION_END_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    MATCH_END_FIELD_NUMBER: _ClassVar[int]
    session: JournaledSession
    session_end: JournaledSessionEnd
    match: JournaledMatch
    match_end: JournaledMatchEnd
    def __init__(self, session: _Optional[_Union[JournaledSession, _Mapping]] = ..., session_end: _Optional[_Union[JournaledSessionEnd, _Mapping]] = ..., match: _Optional[_Union[JournaledMatch, _Mapping]] = ..., match_end: _Optional[_Union[JournaledMatchEnd, _Mapping]] = ...) -> None: ...

class JournaledSession(_message.Message):
    __slots__ = ("session_id", "token_digest", "bot", "nonce", "games", "max_open_decisions", "max_matches", "account", "account_token_digest", "last_match_handle", "matches_in_all")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_DIGEST_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_MATCHES_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_TOKEN_DIGEST_FIELD_NUMBER: _ClassVar[int]
    LAST_MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_IN_ALL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    token_digest: bytes
    bot: _bot_service_pb2.Software
    nonce: bytes
    games: _containers.RepeatedScalarFieldContainer[str]
    max_open_decisions: int
    max_matches: int
    account: str
    account_token_digest: bytes
    last_match_handle: int
    matches_in_all: int
    def __init__(self, session_id: _Optional[str] = ..., token_digest: _Optional[bytes] = ..., bot: _Optional[_Union[_bot_service_pb2.Software, _Mapping]] = ..., nonce: _Optional[bytes] = ..., games: _Optional[_Iterable[str]] = ..., max_open_decisions: _Optional[int] = ..., max_matches: _Optional[int] = ..., account: _Optional[str] = ..., account_token_digest: _Optional[bytes] = ..., last_match_handle: _Optional[int] = ..., matches_in_all: _Optional[int] = ...) -> None: ...

class JournaledSessionEnd(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class JournaledMatch(_message.Message):
    __slots__ = ("record", "seats")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.MatchRecord
    seats: _containers.RepeatedCompositeFieldContainer[JournaledSeat]
    def __init__(self, record: _Optional[_Union[_record_pb2.MatchRecord, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[JournaledSeat, _Mapping]]] = ...) -> None: ...

class JournaledSeat(_message.Message):
    __slots__ = ("session_id", "match_handle", "seed")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_HANDLE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    match_handle: int
    seed: bytes
    def __init__(self, session_id: _Optional[str] = ..., match_handle: _Optional[int] = ..., seed: _Optional[bytes] = ...) -> None: ...

class JournaledMatchEnd(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...
