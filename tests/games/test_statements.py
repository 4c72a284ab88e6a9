"""The tables of statements count as the descriptions do, and name options, cases and tests that exist."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from ordago.games import find_game

ROOT = Path(__file__).parents[2]
COUNTS = {"mitaines": 58, "mitigati": 46, "mittlere": 27, "mus": 61, "taihe": 41}
"""The statements of each description."""
STATES = re.compile(r"as said|option `\w+`, default `\w+`|departed: .|lost: .")


class Statement(NamedTuple):
    """A row of a table."""

    number: str
    text: str
    state: str
    shown_by: str


def statements(text: str) -> list[Statement]:
    return [Statement(*map(str.strip, row.split("|")[1:-1])) for row in re.findall(r"^\| \d.*$", text, re.MULTILINE)]


def page(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}-statements.md").read_text(encoding="utf-8")


def mistakes(game: str, text: str) -> list[str]:
    """Return the numbers of the rows that name what is not there, or no state."""
    folder = ROOT / "tests" / "games" / game
    titles = re.findall(r"^--- (.*)$", (folder / "cases.txt").read_text(encoding="utf-8"), re.MULTILINE)
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    defaults = {spec.name: str(spec.default) for spec in find_game(game).rules.option_specs}

    def is_there(name: str) -> bool:
        return (
            f"def {name}(" in code
            if name.startswith("test_")
            else any(map(str.startswith, titles, [name] * len(titles)))
        )

    def is_right(one: Statement) -> bool:
        named = dict(re.findall(r"option `(\w+)`(?:, default `(\w+)`)?", one.state))
        options = all(name in defaults and default in ("", defaults[name]) for name, default in named.items())
        shown = all(map(is_there, re.findall(r'[`"]([^`"]+)[`"]', one.shown_by)))
        return bool(STATES.match(one.state)) and options and shown

    return [one.number for one in statements(text) if not is_right(one)]


def test_there_are_233_statements() -> None:
    assert {game: len(statements(page(game))) for game in COUNTS} == COUNTS
    assert sum(COUNTS.values()) == 233
    for game, count in COUNTS.items():
        assert [one.number for one in statements(page(game))] == [f"{number}" for number in range(1, count + 1)]
        assert f"its {count} statements" in page(game)


@pytest.mark.parametrize("game", COUNTS)
def test_what_a_table_names_is_there(game: str) -> None:
    assert mistakes(game, page(game)) == []


@pytest.mark.parametrize("game", COUNTS)
def test_what_is_an_option_is_shown(game: str) -> None:
    unshown = [one.text for one in statements(page(game)) if one.state.startswith("option") and not one.shown_by]
    assert unshown == []


@pytest.mark.parametrize(
    "row",
    [
        "| 1 | a | as we like | |",
        "| 1 | a | departed: | |",
        "| 1 | a | option `jokers`, default `2` | |",
        "| 1 | a | option `kings`, default `4` | |",
        '| 1 | a | as said | "Case 99" |',
        "| 1 | a | as said | `test_that_nobody_wrote` |",
    ],
)
def test_a_wrong_row_is_found(row: str) -> None:
    assert mistakes("mus", row) == ["1"]
    assert mistakes("mus", '| 1 | a | option `kings`, default `8` | "Case 3" |') == []
