"""What can go wrong with a database."""


class StoreError(Exception):
    """The database cannot do what was asked of it. The message says in one sentence why, and tells no secret."""
