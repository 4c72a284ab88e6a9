"""What can go wrong with a database."""

from enum import Enum, unique


class StoreError(Exception):
    """The database cannot do what was asked of it. The message says in one sentence why, and tells no secret."""


class StoreBusyError(StoreError):
    """Another run works on what the database holds. The organiser erred, or forgot that it runs."""


class StoreFailedError(StoreError):
    """The database failed for now: its server is away, its disk is full. What was committed is there all the same."""


class StoreEmptyError(StoreError):
    """Nothing was ever kept in the database: it is as it was created."""


class StoreOutdatedError(StoreError):
    """An older Ordago made the tables: ``ordago migrate`` makes those of today of them."""


class NotFoundError(StoreError):
    """What was asked for is not there."""


class NotOpenError(StoreError):
    """What was asked for is there, and is not open to anybody yet."""


class PageTokenError(StoreError):
    """A page token is none that was given for this listing. Whoever asks erred."""


@unique
class Why(Enum):
    """Why something is refused, of which the database itself is not to blame."""

    UNFIT = "unfit"
    """What was asked cannot stand there, whoever asks."""
    UNKNOWN = "unknown"
    """There is no such thing."""
    TAKEN = "taken"
    """It is somebody else's."""
    NO_LEAVE = "no leave"
    """Whoever asks may not."""
    LIMIT = "limit"
    """There are as many as there may be."""
    STATE = "state"
    """It cannot be as things stand."""


class StoreRefusedError(StoreError):
    """What is kept stands against what was asked. Whoever asked erred, or came too late."""

    def __init__(self, why: Why, sentence: str) -> None:
        """Say why, and in a sentence what would be right."""
        super().__init__(sentence)
        self.why = why
