"""The ledger of events that are run, and the receipts of those who play in them."""

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from support.events import ENTRANTS, ReceiptedEvent

from ordago.chance import commitment, event_commitment
from ordago.games import find_game
from ordago.record import read_record, verify
from ordago.record.ledgers.event import BeaconEntry, BeginEntry, CheckInEntry, EndEntry, ResultEntry
from ordago.record.ledgers.event_order import order_problems
from ordago.record.ledgers.receipts import EndReceipt, EventReceipt, StartReceipt
from ordago.store.event.store import Store
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.due import BeaconDueError, BeaconError
from ordago_ladder.run.attempts import VoidMatchError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.settings.identity import settings_digest

MATCHES = 6


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


def rules_fail(monkeypatch: pytest.MonkeyPatch, *, times: int, after: int = 20) -> None:
    """Let the rules fail so many times, each time after so many actions since the last."""
    state = type(find_game("mittlere").rules.new_match(seats=3, options=find_game("mittlere").rules.options({})))
    apply, count = state.apply, [0, 0]

    def faulty(self: Any, action: Any) -> Any:
        count[0] += 1
        if count[0] % after == 0 and count[1] < times:
            count[1] += 1
            raise ZeroDivisionError("the cards are these")
        return apply(self, action)

    monkeypatch.setattr(state, "apply", faulty)


@pytest.mark.slow
async def test_what_becomes_of_an_event_stands_in_its_ledger_and_in_the_receipts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two attempts are void: nobody is told why in words that could name cards."""
    event = ReceiptedEvent(tmp_path)
    with monkeypatch.context() as patched:
        rules_fail(patched, times=2)
        ladder = await event.run()
    ledger, published = event.ledger, json.loads(event.folder.ladder.read_text())
    assert list(order_problems(ledger)) == []
    assert [type(entry) for entry in ledger.entries[:2]] == [BeginEntry, CheckInEntry]
    assert {entry.reason for entry in ledger.voids} == {"the server failed in the match (ZeroDivisionError)"}
    assert len(ledger.voids) == 2
    assert ledger.end == EndEntry(secret=published["secret"])
    digests = {path.stem: read_record(path.read_bytes()) for path in event.folder.records.iterdir()}
    assert (
        {entry.match_id for entry in ledger.results} == set(digests) == {one.match.match_id for one in ladder.results}
    )
    assert ledger.begin is not None
    assert published["commitment"] == ledger.begin.commitment
    assert event.contradictions() == []
    for name in ENTRANTS:
        ends = [receipt for receipt in event.receipts(name) if isinstance(receipt, EndReceipt)]
        assert {(one.match_id, one.record_digest) for one in ends if one.record_digest} == {
            (entry.match_id, entry.record_digest) for entry in ledger.results
        }
        voids = sorted(one.match_id for one in ends if not one.record_digest)
        assert voids == sorted(entry.match_id for entry in ledger.voids)


@pytest.mark.slow
async def test_commitment_and_nonces_are_published_before_the_first_match(tmp_path: Path) -> None:
    event = ReceiptedEvent(tmp_path)
    await event.run()
    ledger = event.began_with
    assert ledger is not None
    assert [entry.kind for entry in ledger.entries] == ["begin", "check_in"]
    assert ledger.begin is not None
    digests = commitment(bytes.fromhex(event.ledger.entries[-1].secret)), settings_digest(parse_event(event.text))
    assert ledger.begin.commitment == event_commitment(*digests).hex()
    for entrant in ledger.checked_in:
        told, *_ = event.receipts(entrant.name)
        assert isinstance(told, EventReceipt), "the server describes its event before it is told the nonce"
        assert (told.nonce, told.commitment) == (entrant.nonce, ledger.begin.commitment)
        assert (told.entrants, told.beacon) == (ENTRANTS, None)


@pytest.mark.slow
async def test_nobody_hears_of_an_end_before_it_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a power cut could make an honest organiser contradict himself."""
    event, commit = ReceiptedEvent(tmp_path), Store.commit_results
    committed: list[str] = []

    def watched(store: Store, matches: Any) -> Any:
        ended = {one.match_id for name in ENTRANTS for one in event.receipts(name) if isinstance(one, EndReceipt)}
        assert not ended & {match.match_id for match in matches}
        committed.extend(match.match_id for match in matches)
        return commit(store, matches)

    monkeypatch.setattr(Store, "commit_results", watched)
    await event.run()
    assert len(committed) == MATCHES
    ended = [one for one in event.receipts("ana") if isinstance(one, EndReceipt)]
    assert sorted(one.match_id for one in ended) == sorted(committed)


@pytest.mark.slow
async def test_a_match_begins_with_all_that_was_committed_before(tmp_path: Path) -> None:
    def begun() -> list[int]:
        """Return how long the ledger was when each match began, as one who plays was told."""
        return [one.length for one in event.receipts("ana") if isinstance(one, StartReceipt)]

    class Watched(ReceiptedEvent):
        def played(self, number: int) -> None:
            committed.append(committed[-1] + number)
            seen.append(len(begun()))

    event, committed, seen = Watched(tmp_path, terms="parallel = 1"), [0], list[int]()
    await event.run()
    lengths = begun()
    assert (len(lengths), lengths[0], committed[-1]) == (MATCHES, 2, MATCHES)
    assert all(length <= 2 + number for number, length in enumerate(lengths)), "what is committed was played"
    # The room of a match is free a moment before its result is committed, so one may begin meanwhile.
    for so_many, before in zip(committed[1:], seen, strict=True):
        assert all(length >= 2 + so_many for length in lengths[before + 1 :])


KILLED_RUN = """
import os, signal, sys
from ordago_cli import main
from ordago.store.event.store import Store

moment, *sys.argv[1:] = sys.argv[1:]
commit = Store.commit_results

def killed(store, matches):
    if moment == "after the commit":
        commit(store, matches)
    os.kill(os.getpid(), signal.SIGKILL)

Store.commit_results = killed
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
async def test_a_kill_between_the_end_of_a_match_and_its_news_contradicts_nobody(tmp_path: Path, moment: str) -> None:
    """Nobody was told of the end. Where the commit was missed the match carries on; else its result stands."""
    event = ReceiptedEvent(tmp_path)
    file = tmp_path / "cup.toml"
    file.write_text(event.text)
    command = [sys.executable, "-c", KILLED_RUN, moment, "run", str(file), "--out", str(event.folder.path)]
    killed = await trio.run_process(command, check=False, capture_stdout=True, capture_stderr=True)
    assert killed.returncode == -signal.SIGKILL
    with Store.open(event.folder.store) as store:
        committed = {played.match.match_id for played in store.state().results}
    assert bool(committed) == (moment == "after the commit")
    assert not any(isinstance(one, EndReceipt) for name in ENTRANTS for one in event.receipts(name))
    await event.run()
    assert event.contradictions() == []
    ended = {one.match_id for one in event.receipts("ana") if isinstance(one, EndReceipt)}
    assert ended == {entry.match_id for entry in event.ledger.results} - committed


@pytest.mark.slow
async def test_an_event_that_goes_on_is_still_the_one_that_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = ReceiptedEvent(tmp_path, terms="parallel = 1\nattempts = 0")
    with monkeypatch.context() as patched:
        rules_fail(patched, times=1, after=3 * 3 * 12 * 2 + 20)
        with pytest.raises(VoidMatchError):
            await event.run()
    stopped = event.ledger
    assert 0 < len(stopped.results) < MATCHES
    await event.run()
    assert event.ledger.lines[: len(stopped.lines)] == stopped.lines
    assert len([entry for entry in event.ledger.entries if isinstance(entry, CheckInEntry)]) == 1
    assert event.contradictions() == []


@pytest.mark.slow
async def test_a_suspension_follows_the_result_that_brings_it_about(tmp_path: Path) -> None:
    event = ReceiptedEvent(
        tmp_path, terms="parallel = 1\nsuspend_after = 2\nforfeit_after = 1\nabsentees_forfeit = true"
    )
    event.text = event.text.replace('house = "default"', 'command = ["false"]')
    await event.run()
    [suspension] = event.ledger.suspensions
    assert (suspension.entrant, suspension.fault) == ("ben", "failed_to_start")
    place = event.ledger.entries.index(suspension)
    kinds = [type(entry) for entry in event.ledger.entries[2 : place + 1]]
    assert kinds == [ResultEntry, ResultEntry, type(suspension)]
    assert {one.name: one.nonce for one in event.ledger.checked_in}["ben"] == ""
    assert list(order_problems(event.ledger)) == []


BEACON = 'beacon = { source = "drand quicknet", round = 7 }'
VALUE = b"\xb0" * 32


@pytest.mark.slow
async def test_the_value_of_a_beacon_is_mixed_into_deals_that_nobody_could_know(tmp_path: Path) -> None:
    """It is taken in the run after the one in which the nonces were published, and not before."""
    event = ReceiptedEvent(tmp_path, terms=BEACON)
    with pytest.raises(BeaconError, match="no entrant has checked in yet"):
        await event.run(beacon=VALUE)
    for _ in range(2):
        with pytest.raises(BeaconDueError, match="run again with --beacon HEX, the value of round 7 of drand quicknet"):
            await event.run()
        assert [entry.kind for entry in event.ledger.entries] == ["begin", "check_in"]
    await event.run(beacon=VALUE)
    assert event.ledger.beacon == BeaconEntry(source="drand quicknet", round=7, value=VALUE.hex())
    assert list(order_problems(event.ledger)) == []
    assert event.contradictions() == []
    told = [one.beacon for one in event.receipts("ana") if isinstance(one, EventReceipt)]
    assert [beacon and beacon.value for beacon in told][:2] == ["", VALUE.hex()]
    secret = bytes.fromhex(event.ledger.entries[-1].secret)
    for path in event.folder.records.iterdir():
        record = read_record(path.read_bytes())
        assert f"|*:{VALUE.hex()},ana:" in record.deal_seed
        assert not verify(record, secret=secret)
    with pytest.raises(BeaconError, match=r"is (b0)+ already, and deals depend on it"):
        await event.run(beacon=bytes(32))
    await event.run(beacon=VALUE)


async def test_an_event_without_a_beacon_takes_no_value(tmp_path: Path) -> None:
    with pytest.raises(BeaconError, match="names no beacon"):
        await ReceiptedEvent(tmp_path).run(beacon=VALUE)
