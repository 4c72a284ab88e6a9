"""A standing ladder of three epochs that is kept in a store, and published."""

from pathlib import Path
from typing import Final

from support.standing_ladder import PLAYERS, SETTINGS, StandingLadder

from ordago.record import read_record, result_of
from ordago.record.ledgers.ladder import EpochBegin, LadderEntry, LadderResultEntry, SeatingEntry
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import FinishedMatch, LadderRow
from ordago.store.ladder.store import LadderStore

BEGAN: Final = 1_700_000_000


class KeptLadder:
    """A ladder whose organiser keeps it in a store, and publishes it: epochs of a day, each of a match."""

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

    def pruned(self) -> list[int]:
        """Return the epochs whose records were given up."""
        with LadderQueries.open(self.place) as queries:
            return [epoch.epoch for epoch in queries.epochs() if epoch.pruned]
