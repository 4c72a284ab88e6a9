"""What a seat can know of the cards of the others, and how a deal that fits it is drawn.

A seat knows its own cards, those that it discarded and those that it was dealt for them, how many cards the others
discarded, who announced pares and juego, and the signals that it saw. A deal that fits is drawn by dealing it again,
from the first card on: unseen cards go to the others by chance, who discard as many as they did, by chance; where the
stock ran out, the discards are shuffled. It is given up, and dealt anew, as soon as a hand does not bear out what its
player announced or signalled when he held it, or a card that the seat itself was dealt after a shuffle was not among
the cards shuffled. What remains is drawn evenly: every order of the stock and every choice of discards that fits comes
with the same chance.

What was heard can be so improbable that nearly all deals are given up. After ``EVEN_TRIES`` of them a hand that does
not fit is dealt again by itself, up to ``PATIENCE`` times. This finds a deal soon, but prefers some a little: the draw
is then nearly even.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from random import Random
from typing import Final, NamedTuple, Self, TypeAlias

from ordago.cards import card_set, cards_in
from ordago.games.mus.betting import ALL_SEATS, Betting
from ordago.games.mus.hands import JUEGO_FEATURE, PACK, PARES_FEATURE, WHOLE_PACK, HandTable, hand_table
from ordago.games.mus.holdings import Holdings
from ordago.games.mus.scoring import Standing
from ordago.games.mus.state import MusState
from ordago.games.mus.values import HAND, SEATS, ActionKind, Lance, MusView

EVEN_TRIES: Final = 400
"""The deals that are given up before the draw is allowed to be only nearly even."""
PATIENCE: Final = 40
"""How often a hand that does not fit is then dealt again by itself."""


class Deal(NamedTuple):
    """A step of a deal: cards go from the stock to a seat."""

    seat: int
    number: int
    exchange: int | None
    """The number of exchanges after which the hand, now complete, is held; ``None`` while it is not complete."""


class Discard(NamedTuple):
    """A step of a deal: a seat puts cards away."""

    seat: int
    number: int


class Reshuffle(NamedTuple):
    """A step of a deal: the discards become the stock, perhaps without the last."""

    spares_last: bool
    """Whether the last discard stays out of it."""


Step: TypeAlias = Deal | Discard | Reshuffle


class Truth(NamedTuple):
    """What is known to be true of a hand, as sets of features."""

    has: int = 0
    """What it has."""
    lacks: int = 0
    """What it has not."""


class Knowledge(NamedTuple):
    """What a seat knows of a deal."""

    seat: int
    """The seat that knows."""
    mano: int
    """The seat that was dealt to first."""
    steps: tuple[Step, ...]
    """How the cards went round."""
    own_cards: tuple[int, ...]
    """The cards that the seat was dealt, in the order of dealing."""
    own_discards: tuple[int, ...]
    """What the seat discarded in each exchange, as sets."""
    own_by_shuffle: tuple[int, ...]
    """The cards that the seat was dealt after each shuffle, as sets."""
    truths: Mapping[tuple[int, int], Truth]
    """What is known of the hand of a seat after a number of exchanges."""
    table: HandTable
    """The worth of hands."""


def knowledge_of(view: MusView) -> Knowledge:
    """Return what the seat of a view knows of the deal, while it is to act."""
    mano = (view.dealer + 1) % SEATS
    steps = tuple(_steps(view, mano))
    own_numbers = [step.number for step in steps if isinstance(step, Discard) and step.seat == view.seat]
    own_discards = tuple(_in_groups(view.discarded, own_numbers))
    own_drawn = tuple(_in_groups(view.drawn, own_numbers))
    own_cards = (*cards_in(_first_hand(view.hand, own_discards, own_drawn)), *view.drawn)
    return Knowledge(
        seat=view.seat,
        mano=mano,
        steps=steps,
        own_cards=own_cards,
        own_discards=own_discards,
        own_by_shuffle=tuple(_by_shuffle(steps, view.seat, own_cards)),
        truths=_truths(view),
        table=hand_table(view.options.kings),
    )


def _steps(view: MusView, mano: int) -> Iterator[Step]:
    """Go through the steps of a deal up to what a view shows."""
    for place in range(SEATS):
        yield Deal((mano + place) % SEATS, HAND, exchange=0)
    discards = [Discard(said.seat, said.amount) for said in view.said if said.kind is ActionKind.DISCARD]
    stock = len(PACK) - SEATS * HAND
    for exchange, reshuffled in enumerate(view.reshuffled, start=1):
        made = discards[SEATS * exchange - SEATS : SEATS * exchange]
        yield from made
        yield from _drawing(made, exchange, stock)
        stock += reshuffled - sum(discard.number for discard in made)
    yield from discards[SEATS * len(view.reshuffled) :]


def _drawing(made: Sequence[Discard], exchange: int, stock: int) -> Iterator[Step]:
    """Go through the dealing for the discards of an exchange that begins with so many cards in the stock."""
    for place, (seat, number) in enumerate(made):
        if 0 <= stock < number:
            yield Deal(seat, stock, exchange=None)
            yield Reshuffle(spares_last=place == SEATS - 1)
            yield Deal(seat, number - stock, exchange=exchange)
        else:
            yield Deal(seat, number, exchange=exchange)
        stock -= number


def _in_groups(cards: Sequence[int], numbers: Iterable[int]) -> Iterator[int]:
    """Cut cards into groups of these sizes, and return these as sets."""
    remaining = iter(cards)
    for number in numbers:
        yield card_set(islice(remaining, number))


def _first_hand(hand: Iterable[int], discards: Sequence[int], drawn: Sequence[int]) -> int:
    """Return the hand, as a set, that became this one by these exchanges."""
    first = card_set(hand)
    for put_away, taken in zip(reversed(discards), reversed(drawn), strict=True):
        first = first & ~taken | put_away
    return first


def _by_shuffle(steps: Iterable[Step], seat: int, own_cards: Iterable[int]) -> Iterator[int]:
    remaining = iter(own_cards)
    cards = 0
    for step in steps:
        if isinstance(step, Reshuffle):
            yield cards
            cards = 0
        elif isinstance(step, Deal) and step.seat == seat:
            cards |= card_set(islice(remaining, step.number))
    yield cards


def _truths(view: MusView) -> dict[tuple[int, int], Truth]:
    truths: dict[tuple[int, int], Truth] = {}
    discards = 0
    for said in view.said:
        if said.signal is not None:
            _learn(truths, said.seat, discards // SEATS, 1 << said.signal, is_true=True)
        discards += said.kind is ActionKind.DISCARD
    for feature, announced in ((PARES_FEATURE, view.pares), (JUEGO_FEATURE, view.juego)):
        for seat, has_it in enumerate(announced):
            _learn(truths, seat, discards // SEATS, feature, is_true=has_it)
    return {held: truth for held, truth in truths.items() if held[0] != view.seat}


def _learn(truths: dict[tuple[int, int], Truth], seat: int, exchange: int, feature: int, *, is_true: bool) -> None:
    has, lacks = truths.get((seat, exchange), Truth())
    truths[seat, exchange] = Truth(has | feature, lacks) if is_true else Truth(has, lacks | feature)


def possible_hands(knowledge: Knowledge, *, rng: Random) -> Iterator[list[int]]:
    """Draw the hands of all seats, in order of seats as sets, without end: what ``possible_states`` holds, for less."""
    while True:
        yield _Redealing.that_fits(knowledge, rng=rng).hands


def possible_states(view: MusView, *, rng: Random) -> Iterator[MusState]:
    """Draw states without end, each from all that fit what a seat knows while it is to act.

    This is ``MusRules.determinize`` again and again, for less: what the seat knows is found out once.
    """
    knowledge = knowledge_of(view)
    while True:
        yield state_of(view, _Redealing.that_fits(knowledge, rng=rng).holdings(view.reshuffled))


class _Redealing:
    """A deal dealt again by what a seat knows of it. It has the attributes of ``Holdings``."""

    __slots__ = ("_drawn", "_knowledge", "_own_cards", "_patience", "_random", "discarded", "hands", "pile", "stock")

    def __init__(self, knowledge: Knowledge, rng: Random, *, patience: int) -> None:
        self._knowledge = knowledge
        self._random = rng.random
        self._patience = patience
        self._own_cards = iter(knowledge.own_cards)
        self._drawn: list[list[int]] = []
        self.hands = [0] * SEATS
        self.discarded: list[int] = []
        self.pile = 0
        self.stock = cards_in(WHOLE_PACK & ~knowledge.own_by_shuffle[0])

    @classmethod
    def that_fits(cls, knowledge: Knowledge, *, rng: Random) -> Self:
        """Deal again until all fits."""
        for tried in count(1):
            redealing = cls(knowledge, rng, patience=1 if tried <= EVEN_TRIES else PATIENCE)
            if redealing._fits():
                return redealing
        raise AssertionError("the tries never end")

    def _fits(self) -> bool:
        """Take all steps; say whether what came of them fits what the seat knows."""
        shuffles = 1
        for step in self._knowledge.steps:
            if isinstance(step, Deal):
                if not self._deal(step):
                    return False
            elif isinstance(step, Discard):
                self._discard(step)
            elif not self._reshuffle(self._knowledge.own_by_shuffle[shuffles], spares_last=step.spares_last):
                return False
            else:
                shuffles += 1
        return True

    def _deal(self, step: Deal) -> bool:
        """Deal cards to a seat; say whether its hand bears out what is known of it."""
        seat, number, exchange = step
        if seat == self._knowledge.seat:
            self._hand_over(seat, list(islice(self._own_cards, number)), exchange)
            return True
        truth = None if exchange is None else self._knowledge.truths.get((seat, exchange))
        for _ in range(self._patience):
            cards = self._picked(self.stock, number)
            if truth is None or self._bears_out(self.hands[seat] | card_set(cards), truth):
                self._hand_over(seat, cards, exchange)
                return True
            self.stock += cards
        return False

    def _picked(self, cards: list[int], number: int) -> list[int]:
        """Take some cards away from others by chance, and return them."""
        picked = []
        for _ in range(number):
            place = int(self._random() * len(cards))
            picked.append(cards[place])
            cards[place] = cards[-1]
            cards.pop()
        return picked

    def _bears_out(self, hand: int, truth: Truth) -> bool:
        features = self._knowledge.table.worth(hand).features
        return features & truth.has == truth.has and not features & truth.lacks

    def _hand_over(self, seat: int, cards: list[int], exchange: int | None) -> None:
        self.hands[seat] |= card_set(cards)
        if exchange != 0:
            self._drawn.append(cards)

    def _discard(self, step: Discard) -> None:
        seat, number = step
        if seat == self._knowledge.seat:
            cards = self._knowledge.own_discards[len(self.discarded) // SEATS]
        else:
            cards = card_set(self._picked(cards_in(self.hands[seat]), number))
        self.hands[seat] ^= cards
        self.pile |= cards
        self.discarded.append(cards)

    def _reshuffle(self, own_cards: int, *, spares_last: bool) -> bool:
        """Make the discards the stock; say whether the cards that the seat is dealt from it are among them."""
        shuffled = self.pile & ~self.discarded[-1] if spares_last else self.pile
        self.pile ^= shuffled
        self.stock = cards_in(shuffled & ~own_cards)
        return not own_cards & ~shuffled

    def holdings(self, reshuffled: Sequence[int]) -> Holdings:
        """Return what came of it, with the stock in any order, given how many cards were shuffled each time."""
        holdings = Holdings(self._knowledge.mano)
        holdings.hands = self.hands
        holdings.stock = sorted(self.stock, key=lambda _card: self._random())
        holdings.pile = self.pile
        holdings.discarded = self.discarded
        holdings.drawn = list(self._drawn_by_place())
        holdings.reshuffled = list(reshuffled)
        holdings.shuffles = len(self._knowledge.own_by_shuffle)
        return holdings

    def _drawn_by_place(self) -> Iterator[tuple[int, ...]]:
        """Join what was dealt to a seat before a shuffle and after it."""
        deals = (step for step in self._knowledge.steps if isinstance(step, Deal) and step.exchange != 0)
        before: list[int] = []
        for deal, cards in zip(deals, self._drawn, strict=True):
            before += cards
            if deal.exchange is not None:
                yield tuple(before)
                before = []


def state_of(view: MusView, holdings: Holdings) -> MusState:
    """Return the state that a seat that is to act sees so, when the cards are where these holdings say."""
    state = MusState(view.options)
    state.actor = view.seat
    state.standing = Standing(view.game, view.deal, view.deal_of_game, view.points, view.games)
    state.shown = view.shown
    state.holdings = holdings
    state.phase = view.phase
    state.said, state.settled = list(view.said), list(view.settled)
    state.pares, state.juego = _as_set(view.pares), _as_set(view.juego)
    if view.lance is not None:
        table = hand_table(view.options.kings)
        state.worths = [table.worth(hand) for hand in holdings.hands]
        state.betting = _betting(view, view.lance, holdings.mano, _seats_with(state, view.lance))
    return state


def _as_set(seats: Sequence[bool]) -> int | None:
    return sum(1 << seat for seat, is_in in enumerate(seats) if is_in) if seats else None


def _seats_with(state: MusState, lance: Lance) -> int:
    seats = {Lance.PARES: state.pares, Lance.JUEGO: state.juego}.get(lance)
    return ALL_SEATS if seats is None else seats


def _betting(view: MusView, lance: Lance, mano: int, seats: int) -> Betting:
    betting = Betting(lance, seats, mano=mano)
    betting.speaker = view.seat
    betting.stake, betting.agreed, betting.ordago = view.stake, view.agreed, view.ordago
    betting.bettor, betting.answered = view.bettor, view.answered
    return betting
