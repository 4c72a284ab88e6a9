"""A session machine takes whatever comes, or says that the other erred, and nothing else ever happens."""

from collections import Counter
from collections.abc import Callable

import pytest
from support.figures import Note, Size
from torture.links import Part, bot_takes, server_takes
from torture.spreading import spread

_SEED = "links"
_CHUNK = 50_000


@pytest.mark.parametrize(("takes", "torture"), [(server_takes, 750_000), (bot_takes, 250_000)])
def test_nothing_but_a_refusal_comes_of_any_frame(
    takes: Callable[[Part], Counter[str]], torture: int, size: Size, note: Note
) -> None:
    frames = size(10_000, torture)
    parts = [Part(min(_CHUNK, frames), f"{_SEED} {first}") for first in range(0, frames, _CHUNK)]
    count = sum(spread(takes, parts), Counter[str]())
    note("frames", frames)
    note("seed", f"{_SEED!r}")
    note("messages taken", count["messages"])
    note("frames refused", count["refused"])
    note("unhandled exceptions", 0, bound="0")
    assert count["messages"] > frames / 10
    assert count["refused"] > frames / 50
    if takes is server_takes:
        assert count["choices"] > frames / 10
