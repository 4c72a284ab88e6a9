"""Pauses at casual tables: whoever forfeits matches is seated again after a while, each time a longer one.

A bot has pauses of its own once it has played a match to its end. One that has not yet waits for each forfeit of any
bot of its account, or from its address: so neither a new connection nor another name shortens a pause, and the good
bots of an owner play on.
"""

import math
from dataclasses import dataclass
from typing import Final

from ordago.arena.bot import Identity

FIRST_PAUSE_SECONDS: Final = 10.0
"""The pause after the first forfeit. Each further one doubles it."""
LONGEST_PAUSE_SECONDS: Final = 600.0
"""A bot that is mended is seated again within ten minutes, and one that is not spoils six matches an hour."""
_MOST_DOUBLINGS: Final = 32
_FORGOTTEN_SECONDS: Final = 3600.0
"""So long after a pause it is as if nothing had happened."""
_MOST_KNOWN: Final = 4096
"""How many are remembered; then those are forgotten first of whom nothing was heard for longest."""

Culprit = tuple[str, str]
"""Who is paused: an owner, and the name of a bot of his that has played to the end; no name for all that have not."""


@dataclass(slots=True)
class _Conduct:
    """What is known of one who forfeited, or who played well."""

    forfeits: int = 0
    """Matches that were forfeited, less those that were played well since."""
    begun: float = -math.inf
    """When the last pause began."""
    until: float = -math.inf
    """When it is over."""


class Pauses:
    """Who is to wait before he is seated again. It has no clock of its own: times are in seconds of any clock."""

    def __init__(self, first_seconds: float = FIRST_PAUSE_SECONDS) -> None:
        """Begin with nobody. After a first forfeit the pause is so long; with 0 there are none."""
        self._first_seconds = first_seconds
        self._known: dict[Culprit, _Conduct] = {}

    def left(self, bot: Identity, *, at: float) -> float:
        """Return for how many seconds a bot is not to be seated yet; 0 if it may be."""
        known = self._known.get(self._culprit(bot))
        return 0.0 if known is None else max(0.0, known.until - at)

    def forfeited(self, bot: Identity, *, match_begun: float, at: float) -> float:
        """Note that a bot forfeited a match, and return for how long it is not seated now.

        Matches that were begun before a pause, and end in it, do not make it longer: they have one cause.
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
        """Note that a bot played a match to its end, which makes up for a match that was forfeited."""
        conduct = self._known.get(self._culprit(bot))
        if conduct is not None:
            conduct.forfeits = max(0, conduct.forfeits - 1)
        self._entered((bot.owner, bot.name), at)

    def _culprit(self, bot: Identity) -> Culprit:
        own = (bot.owner, bot.name)
        return own if own in self._known else (bot.owner, "")

    def _entered(self, culprit: Culprit, at: float) -> _Conduct:
        """Return what is known of somebody, whom nobody was heard of after."""
        conduct = self._known.pop(culprit, None) or _Conduct()
        if conduct.until + _FORGOTTEN_SECONDS < at:
            conduct = _Conduct()
        self._known[culprit] = conduct
        if len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return conduct
