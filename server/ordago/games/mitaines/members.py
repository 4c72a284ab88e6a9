"""Enumeration members as names of a module: looking them up in the enumeration takes ten times as long."""

from typing import Final

from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.values import Clear, EventKind

NO_COMBINATION: Final = Combination.NONE

BY_MATCH: Final = Clear.MATCH
BY_JACK: Final = Clear.JACK
BY_COMPLETION: Final = Clear.COMPLETION
BY_STEAL: Final = Clear.STEAL

HAND_DEALT: Final = EventKind.HAND_DEALT
PILE_CLEARED: Final = EventKind.PILE_CLEARED
