"""What can go wrong with a database."""


class StoreError(Exception):
    """The database cannot do what was asked of it. The message says in one sentence why, and tells no secret."""


class StoreBusyError(StoreError):
    """Another run works on what the database holds. The organiser erred, or forgot that it runs."""


class StoreFailedError(StoreError):
    """The database failed for now: its server is away, its disk is full. What was committed is there all the same."""


class NotFoundError(StoreError):
    """What was asked for is not there."""


class NotOpenError(StoreError):
    """What was asked for is there, and is not open to anybody yet."""


class PageTokenError(StoreError):
    """A page token is none that was given for this listing. Whoever asks erred."""
