"""The cases of cases.txt, which says how to write one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from games.mitigati.table import at_table, cards, in_bargain, written

from ordago.cards import card_of, card_set, sign, signs
from ordago.game import CHANCE
from ordago.games.mitigati.following import ruled_out
from ordago.games.mitigati.pack import SUIT_CARDS
from ordago.games.mitigati.scoring import declarations_of, points_of, worth_of
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    SEATS,
    EventKind,
    MitigatiAction,
    MitigatiEvent,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)

SUITS = ("clubs", "diamonds", "hearts", "spades", "trumps")


class Case(NamedTuple):
    """A case of the file."""

    title: str
    lines: dict[str, str]

    def get(self, name: str, default: str = "") -> str:
        return self.lines.get(name, default)


def read_cases() -> Iterator[Case]:
    _, *blocks = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8").split("\n--- ")
    for block in blocks:
        title, *lines = block.strip().split("\n")
        yield Case(title, dict(line.split(": ", 1) for line in lines))


CASES = list(read_cases())
GIVEN = {"said", "max_bid", "dealer", "holding", "ranking", "trick", "hand", "played", "tricks", "laid_away"}


def state_of_case(case: Case) -> MitigatiState:
    if "said" in case.lines:
        return bargain_of(case)[0]
    if "dealer" in case.lines:
        state = in_bargain()
        state.phase, state.actor = Phase.DISCARD, state.dealer
        state.hands[state.dealer] = card_set(cards(case.get("dealer")))
        return state
    ranking = Ranking(case.get("ranking", "source"))
    return at_table(hand=cards(case.get("hand")), trick=cards(case.get("trick")), ranking=ranking)


def bargain_of(case: Case) -> tuple[MitigatiState, list[MitigatiEvent]]:
    """Return the state after all statements of a case, and what the last of them caused."""
    state = in_bargain(max_bid=int(case.get("max_bid", "100")))
    events: list[MitigatiEvent] = []
    for amount in case.get("said").split():
        assert state.check(statement_of(int(amount))) is None
        events = [event.full for event in state.apply(statement_of(int(amount)))]
    return state, events


def action_of(case: Case, words: list[str]) -> MitigatiAction:
    if "said" in case.lines:
        return statement_of(int(words[0]))
    if "dealer" in case.lines:
        return discard_of([card_of(word) for word in words])
    return CARD[card_of(words[0])]


def check_bargain(case: Case) -> None:
    state, events = bargain_of(case)
    kinds = [event.kind for event in events]
    how, *chips = case.get("bargain").split()
    assert (EventKind.BARGAIN_STRUCK in kinds) == (how == "struck")
    assert (EventKind.BARGAIN_FAILED in kinds) == (how == "below_zero")
    assert (state.actor == CHANCE) == (how == "struck")
    assert state.chips == tuple(int(number) for number in chips or [0, 0, 0])


def check_open(case: Case) -> None:
    *statement, play = state_of_case(case).legal_actions()
    offered = " ".join(f"{legal.amount.min} {legal.amount.max}" for legal in statement if legal.amount)
    assert (offered or "play only") == case.get("open")
    assert play.amount is None


def check_refused(case: Case) -> None:
    for entry in case.get("refused").split(", "):
        *words, rule = entry.split()
        violation = state_of_case(case).check(action_of(case, words))
        assert (entry, violation.rule if violation else "not refused") == (entry, rule)


def check_may_go(case: Case) -> None:
    (legal,) = state_of_case(case).legal_actions()
    (pick,) = legal.picks
    assert signs(pick.cards) == written(card_set(cards(case.get("may_go"))))
    assert (pick.min, pick.max) == (3, 3)


def check_default(case: Case) -> None:
    state = state_of_case(case)
    action = state.default_action()
    assert state.check(action) is None
    assert signs(action.cards or [action.card]) == written(card_set(cards(case.get("default"))))


def check_declared(case: Case) -> None:
    declared = [
        f"{declaration.holding.name.lower()} {declaration.number} = {worth_of(declaration)}"
        for declaration in declarations_of(card_set(cards(case.get("holding"))), seat=1)
    ]
    assert (", ".join(declared) or "nothing") == case.get("declared")


def check_legal(case: Case) -> None:
    legal = [action.action.card for action in state_of_case(case).legal_actions()]
    assert signs(legal) == written(card_set(cards(case.get("legal"))))


def check_takes(case: Case) -> None:
    for entry in case.get("takes").split(", "):
        taking, card = entry.split(" by ")
        assert taking_after(case, card) == taking


def taking_after(case: Case, card: str) -> str:
    """Return the card that takes, or that takes so far, when a card is played."""
    state = state_of_case(case)
    seats = [(state.leader + place) % SEATS for place in range(SEATS)]
    trick = [*cards(case.get("trick")), card_of(card)]
    state.apply(CARD[card_of(card)])
    return sign(trick[seats.index(state.taking)])


def check_excludes(case: Case) -> None:
    led = at_table(hand=(), trick=cards(case.get("trick"))).led
    suits = [SUIT_CARDS[SUITS.index(name)] for name in case.get("excludes").split() if name != "nothing"]
    assert ruled_out(card_of(case.get("played")), led=led) == sum(suits)


def check_points(case: Case) -> None:
    tricks = [cards(trick) for trick in case.get("tricks").split(", ")]
    discard = card_set(cards(case.get("laid_away")))
    played = [card for trick in tricks for card in trick]
    points = points_of(played, list(takers_of(tricks)), dealer=2, discard=discard)
    assert " ".join(map(str, points)) == case.get("points")


def takers_of(tricks: list[list[int]]) -> Iterator[int]:
    """Find who takes each trick by playing it."""
    leader = 0
    for trick in tricks:
        state = at_table(hand=trick[2:], trick=trick[:2])
        state.apply(CARD[trick[2]])
        leader = (leader + state.takers[-1]) % SEATS
        yield leader


CHECKS: dict[str, Callable[[Case], None]] = {
    "bargain": check_bargain,
    "open": check_open,
    "refused": check_refused,
    "may_go": check_may_go,
    "default": check_default,
    "declared": check_declared,
    "legal": check_legal,
    "takes": check_takes,
    "excludes": check_excludes,
    "points": check_points,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    expected = [name for name in case.lines if name not in GIVEN]
    assert expected, "the case says nothing that must follow"
    for name in expected:
        CHECKS[name](case)
