"""What can go wrong with a journal."""


class JournalError(Exception):
    """A journal cannot be read or written: the disk erred, or whoever changed the file."""
