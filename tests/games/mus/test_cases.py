"""The cases of cases.txt, which says how to write one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from games.mus.table import action, cards, dealt, new_match, say

from ordago.cards import card_set, holds, signs
from ordago.game import CHANCE, LegalAction
from ordago.games.mus.hands import JUEGO_FEATURE, HandWorth, best_seat, hand_table
from ordago.games.mus.refusals import SIGNAL_WORDS
from ordago.games.mus.state import MusState
from ordago.games.mus.values import ActionKind, EventKind, Lance, MusAction, MusEvent, Signal

KIND_WORDS = {
    ActionKind.MUS: "mus",
    ActionKind.NO_MUS: "no mus",
    ActionKind.DISCARD: "discard",
    ActionKind.PASO: "paso",
    ActionKind.ENVIDO: "envido",
    ActionKind.ORDAGO: "órdago",
    ActionKind.QUIERO: "quiero",
    ActionKind.NO_QUIERO: "no quiero",
}


class Case(NamedTuple):
    """A case of the file."""

    title: str
    lines: dict[str, str]

    def get(self, name: str, default: str = "") -> str:
        return self.lines.get(name, default)

    def listed(self, name: str) -> list[str]:
        return [entry for entry in self.get(name).split(", ") if entry]


class Played(NamedTuple):
    """A deal played as a case says."""

    state: MusState
    events: list[MusEvent]


def read_cases() -> Iterator[Case]:
    _, *blocks = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8").split("\n--- ")
    for block in blocks:
        title, *lines = block.strip().split("\n")
        assert len({line.split(": ")[0] for line in lines}) == len(lines), f"a line comes twice: {title}"
        yield Case(title, dict(line.split(": ", 1) for line in lines))


CASES = list(read_cases())
GIVEN = {"kings", "hand", "hands", "mano", "options", "score", "stock", "said"}
HAND_CHECKS = ("pares", "counts", "juego", "signals")


def played(case: Case) -> Played:
    options = dict(option.split() for option in case.listed("options"))
    state = new_match(**options)
    first, second = (int(points) for points in case.get("score", "0 0").split())
    state.scoreboard = state.scoreboard.with_points((first, second))
    dealt(*case.get("hands").split(" / "), stock=case.get("stock"), state=state)
    return Played(state, say(state, *case.listed("said")))


def worth(case: Case) -> HandWorth:
    return hand_table(int(case.get("kings", "8"))).worth(card_set(cards(case.get("hand"))))


def check_pares(case: Case) -> None:
    assert ("none", "par", "medias", "duples")[worth(case).pares_bonus] == case.get("pares")


def check_counts(case: Case) -> None:
    assert worth(case).punto == int(case.get("counts"))


def check_juego(case: Case) -> None:
    assert bool(worth(case).juego) == bool(worth(case).features & JUEGO_FEATURE) == (case.get("juego") == "yes")


def check_signals(case: Case) -> None:
    true = [SIGNAL_WORDS[signal] for signal in Signal if holds(worth(case).features, signal)]
    assert true == ([] if case.get("signals") == "none" else case.listed("signals"))


def check_best(lance: Lance) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        table = hand_table(int(case.get("kings", "8")))
        worths = [table.worth(card_set(cards(hand))) for hand in case.get("hands").split(" / ")]
        name = lance.name.lower()
        expected = int(case.get(name) or case.get(f"{name}-best"))
        assert best_seat(worths, lance, mano=int(case.get("mano", "0"))) == expected

    return check


def check_actor(case: Case) -> None:
    actor = played(case).state.actor
    assert ("shuffle" if actor == CHANCE else str(actor)) == case.get("actor")


def written(legal: LegalAction[MusAction]) -> str:
    assert legal.action.kind is not None
    text = KIND_WORDS[legal.action.kind] + "!" * legal.action.binding
    if legal.amount is not None:
        text += f" {legal.amount.min}-{legal.amount.max}"
    for pick in legal.picks:
        by_rank = sorted(pick.cards, key=lambda card: signs([card])[::-1])
        text += f" {pick.min}-{pick.max} of {signs(by_rank)}"
    return text


def check_legal(case: Case) -> None:
    assert [written(legal) for legal in played(case).state.legal_actions()] == case.listed("legal")


def check_refused(case: Case) -> None:
    state = played(case).state
    for entry in case.listed("refused"):
        text, _, rule = entry.rpartition(" ")
        violation = state.check(action(text))
        assert (violation.rule if violation else "not refused") == rule, text


def check_default(case: Case) -> None:
    state = played(case).state
    assert state.default_action() == action(case.get("default"))


def check_settled(case: Case) -> None:
    events = [event for event in played(case).events if event.kind is EventKind.LANCE_SETTLED]
    texts = []
    for event in events:
        assert event.lance is not None
        assert event.result is not None
        stake = f" {event.amount}" if event.amount else ""
        texts.append(f"{event.lance.name.lower()} {event.result.name.lower()}{stake}")
    assert texts == case.listed("settled")


def check_scored(case: Case) -> None:
    texts = []
    for event in played(case).events:
        if event.kind is EventKind.POINTS_SCORED:
            assert event.lance is not None
            assert event.reason is not None
            texts.append(f"{event.side} {event.amount} {event.lance.name.lower()} {event.reason.name.lower()}")
    assert ", ".join(texts or ["nothing"]) == case.get("scored")


def check_points(case: Case) -> None:
    assert " ".join(map(str, played(case).state.scoreboard.points)) == case.get("points")


def check_dentro(case: Case) -> None:
    sides = [str(event.side) for event in played(case).events if event.kind is EventKind.DENTRO]
    assert ", ".join(sides or ["none"]) == case.get("dentro")


def check_winner(case: Case) -> None:
    outcome = played(case).state.outcome
    assert outcome is not None
    assert outcome.placings[int(case.get("winner"))] == 1
    assert sorted(outcome.placings) == [1, 1, 2, 2]


CHECKS: dict[str, Callable[[Case], None]] = {
    "pares": check_pares,
    "counts": check_counts,
    "juego": check_juego,
    "signals": check_signals,
    "grande": check_best(Lance.GRANDE),
    "chica": check_best(Lance.CHICA),
    "pares-best": check_best(Lance.PARES),
    "juego-best": check_best(Lance.JUEGO),
    "punto": check_best(Lance.PUNTO),
    "actor": check_actor,
    "legal": check_legal,
    "refused": check_refused,
    "default": check_default,
    "settled": check_settled,
    "scored": check_scored,
    "points": check_points,
    "dentro": check_dentro,
    "winner": check_winner,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    expected = [name for name in case.lines if name not in GIVEN]
    assert expected, "the case says nothing that must follow"
    for name in expected:
        CHECKS[name](case)
