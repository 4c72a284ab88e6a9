"""The betting on one lance: the seat to speak, the legal statements, and the result.

Both partners of the side that was bet at are asked, if they take part. The bolder of their answers counts, unless one
of them binds the side: then neither a bolder answer before it counts, nor is the partner asked after it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from ordago.build import mypyc_attr
from ordago.cache import Cache
from ordago.cards import holds
from ordago.game import AmountRange, LegalAction
from ordago.games.clonable import Clonable
from ordago.games.mus.members import (
    CALLED,
    ENVIDO,
    NOBODY,
    ORDAGO,
    ORDAGO_CALLED,
    PASO,
    PASSED,
    QUIERO,
    REFUSED,
    UNCONTESTED,
)
from ordago.games.mus.values import (
    LEAST_BET,
    SEATS,
    SIDE_OF,
    SIDES,
    ActionKind,
    Lance,
    MusAction,
    Result,
    Settlement,
)

ALL_SEATS: Final = 0b1111
SEATS_OF_SIDE: Final[tuple[int, ...]] = (0b0101, 0b1010)
"""The seats of each side, as a set."""
ENVIDO_OF: Final[Cache[int, MusAction]] = Cache(lambda amount: MusAction(ActionKind.ENVIDO, amount=amount))
"""The action of betting an amount, or of raising the stake by it."""
_BOLDNESS: Final = {ActionKind.NO_QUIERO: 0, ActionKind.QUIERO: 1, ActionKind.ENVIDO: 2, ActionKind.ORDAGO: 3}
"""The order of the answers, from the most timid to the boldest; of two raises the higher is bolder."""
REFUSED_OPENING: Final = 1
"""The points for a refused opening bet."""


def _first_from(seat: int, seats: int) -> int:
    return next((other % SEATS for other in range(seat, seat + SEATS) if holds(seats, other % SEATS)), seat)


FIRST_FROM: Final = tuple(tuple(_first_from(seat, seats) for seats in range(ALL_SEATS + 1)) for seat in range(SEATS))
"""By seat and by set of seats: the first seat of the set, counted from that seat. Undefined for the empty set."""


def is_contested(seats: int) -> bool:
    """Return True if both sides have a seat in a set of seats."""
    return bool(seats & SEATS_OF_SIDE[0] and seats & SEATS_OF_SIDE[1])


def bolder(first: MusAction, second: MusAction) -> MusAction:
    """Return the bolder of two answers to a bet; the first if they are alike."""
    before, after = _BOLDNESS[first.kind or PASO], _BOLDNESS[second.kind or PASO]
    return second if (after, second.amount) > (before, first.amount) else first


@cache
def _settled(lance: Lance, result: Result, side: int | None = None, stake: int = 0) -> Settlement:
    """Return the settlement of a lance: one shared object for each combination."""
    return Settlement(lance, result, side, stake)


def uncontested(lance: Lance, seats: int) -> Settlement:
    """Return the settlement of a lance that at most one side can contest, without betting."""
    if not seats:
        return _settled(lance, NOBODY)
    return _settled(lance, UNCONTESTED, next(side for side in SIDES if seats & SEATS_OF_SIDE[side]))


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Betting(Clonable):
    """The betting on a lance from its first word on.

    Attributes:
        lance: the lance.
        mano: the seat that speaks first.
        seats: the seats that take part, as a set; both sides are among them.
        speaker: the seat that is to speak.
        stake: bet and raises together; 0 when nothing was bet, or an órdago alone.
        agreed: the points if the last bet is refused; 0 when nothing was bet.
        ordago: whether the last bet is an órdago.
        bettor: the seat that made the last bet or raise.
        answered: the answer of the speaker's partner to it, not binding; ``None`` if the partner was not asked yet.
    """

    __slots__ = ("agreed", "answered", "bettor", "lance", "mano", "ordago", "seats", "speaker", "stake")

    def __init__(self, lance: Lance, seats: int, *, mano: int) -> None:
        """Begin the betting among these seats, both sides among them."""
        self.lance = lance
        self.seats = seats
        self.mano = mano
        self.speaker = FIRST_FROM[mano][seats]
        self.stake = 0
        self.agreed = 0
        self.ordago = False
        self.bettor: int | None = None
        self.answered: MusAction | None = None

    def legal_actions(self, target: int) -> Sequence[LegalAction[MusAction]]:
        """Return the legal statements of the speaker, given the points that win the game."""
        if self.bettor is None:
            return _OPENINGS[target]
        return _ANSWERS_TO_ORDAGO if self.ordago else _ANSWERS[target - self.stake]

    def say(self, action: MusAction) -> Settlement | None:
        """Carry out a statement of the speaker; return the settlement of the betting, ``None`` while it goes on."""
        if action.kind is PASO:
            return self._pass()
        if self.bettor is None:
            self._bet(action, self.speaker)
            return None
        return self._answer(action)

    def _pass(self) -> Settlement | None:
        following = FIRST_FROM[(self.speaker + 1) % SEATS][self.seats]
        if (following - self.mano) % SEATS <= (self.speaker - self.mano) % SEATS:
            return _settled(self.lance, PASSED)
        self.speaker = following
        return None

    def _bet(self, action: MusAction, bettor: int) -> None:
        self.agreed = self.stake or REFUSED_OPENING
        self.stake += action.amount
        self.ordago = action.kind is ORDAGO
        self.bettor = bettor
        self.answered = None
        answerers = self.seats & SEATS_OF_SIDE[1 - SIDE_OF[bettor]]
        self.speaker = FIRST_FROM[bettor][answerers]

    def _answer(self, action: MusAction) -> Settlement | None:
        partner, before, bettor = (self.speaker + 2) % SEATS, self.answered, self.speaker
        if not action.binding:
            if before is None and holds(self.seats, partner):
                self.answered, self.speaker = action, partner
                return None
            if before is not None and bolder(before, action) is before:
                action, bettor = before, partner
        if action.kind is ENVIDO or action.kind is ORDAGO:
            self._bet(action, bettor)
            return None
        if action.kind is not QUIERO:
            return _settled(self.lance, REFUSED, 1 - SIDE_OF[self.speaker], self.agreed)
        if self.ordago:
            return _settled(self.lance, ORDAGO_CALLED)
        return _settled(self.lance, CALLED, None, self.stake)


_PASO: Final = LegalAction(MusAction(ActionKind.PASO))
_ORDAGO: Final = LegalAction(MusAction(ActionKind.ORDAGO))
_BINDING_ORDAGO: Final = LegalAction(MusAction(ActionKind.ORDAGO, binding=True))
_ANSWERS_TO_ORDAGO: Final[tuple[LegalAction[MusAction], ...]] = (
    LegalAction(MusAction(ActionKind.NO_QUIERO)),
    LegalAction(MusAction(ActionKind.NO_QUIERO, binding=True)),
    LegalAction(MusAction(ActionKind.QUIERO)),
    LegalAction(MusAction(ActionKind.QUIERO, binding=True)),
)


def _envido(greatest: int, *, binding: bool = False) -> LegalAction[MusAction]:
    return LegalAction(MusAction(ActionKind.ENVIDO, binding=binding), amount=AmountRange(LEAST_BET, greatest))


def _answers(room: int) -> Sequence[LegalAction[MusAction]]:
    raises = (_envido(room), _envido(room, binding=True)) if room >= LEAST_BET else ()
    return *_ANSWERS_TO_ORDAGO, *raises, _ORDAGO, _BINDING_ORDAGO


_OPENINGS: Final[Cache[int, Sequence[LegalAction[MusAction]]]] = Cache(lambda target: (_PASO, _envido(target), _ORDAGO))
"""The legal actions before anybody has bet, by the points that win a game."""
_ANSWERS: Final[Cache[int, Sequence[LegalAction[MusAction]]]] = Cache(_answers)
"""The answers to a bet, by the most points that the stake may grow by."""
