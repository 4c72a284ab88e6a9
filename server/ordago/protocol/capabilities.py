"""Optional capabilities of bots: the names in Hello, and in Welcome where they are granted."""

from collections.abc import Iterable
from typing import Final

TACIT_ACCEPTANCE: Final = "tacit_acceptance"
"""Accepted is left out for the bot's own answers, except where the default was taken, and after a reconnection.

Without it each decision takes two frames to bots, one to the bot that answered and one to the bot that is asked next.
Where there is one match for each bot, nothing else is in them.
"""
_KNOWN: Final = frozenset({TACIT_ACCEPTANCE})


def granted(asked: Iterable[str]) -> list[str]:
    """Return the granted ones of the requested capabilities; unknown names are ignored."""
    return sorted(_KNOWN.intersection(asked))
