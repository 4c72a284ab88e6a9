"""Errors of the store."""

from enum import Enum, unique


class StoreError(Exception):
    """The database cannot do what it was asked. The message says why in one sentence, and contains no secret."""


class StoreBusyError(StoreError):
    """Another run works on this database: the organiser started two, or forgot one."""


class StoreFailedError(StoreError):
    """The database failed for now: its server is away, its disk is full. What was committed is there all the same."""


class StoreBrokenError(StoreFailedError):
    """The database fails until somebody mends it: a table is missing, a right was taken away, a file is damaged."""


class StoreEmptyError(StoreError):
    """The database is empty, as it was created."""


class StoreOutdatedError(StoreError):
    """The tables are those of an older Ordago: ``ordago migrate`` converts them."""


class NotFoundError(StoreError):
    """The requested object does not exist."""


class NotOpenError(StoreError):
    """The requested object exists, but is not public yet."""


class PageTokenError(StoreError):
    """A page token was not issued for this listing. The caller is at fault."""


@unique
class Why(Enum):
    """The reason for a refusal that is not the database's fault."""

    UNFIT = "unfit"
    """The request is invalid for any caller."""
    UNKNOWN = "unknown"
    """There is no such thing."""
    TAKEN = "taken"
    """It belongs to another account."""
    NOT_PERMITTED = "not permitted"
    """The caller lacks the permission."""
    LIMIT = "limit"
    """There are as many as there may be."""
    STATE = "state"
    """The current state does not allow it."""


class StoreRefusedError(StoreError):
    """The stored data does not allow the request. The caller is at fault, or too late."""

    def __init__(self, why: Why, sentence: str) -> None:
        """Take the reason, and a sentence on what would be right."""
        super().__init__(sentence)
        self.why = why
