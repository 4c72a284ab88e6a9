"""What a bot may ask for beside the contract: the names that stand in Hello, and in Welcome where they are granted."""

from collections.abc import Iterable
from typing import Final

TACIT_ACCEPTANCE: Final = "tacit_acceptance"
"""Its answers are taken without a word: Accepted comes only where something else was taken, and where it comes again.

Else each decision takes two frames to bots, one to whoever answered and one to whoever is asked next, and where there
is one match for each bot, nothing else stands in them.
"""
_KNOWN: Final = frozenset({TACIT_ACCEPTANCE})


def granted(asked: Iterable[str]) -> list[str]:
    """Return what is granted of all that was asked for; nobody is refused for names that are not known."""
    return sorted(_KNOWN.intersection(asked))
