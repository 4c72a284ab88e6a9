"""Events that more entrants come to, after they have begun: what was played stands, and all of it can be proved."""

import json
from collections import Counter
from pathlib import Path

import pytest
from support.events import ReceiptedEvent, StoppedEvent, begun

from ordago.games import find_game
from ordago.record.ledgers.chain import chained, ledger_text
from ordago.record.ledgers.event import CheckInEntry, Entry, GrowthEntry, read_ledger
from ordago.store import StoreError
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.due import MOST_GROWTHS, GrowthError, field_problems, growth_of
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.identity import identity_of, settings_digest
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
    [growth] = event.ledger.growths
    assert growth.entrants == ("zoe",)
    assert growth.issued == BEFORE
    later = event.ledger.entries[len(ledger.lines) :]
    assert [type(entry) for entry in later[:2]] == [GrowthEntry, CheckInEntry]
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
async def test_who_comes_stands_behind_the_others_and_nothing_else_changes(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    text = event.text
    for other in (
        text.replace("[[entrant]]", f"{ZOE}[[entrant]]", 1),
        text.replace("deals = 3", "deals = 6") + ZOE,
        text.replace('"default"', '"solid"') + ZOE,
    ):
        event.text = other
        with pytest.raises(StoreError, match="has changed since it began"):
            await event.run()
    event.text = text
    await event.run()
    event.text = text + ZOE
    with pytest.raises(GrowthError, match=r"'zoe' cannot take part any more: the event is over"):
        await event.run()
    assert verify_folder(event.folder.path).findings == ()


def test_nobody_comes_whose_nonce_could_be_chosen_by_the_value_of_a_beacon(tmp_path: Path) -> None:
    beacon = 'beacon = { source = "drand quicknet", round = 1 }'
    event = ReceiptedEvent(tmp_path, terms=beacon)
    settings = parse_event(event.text + ZOE)
    before = settings.of_first(3)
    ledger = read_ledger(chained([begin_entry(before, secret=bytes(32))]))
    with pytest.raises(GrowthError, match="beacon"):
        growth_of(settings, ledger, identity=identity_of(before), issued=0)


def test_an_event_does_not_grow_without_end(tmp_path: Path) -> None:
    """Each growth costs a plan of the whole event to whoever verifies it."""
    event = ReceiptedEvent(tmp_path)
    late = [f"late{number}" for number in range(MOST_GROWTHS + 1)]
    event.text += "".join(f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in late)
    settings = parse_event(event.text)
    entries: list[Entry] = [begin_entry(settings.of_first(3), secret=bytes(32))]
    for size, name in enumerate(late, start=4):
        digest = settings_digest(settings.of_first(size)).hex()
        entries.append(GrowthEntry(settings_digest=digest, issued=0, entrants=(name,)))
    before = settings.of_first(len(settings.entrants) - 1)
    assert list(field_problems(before, read_ledger(chained(entries[:-1])))) == []
    with pytest.raises(GrowthError, match="grown 20 times"):
        growth_of(settings, read_ledger(chained(entries[:-1])), identity=identity_of(before), issued=0)
    [problem] = field_problems(settings, read_ledger(chained(entries)))
    assert "they may 20 times" in problem
