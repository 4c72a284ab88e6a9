"""Standing ladders that tests write: with few words, and a chain of five secrets."""

import hashlib
from typing import Any, Final

from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.record.epochs import LinkChain
from ordago.store.ladder.rows import FinishedMatch, LadderRow, PlayerRow, SeatingRow
from ordago.store.ladder.store import LadderStore

LAST_LINK: Final = bytes(range(32))
NONCE: Final = b"sixteen bytes..."
BEGAN: Final = 1_800_000_000
EPOCHS: Final = 5


class Writer:
    """Writes a ladder with few words."""

    def __init__(self, store: LadderStore) -> None:
        self.store = store
        self.now = BEGAN

    def player(self, name: str, version: str = "1", *, account: str | None = None, sdk: str = "") -> PlayerRow:
        account = name if account is None else account
        return self.store.enter_player(
            name=name, version=version, build="b", account=account, house=not account, seen=self.now, sdk=sdk
        )

    def begin(self, *players: PlayerRow, game: str = "mittlere", challenger: str = "") -> SeatingRow:
        numbers, nonces = [player.player for player in players], [NONCE] * len(players)
        return self.store.begin_match(game=game, players=numbers, nonces=nonces, begun=self.now, challenger=challenger)

    def finish(self, *seatings: SeatingRow, record: bytes = b"the record") -> None:
        self.store.commit_results([finished(seating, record=record, ended=self.now) for seating in seatings])

    def play(self, *players: PlayerRow, game: str = "mittlere") -> SeatingRow:
        seating = self.begin(*players, game=game)
        self.finish(seating)
        return seating


def ladder_row(**changed: Any) -> LadderRow:
    values: dict[str, Any] = {
        "name": "trial",
        "settings": "[ladder]",
        "settings_digest": "ab" * 32,
        "chain": LinkChain(LAST_LINK, EPOCHS),
        "began": BEGAN,
    }
    return LadderRow(**(values | changed))


def result_of(seats: int) -> Result:
    struck = ((StrikeCount("follow_suit", 2),), *[()] * (seats - 1))
    late = ((), (FaultCount("too_late", 2),), *[()] * (seats - 2))
    return Result(
        scores=tuple(range(seats)),
        placings=tuple(range(seats, 0, -1)),
        faults=late,
        forfeits=(SeatForfeit(1, "too_late"),),
        strikes=struck,
    )


def finished(seating: SeatingRow, *, record: bytes = b"the record", ended: int = BEGAN) -> FinishedMatch:
    digest = hashlib.sha256(record).digest()
    return FinishedMatch(seating.match_id, result_of(len(seating.players)), record, digest, ended)
