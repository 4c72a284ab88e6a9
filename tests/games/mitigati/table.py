"""Hands, tables and deals of Mitigati for tests, written as people write them."""

from collections.abc import Iterable, Sequence
from random import Random

from games.noninterference import Step, Ways

from ordago.cards import card_of, card_set, cards_in, signs
from ordago.game import CHANCE, FINISHED, Event, LegalAction, Parts
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.rules import RULES
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    PLAY,
    SEATS,
    ActionKind,
    MitigatiAction,
    MitigatiEvent,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)

PLACES = [place % SEATS for place in range(14) for _ in range(5)] + [2] * 8
"""To whom each card of the pack in dealing order goes: 0 is the seat after the dealer, 2 the dealer."""
DEALT_AT_STAGE = {0: 0, 10: 30, 15: 45, 20: 60, 25: 78}
"""The cards dealt in all at each stage."""


def cards(text: str) -> list[int]:
    """Return the cards of a text such as ``A♣ XXI O``."""
    return [card_of(word) for word in text.split()]


def written(mask: int) -> str:
    """Write a set of cards, ascending."""
    return signs(cards_in(mask))


def new_match(**options: int) -> MitigatiState:
    """Return a match before its first shuffle."""
    return RULES.new_match(seats=SEATS, options=RULES.options(options))


def shuffle(state: MitigatiState, rng: Random) -> Sequence[Event[MitigatiEvent]]:
    """Deal the cards in any order."""
    order = list(state.shuffle_due().cards)
    rng.shuffle(order)
    return state.supply(order)


def filled(legal: LegalAction[MitigatiAction], rng: Random) -> MitigatiAction:
    """Fill the open parts of a legal action by chance, as a bot does that knows nothing of the game."""
    amount = rng.randint(*legal.amount) if legal.amount else None
    picked = [card for pick in legal.picks for card in rng.sample(pick.cards, rng.randint(pick.min, pick.max))]
    return RULES.fill(legal, Parts(amount=amount, cards=tuple(picked)))


def any_action(state: MitigatiState, rng: Random) -> MitigatiAction:
    """Choose any legal action."""
    return filled(rng.choice(state.legal_actions()), rng)


def any_card(state: MitigatiState, rng: Random) -> MitigatiAction:
    """Say play, and then choose any legal action, so that each deal is played."""
    return PLAY if state.phase is Phase.BARGAIN else any_action(state, rng)


def talkative(state: MitigatiState, rng: Random) -> MitigatiAction:
    """Choose any legal action, but say play less often, so that bargains last."""
    legal = state.legal_actions()
    return filled(legal[0] if legal[0].amount and rng.random() < 0.9 else rng.choice(legal), rng)


def step(state: MitigatiState, rng: Random) -> Sequence[Event[MitigatiEvent]]:
    """Shuffle if that is due, else take any legal action."""
    return shuffle(state, rng) if state.actor == CHANCE else state.apply(any_action(state, rng))


def whole_match(seed: int, **options: int) -> list[Event[MitigatiEvent]]:
    """Return all events of a match played by chance, in which much is said."""
    rng = Random(seed)
    state = new_match(**options)
    events: list[Event[MitigatiEvent]] = []
    while state.actor != FINISHED:
        events += shuffle(state, rng) if state.actor == CHANCE else state.apply(talkative(state, rng))
    return events


def say(state: MitigatiState, text: str) -> list[MitigatiEvent]:
    """Make statements such as ``10 -4 play``, each of which must be legal, and return what happened."""
    actions = [PLAY if word == "play" else statement_of(int(word)) for word in text.split()]
    return take(state, actions)


def lay_away(state: MitigatiState, text: str) -> list[MitigatiEvent]:
    """Lay away cards, which must be legal, and return what happened."""
    return take(state, [discard_of(cards(text))])


def play(state: MitigatiState, text: str) -> list[MitigatiEvent]:
    """Play cards, each of which must be legal, and return what happened."""
    return take(state, [CARD[card] for card in cards(text)])


def take(state: MitigatiState, actions: Iterable[MitigatiAction]) -> list[MitigatiEvent]:
    """Take actions, each of which must be legal, and return what happened."""
    events: list[MitigatiEvent] = []
    for action in actions:
        violation = state.check(action)
        assert violation is None, violation
        events += [event.full for event in state.apply(action)]
    return events


def in_bargain(seed: int = 1, **options: int) -> MitigatiState:
    """Return a first deal in its first bargain; seat 0 is to speak."""
    state = new_match(**options)
    shuffle(state, Random(seed))
    return state


def holding(hands: Sequence[int], *, rng: Random | None = None) -> list[int]:
    """Return an order of the pack that deals these hands, as sets, the last of them, with 28 cards, to the dealer.

    Hands that have fewer cards are filled up, by chance if there is a generator, else with the cards left over.
    """
    rest = [card for card in PACK if not any(hand >> card & 1 for hand in hands)]
    if rng is not None:
        rng.shuffle(rest)
    full = []
    for place, hand in enumerate(hands):
        held = cards_in(hand)
        lacking = PLACES.count(place) - len(held)
        full.append(held + rest[:lacking])
        del rest[:lacking]
    return [full[place].pop(0) for place in PLACES]


def dealt(*hands: str, rng: Random | None = None, **options: int) -> MitigatiState:
    """Return a first deal before the discard: seats 0 and 1 hold these cards, and the dealer, seat 2, these."""
    state = new_match(**options)
    state.supply(holding([card_set(cards(hand)) for hand in hands], rng=rng))
    say(state, "play play play")
    return state


def mid_deal(seed: int, *, plays: int) -> MitigatiState:
    """Return a first deal after so many cards played by chance."""
    rng = Random(seed)
    state = in_bargain(seed)
    while len(state.cards) < plays or state.phase is not Phase.TRICKS:
        state.apply(any_card(state, rng))
    return state


def at_table(*, hand: Iterable[int], trick: Sequence[int] = (), ranking: Ranking = Ranking.SOURCE) -> MitigatiState:
    """Return a state in the play in which seat 2 is to act with this hand, the trick before it."""
    state = new_match(ranking=ranking)
    state.phase = Phase.TRICKS
    state.actor = state.leader = 2 - len(trick)
    state.hands[2] = card_set(hand)
    for card in trick:
        state.hands[state.actor] |= 1 << card
        state.apply(CARD[card])
    return state


def hands_at_first(state: MitigatiState) -> list[int]:
    """Return all that the seats of a deal in progress were dealt so far, as sets: discard and cards played included."""
    hands = list(state.hands)
    leaders = [state.first, *state.takers]
    for place, card in enumerate(state.cards):
        hands[(leaders[place // SEATS] + place) % SEATS] |= 1 << card
    hands[state.dealer] |= state.discard
    return hands


def reenact(state: MitigatiState, steps: Sequence[Step], seat: int) -> list[Step]:
    """Return the steps that lead to a state that looks to a seat as after these steps.

    The cards of the seat come when they came; those of the others come in any order.
    """
    shuffled, *actions = steps
    assert shuffled.shuffled is not None
    order = list(shuffled.shuffled)
    dealt_so_far = DEALT_AT_STAGE[state.stage]
    left = [cards_in(hand) for hand in hands_at_first(state)]
    for position in range(dealt_so_far):
        receiver = (state.first + PLACES[position]) % SEATS
        if receiver != seat:
            order[position] = left[receiver].pop()
    order[dealt_so_far:] = state.stock
    return [Step(shuffled=order), *(_with_discard(step, state, seat) for step in actions)]


def _with_discard(step: Step, state: MitigatiState, seat: int) -> Step:
    action = step.action
    if seat == state.dealer or not isinstance(action, MitigatiAction) or action.kind is not ActionKind.DISCARD:
        return step
    return Step(action=discard_of(cards_in(state.discard)))


def again(state: MitigatiState) -> MitigatiState | None:
    """Play a deal in progress again from its shuffle on, or return ``None`` if it cannot have come about."""
    twin = MitigatiState(state.options)
    twin.turn, twin.struck, twin.deals_played = state.turn, state.struck, state.deals_played
    twin.begin_deal(state.deal)
    hands = hands_at_first(state)
    twin.supply(holding([hands[(state.first + place) % SEATS] for place in range(SEATS)]))
    actions: list[MitigatiAction] = []
    for bargain in state.bargains:
        actions += [statement_of(amount) for amount in bargain.statements]
        actions += [PLAY] if bargain.end == 1 else []
    actions += [discard_of(cards_in(state.discard)), *(CARD[card] for card in state.cards)]
    for action in actions:
        if twin.check(action) is not None:
            return None
        twin.apply(action)
    return twin if twin.declarations == state.declarations else None


PROBES = [
    PLAY,
    *(statement_of(amount) for amount in (-101, -100, -3, 0, 7, 100)),
    *(discard_of(PACK[start : start + 3]) for start in range(0, 76, 7)),
    *CARD.values(),
]
"""Actions to be tried at any decision, most of them illegal."""


WAYS = Ways(PROBES, options=({"rounds": 1},), choices=(any_action, any_card), reenact=reenact)
"""How it is played by chance, dealt again and asked for what is illegal."""
