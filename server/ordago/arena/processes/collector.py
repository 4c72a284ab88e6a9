"""The collector of cycles, in a process that serves: how seldom it looks at all that there is."""

import gc
import sys
from typing import Any, Final

_LATELY: Final = (10_000, 10)
"""By so many more objects there have to be than there were before those are looked at that came lately; after so many
looks those that came before them are, too.

Usually it is 700. But what belongs to a decision lives until it is answered, and goes: where a thousand bots play, some
7,000 objects at any time. They were all looked at twice before they went, for a seventh of the time of the server.
"""
_SELDOM: Final = (*_LATELY, sys.maxsize >> 33)
"""All that there is is never looked at, as far as a process gets in its life."""
_AT_ONCE: Final = (*_LATELY, 0)
_MORE: Final = 1.5


def collect_seldom() -> None:
    """Leave what is there now alone for good, once all is imported, and look at all the rest only when it has grown.

    All that has lived for long is looked at in one go, and everything else waits meanwhile: 0.2 s where a thousand bots
    are connected. Usually that is done whenever a quarter as much has come as there was, though as much may have gone:
    every half a minute where they play, to find some dozens of objects. Here it takes half as much again as was left
    the last time. So cycles that nobody uses any more take up no more than that, whoever makes them.
    """
    gc.collect()
    gc.freeze()
    # Where memory is not counted nobody can say how much has come.
    if sys.getallocatedblocks() and _GROWTH.seen not in gc.callbacks:
        gc.callbacks.append(_GROWTH.seen)
        _GROWTH.begin()


class _Growth:
    """Watches how much there is, and has all of it looked at when it has grown."""

    def __init__(self) -> None:
        self._left = 0
        """How many blocks of memory there were when all had been looked at."""

    def begin(self) -> None:
        """Note that all has been looked at."""
        self._left = sys.getallocatedblocks()
        gc.set_threshold(*_SELDOM)

    def seen(self, phase: str, told: dict[str, Any]) -> None:
        """Note that the collector has looked at something. Called by it."""
        if phase != "stop" or not told["generation"]:
            return
        if told["generation"] > 1:
            self.begin()
        elif sys.getallocatedblocks() > _MORE * self._left:
            gc.set_threshold(*_AT_ONCE)


_GROWTH: Final = _Growth()
"""A process has one collector."""
