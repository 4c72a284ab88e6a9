"""Not one byte that a connection is sent depends on what its seat may not see: deals in pairs, in all games."""

from collections import Counter

import pytest
from support.figures import Note, Size
from torture.leaks import TellingDefault, TellingOrder, TellingRefusal
from torture.pairs import Pairs, compared
from torture.spreading import spread
from torture.worlds import ways_of

from ordago.games import game_names

_CHUNK = 100


@pytest.mark.parametrize("game", game_names())
def test_not_one_byte_differs(game: str, size: Size, note: Note) -> None:
    seeds = size(20, 2_000)
    chunks = [Pairs(game, range(first, min(first + _CHUNK, seeds))) for first in range(0, seeds, _CHUNK)]
    count = sum(spread(compared, chunks), Counter[str]())
    note("pairs of deals", count["pairs"])
    note("of these whole matches up to the last deal", count["whole"])
    note("frames compared", count["frames"])
    note("refusals among them", count["refusals"])
    note("returns on another connection", count["returns"])
    note("bytes compared", count["bytes"])
    note("bytes that differ", count["differing"], bound="0")
    assert not count["differing"], f"a seat can tell deals apart that look the same to it: {count}"
    assert count["pairs"] == seeds
    assert count["alike"] < seeds / 10, "nearly all pairs are of two different deals"
    assert count["refusals"] > seeds
    assert count["returns"] > seeds / 50, "some break off and come back"


@pytest.mark.parametrize("leak", [TellingRefusal, TellingOrder, TellingDefault])
@pytest.mark.parametrize("game", game_names())
def test_a_leak_is_found(game: str, leak: type) -> None:
    """The comparison can fail, for each game and for what a decision and a refusal say."""
    assert compared(Pairs(game, range(1, 6), leak))["unlike"]


def test_a_game_that_does_not_say_how_it_is_played_is_found() -> None:
    with pytest.raises(AssertionError, match=r"unheardof/table.py has to say in WAYS how unheardof is played"):
        ways_of("unheardof")
