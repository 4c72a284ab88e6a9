"""Enumeration members as names of a module: looking them up in the enumeration takes ten times as long."""

from typing import Final

from ordago.games.mitigati.values import ActionKind, EventKind, Phase

BARGAINING: Final = Phase.BARGAIN
DISCARDING: Final = Phase.DISCARD
PLAYING: Final = Phase.TRICKS

TO_MAKE_A_STATEMENT: Final = ActionKind.STATEMENT
TO_DISCARD: Final = ActionKind.DISCARD
TO_PLAY_A_CARD: Final = ActionKind.CARD

CARDS_DEALT: Final = EventKind.CARDS_DEALT
