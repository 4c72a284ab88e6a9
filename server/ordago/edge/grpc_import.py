"""How grpc is imported where it serves."""

import os
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_EXPERIMENTS: Final = "GRPC_EXPERIMENTS"
"""Where grpc's core reads what it is to do otherwise, as it is imported and never again."""
_ONE_THREAD_POLLS: Final = "-event_engine_listener"
"""Whoever waits for what is done looks at the sockets himself. By default four more threads do, one of which is woken
for each frame, to wake him: a fifth of what a decision costs where a frame holds one (docs/performance.md)."""
_TRIED_UP_TO: Final = (1, 85)
"""The last release with which that was tried. One that does not know the name complains of it at each start."""


def import_grpc() -> None:
    """Import grpc so that a server takes little of the processor, if nobody has imported it otherwise before.

    What is set in the environment already holds instead. Nothing is left there, so that no bot inherits it.
    """
    if os.environ.get(_EXPERIMENTS) or not _is_tried():
        return
    os.environ[_EXPERIMENTS] = _ONE_THREAD_POLLS
    try:
        import_module("grpc")
    finally:
        del os.environ[_EXPERIMENTS]


def _is_tried() -> bool:
    with suppress(PackageNotFoundError):
        major, minor = version("grpcio").split(".")[:2]
        return (int(major), int(minor)) <= _TRIED_UP_TO
    return False
