"""Enumeration members as names of a module: looking them up in the enumeration takes ten times as long."""

from typing import Final

from ordago.games.taihe.values import ActionKind, Bid, EventKind, Phase

BETWEEN_DEALS: Final = Phase.BETWEEN_DEALS
DECLARING: Final = Phase.DECLARING
EXCHANGING: Final = Phase.EXCHANGING
GIVING_BACK: Final = Phase.GIVING_BACK
PLAYING: Final = Phase.PLAYING

TO_DECLARE: Final = ActionKind.DECLARE
TO_ASK: Final = ActionKind.ASK
TO_GIVE_BACK: Final = ActionKind.GIVE_BACK
TO_PLAY: Final = ActionKind.PLAY

PASSED: Final = Bid.PASSED
DECLARED: Final = Bid.DECLARED
EXCHANGED: Final = Bid.EXCHANGED

HAND_DEALT: Final = EventKind.HAND_DEALT
