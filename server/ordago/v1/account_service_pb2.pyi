from ordago.v1 import announcement_pb2 as _announcement_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_PLAY: _ClassVar[Role]
    ROLE_OBSERVE: _ClassVar[Role]
    ROLE_ORGANISE: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]

class AccountAct(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCOUNT_ACT_UNSPECIFIED: _ClassVar[AccountAct]
    ACCOUNT_ACT_INVITE: _ClassVar[AccountAct]
    ACCOUNT_ACT_REGISTER: _ClassVar[AccountAct]
    ACCOUNT_ACT_CREATE_TOKEN: _ClassVar[AccountAct]
    ACCOUNT_ACT_REVOKE_TOKEN: _ClassVar[AccountAct]
    ACCOUNT_ACT_SET_ROLES: _ClassVar[AccountAct]
    ACCOUNT_ACT_SET_LIMITS: _ClassVar[AccountAct]
    ACCOUNT_ACT_BAN: _ClassVar[AccountAct]
    ACCOUNT_ACT_UNBAN: _ClassVar[AccountAct]
    ACCOUNT_ACT_OPEN_EVENT: _ClassVar[AccountAct]
    ACCOUNT_ACT_STOP_EVENT: _ClassVar[AccountAct]
    ACCOUNT_ACT_REMOVE_EVENT: _ClassVar[AccountAct]
    ACCOUNT_ACT_ANNOUNCE: _ClassVar[AccountAct]
    ACCOUNT_ACT_WITHDRAW_ANNOUNCEMENT: _ClassVar[AccountAct]
    ACCOUNT_ACT_PAUSE_SEATING: _ClassVar[AccountAct]
    ACCOUNT_ACT_RESUME_SEATING: _ClassVar[AccountAct]
    ACCOUNT_ACT_END_SESSION: _ClassVar[AccountAct]
    ACCOUNT_ACT_EXPORT: _ClassVar[AccountAct]
    ACCOUNT_ACT_DELETE: _ClassVar[AccountAct]
ROLE_UNSPECIFIED: Role
ROLE_PLAY: Role
ROLE_OBSERVE: Role
ROLE_ORGANISE: Role
ROLE_ADMIN: Role
ACCOUNT_ACT_UNSPECIFIED: AccountAct
ACCOUNT_ACT_INVITE: AccountAct
ACCOUNT_ACT_REGISTER: AccountAct
ACCOUNT_ACT_CREATE_TOKEN: AccountAct
ACCOUNT_ACT_REVOKE_TOKEN: AccountAct
ACCOUNT_ACT_SET_ROLES: AccountAct
ACCOUNT_ACT_SET_LIMITS: AccountAct
ACCOUNT_ACT_BAN: AccountAct
ACCOUNT_ACT_UNBAN: AccountAct
ACCOUNT_ACT_OPEN_EVENT: AccountAct
ACCOUNT_ACT_STOP_EVENT: AccountAct
ACCOUNT_ACT_REMOVE_EVENT: AccountAct
ACCOUNT_ACT_ANNOUNCE: AccountAct
ACCOUNT_ACT_WITHDRAW_ANNOUNCEMENT: AccountAct
ACCOUNT_ACT_PAUSE_SEATING: AccountAct
ACCOUNT_ACT_RESUME_SEATING: AccountAct
ACCOUNT_ACT_END_SESSION: AccountAct
ACCOUNT_ACT_EXPORT: AccountAct
ACCOUNT_ACT_DELETE: AccountAct

class Account(_message.Message):
    __slots__ = ("name", "roles", "limits", "created_at", "banned_at", "ban_reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    BANNED_AT_FIELD_NUMBER: _ClassVar[int]
    BAN_REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    roles: _containers.RepeatedScalarFieldContainer[Role]
    limits: AccountLimits
    created_at: int
    banned_at: int
    ban_reason: str
    def __init__(self, name: _Optional[str] = ..., roles: _Optional[_Iterable[_Union[Role, str]]] = ..., limits: _Optional[_Union[AccountLimits, _Mapping]] = ..., created_at: _Optional[int] = ..., banned_at: _Optional[int] = ..., ban_reason: _Optional[str] = ...) -> None: ...

class AccountLimits(_message.Message):
    __slots__ = ("bots", "tokens", "sessions", "names")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    bots: int
    tokens: int
    sessions: int
    names: int
    def __init__(self, bots: _Optional[int] = ..., tokens: _Optional[int] = ..., sessions: _Optional[int] = ..., names: _Optional[int] = ...) -> None: ...

class AccountToken(_message.Message):
    __slots__ = ("id", "scopes", "bot", "created_at", "expires_at", "last_used_at", "revoked_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    scopes: _containers.RepeatedScalarFieldContainer[Role]
    bot: str
    created_at: int
    expires_at: int
    last_used_at: int
    revoked_at: int
    def __init__(self, id: _Optional[str] = ..., scopes: _Optional[_Iterable[_Union[Role, str]]] = ..., bot: _Optional[str] = ..., created_at: _Optional[int] = ..., expires_at: _Optional[int] = ..., last_used_at: _Optional[int] = ..., revoked_at: _Optional[int] = ...) -> None: ...

class AccountBot(_message.Message):
    __slots__ = ("name", "builds", "takes_challenges")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BUILDS_FIELD_NUMBER: _ClassVar[int]
    TAKES_CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    name: str
    builds: _containers.RepeatedCompositeFieldContainer[BotBuild]
    takes_challenges: bool
    def __init__(self, name: _Optional[str] = ..., builds: _Optional[_Iterable[_Union[BotBuild, _Mapping]]] = ..., takes_challenges: bool = ...) -> None: ...

class BotBuild(_message.Message):
    __slots__ = ("version", "build", "first_seen_at")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    version: str
    build: str
    first_seen_at: int
    def __init__(self, version: _Optional[str] = ..., build: _Optional[str] = ..., first_seen_at: _Optional[int] = ...) -> None: ...

class RegisterRequest(_message.Message):
    __slots__ = ("invitation", "account")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    invitation: str
    account: str
    def __init__(self, invitation: _Optional[str] = ..., account: _Optional[str] = ...) -> None: ...

class RegisterResponse(_message.Message):
    __slots__ = ("token", "token_info", "account")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOKEN_INFO_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    token: str
    token_info: AccountToken
    account: Account
    def __init__(self, token: _Optional[str] = ..., token_info: _Optional[_Union[AccountToken, _Mapping]] = ..., account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class WhoAmIRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WhoAmIResponse(_message.Message):
    __slots__ = ("account", "token_info", "roles")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_INFO_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    account: Account
    token_info: AccountToken
    roles: _containers.RepeatedScalarFieldContainer[Role]
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., token_info: _Optional[_Union[AccountToken, _Mapping]] = ..., roles: _Optional[_Iterable[_Union[Role, str]]] = ...) -> None: ...

class ListTokensRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTokensResponse(_message.Message):
    __slots__ = ("tokens", "next_page_token")
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[AccountToken]
    next_page_token: str
    def __init__(self, tokens: _Optional[_Iterable[_Union[AccountToken, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateTokenRequest(_message.Message):
    __slots__ = ("scopes", "bot", "expires_at")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedScalarFieldContainer[Role]
    bot: str
    expires_at: int
    def __init__(self, scopes: _Optional[_Iterable[_Union[Role, str]]] = ..., bot: _Optional[str] = ..., expires_at: _Optional[int] = ...) -> None: ...

class CreateTokenResponse(_message.Message):
    __slots__ = ("token", "token_info")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOKEN_INFO_FIELD_NUMBER: _ClassVar[int]
    token: str
    token_info: AccountToken
    def __init__(self, token: _Optional[str] = ..., token_info: _Optional[_Union[AccountToken, _Mapping]] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ("id", "why")
    ID_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    id: str
    why: str
    def __init__(self, id: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ("token_info",)
    TOKEN_INFO_FIELD_NUMBER: _ClassVar[int]
    token_info: AccountToken
    def __init__(self, token_info: _Optional[_Union[AccountToken, _Mapping]] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots", "next_page_token")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[AccountBot]
    next_page_token: str
    def __init__(self, bots: _Optional[_Iterable[_Union[AccountBot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class NameBotRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class NameBotResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReleaseBotNameRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class ReleaseBotNameResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetBotChallengesRequest(_message.Message):
    __slots__ = ("bot", "takes_challenges")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TAKES_CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    bot: str
    takes_challenges: bool
    def __init__(self, bot: _Optional[str] = ..., takes_challenges: bool = ...) -> None: ...

class SetBotChallengesResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExportAccountRequest(_message.Message):
    __slots__ = ("account", "page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: str
    page_token: str
    def __init__(self, account: _Optional[str] = ..., page_token: _Optional[str] = ...) -> None: ...

class ExportAccountResponse(_message.Message):
    __slots__ = ("account", "tokens", "bots", "entries", "next_page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: Account
    tokens: _containers.RepeatedCompositeFieldContainer[AccountToken]
    bots: _containers.RepeatedCompositeFieldContainer[AccountBot]
    entries: _containers.RepeatedCompositeFieldContainer[AccountLogEntry]
    next_page_token: str
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., tokens: _Optional[_Iterable[_Union[AccountToken, _Mapping]]] = ..., bots: _Optional[_Iterable[_Union[AccountBot, _Mapping]]] = ..., entries: _Optional[_Iterable[_Union[AccountLogEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteAccountRequest(_message.Message):
    __slots__ = ("account", "why")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    account: str
    why: str
    def __init__(self, account: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class DeleteAccountResponse(_message.Message):
    __slots__ = ("pseudonym",)
    PSEUDONYM_FIELD_NUMBER: _ClassVar[int]
    pseudonym: str
    def __init__(self, pseudonym: _Optional[str] = ...) -> None: ...

class InviteRequest(_message.Message):
    __slots__ = ("roles", "account", "expires_at", "why")
    ROLES_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    roles: _containers.RepeatedScalarFieldContainer[Role]
    account: str
    expires_at: int
    why: str
    def __init__(self, roles: _Optional[_Iterable[_Union[Role, str]]] = ..., account: _Optional[str] = ..., expires_at: _Optional[int] = ..., why: _Optional[str] = ...) -> None: ...

class InviteResponse(_message.Message):
    __slots__ = ("invitation", "expires_at")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    invitation: str
    expires_at: int
    def __init__(self, invitation: _Optional[str] = ..., expires_at: _Optional[int] = ...) -> None: ...

class ListAccountsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAccountsResponse(_message.Message):
    __slots__ = ("accounts", "next_page_token")
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[Account]
    next_page_token: str
    def __init__(self, accounts: _Optional[_Iterable[_Union[Account, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SetRolesRequest(_message.Message):
    __slots__ = ("account", "roles", "why")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    account: str
    roles: _containers.RepeatedScalarFieldContainer[Role]
    why: str
    def __init__(self, account: _Optional[str] = ..., roles: _Optional[_Iterable[_Union[Role, str]]] = ..., why: _Optional[str] = ...) -> None: ...

class SetRolesResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class SetLimitsRequest(_message.Message):
    __slots__ = ("account", "limits", "why")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    account: str
    limits: AccountLimits
    why: str
    def __init__(self, account: _Optional[str] = ..., limits: _Optional[_Union[AccountLimits, _Mapping]] = ..., why: _Optional[str] = ...) -> None: ...

class SetLimitsResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class BanRequest(_message.Message):
    __slots__ = ("account", "reason")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    account: str
    reason: str
    def __init__(self, account: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class BanResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class UnbanRequest(_message.Message):
    __slots__ = ("account", "why")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    account: str
    why: str
    def __init__(self, account: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class UnbanResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class ListAccountLogRequest(_message.Message):
    __slots__ = ("account", "page_size", "page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: str
    page_size: int
    page_token: str
    def __init__(self, account: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAccountLogResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[AccountLogEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[AccountLogEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AccountLogEntry(_message.Message):
    __slots__ = ("number", "at", "by", "at_folder", "act", "account", "subject", "detail", "why")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    AT_FOLDER_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    number: int
    at: int
    by: str
    at_folder: bool
    act: AccountAct
    account: str
    subject: str
    detail: str
    why: str
    def __init__(self, number: _Optional[int] = ..., at: _Optional[int] = ..., by: _Optional[str] = ..., at_folder: bool = ..., act: _Optional[_Union[AccountAct, str]] = ..., account: _Optional[str] = ..., subject: _Optional[str] = ..., detail: _Optional[str] = ..., why: _Optional[str] = ...) -> None: ...

class AnnounceRequest(_message.Message):
    __slots__ = ("sentence", "ends_at", "pauses_seating", "why")
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    PAUSES_SEATING_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    sentence: str
    ends_at: int
    pauses_seating: bool
    why: str
    def __init__(self, sentence: _Optional[str] = ..., ends_at: _Optional[int] = ..., pauses_seating: bool = ..., why: _Optional[str] = ...) -> None: ...

class AnnounceResponse(_message.Message):
    __slots__ = ("announcement",)
    ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    announcement: _announcement_pb2.Announcement
    def __init__(self, announcement: _Optional[_Union[_announcement_pb2.Announcement, _Mapping]] = ...) -> None: ...

class WithdrawAnnouncementRequest(_message.Message):
    __slots__ = ("number", "why")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    number: int
    why: str
    def __init__(self, number: _Optional[int] = ..., why: _Optional[str] = ...) -> None: ...

class WithdrawAnnouncementResponse(_message.Message):
    __slots__ = ("announcement",)
    ANNOUNCEMENT_FIELD_NUMBER: _ClassVar[int]
    announcement: _announcement_pb2.Announcement
    def __init__(self, announcement: _Optional[_Union[_announcement_pb2.Announcement, _Mapping]] = ...) -> None: ...

class ListAnnouncementsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListAnnouncementsResponse(_message.Message):
    __slots__ = ("announcements",)
    ANNOUNCEMENTS_FIELD_NUMBER: _ClassVar[int]
    announcements: _containers.RepeatedCompositeFieldContainer[_announcement_pb2.Announcement]
    def __init__(self, announcements: _Optional[_Iterable[_Union[_announcement_pb2.Announcement, _Mapping]]] = ...) -> None: ...

class BotSession(_message.Message):
    __slots__ = ("session_id", "account", "bot", "version", "games", "connected_at", "matches", "origin", "event")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_AT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    account: str
    bot: str
    version: str
    games: _containers.RepeatedScalarFieldContainer[str]
    connected_at: int
    matches: int
    origin: str
    event: str
    def __init__(self, session_id: _Optional[str] = ..., account: _Optional[str] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., connected_at: _Optional[int] = ..., matches: _Optional[int] = ..., origin: _Optional[str] = ..., event: _Optional[str] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("account", "page_size", "page_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: str
    page_size: int
    page_token: str
    def __init__(self, account: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_page_token")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[BotSession]
    next_page_token: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[BotSession, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EndSessionRequest(_message.Message):
    __slots__ = ("session_id", "reason")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    reason: str
    def __init__(self, session_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EndSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: BotSession
    def __init__(self, session: _Optional[_Union[BotSession, _Mapping]] = ...) -> None: ...
