"""Copies of states have all that their originals have, and share nothing with them that changes."""

from collections.abc import Iterator
from enum import Enum
from random import Random
from types import NoneType
from typing import Any

import pytest

from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game, game_names
from ordago.games.clonable import Clonable
from ordago.games.mitigati.following import Choices
from ordago.games.mus.scoring import Scoreboard
from ordago.search.playouts import any_action

STATES = 300
IMMUTABLE = (int, str, bytes, NoneType, Enum, frozenset, Scoreboard)


class Table(Clonable):
    """A state with something of each kind."""

    __slots__ = ("cards", "hands", "seat", "seen")

    def __init__(self) -> None:
        self.cards = [1, 2]
        self.hands = {0: 3}
        self.seen = {4}
        self.seat = 5


class LargerTable(Table):
    """One that has more: an attribute of its own, and another state."""

    __slots__ = ("within",)

    def __init__(self) -> None:
        super().__init__()
        self.within = Table()


def attributes(state: object) -> dict[str, Any]:
    """Return the attributes of a state, found in another way than by those that copy it."""
    found = state.__getstate__()
    return found if isinstance(found, dict) else found[1]


def states(name: str) -> Iterator[Any]:
    """Go through the states of matches that are played by chance."""
    game, rng = find_game(name), Random(f"clones of {name}")
    while True:
        state = game.rules.new_match(seats=rng.choice(game.rules.seat_counts), options=game.rules.options({}))
        deals = SecretDeals(rng.randbytes(32), "trial")
        while state.actor != FINISHED:
            yield state
            if state.actor == CHANCE:
                state.supply(deals.shuffled(state.shuffle_due()))
            else:
                state.apply(any_action(game, rng.choice(state.legal_actions()), rng))
        yield state


def check(original: object, copy: object) -> None:
    """Check that a copy is like its original down to the last attribute, and that nothing that changes is shared."""
    assert type(copy) is type(original)
    here, there = attributes(original), attributes(copy)
    assert here.keys() == there.keys()
    assert here
    for name, value in here.items():
        if isinstance(value, Clonable):
            assert there[name] is not value
            check(value, there[name])
        elif isinstance(value, list | dict | set):
            assert there[name] is not value
            assert there[name] == value or name == "choices", name
            assert is_immutable(tuple(there[name])), name
        else:
            assert there[name] is value or there[name] == value, name
            assert is_immutable(value), name


def is_immutable(value: object) -> bool:
    return all(map(is_immutable, value)) if isinstance(value, tuple) else isinstance(value, IMMUTABLE)


@pytest.mark.parametrize("name", game_names())
def test_a_copy_of_a_state_has_all_of_it_and_shares_nothing_that_changes(name: str) -> None:
    for _, state in zip(range(STATES), states(name), strict=False):
        check(state, state.clone())


def test_an_attribute_of_a_class_and_of_the_one_that_it_is_derived_from_is_copied() -> None:
    table = LargerTable()
    table.seat, table.within.seat = 6, 7
    copy = table.clone()
    assert (type(copy), type(copy.within)) == (LargerTable, Table)
    for original, twin in ((table, copy), (table.within, copy.within)):
        assert original is not twin
        assert twin.seat == original.seat
        for name in ("cards", "hands", "seen"):
            assert getattr(twin, name) == getattr(original, name)
            assert getattr(twin, name) is not getattr(original, name)


def test_an_attribute_that_is_missing_is_missed() -> None:
    table = Table()
    del table.seen
    with pytest.raises(AttributeError, match="seen"):
        table.clone()


def test_a_hand_that_is_sorted_for_one_state_is_not_shared_with_its_copy() -> None:
    state = next(state for state in states("mitigati") if any(isinstance(each, Choices) for each in state.choices))
    assert not any(state.clone().choices)
