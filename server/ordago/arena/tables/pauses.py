"""Pauses at casual tables: a bot that forfeits matches has to wait, longer each time, before it is seated again.

A bot has pauses of its own once it has played a match to its end. Until then it waits for the forfeits of all bots of
its account, or from its address. So neither a new connection nor another name shortens a pause, while an owner's good
bots play on.
"""

import math
from dataclasses import dataclass
from typing import Final

from ordago.arena.bot import Identity

FIRST_PAUSE_SECONDS: Final = 10.0
"""The pause after the first forfeit. Each further one doubles it."""
LONGEST_PAUSE_SECONDS: Final = 600.0
"""A repaired bot is seated again within ten minutes, and a broken one spoils at most six matches an hour."""
_MOST_DOUBLINGS: Final = 32
"""Enough to reach the longest pause from one of a microsecond, and no power of two overflows."""
_FORGOTTEN_SECONDS: Final = 3600.0
"""Time after a pause until its forfeits are forgotten."""
_MOST_KNOWN: Final = 4096
"""Maximum of remembered bots and owners; beyond it the least recently used are forgotten."""

Culprit = tuple[str, str]
"""An owner, and the name of its bot that has played a match to its end; an empty name for all its other bots."""


@dataclass(slots=True)
class _Conduct:
    """The forfeits and the last pause of a bot, or of an owner's new bots."""

    forfeits: int = 0
    """Number of forfeited matches, less those played to the end since."""
    begun: float = -math.inf
    """The beginning of the last pause."""
    until: float = -math.inf
    """The end of the last pause."""


class Pauses:
    """The pauses of bots. It has no clock of its own: times are in seconds of any one clock."""

    def __init__(self, first_seconds: float = FIRST_PAUSE_SECONDS) -> None:
        """Begin without pauses.

        Args:
            first_seconds: the pause after a first forfeit; 0 for no pauses at all.
        """
        self._first_seconds = first_seconds
        self._known: dict[Culprit, _Conduct] = {}

    def left(self, bot: Identity, *, at: float) -> float:
        """Return the seconds left of a bot's pause; 0 if it may be seated."""
        known = self._known.get(self._culprit(bot))
        return 0.0 if known is None else max(0.0, known.until - at)

    def forfeited(self, bot: Identity, *, match_begun: float, at: float) -> float:
        """Note that a bot forfeited a match, and return the length of its pause from now on, in seconds.

        Matches begun before a pause, and forfeited during it, do not prolong it: they probably have the same cause.
        """
        if not self._first_seconds:
            return 0.0
        for culprit in {self._culprit(bot), (bot.owner, "")}:
            conduct = self._entered(culprit, at)
            if match_begun >= conduct.begun:
                conduct.forfeits += 1
                conduct.begun = at
                doubled = self._first_seconds * 2.0 ** min(conduct.forfeits - 1, _MOST_DOUBLINGS)
                conduct.until = at + min(LONGEST_PAUSE_SECONDS, doubled)
        return self.left(bot, at=at)

    def played_well(self, bot: Identity, *, at: float) -> None:
        """Note that a bot played a match to its end, which offsets one forfeit."""
        conduct = self._known.get(self._culprit(bot))
        if conduct is not None:
            conduct.forfeits = max(0, conduct.forfeits - 1)
        self._entered((bot.owner, bot.name), at)

    def _culprit(self, bot: Identity) -> Culprit:
        own = (bot.owner, bot.name)
        return own if own in self._known else (bot.owner, "")

    def _entered(self, culprit: Culprit, at: float) -> _Conduct:
        """Return the conduct of a culprit, and mark it as the most recently used."""
        conduct = self._known.pop(culprit, None) or _Conduct()
        if conduct.until + _FORGOTTEN_SECONDS < at:
            conduct = _Conduct()
        self._known[culprit] = conduct
        if len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return conduct
