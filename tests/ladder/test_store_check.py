"""An event whose store was changed between two runs does not go on, and is not published."""

import copy
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import trio
from support.events import ReceiptedEvent

from ordago.games import find_game
from ordago.record import from_file_bytes, to_file_bytes
from ordago.store import StoreError
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.attempts import VoidMatchError
from ordago_ladder.settings import common as common_settings

Forge = Callable[[sqlite3.Connection], None]


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ReceiptedEvent:
    """An event of which two matches of six were played, and the third was void."""
    event = ReceiptedEvent(tmp_path_factory.mktemp("played"), terms="parallel = 1\nattempts = 0")
    state = type(find_game("mittlere").rules.new_match(seats=3, options=find_game("mittlere").rules.options({})))
    apply, count = state.apply, [0]

    def faulty(self: object, action: object) -> object:
        count[0] += 1
        if count[0] == 250:
            raise ZeroDivisionError
        return apply(self, action)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(common_settings, "find_game", find_game)
        patched.setattr(state, "apply", faulty)
        with pytest.raises(VoidMatchError):
            trio.run(event.run)
    assert (len(event.ledger.results), len(event.ledger.voids)) == (2, 1)
    return event


@pytest.fixture
def stopped(played: ReceiptedEvent, tmp_path: Path) -> ReceiptedEvent:
    """The same event, for each test to do with it what it likes."""
    event = copy.copy(played)
    event.folder = EventFolder(tmp_path / "out")
    shutil.copytree(played.folder.path, event.folder.path)
    return event


def flipped_record(connection: sqlite3.Connection) -> None:
    """One bit of a record."""
    [(match, record)] = connection.execute("SELECT match_id, record FROM results LIMIT 1").fetchall()
    changed = record[:100] + bytes([record[100] ^ 1]) + record[101:]
    connection.execute("UPDATE results SET record = ? WHERE match_id = ?", (changed, match))


def other_record(connection: sqlite3.Connection) -> None:
    """A record that is whole, with a digest that fits it, and a result that follows from it."""
    [(match, contents)] = connection.execute("SELECT match_id, record FROM results LIMIT 1").fetchall()
    record = from_file_bytes(contents)
    record.outcome.scores[:] = [score + 1 for score in record.outcome.scores]
    scores = json.dumps(list(record.outcome.scores))
    values = (to_file_bytes(record), scores, match)
    connection.execute("UPDATE results SET record = ?, scores = ? WHERE match_id = ?", values)


def in_sql(statement: str) -> Forge:
    def forge(connection: sqlite3.Connection) -> None:
        assert connection.execute(statement).rowcount

    return forge


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (in_sql("UPDATE entrants SET nonce = x'00' WHERE name = 'ana'"), r"The data of 'ana' is not what it checked"),
        (in_sql("UPDATE entrants SET version = '9' WHERE name = 'ben'"), r"The data of 'ben' is not what it checked"),
        (in_sql("UPDATE entrants SET nonce = NULL WHERE name = 'ben'"), r"The data of 'ben' is not what it checked"),
        (in_sql("UPDATE entrants SET name = 'zoe' WHERE name = 'ben'"), r"The entrants are not those of the ledger\."),
        (in_sql("DELETE FROM entrants WHERE name = 'cleo'"), r"The entrants are not those of the ledger\."),
        (in_sql("UPDATE results SET scores = '[1, 2, 3]'"), r"The result of match \w+, or its record, is not the one"),
        (
            in_sql("UPDATE results SET forfeits = '[[0, \"crashed\"]]'"),
            r"The result of match \w+, or its record, is not",
        ),
        (flipped_record, r"The result of match \w+, or its record, is not the one that was committed\."),
        (other_record, r"The result of match \w+, or its record, is not the one that was committed\."),
        (in_sql("DELETE FROM results"), r"The result of match \w+ is missing\."),
        (in_sql("UPDATE matches SET attempt = attempt + 1 WHERE row = 0"), r"The attempt at match \w+ is not the one"),
        (in_sql("UPDATE matches SET attempt = 0 WHERE attempt = 1"), r"The attempt at match \w+ is not the one after"),
        (in_sql("DELETE FROM matches WHERE attempt = 1"), r"Match \w+, of which an attempt was void, is missing\."),
        (in_sql("UPDATE matches SET entrants = '[\"ana\"]' WHERE row = 5"), r"Match \w+ is not one of the schedule\."),
        (
            in_sql("UPDATE event SET secret = zeroblob(32)"),
            r"The commitment is not that to its secret and its settings",
        ),
        (in_sql("UPDATE event SET finished = 1"), r"The store and its ledger disagree on the end of the event\."),
        (
            in_sql(
                'UPDATE ledger SET line = replace(line, \'"commitment":"\', \'"commitment":"0\') WHERE position = 0'
            ),
            r"Line 1 of the ledger is not an entry of a ledger, by begin\.commitment\.",
        ),
        (
            in_sql('UPDATE ledger SET line = replace(line, \'"build":""\', \'"build":"b"\') WHERE position = 1'),
            r"Line 3 of the ledger does not follow from the one before it\.",
        ),
        (in_sql("DELETE FROM ledger WHERE position = 1"), r"Line 2 of the ledger does not follow from the one before"),
        (in_sql("DELETE FROM ledger WHERE line LIKE '%void%'"), r"Line \d of the ledger does not|The attempt at"),
    ],
)
async def test_an_event_does_not_go_on_over_a_store_that_was_changed(
    stopped: ReceiptedEvent, forge: Forge, found: str
) -> None:
    before = {path: path.read_bytes() for path in stopped.folder.path.glob("*.*")}
    with closing(sqlite3.connect(stopped.folder.store)) as connection, connection:
        forge(connection)
    connection.close()
    with pytest.raises(StoreError, match=f"(?s)^The store of the event was changed from outside: ({found})"):
        await stopped.run()
    assert {path: path.read_bytes() for path in stopped.folder.path.glob("*.*")} == before


@pytest.mark.slow
async def test_a_store_that_was_put_back_to_an_earlier_day_is_noticed_by_what_was_published(
    stopped: ReceiptedEvent,
) -> None:
    """Whoever drops the last results drops what entrants were told of."""
    with closing(sqlite3.connect(stopped.folder.store)) as connection, connection:
        connection.execute("UPDATE matches SET attempt = 0")
        connection.execute("DELETE FROM results")
        connection.execute("DELETE FROM ledger WHERE position > 1")
    connection.close()
    with pytest.raises(
        StoreError, match=r"ledger\.jsonl is of another run, or was changed: the ledger in the store does not"
    ):
        await stopped.run()


@pytest.mark.slow
async def test_a_store_that_was_left_alone_goes_on(stopped: ReceiptedEvent) -> None:
    """Also when less was published than was committed, as after a kill."""
    lines = stopped.folder.ledger.read_bytes().splitlines(keepends=True)
    stopped.folder.ledger.write_bytes(b"".join(lines[:2]))
    await stopped.run()
    assert stopped.ledger.end is not None
    assert stopped.contradictions() == []


@pytest.mark.slow
async def test_a_damaged_record_is_published_anew(stopped: ReceiptedEvent) -> None:
    await stopped.run()
    paths = sorted(stopped.folder.records.iterdir())
    whole = [path.read_bytes() for path in paths]
    paths[0].write_bytes(b"")
    paths[1].write_bytes(whole[1][:-1] + bytes([whole[1][-1] ^ 1]))
    paths[2].unlink()
    await stopped.run()
    assert [path.read_bytes() for path in paths] == whole
