"""The cases of cases.txt, which says how to write one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from games.taihe.table import ask, at_table, cards, dealt, give_back

from ordago.cards import cards_in, sign, signs
from ordago.game import LegalAction
from ordago.games.taihe.pack import height, high_to_low
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, TaiheAction


class Case(NamedTuple):
    """A case of the file."""

    title: str
    lines: dict[str, str]

    def get(self, name: str, default: str = "") -> str:
        return self.lines.get(name, default)

    def entries(self, name: str) -> list[str]:
        return [entry for entry in self.get(name).split(", ") if entry]


def read_cases() -> Iterator[Case]:
    _, *blocks = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8").split("\n--- ")
    for block in blocks:
        title, *lines = block.strip().split("\n")
        yield Case(title, dict(line.split(": ", 1) for line in lines))


CASES = list(read_cases())
GIVEN = {"to beat", "hand", "players", "bids", *(f"hand {seat}" for seat in range(5))}


def turn(case: Case) -> TaiheState:
    """Return the state of a turn of the play."""
    return at_table(hand=cards(case.get("hand")), to_beat=cards(case.get("to beat")))


def playing(text: str) -> TaiheAction:
    if text == "pass":
        return PASS
    return TaiheAction(ActionKind.PLAY, cards=() if text == "nothing" else tuple(sorted(cards(text))))


def bidding(case: Case) -> TaiheState:
    """Return the state after the bids, each of which must be legal."""
    seats = int(case.get("players", "4"))
    state = dealt(*(case.get(f"hand {seat}") for seat in range(seats)), seats=seats)
    for text in case.entries("bids"):
        assert state.check(bid(text)) is None, f"{text} is refused"
        state.apply(bid(text))
    return state


def bid(text: str) -> TaiheAction:
    word, *card = text.split()
    match word:
        case "pass":
            return PASS
        case "declare":
            return DECLARE
        case "ask":
            return ask(*card)
    return give_back(*card)


def told(action: TaiheAction) -> str:
    if action.kind is ActionKind.GIVE_BACK:
        return f"give {sign(action.card)}"
    return signs(action.cards) or action.kind.name.lower()


def ranks_offered(legal: LegalAction[TaiheAction]) -> str:
    """Return a legal action by its ranks."""
    if legal.action == PASS:
        return "pass"
    chosen = legal.action.cards or [card for pick in legal.picks for card in pick.cards[: pick.min]]
    return "-".join(sign(card)[:-1] for card in sorted(chosen, key=height))


def rule_of(state: TaiheState, action: TaiheAction) -> str:
    violation = state.check(action)
    return violation.rule if violation else "not refused"


def check_allowed(case: Case) -> None:
    for text in case.entries("allowed"):
        assert rule_of(turn(case), playing(text)) == "not refused", text


def check_refused(case: Case) -> None:
    for text, rule in (entry.split(" = ") for entry in case.entries("refused")):
        assert rule_of(turn(case), playing(text)) == rule, text


def check_offers(case: Case) -> None:
    assert " ".join(map(ranks_offered, turn(case).legal_actions())) == case.get("offers")


def check_default(case: Case) -> None:
    assert told(turn(case).default_action()) == case.get("default")


def check_bid_refused(case: Case) -> None:
    for text, rule in (entry.split(" = ") for entry in case.entries("bid refused")):
        assert rule_of(bidding(case), bid(text)) == rule, text


def check_default_bid(case: Case) -> None:
    assert told(bidding(case).default_action()) == case.get("default bid")


def check_declarer(case: Case) -> None:
    assert bidding(case).declarer == int(case.get("declarer"))


def check_value(case: Case) -> None:
    assert bidding(case).value == int(case.get("value"))


def check_next(case: Case) -> None:
    assert bidding(case).actor == int(case.get("next"))


def check_scores(case: Case) -> None:
    for seat, scores in (entry.split(" goes out: ") for entry in case.entries("scores")):
        state = bidding(case)
        go_out(state, int(seat))
        assert state.totals == tuple(map(int, scores.split()))


def go_out(state: TaiheState, seat: int) -> None:
    """Play on until a seat has gone out: it plays whatever it can, and all others do the least."""
    deal = state.deal
    while state.deal == deal:
        state.apply(plain(state) if state.actor == seat else least(state))


def plain(state: TaiheState) -> TaiheAction:
    hand = state.hands[state.actor]
    highest_first = [card for card in high_to_low(cards_in(hand)) if state.check(playing(sign(card))) is None]
    return playing(sign(highest_first[0])) if highest_first else PASS


def least(state: TaiheState) -> TaiheAction:
    """Pass; lead the lowest card, for somebody else to take."""
    return state.default_action()


CHECKS: dict[str, Callable[[Case], None]] = {
    "allowed": check_allowed,
    "refused": check_refused,
    "offers": check_offers,
    "default": check_default,
    "bid refused": check_bid_refused,
    "default bid": check_default_bid,
    "declarer": check_declarer,
    "value": check_value,
    "next": check_next,
    "scores": check_scores,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    expected = [name for name in case.lines if name not in GIVEN]
    assert expected, "the case says nothing that must follow"
    for name in expected:
        CHECKS[name](case)
