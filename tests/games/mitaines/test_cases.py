"""The cases of cases.txt, which says how to write one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from games.mitaines.table import action_of, at_table, cards, written

from ordago.game import Event
from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import EventKind, MitainesEvent

GIVEN = ("hands", "pile", "laid", "stock")


class Case(NamedTuple):
    """A case of the file."""

    title: str
    given: dict[str, str]
    steps: list[tuple[str, str]]


def read_cases() -> Iterator[Case]:
    _, *blocks = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8").split("\n--- ")
    for block in blocks:
        title, *lines = block.strip().split("\n")
        named = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        given = {name: value for name, value in named if name in GIVEN}
        yield Case(title, given, [line for line in named if line[0] not in GIVEN])


def begin(case: Case) -> MitainesState:
    hands = [cards(hand) for hand in case.given["hands"].split("|")]
    pile, laid, stock = (cards(case.given.get(name, "")) for name in ("pile", "laid", "stock"))
    return at_table(hands, pile=pile or laid, laid=laid, stock=stock)


def told(events: Sequence[Event[MitainesEvent]]) -> str:
    """Write what a play caused, shortly."""
    parts = [part for event in events if (part := told_event(event.full))]
    changed = any(event.full.kind in (EventKind.DECLARATION_STOLEN, EventKind.PILE_CLEARED) for event in events)
    return "; ".join(parts if changed else ["lies", *parts])


def told_event(event: MitainesEvent) -> str:
    match event.kind:
        case EventKind.DECLARATION_STOLEN:
            return f"steals from {event.robbed_seat}"
        case EventKind.PILE_CLEARED:
            assert event.clear is not None
            parts = ", ".join(parts_of(event))
            return f"{event.clear.name.lower()} {event.points}" + (f" = {parts}" if parts else "")
        case EventKind.LAST_TEN:
            return f"last ten to {event.seat}"
        case EventKind.DEAL_SCORED:
            return "deal " + " ".join(map(str, event.scores))
    return ""


def parts_of(event: MitainesEvent) -> Iterator[str]:
    for name in ("declared", "laid", "single", "ten"):
        points = getattr(event, f"{name}_points")
        if points:
            yield f"{name} {points}" + (" doubled" if name == "declared" and event.doubled else "")


def standing(state: MitainesState) -> str:
    if state.declaration is None:
        return "nothing"
    seat, combination, rank, cards_left, points, stolen = state.declaration
    said = f"{combination.name.lower()} of {rank} by {seat}, {cards_left} left, {points} points"
    return said + "".join(f", stole {one.combination.name.lower()} of {one.rank} from {one.seat}" for one in stolen)


def check_step(state: MitainesState, name: str, value: str) -> None:
    if name == "legal":
        assert ", ".join(written(legal.action) for legal in state.legal_actions()) == value
    elif name == "refused":
        for entry in value.split(", "):
            *action, rule = entry.split()
            violation = state.check(action_of(" ".join(action)))
            assert violation is not None, f"{entry}: not refused"
            assert violation.rule == rule
    elif name == "default":
        assert written(state.default_action()) == value
    elif name == "standing":
        assert standing(state) == value
    else:
        check_play(state, name, value)


def check_play(state: MitainesState, name: str, value: str) -> None:
    said, _, caused = value.partition(" -> ")
    assert str(state.actor) == name
    action = action_of(said)
    assert state.check(action) is None, f"{said} is not legal"
    assert action in [legal.action for legal in state.legal_actions()]
    assert told(state.apply(action)) == caused


CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    assert case.steps, "the case says nothing that must follow"
    state = begin(case)
    for name, value in case.steps:
        check_step(state, name, value)


def test_the_cases_use_every_combination() -> None:
    said = {
        action_of(value.partition(" -> ")[0]).combination
        for case in CASES
        for name, value in case.steps
        if name.isdigit()
    }
    assert said == set(Combination)
