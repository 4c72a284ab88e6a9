"""Evaluations end with time, all actions meet the same worlds, and leads compare sides."""

from itertools import islice
from random import Random

import pytest
from support.positions import positions

from ordago.games import find_game
from ordago.search.evaluation import Evaluation, evaluate, lead
from ordago.search.playouts import End, Manner, Playouts, Policy


def evaluated(*, worlds: int, checks: int = 10**6, times: int = 1) -> Evaluation:
    """Evaluate legal actions in some worlds, with time for as many of them as ``checks``."""
    game, rng = find_game("mittlere"), Random(1)
    *_, state = positions(game, seed=2, number=4)
    assert game.possible_states is not None
    left = iter([False] * (checks - 1))
    return evaluate(
        [each.action for each in state.legal_actions()],
        islice(game.possible_states(state.view(state.actor), rng=rng), worlds),
        seat=state.actor,
        sides_of=game.rules.sides,
        playouts=Playouts(game, Manner(Policy.RANDOM, End.DEAL, times), rng=rng),
        is_time_up=lambda: next(left, True) if checks < 10**6 else False,
    )


def test_no_world_is_begun_when_time_is_up() -> None:
    assert evaluated(worlds=5).worlds == 5
    assert evaluated(worlds=5, checks=3).worlds == 3
    assert evaluated(worlds=5, checks=1).worlds == 1


def test_an_error_needs_more_than_one_world() -> None:
    assert all(value.lead_error is None for value in evaluated(worlds=1, times=3).values)
    assert all(value.lead_error is not None for value in evaluated(worlds=2).values)


def test_the_best_has_the_greatest_lead() -> None:
    found = evaluated(worlds=20)
    assert len(found.values) > 1
    leads = [value.lead for value in found.values]
    assert leads[found.best] == max(leads)


@pytest.mark.parametrize(
    ("sides", "seat", "expected"), [((0, 1, 2), 0, 10 - 5), ((0, 1, 2), 2, 6 - 7), ((0, 1, 0, 1), 1, 4 - 10)]
)
def test_a_lead_is_over_the_mean_of_the_other_sides(sides: tuple[int, ...], seat: int, expected: float) -> None:
    scores = (10.0, 4.0, 6.0) if len(sides) == 3 else (10.0, 4.0, 10.0, 4.0)
    assert lead(scores, seat, sides) == expected
