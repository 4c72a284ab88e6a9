"""How long an answer takes tells a seat next to nothing of what it may not see, and the measurement would notice."""

import pytest
from support.figures import Note, Size
from torture.timing import Effect, first_asked, measured, with_leak

from ordago.games import game_names

pytestmark = pytest.mark.alone

_SEED = 1
_LARGEST_EFFECT = 0.1
_LEAK_SECONDS = 100e-6


def noted(effect: Effect, note: Note, *, bound: str) -> Effect:
    note("seed", _SEED)
    note("answers timed", effect.answers)
    note("likelihood of a slower answer (AUC)", effect.slower, f"± {effect.error:.3f}", bound=bound)
    note("difference of the medians", effect.microseconds, "µs")
    return effect


@pytest.mark.parametrize("game", game_names())
def test_two_worlds_are_answered_equally_fast(game: str, size: Size, note: Note) -> None:
    effect = measured(first_asked(game, _SEED), pairs=size(15, 150))
    noted(effect, note, bound=f"0.5 ± {_LARGEST_EFFECT}")
    # All of the interval has to lie within the bound, but not in a short run, whose interval is wide.
    assert abs(effect.slower - 0.5) + size(-1, 1) * effect.error < _LARGEST_EFFECT


def test_a_tenth_of_a_millisecond_is_noticed(size: Size, note: Note) -> None:
    """The measurement can fail: by a delay that depends on one hidden card."""
    worlds = with_leak(first_asked("mittlere", _SEED), seconds=_LEAK_SECONDS)
    effect = noted(measured(worlds, pairs=size(15, 150)), note, bound=f"beyond 0.5 ± {_LARGEST_EFFECT}")
    assert effect.slower - effect.error > 0.5 + _LARGEST_EFFECT
