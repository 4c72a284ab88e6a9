"""Hands and tables of Mus for tests, written as people write them."""

from collections.abc import Iterable, Sequence
from random import Random

from games.noninterference import Ways

from ordago.cards import card_of, card_set, cards_in, signs
from ordago.game import CHANCE, FINISHED, Event, LegalAction
from ordago.games.mus.hands import PACK
from ordago.games.mus.rules import RULES
from ordago.games.mus.state import MusState
from ordago.games.mus.values import SEATS, ActionKind, MusAction, MusEvent, Signal

NAMES = {
    "mus": ActionKind.MUS,
    "no mus": ActionKind.NO_MUS,
    "discard": ActionKind.DISCARD,
    "paso": ActionKind.PASO,
    "envido": ActionKind.ENVIDO,
    "órdago": ActionKind.ORDAGO,
    "quiero": ActionKind.QUIERO,
    "no quiero": ActionKind.NO_QUIERO,
}
HANDS = ("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So")
"""Hands without pares and juego."""
ALL_PASS = ["paso"] * 12


def cards(text: str) -> list[int]:
    """Return the cards of a text such as ``Ro 3c 4e``."""
    return [card_of(word) for word in text.split()]


def action(text: str) -> MusAction:
    """Return the action of a text such as ``envido 5``, ``discard 4o 5c``, ``no quiero!`` or ``paso ~duples``.

    An exclamation mark makes an answer binding; a signal stands after ``~``.
    """
    text, _, signal = (part.strip() for part in text.partition("~"))
    binding = text.endswith("!")
    name = max((name for name in NAMES if text.startswith(name)), key=len)
    rest = text.removeprefix(name).rstrip("!").strip()
    said = MusAction(NAMES[name], binding=binding, signal=Signal[signal.upper().replace(" ", "_")] if signal else None)
    if name == "envido":
        return said._replace(amount=int(rest or 2))
    return said._replace(cards=tuple(sorted(cards(rest))))


def new_match(**options: object) -> MusState:
    """Return a match before its first shuffle."""
    return RULES.new_match(seats=SEATS, options=RULES.options(options))


def dealing_order(hands: Sequence[int], *, mano: int, stock: Sequence[int] = ()) -> list[int]:
    """Return the order of the pack that deals these hands, a set for each seat, and leaves this stock on top."""
    in_order = [cards_in(hands[(mano + place) % SEATS]) for place in range(SEATS)]
    first = [hand[turn] for turn in range(4) for hand in in_order] + list(stock)
    return first + [card for card in PACK if card not in first]


def dealt(*hands: str, stock: str = "", state: MusState | None = None, **options: object) -> MusState:
    """Return a match whose deal has these hands in order of seats, and whose stock begins with these cards."""
    state = state or new_match(**options)
    sets = [card_set(cards(hand)) for hand in hands]
    state.supply(dealing_order(sets, mano=state.scoreboard.mano, stock=cards(stock)))
    return state


def say(state: MusState, *texts: str) -> list[MusEvent]:
    """Say one thing after another, each by who is to act; all must be legal. Return what happened."""
    events: list[MusEvent] = []
    for text in texts:
        said = action(text)
        assert state.check(said) is None, f"{text}: {state.check(said)}"
        events += [event.full for event in state.apply(said)]
    return events


def shuffle(state: MusState, rng: Random) -> Sequence[Event[MusEvent]]:
    """Supply the shuffle that is due in any order."""
    order = list(state.shuffle_due().cards)
    rng.shuffle(order)
    return state.supply(order)


def filled(legal: LegalAction[MusAction], rng: Random) -> MusAction:
    """Return a legal action with its open parts filled by chance."""
    if legal.amount is not None:
        return legal.action._replace(amount=rng.randint(*legal.amount))
    if legal.picks:
        (pick,) = legal.picks
        return legal.action._replace(cards=tuple(sorted(rng.sample(pick.cards, rng.randint(pick.min, pick.max)))))
    return legal.action


def any_action(state: MusState, rng: Random) -> MusAction:
    """Return any legal action, half of the time with a signal if there is one."""
    chosen = filled(rng.choice(state.legal_actions()), rng)
    extras = state.extras()
    return chosen._replace(signal=rng.choice(extras).signal) if extras and rng.random() < 0.5 else chosen


def willing(state: MusState, rng: Random) -> MusAction:
    """Return any legal action, but nearly always mus when asked for it, and seldom an órdago."""
    chosen = any_action(state, rng)
    if chosen.kind is ActionKind.NO_MUS and rng.random() < 0.9:
        return chosen._replace(kind=ActionKind.MUS)
    if chosen.kind is ActionKind.ORDAGO and rng.random() < 0.9:
        return state.default_action()
    return chosen


def step(state: MusState, rng: Random) -> Sequence[Event[MusEvent]]:
    """Shuffle if that is due, else do anything legal, with much mus."""
    return shuffle(state, rng) if state.actor == CHANCE else state.apply(willing(state, rng))


def whole_match(seed: int, **options: object) -> list[Event[MusEvent]]:
    """Return all events of a match played by chance."""
    rng = Random(seed)
    state = new_match(**options)
    events: list[Event[MusEvent]] = []
    while state.actor != FINISHED:
        events += step(state, rng)
    return events


def decisions(seed: int, **options: object) -> Iterable[MusState]:
    """Go through the decisions of a match played by chance. The state is the same, and goes on."""
    rng = Random(seed)
    state = new_match(**options)
    while state.actor != FINISHED:
        if state.actor != CHANCE:
            yield state
        step(state, rng)


def hands_before(state: MusState, seat: int) -> list[int]:
    """Return the hands that a seat held in this deal, as sets: at first, and after each exchange that is over."""
    holdings = state.holdings
    first = (seat - holdings.mano) % SEATS
    discarded = holdings.discarded[first::SEATS]
    hand = holdings.hands[seat] | (discarded[-1] if len(discarded) > len(holdings.reshuffled) else 0)
    hands = [hand]
    over = zip(discarded[: len(holdings.reshuffled)], holdings.drawn[first::SEATS], strict=True)
    for put_away, drawn in reversed(list(over)):
        hands.insert(0, hands[0] & ~card_set(drawn) | put_away)
    return hands


def redeal(state: MusState) -> list[list[int]]:
    """Return the shuffles that lead to a deal in progress, at a decision."""
    holdings = state.holdings
    hands = [hands_before(state, seat)[0] for seat in range(SEATS)]
    dealt_later = [card for drawn in holdings.drawn for card in drawn] + list(reversed(holdings.stock))
    shuffles = [dealing_order(hands, mano=holdings.mano)[:16]]
    # Each shuffle lasts until its cards are dealt out.
    sizes = [24, *filter(None, holdings.reshuffled)]
    for size in sizes:
        shuffles[-1] += dealt_later[:size]
        del dealt_later[:size]
        shuffles.append([])
    return shuffles[:-1]


def actions_of(state: MusState) -> list[MusAction]:
    """Return what the players did in a deal in progress."""
    discards = iter(state.holdings.discarded)
    return [
        MusAction(said.kind, cards=tuple(cards_in(next(discards))), signal=said.signal)
        if said.kind is ActionKind.DISCARD
        else MusAction(said.kind, said.amount, (), said.binding, said.signal)
        for said in state.said
    ]


def exchange(state: MusState, *numbers: int) -> list[MusEvent]:
    """Let all say mus, and each discard so many of his first cards."""
    events = say(state, "mus", "mus", "mus", "mus")
    for number in numbers:
        events += say(state, f"discard {signs(cards_in(state.holdings.hands[state.actor])[:number])}")
    return events


def exchange_until_shuffle() -> list[MusEvent]:
    """Return what happens when the stock runs out, the shuffle included."""
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So")
    events = exchange(state, 4, 4, 4, 4) + exchange(state, 4, 3, 3, 2)
    return events + [event.full for event in state.supply(state.shuffle_due().cards)]


PROBES = [
    *(action(text) for text in ("mus", "paso", "envido", "envido 40", "órdago", "quiero", "no quiero!", "discard Ro")),
    *(MusAction(action("mus").kind, signal=signal) for signal in Signal),
]
"""Actions to be tried at any decision, most of them illegal."""


WAYS = Ways(
    PROBES,
    options=[{"signals": signals, "kings": kings} for signals in ("off", "partner", "open") for kings in (8, 4)],
    redeal=redeal,
    choices=(willing,),
    redo=lambda other, _actions: actions_of(other),
)
"""How it is played by chance, dealt again and asked for what is illegal."""
