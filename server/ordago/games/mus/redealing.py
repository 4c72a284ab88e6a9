"""Draw a deal that fits a seat's knowledge by dealing it again, from the first card on.

Unseen cards go to the others at random, who discard as many as they did, at random; where the stock ran out, the
discards are shuffled. The deal is given up, and dealt anew, as soon as a hand contradicts an announcement or a signal
that its player made with it, or a card that the seat itself was dealt after a shuffle was not among the cards shuffled.
So the draw is uniform: every order of the stock and every choice of discards that fits is equally likely.

Announcements can be so improbable that nearly all deals are given up. After ``EVEN_TRIES`` without success the dealing
becomes patient. Then a hand that does not fit is chosen again by itself, up to ``PATIENCE`` times, and cards that the
seat itself has to get after a shuffle go to players who can discard them in time. This finds a deal soon, but some
deals are a little more likely than others: the draw is only nearly uniform.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

from ordago.cards import card_set, cards_in, count, holds
from ordago.games.mus.betting import ALL_SEATS, Betting
from ordago.games.mus.hands import WHOLE_PACK, hand_table
from ordago.games.mus.holdings import Holdings
from ordago.games.mus.knowledge import Deal, Discard, Knowledge, Truth, knowledge_of
from ordago.games.mus.scoring import Scoreboard
from ordago.games.mus.state import MusState
from ordago.games.mus.values import HAND, SEATS, Lance, MusAction, MusView

EVEN_TRIES: Final = 300
"""The deals that are given up before the draw is allowed to be only nearly even."""
PATIENCE: Final = 20
"""The number of times that a hand that does not fit is then chosen again by itself."""


def possible_hands(knowledge: Knowledge, *, rng: Random) -> Iterator[list[int]]:
    """Draw the hands of all seats, as sets in order of seats, without end: cheaper than ``possible_states``."""
    return (redealing.hands for redealing in _fitting(knowledge, rng=rng))


def possible_states(view: MusView, *, rng: Random) -> Iterator[MusState]:
    """Draw states without end, from all that fit the knowledge of a seat that is to act."""
    for redealing in _fitting(knowledge_of(view), rng=rng):
        yield state_of(view, redealing.holdings(view.reshuffled))


def _fitting(knowledge: Knowledge, *, rng: Random) -> "Iterator[_Redealing]":
    """Deal again without end, and go through what fits."""
    in_vain = 0
    while True:
        redealing = _Redealing(knowledge, rng, is_patient=in_vain >= EVEN_TRIES)
        if redealing.fits():
            yield redealing
        else:
            in_vain += 1


class _Redealing:
    """A deal dealt again by a seat's knowledge. It has the attributes of ``Holdings``."""

    __slots__ = (
        "_drawn",
        "_due",
        "_eagerness",
        "_is_patient",
        "_knowledge",
        "_own_cards",
        "_random",
        "discarded",
        "hands",
        "pile",
        "stock",
    )

    def __init__(self, knowledge: Knowledge, rng: Random, *, is_patient: bool) -> None:
        self._knowledge = knowledge
        self._random = rng.random
        self._is_patient = is_patient
        self._eagerness = rng.random()
        self._due = 0
        self._own_cards = iter(knowledge.own_cards)
        self._drawn: list[list[int]] = []
        self.hands = [0] * SEATS
        self.discarded: list[int] = []
        self.pile = 0
        self.stock = cards_in(WHOLE_PACK & ~knowledge.own_by_shuffle[0])

    def fits(self) -> bool:
        """Take all steps; return True if the result agrees with the seat's knowledge."""
        own_by_shuffle = iter(self._knowledge.own_by_shuffle[1:])
        self._due = next(own_by_shuffle, 0)
        for step in self._knowledge.steps:
            if isinstance(step, Deal):
                if not self._deal(step):
                    return False
            elif isinstance(step, Discard):
                self._discard(step)
            else:
                if not self._reshuffle(spares_last=step.spares_last):
                    return False
                self._due = next(own_by_shuffle, 0)
        return True

    def _deal(self, step: Deal) -> bool:
        """Deal cards to a seat; return True if its hand agrees with what is known of it."""
        seat, number, exchange, _ = step
        if seat == self._knowledge.seat:
            self._hand_over(seat, list(islice(self._own_cards, number)), exchange)
            return True
        truth = None if exchange is None else self._knowledge.truths.get((seat, exchange))
        for _ in range(PATIENCE if self._is_patient else 1):
            cards = self._with_outlook(step) if self._is_patient else self._picked(self.stock, number)
            if truth is None or self._bears_out(self.hands[seat] | card_set(cards), truth):
                self._hand_over(seat, cards, exchange)
                return True
            self.stock += cards
            if exchange:
                self._discard_again(step, exchange)
        return False

    def _with_outlook(self, step: Deal) -> list[int]:
        """Take cards at random, but no more due ones than the seat can discard in time, unless there are no others."""
        due = [card for card in self.stock if holds(self._due, card)]
        others = [card for card in self.stock if not holds(self._due, card)]
        room = min(step.discards_next - count(self.hands[step.seat] & self._due), step.number, len(due))
        taken = self._picked(due, sum(self._random() < self._eagerness for _ in range(room)))
        taken += self._picked(others, min(step.number - len(taken), len(others)))
        taken += self._picked(due, step.number - len(taken))
        self.stock = due + others
        return taken

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
            cards = self._any_discard(self.hands[seat], number)
        self.hands[seat] ^= cards
        self.pile |= cards
        self.discarded.append(cards)

    def _any_discard(self, hand: int, number: int) -> int:
        """Choose a discard by chance; if patient, due cards first."""
        if not self._is_patient:
            return card_set(self._picked(cards_in(hand), number))
        due = cards_in(hand & self._due)
        chosen = self._picked(due, min(number, len(due)))
        return card_set(chosen + self._picked(cards_in(hand & ~self._due), number - len(chosen)))

    def _discard_again(self, step: Deal, exchange: int) -> None:
        """Choose again what a seat discards in an exchange, if it is not shuffled and nothing was dealt for it yet."""
        seat = step.seat
        place = SEATS * (exchange - 1) + (seat - self._knowledge.mano) % SEATS
        before = self.discarded[place]
        if before & ~self.pile or count(before) != step.number:
            return
        hand = self.hands[seat] | before
        cards = self.discarded[place] = self._any_discard(hand, step.number)
        self.hands[seat] = hand ^ cards
        self.pile ^= before ^ cards

    def _reshuffle(self, *, spares_last: bool) -> bool:
        """Turn the discards into the stock; return True if the due cards are among them."""
        shuffled = self.pile & ~self.discarded[-1] if spares_last else self.pile
        self.pile ^= shuffled
        self.stock = cards_in(shuffled & ~self._due)
        return not self._due & ~shuffled

    def holdings(self, reshuffled: Sequence[int]) -> Holdings:
        """Return the resulting holdings, with the stock in random order, given the number of cards in each shuffle."""
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
        """Join the cards dealt to a seat before a shuffle and after it."""
        deals = (step for step in self._knowledge.steps if isinstance(step, Deal) and step.exchange != 0)
        before: list[int] = []
        for deal, cards in zip(deals, self._drawn, strict=True):
            before += cards
            if deal.exchange is not None:
                yield tuple(before)
                before = []


def state_of(view: MusView, holdings: Holdings) -> MusState:
    """Return the state behind the view of the acting seat, with the cards where these holdings say."""
    state = MusState(view.options)
    state.actor = view.seat
    state.scoreboard = Scoreboard(view.game, view.deal, view.deal_of_game, view.points, view.games)
    state.shown = tuple([card_set(view.shown[place : place + HAND]) for place in range(0, len(view.shown), HAND)])
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
    betting.bettor = view.bettor
    if view.answered is not None:
        betting.answered = MusAction(view.answered, amount=view.said[-1].amount)
    return betting
