"""The signals of Mus: which of them a match has, and when each may be made."""

from typing import Final, NamedTuple

from ordago.cache import Cache
from ordago.cards import cards_in
from ordago.games.mus.members import ASKING, BETTING, GRANDE, NO_SIGNALS
from ordago.games.mus.values import Lance, MusAction, MusOptions, Phase, Signal

REQUESTS: Final = 1 << Signal.CUT_MUS | 1 << Signal.BET_MORE
"""The signals that ask the partner for something and say nothing of the hand, as a set."""
_MORE: Final = 1 << Signal.THREE_KINGS | 1 << Signal.THREE_ACES | 1 << Signal.SOLOMILLO
_FEDERATION: Final = sum(1 << signal for signal in Signal) & ~_MORE
_MEDIAS: Final = 1 << Signal.MEDIAS | 1 << Signal.MEDIAS_OF_KINGS | 1 << Signal.MEDIAS_OF_ACES
"""The signals that wait until grande is over, as a set."""


class Signalling(NamedTuple):
    """The signals of a decision, as sets."""

    listed: int
    """Those that the match has."""
    timely: int
    """Those that may be made now."""
    true: int
    """Those that are true of the hand. Requests always are."""


def signalling(
    options: MusOptions, *, phase: Phase, lance: Lance | None, deal: int, features: int
) -> Signalling | None:
    """Return the signals of a decision; ``None`` where there are none.

    Args:
        options: the options of the match.
        phase: the stage of the deal.
        lance: the lance that is bet on; ``None`` before the betting.
        deal: the deal, counted from 0 in its game.
        features: the features of the hand.
    """
    if options.signals is NO_SIGNALS or deal < options.signals_from_deal:
        return None
    listed = _FEDERATION | _MORE if options.more_signals else _FEDERATION
    late = 0 if phase is BETTING and lance is not GRANDE else _MEDIAS
    if phase is not ASKING:
        late |= 1 << Signal.CUT_MUS
    if phase is not BETTING:
        late |= 1 << Signal.BET_MORE
    return Signalling(listed, listed & ~late, features | REQUESTS)


def _extras(signals: int) -> tuple[MusAction, ...]:
    return tuple([MusAction(signal=Signal(signal)) for signal in cards_in(signals)])


_EXTRAS: Final[Cache[int, tuple[MusAction, ...]]] = Cache(_extras)


def extras(signals: Signalling) -> tuple[MusAction, ...]:
    """Return the signals that may be made, in the order of their numbers."""
    return _EXTRAS[signals.timely & signals.true]
