"""An organiser of a standing ladder who plays its epochs in memory, and publishes them honestly, or otherwise.

House policies play Mitaines and Mittlere Jass, under names of their own. A match begins in one epoch and ends in the
next, one is void, and the third epoch goes on. What is published is made by the code that publishes ladders: an
organiser who cheats would use it, too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from support.in_memory import BotPlayer
from support.players import play_match

from ordago import v1
from ordago.chance import event_commitment
from ordago.record import digest, result_of, to_file_bytes
from ordago.record.epochs import LinkChain
from ordago.record.ledgers.chain import chained, ledger_text
from ordago.record.ledgers.ladder import (
    EpochBegin,
    EpochEnd,
    EpochLedger,
    LadderEntry,
    LadderResultEntry,
    LadderVoidEntry,
    PlayerEntry,
    PreviousLedger,
    SeatEntry,
    SeatingEntry,
    ladder_match_id,
    read_epoch,
)
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.receipts import Receipts
from ordago_ladder.folder import LadderFolder
from ordago_ladder.publication.files import write_published
from ordago_ladder.standing.epoch_settings import EpochSettings, GameOfEpoch
from ordago_ladder.standing.publication.archive import publish_epochs
from ordago_ladder.standing.ratings import CareerResult
from ordago_ladder.standing.seasons.careers import Bot, SeasonRatings, career_result
from ordago_ladder.standing.seasons.names import called
from ordago_ladder.standing.terms import ladder_match_terms

PLAYERS: Final = {
    1: PlayerEntry(player=1, name="ana", version="1.0", build="a1", account="ana", house=False),
    2: PlayerEntry(player=2, name="ben", version="1.0", build="", account="ben", house=False),
    3: PlayerEntry(player=3, name="solid", version="", build="", account="", house=True),
    4: PlayerEntry(player=4, name="random", version="", build="", account="", house=True),
    5: PlayerEntry(player=5, name="ana", version="2.0", build="a2", account="ana", house=False),
}
SETTINGS: Final = EpochSettings(
    ladder="demo",
    games=(
        GameOfEpoch(name="mitaines", rules_version=1, seats=2, options={"target": 20}),
        GameOfEpoch(name="mittlere", rules_version=1, seats=3, options={"deals": 3}),
    ),
    decision_ms=1_000,
    bank_ms=0,
    increment_ms=0,
    lag_credit_ms=0,
    lag_bank_ms=0,
    disconnect_bank_ms=5_000,
    strikes=3,
    forfeit_after=10,
    anchors={},
)
_CHAIN: Final = LinkChain(b"l" * 32, length=10)
_A_DAY: Final = 86_400
_BEGAN: Final = 1_700_000_000


@dataclass
class StandingLadder:
    """What an organiser of a standing ladder has. He plays as he likes, and writes what he likes."""

    chain: LinkChain = _CHAIN
    strong: str = "solid"
    """The house policy by which ana and solid play. The others play by chance."""
    seasons: dict[int, str] = field(default_factory=lambda: {1: "spring", 2: "spring", 3: "summer"})
    """The season of each epoch; none where it is not there."""
    of_epochs: dict[int, EpochSettings] = field(default_factory=dict)
    entries: dict[int, list[LadderEntry]] = field(default_factory=dict)
    """What the ledger of each epoch tells."""
    records: dict[str, v1.MatchRecord] = field(default_factory=dict)

    def play(self) -> "StandingLadder":
        """Play three epochs, of which the third goes on."""
        self.begin(1)
        self.finish(1, self.seat(1, "mitaines", 1, 2))
        self.void(1, self.seat(1, "mitaines", 2, 3))
        self.finish(1, self.seat(1, "mittlere", 3, 1, 4))
        straggler = self.seat(1, "mitaines", 2, 1)
        self.begin(2)
        self.finish(2, self.seat(2, "mitaines", 5, 2))
        self.finish(1, straggler)
        self.end(1)
        self.finish(2, self.seat(2, "mitaines", 4, 2))
        self.begin(3)
        self.end(2)
        self.finish(3, self.seat(3, "mitaines", 5, 3))
        self.seat(3, "mitaines", 2, 5)
        return self

    def begin(self, epoch: int) -> None:
        """Begin an epoch."""
        settings = self.of_epochs.setdefault(epoch, SETTINGS)
        self.entries[epoch] = [
            EpochBegin(
                ladder=settings.ladder,
                epoch=epoch,
                anchor=self.chain.anchor.hex(),
                secret_digest=self.chain.secret_digest(epoch).hex(),
                settings_digest=settings.digest.hex(),
                began=_BEGAN + epoch * _A_DAY,
                previous=self.previous(epoch),
                season=self.seasons.get(epoch, ""),
            )
        ]

    def previous(self, epoch: int) -> PreviousLedger | None:
        """Return how far the ledger of the epoch before has come."""
        if epoch - 1 not in self.entries:
            return None
        head = read_epoch(self.ledger(epoch - 1)).head
        return PreviousLedger(length=head.length, head=head.digest.hex())

    def seat(self, epoch: int, game: str, *players: int) -> SeatingEntry:
        """Seat players at a match, who come in if they have not yet."""
        entries = self.entries[epoch]
        known = {entry.player for entry in entries if isinstance(entry, PlayerEntry)}
        entries += [PLAYERS[player] for player in players if player not in known]
        seating = self.seating(epoch, sum(isinstance(entry, SeatingEntry) for entry in entries), game, *players)
        entries.append(seating)
        return seating

    def seating(self, epoch: int, number: int, game: str, *players: int) -> SeatingEntry:
        """Return a seating with the nonces that players bring to the match of this number."""
        return SeatingEntry(
            number=number,
            match_id=ladder_match_id(number, secret=self.chain.secret(epoch)),
            game=game,
            seats=tuple(SeatEntry(player=player, nonce=_nonce(epoch, number, player)) for player in players),
        )

    def match(self, epoch: int, seating: SeatingEntry, *, settings: EpochSettings | None = None) -> v1.MatchRecord:
        """Play a match."""
        begin = self.entries[epoch][0]
        assert isinstance(begin, EpochBegin)
        terms = ladder_match_terms(
            seating,
            begin=begin,
            players=PLAYERS,
            settings=settings or self.of_epochs[epoch],
            secret=self.chain.secret(epoch),
        )
        return play_match(terms, [_player(PLAYERS[seat.player], strong=self.strong) for seat in seating.seats])

    def finish(self, epoch: int, seating: SeatingEntry) -> None:
        """Play a match, and enter its result."""
        record = self.match(epoch, seating)
        self.records[seating.match_id] = record
        self.entries[epoch].append(self.result(epoch, record))

    def result(self, epoch: int, record: v1.MatchRecord) -> LadderResultEntry:
        """Return what the ledger tells of a record, which ended at the last second of the epoch."""
        ended = _BEGAN + epoch * _A_DAY + _A_DAY - 1
        return LadderResultEntry(match_id=record.match_id, record_digest=digest(record).hex(), ended=ended)

    def void(self, epoch: int, seating: SeatingEntry) -> None:
        """Declare a match void."""
        self.entries[epoch].append(LadderVoidEntry(match_id=seating.match_id, reason="the server failed"))

    def end(self, epoch: int) -> None:
        """Reveal an epoch."""
        self.entries[epoch].append(EpochEnd(link=self.chain.link(epoch).hex()))

    def enter_anew(self) -> None:
        """Write the digests of all records, and all heads of earlier ledgers, as they have to be now."""
        for epoch, entries in self.entries.items():
            self.entries[epoch] = [self._anew(epoch, entry) for entry in entries]

    def _anew(self, epoch: int, entry: LadderEntry) -> LadderEntry:
        if isinstance(entry, LadderResultEntry) and entry.match_id in self.records:
            return entry.model_copy(update={"record_digest": digest(self.records[entry.match_id]).hex()})
        if isinstance(entry, EpochBegin) and entry.previous is not None and epoch - 1 in self.entries:
            head = read_epoch(self.ledger(epoch - 1)).head_at(entry.previous.length)
            named = PreviousLedger(length=head.length, head=head.digest.hex())
            return entry.model_copy(update={"previous": named})
        return entry

    def copy(self) -> "StandingLadder":
        """Return another who has the same."""
        records = {match_id: v1.MatchRecord.FromString(it.SerializeToString()) for match_id, it in self.records.items()}
        entries = {epoch: [*of_epoch] for epoch, of_epoch in self.entries.items()}
        seasons, of_epochs = dict(self.seasons), dict(self.of_epochs)
        return replace(self, seasons=seasons, of_epochs=of_epochs, entries=entries, records=records)

    def receipts_of(self, name: str) -> str:
        """Return what the bots of a name keep, which come in before each of their matches, as a file of receipts."""
        kept: list[Mapping[str, object]] = []
        receipts = Receipts(kept.append)
        for epoch in self.entries:
            ledger = read_epoch(self.ledger(epoch))
            own = {number: player for number, player in ledger.players.items() if player.name == name}
            for seating in ledger.seatings.values():
                for seat in seating.seats:
                    if seat.player in own:
                        self._keep_receipts(receipts, ledger, seating, seat, name)
        return "".join(f"{json.dumps(receipt)}\n" for receipt in kept)

    @staticmethod
    def _keep_receipts(
        receipts: Receipts, ledger: EpochLedger, seating: SeatingEntry, seat: SeatEntry, name: str
    ) -> None:
        begin = ledger.begin
        assert begin is not None
        digests = bytes.fromhex(begin.secret_digest), bytes.fromhex(begin.settings_digest)
        receipts.describe(
            v1.DescribeEventResponse(
                event=f"{begin.ladder}/{begin.epoch}",
                commitment=event_commitment(*digests),
                secret_digest=digests[0],
                settings_digest=digests[1],
            ),
            nonce=bytes.fromhex(seat.nonce),
        )
        begun = ledger.head_at(ledger.entries.index(seating) + 1)
        start = v1.MatchStart(match_id=seating.match_id, ledger_length=begun.length, ledger_head=begun.digest)
        start.players.add(name=name)
        receipts.begin(start)
        for index, entry in enumerate(ledger.entries):
            if isinstance(entry, LadderResultEntry | LadderVoidEntry) and entry.match_id == seating.match_id:
                head, record = ledger.head_at(index + 1), getattr(entry, "record_digest", "")
                end = v1.MatchEnd(ledger_length=head.length, ledger_head=head.digest)
                end.record_digest = bytes.fromhex(record)
                receipts.end(start, end)

    # What is published of it.

    def epochs(self) -> Iterator[int]:
        """Yield the numbers of the epochs."""
        yield from self.entries

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch."""
        return self.of_epochs[epoch].text

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of a ledger."""
        return chained(self.entries[epoch])

    def record(self, match_id: str) -> bytes:
        """Return a record as a file."""
        return to_file_bytes(self.records[match_id])

    def publish(self, folder: Path) -> Path:
        """Publish all of it, in whatever order it was revealed."""
        publish_epochs(self, folder)
        for epoch in self.epochs():
            write_published(LadderFolder(folder).epoch(epoch).ledger, ledger_text(self.ledger(epoch)).encode())
        return folder

    def publish_standings(self, folder: Path) -> Path:
        """Publish all of it, and who stands where."""
        place = LadderFolder(self.publish(folder))
        for season, ratings in self.rated().items():
            if ratings.settled().epochs:
                write_published(place.season_standing(called(season)), ratings.settled().text)
            write_published(place.standing, ratings.standing().text)
        return folder

    def rated(self) -> dict[str, SeasonRatings]:
        """Return the ratings of each season by all results."""
        rated: dict[str, SeasonRatings] = {}
        for epoch, entries in self.entries.items():
            season = self.seasons.get(epoch, "")
            begun = SeasonRatings(called(season), anchors=self.of_epochs[epoch].anchors, bots=self.bots())
            ratings = rated.setdefault(season, begun)
            for result in self.counted(epoch):
                ratings.add(epoch, result)
            if isinstance(entries[-1], EpochEnd):
                ratings.settle(epoch)
        return rated

    def counted(self, epoch: int) -> list[CareerResult]:
        """Return the results of an epoch, in the order of its ledger."""
        ledger, found = read_epoch(self.ledger(epoch)), []
        for entry in ledger.results:
            seating, result = ledger.seatings[entry.match_id], result_of(self.records[entry.match_id])
            players = [seat.player for seat in seating.seats]
            found.append(career_result(seating.game, players, result, ended=entry.ended, unrated=seating.unrated))
        return found

    @staticmethod
    def bots() -> Mapping[int, Bot]:
        """Return all players, as ratings know them."""
        return {number: Bot(one.name, one.version, one.account, one.house) for number, one in PLAYERS.items()}


def _player(player: PlayerEntry, *, strong: str) -> BotPlayer:
    bot = HOUSE_BOTS[strong if player.name in {"ana", "solid"} else "random"]
    return BotPlayer(bot.load({name: setting.default for name, setting in bot.settings.items()}))


def _nonce(*numbers: int) -> str:
    return "".join(f"{number:02x}" for number in numbers) * 6
