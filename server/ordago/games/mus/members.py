"""Enumeration members as names of a module: looking them up in the enumeration takes ten times as long."""

from typing import Final

from ordago.games.mus.values import ActionKind, EventKind, Lance, Phase, Reason, Result, Ruleset, SignalsSeen

ASKING: Final = Phase.MUS
DISCARDING: Final = Phase.DISCARD
BETTING: Final = Phase.BETTING

GRANDE: Final = Lance.GRANDE
PARES: Final = Lance.PARES
JUEGO: Final = Lance.JUEGO
PUNTO: Final = Lance.PUNTO

NO_MUS: Final = ActionKind.NO_MUS
DISCARD: Final = ActionKind.DISCARD
PASO: Final = ActionKind.PASO
ENVIDO: Final = ActionKind.ENVIDO
ORDAGO: Final = ActionKind.ORDAGO
QUIERO: Final = ActionKind.QUIERO

PASSED: Final = Result.PASSED
CALLED: Final = Result.CALLED
REFUSED: Final = Result.REFUSED
UNCONTESTED: Final = Result.UNCONTESTED
NOBODY: Final = Result.NOBODY
ORDAGO_CALLED: Final = Result.ORDAGO

NO_SIGNALS: Final = SignalsSeen.OFF
TO_PARTNERS: Final = SignalsSeen.PARTNER

FOR_CALLED: Final = Reason.CALLED
FOR_BONUS: Final = Reason.BONUS
FOR_ORDAGO: Final = Reason.ORDAGO
FOR_REFUSED: Final = Reason.REFUSED

HAND_DEALT: Final = EventKind.HAND_DEALT
DISCARDED: Final = EventKind.DISCARDED
DRAWN: Final = EventKind.DRAWN
HAND_SHOWN: Final = EventKind.HAND_SHOWN
POINTS_SCORED: Final = EventKind.POINTS_SCORED

SOURCE: Final = Ruleset.SOURCE
FEDERATION: Final = Ruleset.FEDERATION
