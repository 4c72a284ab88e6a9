"""Copies as other processes get them."""

import pickle
from typing import TypeVar

T = TypeVar("T")


def pickled(value: T) -> T:
    """Return a value as it comes out of what it was pickled to."""
    copied: T = pickle.loads(pickle.dumps(value))  # noqa: S301 - nobody else wrote it
    return copied
