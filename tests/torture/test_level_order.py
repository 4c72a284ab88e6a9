"""The levels of the house are in order: each is stronger than the one below it, by sequential tests on fixed deals.

In short the usual level of each game plays the weakest. ``make order`` tries all neighbours, and prints the rows of
the table in docs/house.md; ``ordago match`` with the same words repeats one of them.
"""

import json
from typing import Any, NamedTuple

import pytest
from support.command_line import ordago
from support.figures import Note, Size

from ordago.games import game_names
from ordago_bot.house.levels import LEVELS

SEED = "2a"
WORDS = {
    "mitaines": ("--seats", "4"),
    "mitigati": (),
    "mittlere": ("--option", "deals=6"),
    "mus": (),
    "taihe": ("--seats", "3", "--option", "deals=6"),
}
"""What the matches are played with, as in the demonstration."""
USUAL_LEVEL = 3
USUAL_LEAD = 250
"""The lead of the usual level over the weakest, in Elo, that a test accepts against none."""


class Goals(NamedTuple):
    """The lead of a level over the one below it, in Elo, that a test accepts against none."""

    lower: int
    """The lead of each level up to 4."""
    top: int
    """The lead of level 5 over level 4."""


GOALS = {"mus": Goals(40, 25), "mitigati": Goals(40, 25)}
USUAL = Goals(80, 50)
TOP = 5


def compared(game: str, higher: int, lower: int, *, goal: int, sets: int) -> dict[str, Any]:
    """Play a level against a lower one in all other seats, and return what ``ordago match`` says."""
    bots = [f"house:house:level={level}" for level in (higher, lower)]
    sprt = ("--sprt", "elo0=0", f"elo1={goal}", "--sets", str(sets), "--seed", SEED)
    how = ("--isolation", "none", "--decision-ms", "60000", "--parallel", "4", "--json")
    *_, last = ordago("match", *bots, "--game", game, *WORDS[game], *sprt, *how, longest_seconds=3600).splitlines()
    found: dict[str, Any] = json.loads(last)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_higher_levels_are_stronger(game: str, size: Size, note: Note) -> None:
    goals = GOALS.get(game, USUAL)
    neighbours = [
        (level, level - 1, goals.top if level == TOP else goals.lower) for level in range(2, 1 + len(LEVELS[game]))
    ]
    for higher, lower, goal in neighbours if size(0, 1) else [(USUAL_LEVEL, 1, USUAL_LEAD)]:
        found = compared(game, higher, lower, goal=goal, sets=size(60, 6000))
        lead = f"{found['elo']:+.0f} [{found['elo_low']:+.0f}, {found['elo_high']:+.0f}] in {found['sets']} sets"
        note(f"{game}, level {higher} over {lower}", lead, "Elo", bound=f"{goal} rather than 0")
        assert found["conclusion"] == "stronger"
        assert not any(found["faults"].values())
