"""How grpc is imported where it serves."""

import os
from importlib import import_module
from typing import Final

_EXPERIMENTS: Final = "GRPC_EXPERIMENTS"
"""Where grpc's core reads what it is to do otherwise, as it is imported and never again."""
_ONE_THREAD_POLLS: Final = "-event_engine_listener"
"""Whoever waits for what is done looks at the sockets himself. By default four more threads do, one of which is woken
for each frame, to wake him: a fifth of what a decision costs where a frame holds one (docs/performance.md)."""


def import_grpc() -> None:
    """Import grpc so that a server takes little of the processor, if nobody has imported it otherwise before.

    What is set in the environment already holds instead. It is left as it was, so that no bot inherits it.
    """
    if os.environ.get(_EXPERIMENTS):
        return
    os.environ[_EXPERIMENTS] = _ONE_THREAD_POLLS
    try:
        import_module("grpc")
    finally:
        del os.environ[_EXPERIMENTS]
