"""Whatever entrants do, an event that a run brings to its end verifies, and no receipt of theirs speaks against it."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio
from support.event_stage import BEGAN, Stage
from support.figures import Size

from ordago.arena.processes.supervisor import FailedToStartError
from ordago.games import find_game
from ordago.record import read_record
from ordago.record.ledgers.event import parse_ledger
from ordago.record.ledgers.receipts import verify_receipts
from ordago_ladder.entrants.remote_entrant import AbsentError
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import BeaconDueError
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.watching import Unwatched

pytestmark = pytest.mark.virtual_time

_MOST_RUNS = 8
_UNTROUBLED_FROM = 3
"""From this run on nothing goes wrong any more, so that each event comes to its end."""
_FIRST_SEED = 6
"""In the event that it draws an entrant comes too late for check-in, and is never missed at a table."""
_LONGEST_SECONDS = 3 * 3600.0
_ENDS = (StoppedError, BeaconDueError, AbsentError, FailedToStartError)
"""Why a run may end before the event does."""


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


def drawn_event(rng: Random) -> str:
    """Return some event file."""
    remote = rng.choice([0, 1, 2, 3])
    entrants = remote + rng.randint(max(0, 3 - remote), 3)
    terms = [
        rng.choice(
            [
                'format = "round-robin"',
                'format = "gauntlet"',
                'format = "swiss"\nrounds = 2',
                'format = "open"\nsets_wanted = 3',
                f'format = "open"\nuntil = {BEGAN + timedelta(seconds=rng.choice([5, 20]))}',
            ]
        ),
        f"absentees_forfeit = {rng.choice(['true', 'true', 'false'])}",
        f"duplicates = {rng.choice(['true', 'false'])}",
        f"suspend_after = {rng.choice([0, 2, 3, 10])}",
        f"return_timeout = {rng.choice([0, 5, 300])}",
        f"start_timeout = {rng.choice([2, 20])}",
        f"parallel = {rng.choice([1, 2, 16])}",
        f"decision_ms = {rng.choice([300, 1000])}",
        *rng.choices(["", "processes = 2", 'beacon = { source = "moon", round = 7 }'], [4, 1, 1]),
        *rng.choices(["", f"begins = {BEGAN + timedelta(seconds=rng.choice([1, 5, 60]))}"]),
    ]
    game = rng.choice(
        [
            'name = "mitaines"\noptions = { target = 10 }',
            'name = "mittlere"\noptions = { deals = 3 }',
            'name = "mitaines"\nseats = 4\noptions = { target = 10 }\npartners = "mixed"',
            'name = "mitaines"\nseats = 4\noptions = { target = 10 }',
        ]
    )
    teams = "seats = 4" in game and "mixed" not in game
    if "mixed" in game:
        entrants = max(entrants, 4)
    text = '[event]\nname = "cup"\nisolation = "none"\nattempts = 0\n' + "\n".join(terms) + f"\n[[game]]\n{game}\n"
    for number in range(entrants):
        text += f'[[entrant]]\nname = "e{number}"\n'
        if number < remote:
            text += f"remote = true\nprocesses = {rng.choice([2, 3, 6]) if teams else rng.choice([1, 2, 3])}\n"
        else:
            text += 'command = ["bot"]\n'
        if "gauntlet" in terms[0] and number == 0:
            text += "newcomer = true\n"
    return text


FEWER = """
[event]
name = "fewer"
isolation = "none"
begins = 2027-01-01T12:01:00Z
duplicates = true
suspend_after = 2
repetitions = 2
[[game]]
name = "mitaines"
options = { target = 10 }
[[entrant]]
name = "ana"
remote = true
processes = 2
[[entrant]]
name = "ben"
remote = true
processes = 2
[[entrant]]
name = "cleo"
house = "default"
"""


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "with_ana"), [("", {(True, 1): 8}), ("duplicates = true", {(True, 2): 4})])
async def test_who_comes_with_fewer_processes_plays_all_matches_and_sees_a_deal_twice_if_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, with_ana: dict[tuple[bool, int], int]
) -> None:
    text = FEWER.replace("duplicates = true", asked)
    stage, folder, settings = Stage(tmp_path, seed="fewer"), EventFolder(tmp_path / "out"), parse_event(text)
    with stage.stands_in(monkeypatch):
        async with stage.with_remote({"ana": 1, "ben": 2}):
            ladder = await run_event(settings, text, folder, listener=Unwatched(), entrance=stage.entrance)
    assert verify_folder(folder.path).findings == ()
    assert not any(played.result.forfeits for played in ladder.results)
    deals = Counter[tuple[bool, str]]()
    for path in folder.records.iterdir():
        record = read_record(path.read_bytes())
        deals["ana" in [seat.name for seat in record.seats], record.deal_seed] += 1
    assert Counter((of_ana, number) for (of_ana, _), number in deals.items()) == {**with_ana, (False, 2): 2}
    told = parse_ledger(folder.ledger.read_text(encoding="utf-8")).fewer_processes
    assert dict(told) == {"ana": 1}


LATE = FEWER.replace("processes = 2\n", "")


@pytest.mark.slow
async def test_who_comes_after_check_in_plays_and_the_event_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that was started and one that was not, both a moment too late for check-in."""
    text = LATE.replace("begins", "absentees_forfeit = true\nstart_timeout = 5\nparallel = 1\nbegins")
    text = text.replace('house = "default"', 'command = ["bot"]')
    # Otherwise matches with an entrant that is suspended meanwhile would be dropped.
    text = text.replace("suspend_after = 2", "suspend_after = 0")
    stage, folder, settings = Stage(tmp_path, seed="late"), EventFolder(tmp_path / "out"), parse_event(text)
    stage.delays = {"ana": [62.0], "cleo": [6.0, 0.1]}
    with stage.stands_in(monkeypatch):
        async with stage.with_remote({"ana": 1, "ben": 1}):
            ladder = await run_event(settings, text, folder, listener=Unwatched(), entrance=stage.entrance)
    ledger = parse_ledger(folder.ledger.read_text(encoding="utf-8"))
    assert {entrant.name for entrant in ledger.checked_in if not entrant.nonce} == {"ana", "cleo"}
    assert verify_folder(folder.path).findings == ()
    assert list(verify_receipts(ledger, stage.receipts("ana"))) == []
    forfeits = [played.forfeit_of("cleo") for played in ladder.results if "cleo" in played.planned.entrants]
    assert len(forfeits) == 8
    assert not any(forfeits), "it was never missed at a table"


@pytest.mark.slow
async def test_whatever_entrants_do_the_event_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    for seed in range(_FIRST_SEED, _FIRST_SEED + size(3, 300)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        await play_and_verify(folder, monkeypatch, seed=f"events {seed}")


async def play_and_verify(place: Path, monkeypatch: pytest.MonkeyPatch, *, seed: str) -> None:
    """Play an event that is drawn by a seed, and look at what was published."""
    rng = Random(seed)
    text, stage, folder = drawn_event(rng), Stage(place, seed=seed), EventFolder(place / "out")
    settings = parse_event(text)
    remote = {entrant.name: entrant.processes or 1 for entrant in settings.remote_entrants}
    with stage.stands_in(monkeypatch):
        await play(stage, settings, text, folder, rng)
    assert verify_folder(folder.path).findings == (), (seed, text)
    ledger = parse_ledger(folder.ledger.read_text(encoding="utf-8"))
    for account in remote:
        receipts = stage.receipts(account)
        if receipts:
            assert list(verify_receipts(ledger, receipts)) == [], (seed, text)


async def play(stage: Stage, settings: Settings, text: str, folder: EventFolder, rng: Random) -> None:
    """Run an event again and again until it is over."""
    beacon = None
    for number in range(_MOST_RUNS):
        calm = number >= _UNTROUBLED_FROM
        stage.trouble = 0.0 if calm else rng.choice([0.0, 0.02, 0.1, 0.4])
        extra = 0 if calm else rng.choice([-1, 0, 0, 1])
        processes = {
            entrant.name: max(0, (entrant.processes or 1) + extra * rng.randint(0, 1))
            for entrant in settings.remote_entrants
        }
        stop = _LONGEST_SECONDS if calm else rng.choice([3.0, 30.0, 300.0, _LONGEST_SECONDS])
        run = partial(
            run_event,
            settings,
            text,
            folder,
            listener=Unwatched(),
            beacon=beacon,
            entrance=stage.entrance if settings.remote_entrants else None,
            stop=partial(trio.sleep, stop),
        )
        try:
            async with stage.with_remote(processes):
                await run()
        except* _ENDS as group:
            errors = list(leaves(group))
            beacon = b"b" * 16 if any(isinstance(error, BeaconDueError) for error in errors) else None
        else:
            return
    pytest.fail(f"it did not come to its end: {errors}\n{text}")


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield what is in a group of exceptions."""
    for each in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from leaves(each)
    if not isinstance(error, BaseExceptionGroup):
        yield error
