"""Tuning of Python's garbage collector for a process that serves: full collections are rare."""

import gc
import sys
from typing import Any, Final

_LATELY: Final = (10_000, 10)
"""New objects before the youngest generation is collected, and such collections before the middle one is, too.

Python's default for the first is 700. But the objects of a decision live until it is answered: some 7,000 at any time
where a thousand bots play. With the default all of them were examined twice, for a seventh of the server's time.
"""
_SELDOM: Final = (*_LATELY, sys.maxsize >> 33)
"""Thresholds without full collections: the third is higher than any process counts."""
_AT_ONCE: Final = (*_LATELY, 0)
_MORE: Final = 1.5


def collect_seldom() -> None:
    """Freeze the objects that exist now, and from now on collect all others only when memory has grown by half.

    Call it once everything is imported. A full collection stops everything else: for 0.2 s where a thousand bots are
    connected. Python runs one whenever the objects added since the last one are a quarter of its survivors, even if as
    many have gone: every half minute in play, to find some dozens of objects. Here a full collection waits until the
    memory blocks in use have grown by half since the last one, so unused cycles take up no more than that.
    """
    gc.collect()
    gc.freeze()
    # Zero where Python does not count blocks, under another allocator for instance: then growth is unknown.
    if sys.getallocatedblocks() and _GROWTH.seen not in gc.callbacks:
        gc.callbacks.append(_GROWTH.seen)
        _GROWTH.begin()


class _Growth:
    """Watches the number of memory blocks, and triggers a full collection when it has grown."""

    def __init__(self) -> None:
        self._left = 0
        """Number of memory blocks after the last full collection."""

    def begin(self) -> None:
        """Note that a full collection has ended."""
        self._left = sys.getallocatedblocks()
        gc.set_threshold(*_SELDOM)

    def seen(self, phase: str, info: dict[str, Any]) -> None:
        """Note that a collection begins or ends. Called by the collector, with the phase and its report."""
        if phase != "stop" or not info["generation"]:
            return
        if info["generation"] > 1:
            self.begin()
        elif sys.getallocatedblocks() > _MORE * self._left:
            gc.set_threshold(*_AT_ONCE)


_GROWTH: Final = _Growth()
"""A process has one collector."""
