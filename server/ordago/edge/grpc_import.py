"""Import of grpc with the settings of a server."""

import os
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_EXPERIMENTS: Final = "GRPC_EXPERIMENTS"
"""The environment variable with settings of grpc's core, which reads it only when it is imported."""
_ONE_THREAD_POLLS: Final = "-event_engine_listener"
"""The thread that waits for events polls the sockets itself. By default four more threads poll them, and one of these
wakes it for each frame: a fifth of the cost of a decision that has a frame to itself (docs/performance.md)."""
_TRIED_UP_TO: Final = (1, 85)
"""The last release with which this was tried. A release that does not know the setting warns at each start."""


def import_grpc() -> None:
    """Import grpc with settings that save CPU time, unless another module has imported it before.

    Settings that are in the environment already take precedence. Ours are removed again, so that no bot inherits them.
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
