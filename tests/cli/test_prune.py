"""Old records of a ladder make room, once each epoch is verified as it was published."""

import json
from pathlib import Path
from typing import Final

import pytest
from click.testing import Result
from support.commands import assert_told, ordago
from support.standing_ladder import PLAYERS, SETTINGS, StandingLadder

from ordago.record import read_record, result_of
from ordago.record.ladder_ledger import EpochBegin, LadderEntry, LadderResultEntry, SeatingEntry
from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_rows import FinishedMatch, LadderRow
from ordago.store.ladder_store import LadderStore

BEGAN: Final = 1_700_000_000


class Kept:
    """A ladder whose organiser keeps it in a store, and publishes it."""

    def __init__(self, data: Path) -> None:
        folder = data / "ladders" / "demo"
        folder.mkdir(parents=True)
        self.data, self.archive, self.place = data, folder / "archive", folder / "ladder.sqlite"
        self.ladder = StandingLadder(seasons={})
        for epoch in (1, 2, 3):
            self.ladder.begin(epoch)
            if epoch > 1:
                self.ladder.end(epoch - 1)
            self.ladder.finish(epoch, self.ladder.seat(epoch, "mitaines", 1, 2))
        self._keep()
        self.archive.mkdir()
        self.ladder.publish(self.archive)

    def _keep(self) -> None:
        with LadderStore.open(self.place, create=True) as store:
            settings = SETTINGS.text, SETTINGS.digest.hex()
            store.create(LadderRow("demo", *settings, self.ladder.chain, BEGAN))
            for player in PLAYERS.values():
                told = player.model_dump(exclude={"kind", "player"})
                assert store.enter_player(**told, seen=BEGAN).player == player.player
            for epoch in self.ladder.epochs():
                for entry in self.ladder.entries[epoch]:
                    self._enter(store, entry)
        with LadderQueries.open(self.place) as queries:
            for epoch in self.ladder.epochs():
                assert list(queries.ledger(epoch)) == list(self.ladder.ledger(epoch))

    def _enter(self, store: LadderStore, entry: LadderEntry) -> None:
        if isinstance(entry, EpochBegin):
            store.begin_epoch(entry.epoch, began=entry.began)
            if entry.epoch > 1:
                store.reveal(entry.epoch - 1)
        elif isinstance(entry, SeatingEntry):
            nonces = [bytes.fromhex(seat.nonce) for seat in entry.seats]
            players = [seat.player for seat in entry.seats]
            store.begin_match(game=entry.game, players=players, nonces=nonces, begun=BEGAN)
        elif isinstance(entry, LadderResultEntry):
            record, digest = self.ladder.record(entry.match_id), bytes.fromhex(entry.record_digest)
            result = result_of(read_record(record))
            store.commit_results([FinishedMatch(entry.match_id, result, record, digest, entry.ended)])

    def prune(self, *options: object) -> Result:
        return ordago("prune", "demo", "--data", self.data, *options)

    def pruned(self) -> list[int]:
        with LadderQueries.open(self.place) as queries:
            return [epoch.epoch for epoch in queries.epochs() if epoch.pruned]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """A ladder of three epochs of a day, each of a match, of which two are revealed."""
    return Kept(tmp_path / "data")


def test_what_is_verified_and_old_goes_and_what_is_published_stays(kept: Kept):
    assert_told(kept.prune("--keep-days", 9), 0, "2 epochs verified, the records of 0 given up: 0 bytes")
    told = json.loads(kept.prune("--keep-days", 1, "--json").stdout)
    assert (told["verified"], told["doubts"], told["pruned"]) == ([], [], [1])
    assert told["bytes"] > 500
    assert_told(kept.prune("--keep-bytes", 0), 0, "0 epochs verified, the records of 1 given up")
    assert kept.pruned() == [1, 2]
    assert len(list(kept.archive.glob("epochs/*/records/*.record"))) == 2
    assert_told(ordago("verify", kept.archive), 6, "unfinished")


def test_an_epoch_that_is_not_proved_keeps_its_records(kept: Kept):
    """Forged, or not published to its end: in the archive there is less than in the store."""
    [record] = kept.archive.glob("epochs/000001/records/*.record")
    record.write_bytes(record.read_bytes() + b"\x1b]0;obey\x07")
    ledger = kept.archive / "epochs" / "000002" / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    done = kept.prune("--keep-bytes", 0)
    assert_told(done, 1, f"epoch 1: epochs/000001/records/{record.name}", "2 epochs are not proved: their records stay")
    assert_told(done, 1, "epoch 2: its published ledger is not that of the store", "0 given up: 0 bytes")
    assert "\x1b" not in done.output
    assert kept.pruned() == []


def test_records_that_were_never_published_stay(kept: Kept):
    for record in kept.archive.glob("epochs/*/records/*.record"):
        record.unlink()
        record.parent.rmdir()
    (kept.archive / "epochs" / "000002" / "ledger.jsonl").unlink()
    done = kept.prune("--keep-bytes", 0)
    assert_told(done, 1, "epoch 1: its records are not all published", "epoch 2: it is not published yet")
    assert kept.pruned() == []


def test_mistakes_are_told_in_a_sentence(kept: Kept, tmp_path: Path):
    assert_told(kept.prune(), 2, "say how much is kept: --keep-days or --keep-bytes")
    for options in (("--keep-days", -1), ("--keep-bytes", "many")):
        assert_told(kept.prune(*options), 2, str(options[0]))
    more = ("--keep-days", 1, "--data", tmp_path)
    assert_told(
        ordago("prune", "cup", *more), 3, f"ladder 'cup': There is no database at {tmp_path}/ladders/cup/ladder"
    )
    assert_told(ordago("prune", "../demo", *more), 2, "'../demo' is no short name of a ladder")
