"""The cases of cases.txt, which says how to write one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from games.mittlere.table import at_table, cards, trump_named, written

from ordago.cards import card_of, card_set, sign
from ordago.games.mittlere.following import ruled_out
from ordago.games.mittlere.pack import POINTS
from ordago.games.mittlere.rules import MittlereState
from ordago.games.mittlere.scoring import scores_of
from ordago.games.mittlere.values import PLAY, SEATS


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
        yield Case(title, dict(line.split(": ") for line in lines))


CASES = list(read_cases())
GIVEN = {"trump", "trick", "hand", "played", "counted", "points", "tricks"}


def state_of_case(case: Case) -> MittlereState:
    trump = trump_named(case.get("trump", "none"))
    return at_table(hand=cards(case.get("hand")), trick=cards(case.get("trick")), trump=trump)


def legal(case: Case) -> str:
    return written(state_of_case(case).legal_cards())


def refused(case: Case) -> Iterator[tuple[str, str]]:
    for entry in case.get("refused").split(", "):
        card = entry.split()[0]
        violation = state_of_case(case).check(PLAY[card_of(card)])
        yield card, violation.rule if violation else "not refused"


def default(case: Case) -> str:
    return sign(state_of_case(case).default_action().card)


def trump_after(case: Case, card: str) -> str:
    state = state_of_case(case)
    state.apply(PLAY[card_of(card)])
    return ("clubs", "diamonds", "hearts", "spades", "none")[state.trump]


def taking_after(case: Case, card: str) -> str:
    """Return the card that takes, or that takes so far, when a card is played."""
    state = state_of_case(case)
    seats = [(state.leader + place) % SEATS for place in range(SEATS)]
    trick = [*cards(case.get("trick")), card_of(card)]
    state.apply(PLAY[card_of(card)])
    return sign(trick[seats.index(state.taking)])


def count(case: Case) -> int:
    return sum(POINTS[trump_named(case.get("trump"))][card] for card in cards(case.get("counted")))


def takers_for(tricks: str) -> list[int]:
    return [seat for seat, taken in enumerate(tricks.split()) for _ in range(int(taken))]


def check_legal(case: Case) -> None:
    assert legal(case) == written(card_set(cards(case.get("legal"))))


def check_refused(case: Case) -> None:
    assert ", ".join(" ".join(pair) for pair in refused(case)) == case.get("refused")


def check_default(case: Case) -> None:
    assert default(case) == case.get("default")


def check_sets(case: Case) -> None:
    for entry in case.get("sets").split(", "):
        card, suit = entry.split()
        assert trump_after(case, card) == suit


def check_takes(case: Case) -> None:
    for entry in case.get("takes").split(", "):
        taking, card = entry.split(" by ")
        assert taking_after(case, card) == taking


def check_excludes(case: Case) -> None:
    state = state_of_case(case)
    excluded = ruled_out(card_of(case.get("played")), led=state.led, best=state.best, trump=state.trump)
    expected = case.get("excludes")
    assert excluded == (0 if expected == "nothing" else card_set(cards(expected)))


def check_count(case: Case) -> None:
    assert count(case) == int(case.get("count"))


def check_scores(case: Case) -> None:
    points = [int(number) for number in case.get("points").split()]
    scores, rule = scores_of(points, takers_for(case.get("tricks")))
    assert (" ".join(map(str, scores)), rule.name.lower()) == (case.get("scores"), case.get("rule"))


CHECKS: dict[str, Callable[[Case], None]] = {
    "legal": check_legal,
    "refused": check_refused,
    "default": check_default,
    "sets": check_sets,
    "takes": check_takes,
    "excludes": check_excludes,
    "count": check_count,
    "scores": check_scores,
    "rule": check_scores,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    expected = [name for name in case.lines if name not in GIVEN]
    assert expected, "the case says nothing that must follow"
    for name in expected:
        CHECKS[name](case)
