"""Events whose file changes after they have begun: what was played stands, and all of it can be proved."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.events import ReceiptedEvent, StoppedEvent, begun

from ordago.games import find_game
from ordago.record.ledgers.chain import chained, ledger_text
from ordago.record.ledgers.event import ChangeEntry, CheckInEntry, Entry, read_ledger
from ordago.store import StoreError
from ordago.store.event.store import Store
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.stages import MOST_CHANGES, ChangeError, change_between, change_problems, ledger_problems
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.workers.pool import pool_of

ZOE = '[[entrant]]\nname = "zoe"\nhouse = "random"\n'
BEFORE, AFTER = 6, 24
"""Three entrants make one table of three with six seatings, four make four."""


pytestmark = pytest.mark.usefixtures("bots_in_threads")


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.mark.slow
async def test_an_event_grows_and_what_was_played_stands(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    played = json.loads(event.folder.ladder.read_text())["matches"]
    ledger = event.ledger
    assert 0 < len(played) < BEFORE
    event.text += ZOE
    ladder = await event.run()
    assert (len(ladder.results), ladder.planned) == (AFTER, AFTER)
    assert event.ledger.lines[: len(ledger.lines)] == ledger.lines
    [growth] = event.ledger.changes
    assert growth.joined == ("zoe",)
    assert growth.issued == BEFORE
    later = event.ledger.entries[len(ledger.lines) :]
    assert [type(entry) for entry in later[:2]] == [ChangeEntry, CheckInEntry]
    now = {match["match_id"]: match for match in json.loads(event.folder.ladder.read_text())["matches"]}
    assert all(now[match["match_id"]] == match for match in played)
    assert [match["row"] for match in now.values() if "zoe" in match["entrants"]] == list(range(BEFORE, AFTER))
    assert verify_folder(event.folder.path).findings == ()
    assert event.contradictions() == []


@pytest.mark.slow
async def test_an_event_grows_that_workers_play(tmp_path: Path) -> None:
    """Workers begin with the new entrant, and go on with a match that the runner had begun by itself."""
    event = await begun(tmp_path)
    ledger = event.ledger
    event.text += ZOE
    ladder = await event.run(opening=pool_of(2))
    assert len(ladder.results) == AFTER
    assert event.ledger.lines[: len(ledger.lines)] == ledger.lines
    assert verify_folder(event.folder.path).findings == ()
    assert event.contradictions() == []


@pytest.mark.slow
async def test_an_event_that_counts_its_sets_grows(tmp_path: Path) -> None:
    """What was due before stays due, and the sets that the larger field has for itself are played beside it."""
    event = StoppedEvent(tmp_path, terms="parallel = 1\nduplicates = false")
    event.text = event.text.replace('name = "mittlere"\n', 'name = "mittlere"\nsets = 2\n')
    with pytest.raises(StoppedError):
        await event.run()
    event.goes_on = True
    event.text += ZOE
    ladder = await event.run()
    tables = Counter(tuple(sorted(result.planned.entrants)) for result in ladder.results)
    assert tables.pop(("ana", "ben", "cleo")) >= 2 * BEFORE
    assert all("zoe" in table for table in tables)
    assert sum(tables.values()) >= BEFORE
    assert verify_folder(event.folder.path).findings == ()


@pytest.mark.slow
async def test_a_growth_that_was_written_anew_is_found(tmp_path: Path) -> None:
    """An organiser who says that somebody came later than he did, or earlier, has to change the ledger."""
    event = await begun(tmp_path)
    event.text += ZOE
    await event.run()
    lines = list(event.ledger.lines)
    lines[2], lines[3] = lines[3], lines[2]
    event.folder.ledger.write_text(ledger_text(lines))
    assert verify_folder(event.folder.path).findings
    event.folder.event_file.write_text(event.text.replace("zoe", "yan"))
    assert verify_folder(event.folder.path).findings


@pytest.mark.slow
async def test_what_is_played_cannot_change(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    text = event.text
    for other in (
        text.replace("deals = 3", "deals = 6") + ZOE,
        text.replace('"default"', '"solid"') + ZOE,
    ):
        event.text = other
        with pytest.raises(StoreError, match="has changed since it began"):
            await event.run()
    event.text = text
    await event.run()
    assert verify_folder(event.folder.path).findings == ()


def without_zoe(settings: Settings) -> Settings:
    """Return an event as it was before the last entrant of the file joined."""
    return settings.model_copy(update={"entrants": settings.entrants[:-1]})


NOW = datetime(2027, 1, 31, 18, tzinfo=UTC)


def test_nobody_comes_whose_nonce_could_be_chosen_by_the_value_of_a_beacon(tmp_path: Path) -> None:
    beacon = 'beacon = { source = "drand quicknet", round = 1 }'
    event = ReceiptedEvent(tmp_path, terms=beacon)
    settings = parse_event(event.text + ZOE)
    before = without_zoe(settings)
    ledger = read_ledger(chained([begin_entry(before, secret=bytes(32))]))
    change = change_between(before, settings, issued=0, time=NOW)
    [problem] = change_problems(settings, change, ledger)
    assert "'zoe' cannot join any more: the event has a beacon" in problem


def test_an_event_does_not_change_without_end(tmp_path: Path) -> None:
    """Each change costs a plan of the whole event to whoever verifies it."""
    event = ReceiptedEvent(tmp_path)
    settings = [parse_event(event.text)]
    entries: list[Entry] = [begin_entry(settings[0], secret=bytes(32))]
    for number in range(MOST_CHANGES + 1):
        event.text += f'[[entrant]]\nname = "late{number}"\nhouse = "random"\n'
        settings.append(parse_event(event.text))
        entries.append(change_between(*settings[-2:], issued=0, time=NOW))
    change = entries.pop()
    assert isinstance(change, ChangeEntry)
    ledger = read_ledger(chained(entries))
    assert list(ledger_problems(settings[-2], ledger)) == []
    [problem] = change_problems(settings[-1], change, ledger)
    assert "has changed 20 times" in problem
    [problem] = ledger_problems(settings[-1], read_ledger(chained([*entries, change])))
    assert "it may 20 times" in problem


async def changed(event: StoppedEvent, old: str, new: str) -> Ladder:
    """Run an event that was stopped to its end, with another file; prove all of it, before and after."""
    before = event.ledger
    assert verify_folder(event.folder.path).findings == ()
    assert old in event.text
    event.text = event.text.replace(old, new)
    ladder = await event.run()
    assert event.ledger.lines[: len(before.lines)] == before.lines
    assert len(event.ledger.changes) == len(before.changes) + 1
    assert verify_folder(event.folder.path).findings == ()
    assert event.contradictions() == []
    return ladder


DAN = '[[entrant]]\nname = "dan"\nhouse = "random"\n[[entrant]]'
LEAVES = ('name = "ben"', 'name = "ben"\nwithdrawn = true')


@pytest.mark.slow
async def test_who_withdraws_plays_no_more(tmp_path: Path) -> None:
    event = StoppedEvent(tmp_path, terms="parallel = 1")
    event.text = event.text.replace("[[entrant]]", DAN, 1)
    with pytest.raises(StoppedError):
        await event.run()
    with Store.open(event.folder.store) as store:
        before = [played.planned for played in store.state().results if "ben" in played.planned.entrants]
    event.goes_on = True
    ladder = await changed(event, *LEAVES)
    with_ben = [result.planned for result in ladder.results if "ben" in result.planned.entrants]
    assert with_ben, "it had played before it withdrew"
    assert sorted(with_ben) == sorted(before)
    assert ladder.planned == len(ladder.results)
    assert len(ladder.results) - len(with_ben) == BEFORE
    assert [entrant.name for entrant in ladder.entrants if entrant.withdrawn] == ["ben"]


@pytest.mark.slow
@pytest.mark.parametrize("terms", ['format = "knockout"', 'format = "league"\ngroups = 1\nadvance = 3'])
async def test_who_withdraws_from_a_bracket_or_a_group_is_last(tmp_path: Path, terms: str) -> None:
    event = StoppedEvent(tmp_path, terms=f"parallel = 1\n{terms}")
    event.text = event.text.replace("[[entrant]]", DAN, 1)
    with pytest.raises(StoppedError):
        await event.run()
    event.goes_on = True
    text, event.text = event.text, event.text + ZOE
    with pytest.raises(ChangeError, match="nobody can join"):
        await event.run()
    event.text = text
    ladder = await changed(event, *LEAVES)
    assert ladder.complete
    published = json.loads(event.folder.ladder.read_text(encoding="utf-8"))
    last = published["groups"][0]["standings"] if "groups" in published else published["bracket"]["places"]
    assert last[-1]["entrant"] == "ben"


@pytest.mark.slow
async def test_a_new_version_takes_the_place_of_an_old_one(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    event.text += ZOE
    ladder = await changed(event, *LEAVES)
    tables = Counter(tuple(sorted(result.planned.entrants)) for result in ladder.results)
    assert tables.pop(("ana", "cleo", "zoe")) == BEFORE
    assert 1 <= tables.pop(("ana", "ben", "cleo")) < BEFORE
    assert not tables
    assert {line.entrant for line in ladder.overall.lines} == {"ana", "ben", "cleo", "zoe"}


@pytest.mark.slow
async def test_more_repetitions(tmp_path: Path) -> None:
    event = await begun(tmp_path, terms="repetitions = 1")
    ladder = await changed(event, "repetitions = 1", "repetitions = 2")
    assert len(ladder.results) == 2 * BEFORE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "most"),
    [
        ('format = "swiss"\nrounds = 1', 'format = "swiss"\nrounds = 2', 2 * BEFORE),
        ('format = "open"\nsets_wanted = 1', 'format = "open"\nsets_wanted = 3', 12 * BEFORE),
    ],
)
async def test_more_rounds_with_one_who_leaves_and_one_who_joins(
    tmp_path: Path, before: str, after: str, most: int
) -> None:
    event = await begun(tmp_path, terms=f"duplicates = false\n{before}")
    event.text = event.text.replace(*LEAVES) + ZOE
    ladder = await changed(event, before, after)
    tables = Counter(tuple(sorted(set(result.planned.entrants))) for result in ladder.results)
    assert tables["ana", "cleo", "zoe"] >= BEFORE
    assert 1 <= tables["ana", "ben", "cleo"] < BEFORE
    assert sum(tables.values()) < most
