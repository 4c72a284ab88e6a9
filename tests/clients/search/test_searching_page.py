"""The bots of docs/searching.md play as they stand there, and the tree beats the house."""

import re
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ordago_bot import Bot, play_locally
from ordago_bot.house.solid import SolidBot
from ordago_bot.search import Budget

PAGE = (Path(__file__).parents[3] / "docs/searching.md").read_text(encoding="utf-8")
TREE, _WEIGHTS, BUDGET = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def defined_by(block: str, **names: Any) -> dict[str, Any]:
    exec(compile(block, "searching.md", "exec"), names)  # noqa: S102 - it is ours
    return names


@pytest.fixture(scope="module")
def tree_bot() -> type[Bot]:
    bot: type[Bot] = defined_by(TREE, __name__="page")["TreeBot"]
    return bot


def test_the_tree_is_as_short_as_the_page_says() -> None:
    assert len([line for line in TREE.splitlines() if line]) <= 40


@pytest.mark.slow
def test_the_tree_beats_the_house(tree_bot: type[Bot]) -> None:
    """One tree with two of ``solid`` at 24 tables: a small part of what the page's command plays."""
    solid = partial(SolidBot, worlds=8)
    matches = play_locally([tree_bot, solid, solid], "mittlere", options={"deals": 3}, seed="tree", matches=24)
    leads = [2 * match.scores[0] - match.scores[1] - match.scores[2] for match in matches]
    assert sum(leads) > 0


def test_a_bot_with_a_budget_asks_for_as_many_deals_as_there_is_time_for() -> None:
    asked: list[int] = []

    class InTime(Bot):
        choose = defined_by(BUDGET, time=time)["choose"]
        budget = Budget(seconds=0.05)

        def searched(self, decision: Any, deals: int) -> Any:
            asked.append(deals)
            return decision.default_answer

    [match] = play_locally([InTime] * 3, "mittlere", options={"deals": 3})
    assert len(match.scores) == 3
    assert asked[0] == 100, "half a millisecond each before the first is measured"
    assert asked[-1] == 200
