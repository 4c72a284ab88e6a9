"""Events that are over and go on: each part has a secret and nonces of its own, and all of it is one event."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.events import ENTRANTS, ReceiptedEvent, StoppedEvent

from ordago.games import find_game
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import (
    BeginEntry,
    CheckInEntry,
    EndEntry,
    Ledger,
    PartEntry,
    ResultEntry,
    read_ledger,
)
from ordago_ladder.entrants.entrant_bots import EntrantError
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.parts import fixed_secret
from ordago_ladder.matches.stages import change_between, change_problems
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict
from ordago_ladder.workers.pool import pool_of

NOW = datetime(2027, 1, 31, 18, tzinfo=UTC)
A_REPETITION = 6
ZOE = '[[entrant]]\nname = "zoe"\nhouse = "random"\n'

pytestmark = [pytest.mark.usefixtures("bots_in_threads"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


def kinds(ledger: Ledger) -> list[type]:
    """Return the kinds of entries of a ledger, without those of the same kind in a row."""
    found = [type(entry) for entry in ledger.entries]
    return [kind for at, kind in enumerate(found) if not at or found[at - 1] is not kind]


async def over(place: Path, *, terms: str = "repetitions = 1") -> StoppedEvent:
    """Run an event to its end."""
    event = StoppedEvent(place, terms=f"parallel = 1\n{terms}")
    event.goes_on = True
    await event.run()
    return event


async def gone_on(event: ReceiptedEvent, old: str, new: str) -> Ladder:
    """Let an event that is over go on with another file, to its end; prove all of it."""
    before = event.ledger
    assert old in event.text
    event.text = event.text.replace(old, new)
    ladder = await event.run()
    assert event.ledger.lines[: len(before.lines)] == before.lines
    check(event)
    return ladder


def check(event: ReceiptedEvent) -> None:
    """Prove an event that is over, and compare it with all receipts."""
    found = verify_folder(event.folder.path, receipts=[event.place / f"{name}.receipts" for name in ENTRANTS])
    assert (found.verdict, found.findings) == (Verdict.CLEAN, ())
    ledger = event.ledger
    for name in ENTRANTS:
        came = {part.begin.commitment for part in ledger.parts if name in {one.name for one in part.checked_in}}
        assert {receipt.commitment for receipt in event.receipts(name)} == came
    nonces = [one.nonce for one in ledger.checked_in]
    assert len(set(nonces)) == len(nonces)
    assert len({part.begin.secret_digest for part in ledger.parts}) == len(ledger.parts)


async def test_an_event_goes_on_twice_with_one_ladder(tmp_path: Path) -> None:
    event = await over(tmp_path)
    first = {result.match.match_id: result for result in (await event.run()).results}
    ladder = await gone_on(event, "repetitions = 1", "repetitions = 2")
    assert len(ladder.results) == ladder.planned == 2 * A_REPETITION
    assert {one.match.match_id: one for one in ladder.results}.items() >= first.items()
    ladder = await gone_on(event, "repetitions = 2", "repetitions = 3")
    assert len(ladder.results) == 3 * A_REPETITION
    each = [CheckInEntry, ResultEntry, EndEntry]
    assert kinds(event.ledger) == [BeginEntry, *each, PartEntry, *each, PartEntry, *each]
    page = (event.folder.path / "proof.html").read_text(encoding="utf-8")
    for part in event.ledger.parts:
        assert part.end is not None
        assert part.begin.commitment in page
        assert part.end.secret in page


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("repetitions = 1", "repetitions = 1"),
        ('format = "swiss"\nrounds = 1', 'format = "swiss"\nrounds = 2'),
        ('format = "open"\nsets_wanted = 1', 'format = "open"\nsets_wanted = 3'),
    ],
)
async def test_one_joins_and_one_leaves_a_week_later(tmp_path: Path, before: str, after: str) -> None:
    event = await over(tmp_path, terms=before)
    event.text = event.text.replace('name = "ben"', 'name = "ben"\nwithdrawn = true') + ZOE
    ladder = await gone_on(event, before, after)
    assert len(ladder.results) > A_REPETITION
    assert {one.name for one in event.ledger.parts[-1].checked_in} == {"ana", "cleo", "zoe"}


async def test_workers_play_the_next_part(tmp_path: Path) -> None:
    event = await over(tmp_path)
    event.text = event.text.replace("repetitions = 1", "repetitions = 2")
    assert len((await event.run(opening=pool_of(2))).results) == 2 * A_REPETITION
    check(event)


async def test_a_part_that_is_played_is_unfinished_and_the_one_before_stays_proved(tmp_path: Path) -> None:
    event = await over(tmp_path)
    event.goes_on, event.text = False, event.text.replace("repetitions = 1", "repetitions = 3")
    with pytest.raises(StoppedError):
        await event.run()
    found = verify_folder(event.folder.path)
    assert (found.verdict, found.findings) == (Verdict.UNFINISHED, ())
    assert found.records >= A_REPETITION
    record = event.folder.record(event.ledger.results[0].match_id)
    event.folder.record(event.ledger.results[1].match_id).write_bytes(record.read_bytes())
    assert verify_folder(event.folder.path).verdict is Verdict.NOT_CLEAN
    event.goes_on = True
    await event.run()
    check(event)


async def test_nobody_brings_a_nonce_again(tmp_path: Path) -> None:
    """The secret could have been chosen for it. Whose bots cannot do otherwise withdraws."""
    event = StoppedEvent(tmp_path, terms="repetitions = 1\nparallel = 1")
    event.goes_on = True
    event.text = event.text.replace("ben.receipts", 'ben.receipts", ORDAGO_NONCE = "' + "be" * 16) + ZOE
    await event.run()
    event.text = event.text.replace("repetitions = 1", "repetitions = 2")
    with pytest.raises(EntrantError, match="the nonces of 'ben' are those of an earlier part"):
        await event.run()
    assert isinstance(event.ledger.entries[-1], PartEntry)
    event.text = event.text.replace('name = "ben"', 'name = "ben"\nwithdrawn = true')
    await event.run()
    assert verify_folder(event.folder.path).verdict is Verdict.CLEAN


async def test_a_secret_in_the_file_gives_each_part_its_own(tmp_path: Path) -> None:
    event = await over(tmp_path, terms=f'repetitions = 1\nsecret = "{"5e" * 32}"')
    await gone_on(event, "repetitions = 1", "repetitions = 2")
    settings = parse_event(event.text)
    given = [fixed_secret(settings, part=number) for number in (1, 2)]
    assert [part.end and bytes.fromhex(part.end.secret) for part in event.ledger.parts] == given


BEACON = 'beacon = { source = "drand quicknet", round = 7 }'


@pytest.mark.parametrize(
    ("terms", "old", "new", "words"),
    [
        (BEACON, "repetitions = 1", "repetitions = 2", "the value of its beacon is known"),
        ("", 'name = "zoe"', 'name = "zoe"\nwithdrawn = true', "only with more matches or a new entrant"),
    ],
)
def test_it_goes_on_only_for_more_and_without_a_beacon(
    tmp_path: Path, terms: str, old: str, new: str, words: str
) -> None:
    text = ReceiptedEvent(tmp_path, terms=f"repetitions = 1\n{terms}").text + ZOE
    before, after = parse_event(text), parse_event(text.replace(old, new))
    ledger = read_ledger(chained([begin_entry(before, secret=bytes(32)), EndEntry(secret="00" * 32)]))
    [problem] = change_problems(after, change_between(before, after, issued=0, time=NOW), ledger)
    assert words in problem
