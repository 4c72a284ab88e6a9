"""The values of a match of Mus: options, actions, events and views."""

from enum import IntEnum, StrEnum, unique
from typing import Final, NamedTuple

SEATS: Final = 4
HAND: Final = 4
"""The cards of a hand."""
LEAST_BET: Final = 2
"""The least number of points that can be bet, or by which a stake can be raised."""
SIDE_OF: Final[tuple[int, ...]] = (0, 1, 0, 1)
"""The side that each seat plays for."""
SIDES: Final[tuple[int, ...]] = (0, 1)


@unique
class Ruleset(StrEnum):
    """The scoring rules of a match."""

    SOURCE = "source"
    """Nothing for a passed grande, chica or punto; a juego of 31 is worth 2, any other 1."""
    FEDERATION = "federation"
    """1 for a passed grande, chica or punto, 1 more for any other punto; a juego of 31 is worth 3, any other 2."""


@unique
class SignalsSeen(StrEnum):
    """The seats that see signals."""

    OFF = "off"
    """There are none."""
    PARTNER = "partner"
    """The partner alone sees a signal, and that there was one."""
    OPEN = "open"
    """Everybody sees a signal."""


class MusOptions(NamedTuple):
    """The options of a match."""

    ruleset: Ruleset = Ruleset.SOURCE
    """The scoring."""
    kings: int = 8
    """The number of kings: 8 (the threes too, and the twos are aces) or 4."""
    target: int = 40
    """The points that win a game, 10 to 100."""
    games: int = 1
    """The games of which a side has to win more than half, an odd number from 1 to 99."""
    max_mus: int = 10
    """The exchanges of a deal after which nobody is asked for mus any more, 1 to 40; 0 for no such cap."""
    max_deals: int = 60
    """The deals of a game after which the higher points win it, 1 to 1000."""
    signals: SignalsSeen = SignalsSeen.PARTNER
    """The seats that see signals."""
    signals_from_deal: int = 0
    """The first deal of a game in which signals may be made, counted from 0: 0 or 1."""
    more_signals: int = 0
    """1 for three kings, three aces and solomillo beside the federation's signals, 0 for these alone."""


@unique
class Phase(IntEnum):
    """The stage of a deal."""

    MUS = 1
    """The players are asked for mus or no mus."""
    DISCARD = 2
    """The players discard."""
    BETTING = 3
    """The players bet on a lance."""


@unique
class Lance(IntEnum):
    """A category that is bet on."""

    GRANDE = 1
    """The highest hand."""
    CHICA = 2
    """The lowest hand."""
    PARES = 3
    """The best pairs."""
    JUEGO = 4
    """The best hand of 31 or more."""
    PUNTO = 5
    """The best hand of 30 or less, in place of juego when nobody has it."""


@unique
class ActionKind(IntEnum):
    """The kind of an action."""

    MUS = 1
    """Agrees to an exchange of cards."""
    NO_MUS = 2
    """Refuses an exchange of cards: the betting begins."""
    DISCARD = 3
    """Discards cards, to be dealt as many."""
    PASO = 4
    """Passes."""
    ENVIDO = 5
    """Bets an amount, or raises the stake by it."""
    ORDAGO = 6
    """Bets the game."""
    QUIERO = 7
    """Accepts a bet."""
    NO_QUIERO = 8
    """Refuses a bet."""


@unique
class Signal(IntEnum):
    """A statement about a player's own hand, always true, or a request to the partner.

    The list is that of the Spanish federation.
    """

    TWO_KINGS = 1
    """Exactly two kings."""
    TWO_ACES = 2
    """Exactly two aces."""
    MEDIAS_OF_KINGS = 3
    """Three kings, no more. Once grande is over."""
    MEDIAS_OF_ACES = 4
    """Three aces, no more. Once grande is over."""
    MEDIAS = 5
    """Three alike. Once grande is over."""
    DUPLES = 6
    """Two pairs, or four alike."""
    JUEGO = 7
    """The cards count 31 or more."""
    THIRTY_ONE = 8
    """The cards count 31."""
    THIRTY = 9
    """The cards count 30."""
    TWENTY_NINE = 10
    """The cards count 29."""
    CIEGO = 11
    """Nothing: no pares, no juego, and a count of neither 30 nor 29."""
    CUT_MUS = 12
    """A request to say no mus, while asked for mus."""
    BET_MORE = 13
    """A request to bet more, in the betting."""
    THREE_KINGS = 14
    """Three kings, no more, at any time. Only with ``more_signals``."""
    THREE_ACES = 15
    """Three aces, no more, at any time. Only with ``more_signals``."""
    SOLOMILLO = 16
    """Three kings and an ace. Only with ``more_signals``."""


class MusAction(NamedTuple):
    """An action of a player. The fields that its kind does not need are empty."""

    kind: ActionKind | None = None
    """The kind of the action; ``None`` only in an extra, which is a signal and nothing else."""
    amount: int = 0
    """For envido: the points of the bet, or of the raise."""
    cards: tuple[int, ...] = ()
    """For a discard: the cards, ascending."""
    binding: bool = False
    """For an answer to a bet: whether it binds the side, so that the partner's does not count."""
    signal: Signal | None = None
    """A signal made along with it."""


@unique
class Result(IntEnum):
    """The result of the betting on a lance."""

    PASSED = 1
    """Everybody passed."""
    CALLED = 2
    """A bet was accepted; the stake waits for the showdown."""
    REFUSED = 3
    """A bet was refused; the stake was scored at once."""
    UNCONTESTED = 4
    """Only one side had pares or juego; there was no betting."""
    NOBODY = 5
    """Nobody had pares or juego; there was no betting."""
    ORDAGO = 6
    """An órdago was accepted: the best hand in this lance wins the game."""


@unique
class Reason(IntEnum):
    """The reason for scoring points."""

    REFUSED = 1
    """A bet of this side was refused."""
    CALLED = 2
    """The side has the best hand and the stake was called."""
    BONUS = 3
    """The points of the lance itself: pares, juego, and under the federation's rules any lance."""
    ORDAGO = 4
    """The side has the best hand and an órdago was called."""
    DEAL_CAP = 5
    """The greatest number of deals was played and this side was ahead."""


class Statement(NamedTuple):
    """Something that a player said in a deal."""

    seat: int
    """The seat that said it."""
    kind: ActionKind
    """The kind of the statement."""
    lance: Lance | None = None
    """The lance in which it was said; ``None`` before the betting."""
    amount: int = 0
    """The points that were bet or by which the stake was raised; or the number of cards discarded."""
    binding: bool = False
    """True if the answer was binding for the side."""
    signal: Signal | None = None
    """The signal made with it; ``None`` for none, or none that the reader may see."""


class Settlement(NamedTuple):
    """The settlement of the betting on a lance."""

    lance: Lance
    """The lance."""
    result: Result
    """The result of the betting."""
    side: int | None = None
    """The side whose bet was refused, or that alone had pares or juego; ``None`` for other results."""
    stake: int = 0
    """The points that wait for the showdown, or that were scored at once; 0 for none."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """A deal began: ``deal``, ``game``, ``seat`` (the dealer), ``points``, ``games``."""
    HAND_DEALT = 2
    """A seat received its hand: ``seat``, and ``cards`` for this seat alone."""
    SAID = 3
    """A player said something: ``seat``, ``said``, ``lance``, ``amount``, ``binding``."""
    SIGNALLED = 4
    """A player made a signal along with the last action: ``seat``, ``signal``; only for seats that may see it."""
    DISCARDED = 5
    """A player discarded: ``seat``, ``amount`` (the number of cards), and ``cards`` for this seat alone."""
    RESHUFFLED = 6
    """The stock ran out and discards were shuffled to go on: ``amount`` (the number of cards)."""
    DRAWN = 7
    """A seat was dealt cards for its discards: ``seat``, ``amount``, and ``cards`` for this seat alone."""
    LANCE_STARTED = 8
    """A lance began: ``lance``, ``seats`` (those that take part; in pares and juego those that say they have it)."""
    LANCE_SETTLED = 9
    """The betting on a lance ended: ``lance``, ``result``, ``side``, ``amount`` (the stake)."""
    HAND_SHOWN = 10
    """A hand was shown: ``seat``, ``cards``."""
    POINTS_SCORED = 11
    """A side scored: ``side``, ``amount``, ``lance``, ``reason``, ``points``."""
    DENTRO = 12
    """A side came within 5 points of the target: ``side``."""
    DEAL_ENDED = 13
    """A deal ended: ``deal``, ``points``."""
    GAME_WON = 14
    """A side won a game: ``side``, ``game``, ``points``, ``games``; ``reason`` if the cap of deals decided."""


class MusEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """The kind of the event."""
    seat: int | None = None
    """The seat that it concerns."""
    side: int | None = None
    """The side that it concerns."""
    lance: Lance | None = None
    """The lance that it concerns."""
    said: ActionKind | None = None
    """The kind of the statement."""
    amount: int = 0
    """Points, or a number of cards, as the kind says."""
    binding: bool = False
    """True if the answer was binding for the side."""
    signal: Signal | None = None
    """The signal that was made."""
    cards: tuple[int, ...] = ()
    """The cards: ascending, those drawn in the order of dealing; empty for a reader who may not see them."""
    seats: tuple[int, ...] = ()
    """The seats that take part, ascending."""
    result: Result | None = None
    """The result of the betting."""
    reason: Reason | None = None
    """The reason for scoring points."""
    deal: int = 0
    """The deal that began or ended, counted from 0 over the whole match."""
    game: int = 0
    """The game, counted from 0."""
    points: tuple[int, ...] = ()
    """The points of the sides in this game, after the event."""
    games: tuple[int, ...] = ()
    """The games won by the sides."""


class MusView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    options: MusOptions
    """The options of the match."""
    game: int
    """The game that is played, counted from 0."""
    deal: int
    """The deal that is played, counted from 0 over the whole match."""
    deal_of_game: int
    """The deal that is played, counted from 0 in this game."""
    points: tuple[int, ...]
    """The points of the sides in this game."""
    games: tuple[int, ...]
    """The games won by the sides."""
    dealer: int
    """The dealer of this deal. The seat after the dealer is the mano."""
    phase: Phase
    """The stage of the deal."""
    lance: Lance | None
    """The lance that is bet on; ``None`` before the betting."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    stock: int
    """The number of cards left in the stock."""
    said: tuple[Statement, ...]
    """The statements of the players in this deal, in order. An exchange is four discards, with their card counts."""
    discarded: tuple[int, ...]
    """The cards that this seat discarded in this deal, exchange by exchange, ascending within each."""
    drawn: tuple[int, ...]
    """The cards that this seat was dealt for them, exchange by exchange, in the order of dealing."""
    reshuffled: tuple[int, ...]
    """The number of discards shuffled in each exchange to go on dealing; 0 for none."""
    pares: tuple[bool, ...]
    """For each seat, True if it has pares; empty before the announcement."""
    juego: tuple[bool, ...]
    """For each seat, True if it has juego; empty before the announcement."""
    stake: int
    """The stake of this lance, bet and raises together; 0 when nothing was bet, or an órdago alone."""
    agreed: int
    """The points of the bettor's side if the last bet is refused; 0 when nothing was bet."""
    ordago: bool
    """True if the last bet is an órdago."""
    bettor: int | None
    """The seat that made the last bet or raise in this lance."""
    answered: ActionKind | None
    """The partner's answer to it, not binding: the last of ``said``; ``None`` if the partner was not asked yet."""
    settled: tuple[Settlement, ...]
    """The settlements of the lances before this one, in order."""
    shown: tuple[int, ...]
    """The hands shown at the end of the deal before this one, in order of seats; empty if none were."""
