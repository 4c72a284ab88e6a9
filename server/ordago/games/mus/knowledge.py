"""The knowledge of a seat about the cards of the others, and the drawing of deals that fit it.

A seat knows its own cards, those that it discarded and those that it was dealt for them, how many cards the others
discarded, who announced pares and juego, and the signals that it saw. A deal that fits is drawn by dealing it again,
as the module ``redealing`` does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple, TypeAlias

from ordago.cards import card_set, cards_in
from ordago.games.mus.hands import JUEGO_FEATURE, PACK, PARES_FEATURE, HandTable, hand_table
from ordago.games.mus.signals import REQUESTS
from ordago.games.mus.values import HAND, SEATS, ActionKind, MusView


class Deal(NamedTuple):
    """A step of a deal: cards go from the stock to a seat."""

    seat: int
    number: int
    exchange: int | None
    """The number of exchanges after which the hand, now complete, is held; ``None`` while it is not complete."""
    discards_next: int = 0
    """The number of cards that the seat discards after it, before any shuffle."""


class Discard(NamedTuple):
    """A step of a deal: a seat puts cards away."""

    seat: int
    number: int


class Reshuffle(NamedTuple):
    """A step of a deal: the discards become the stock, perhaps without the last."""

    spares_last: bool
    """True if the last discard stays out of it."""


Step: TypeAlias = Deal | Discard | Reshuffle


class Truth(NamedTuple):
    """The known features of a hand, as sets."""

    has: int = 0
    """The features that it has."""
    lacks: int = 0
    """The features that it lacks."""


class Knowledge(NamedTuple):
    """A seat's knowledge of a deal."""

    seat: int
    """The seat that knows."""
    mano: int
    """The seat that was dealt to first."""
    steps: tuple[Step, ...]
    """The discards, draws and shuffles of the deal, in order."""
    own_cards: tuple[int, ...]
    """The cards that the seat was dealt, in the order of dealing."""
    own_discards: tuple[int, ...]
    """The seat's discards in each exchange, as sets."""
    own_by_shuffle: tuple[int, ...]
    """The cards that the seat was dealt after each shuffle, as sets."""
    truths: Mapping[tuple[int, int], Truth]
    """The known features of the hand of a seat after a number of exchanges."""
    table: HandTable
    """The worth of hands."""


def knowledge_of(view: MusView) -> Knowledge:
    """Return the knowledge of a view's seat about the deal, while it is to act."""
    mano = (view.dealer + 1) % SEATS
    steps = tuple(_with_next_discards(list(_steps(view, mano))))
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
    """Yield the steps of a deal up to the moment of a view."""
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
    """Yield the steps of dealing in an exchange, given the number of cards in the stock at its beginning."""
    for place, (seat, number) in enumerate(made):
        if 0 <= stock < number:
            yield Deal(seat, stock, exchange=None)
            yield Reshuffle(spares_last=place == SEATS - 1)
            yield Deal(seat, number - stock, exchange=exchange)
        else:
            yield Deal(seat, number, exchange=exchange)
        stock -= number


def _with_next_discards(steps: Sequence[Step]) -> Iterator[Step]:
    for place, step in enumerate(steps):
        if isinstance(step, Deal):
            until_shuffle = takewhile(lambda following: not isinstance(following, Reshuffle), steps[place:])
            discards = [later for later in until_shuffle if isinstance(later, Discard) and later.seat == step.seat]
            yield step._replace(discards_next=discards[0].number if discards else 0)
        else:
            yield step


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
            _learn(truths, said.seat, discards // SEATS, 1 << said.signal & ~REQUESTS, is_true=True)
        discards += said.kind is ActionKind.DISCARD
    for feature, announced in ((PARES_FEATURE, view.pares), (JUEGO_FEATURE, view.juego)):
        for seat, has_it in enumerate(announced):
            _learn(truths, seat, discards // SEATS, feature, is_true=has_it)
    return {held: truth for held, truth in truths.items() if held[0] != view.seat}


def _learn(truths: dict[tuple[int, int], Truth], seat: int, exchange: int, feature: int, *, is_true: bool) -> None:
    has, lacks = truths.get((seat, exchange), Truth())
    truths[seat, exchange] = Truth(has | feature, lacks) if is_true else Truth(has, lacks | feature)
