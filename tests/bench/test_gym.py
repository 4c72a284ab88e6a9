"""The figures of the environments, and a word on what is missing."""

import json
import sys
from types import ModuleType

import pytest
from support.commands import assert_told, ordago

import ordago_bench.gym
from ordago_gym import ENCODED


@pytest.mark.slow
def test_each_game_has_its_speeds() -> None:
    measured = ordago("bench", "gym", "--seconds", "0.1", "--json")
    assert measured.exit_code == 0
    speeds = json.loads(measured.output)
    assert list(speeds) == list(ENCODED)
    assert all(speed["aec"] > 0 and speed["vector"] > 0 for speed in speeds.values())
    assert (speeds["mus"]["floats"], speeds["mus"]["actions"]) == (891, 77)


def test_without_the_libraries_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ordago_bench.gym", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    said = ordago("bench", "gym")
    assert said.exit_code == 3
    assert "pip install 'ordago[gym]'" in said.output


class FakeState:
    """A match of three decisions after a shuffle."""

    def __init__(self) -> None:
        self.steps, self.observed = 0, 0

    def is_terminal(self) -> bool:
        return self.steps == 4

    def is_chance_node(self) -> bool:
        return self.steps == 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def legal_actions(self) -> list[int]:
        return [1, 2]

    def legal_actions_mask(self) -> list[int]:
        return [0, 1, 1]

    def information_state_tensor(self) -> list[float]:
        self.observed += 1
        return [0.0]

    def apply_action(self, _action: int) -> None:
        self.steps += 1
        assert self.observed == self.steps - 1


class FakeGame:
    provides_observation_tensor = False

    def get_type(self) -> "FakeGame":
        return self

    def new_initial_state(self) -> FakeState:
        return FakeState()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the libraries by an OpenSpiel of one short game, and none of the others."""
    pyspiel = ModuleType("pyspiel")
    pyspiel.load_game = lambda _name: FakeGame()  # type: ignore[attr-defined]

    def find(name: str) -> ModuleType:
        if name == "pyspiel":
            return pyspiel
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(ordago_bench.gym, "import_module", find)
    monkeypatch.setattr(ordago_bench.gym, "measure_gym", lambda **_: {})


@pytest.mark.usefixtures("installed")
def test_peers_that_are_missing_are_a_sentence() -> None:
    assert ordago_bench.gym._openspiel("hearts")() == 3
    told = ordago("bench", "gym", "--seconds", "0.1", "--peers")
    assert_told(told, 0, "not measured: rlcard:doudizhu: No module named 'rlcard' (extra 'bench')")
    peers = json.loads(ordago("bench", "gym", "--seconds", "0.1", "--peers", "--json").output)["peers"]
    assert peers["openspiel:hearts"] > 0
    assert peers["pettingzoo:hanabi-v5"] == "No module named 'pettingzoo'"
