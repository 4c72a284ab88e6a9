"""Stores that a helper of tests opens and nobody closes: they are closed after the test."""

from typing import TypeVar

from ordago.store.versioned import Stored

Some = TypeVar("Some", bound=Stored)
_OPEN: list[Stored] = []


def until_the_end(store: Some) -> Some:
    """Close a store after the test. From Python 3.13 on, a connection that nobody closes is a warning."""
    _OPEN.append(store)
    return store


def close_stores() -> None:
    while _OPEN:
        _OPEN.pop().close()
