"""Bots that crash in every match, in events of other formats than the round robin."""

import json
import sys
from pathlib import Path

import pytest

from ordago.games import find_game
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.watching import Unwatched

CRASHING_BOT = """
import os, ordago_bot

class Crashing(ordago_bot.Bot):
    def choose(self, decision):
        os._exit(3)

ordago_bot.run(Crashing)
"""


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


async def with_a_crashing_bot(place: Path, *, terms: str, game: str, others: int) -> Ladder:
    """Play an event of house bots, and of "zoe", who crashes; prove all of it."""
    bot = place / "crashing.py"
    bot.write_text(CRASHING_BOT)
    text = f'[event]\nname = "event"\nisolation = "none"\nduplicates = false\nsecret = "{"5e" * 32}"\n'
    text += f"decision_ms = 60_000\nstart_timeout = 120\n{terms}\n[[game]]\n{game}\n"
    for name in "abcdefgh"[:others]:
        text += f'[[entrant]]\nname = "{name}"\nhouse = "random"\nenv = {{ ORDAGO_NONCE = "{ord(name):032x}" }}\n'
    text += (
        f'[[entrant]]\nname = "zoe"\ncommand = ["{sys.executable}", "{bot}"]\nenv = {{ ORDAGO_NONCE = "{26:032x}" }}\n'
    )
    ladder = await run_event(parse_event(text), text, EventFolder(place / "out"), listener=Unwatched())
    assert verify_folder(place / "out").findings == ()
    return ladder


@pytest.mark.slow
async def test_a_partner_does_not_forfeit_with_the_other(tmp_path: Path) -> None:
    """In mixed pairs the result says whose seat it was; the partner has no fault, and is not suspended."""
    game = 'name = "mitaines"\nseats = 4\npartners = "mixed"\noptions = { target = 10 }'
    ladder = await with_a_crashing_bot(tmp_path, terms="suspend_after = 3", game=game, others=4)
    for result in ladder.results:
        seats = [seat for seat, name in enumerate(result.planned.entrants) if name == "zoe"]
        assert [forfeit.seat for forfeit in result.result.forfeits] == seats
        assert all(bool(faults) == (seat in seats) for seat, faults in enumerate(result.result.faults))
    for line in ladder.overall.lines:
        assert line.conduct.forfeits == (line.matches if line.entrant == "zoe" else 0)
    assert [entrant.name for entrant in ladder.entrants if entrant.suspended] == ["zoe"]


@pytest.mark.slow
async def test_a_swiss_event_goes_on_without_one_who_is_suspended(tmp_path: Path) -> None:
    """The others sit with one another, and one of them has a bye."""
    terms, game = 'format = "swiss"\nrounds = 3\nsuspend_after = 2', 'name = "mitaines"\noptions = { target = 10 }'
    ladder = await with_a_crashing_bot(tmp_path, terms=terms, game=game, others=5)
    assert ladder.complete
    [line] = [line for line in ladder.overall.lines if line.entrant == "zoe"]
    assert line.conduct.forfeits == line.matches == line.tally.losses == 2
    assert sum(line.matches for line in ladder.overall.lines) == 2 * (3 * 2 + 2 * 2 * 2)
    assert [entrant.name for entrant in ladder.entrants if entrant.suspended] == ["zoe"]


@pytest.mark.slow
async def test_a_league_has_its_final_without_one_who_is_suspended(tmp_path: Path) -> None:
    terms = 'format = "league"\ngroups = 1\nadvance = 2\nsuspend_after = 3'
    ladder = await with_a_crashing_bot(
        tmp_path, terms=terms, game='name = "mitaines"\noptions = { target = 10 }', others=3
    )
    assert ladder.complete
    found = json.loads((tmp_path / "out" / "ladder.json").read_text(encoding="utf-8"))
    last = found["groups"][0]["standings"][-1]
    assert (last["entrant"], last["gone"], last["goes_on"], last["points"]) == ("zoe", True, False, 0.0)
    assert sum(line["points"] for line in found["groups"][0]["standings"]) == 3
    assert "zoe" not in found["bracket"]["seeds"]


@pytest.mark.slow
async def test_an_open_event_is_over_though_one_is_suspended(tmp_path: Path) -> None:
    """His interval stays as wide as it was; that of the others decides."""
    terms, game = 'format = "open"\nhalf_width = 350\nsuspend_after = 2', 'name = "mitaines"\noptions = { target = 10 }'
    ladder = await with_a_crashing_bot(tmp_path, terms=terms, game=game, others=3)
    assert ladder.complete
    matches = {line.entrant: line.matches for line in ladder.overall.lines}
    assert matches["zoe"] < min(matches[name] for name in "abc")
