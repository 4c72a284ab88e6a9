"""Processes that work beside a server, or a run: how they are started, and where they find its store.

Nothing is imported from the folder that whoever starts them was started in. Where the store is stands in the
environment: it may hold a password, and everybody on a machine can read what a process was called by.
"""

import os
import sys
from collections.abc import Mapping
from typing import Final

_PLACE: Final = "ORDAGO_STORE_BESIDE"


def command_of(module: str, *arguments: object) -> tuple[str, ...]:
    """Return how the process is started whose module this is, and what it is told by its command."""
    return (sys.executable, "-P", "-m", module, *map(str, arguments))


def environment(place: str) -> Mapping[str, str]:
    """Return the environment of a process that works at a store."""
    return {**os.environ, _PLACE: place}


def place_of_store() -> str:
    """Return, in such a process, where the store is: a path, or the URL of a database."""
    return os.environ[_PLACE]
