"""What is left of a day on a ladder: what the store holds, what bots were told, and who stands where."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from torture.day_bots import Character

from ordago.record.ledgers.receipts import EndReceipt, EventReceipt, StartReceipt, parse_receipts
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.rows import EpochRow, LadderMatch, MatchFilter, PlayerRow

_A_PAGE = 500


class Told(NamedTuple):
    """What a bot was told, by its receipts."""

    begun: frozenset[str]
    """The matches that began."""
    ended: dict[str, str]
    """The digests of the records of those that ended, by match."""
    void: frozenset[str]
    """Those that were void."""
    doubled: list[str]
    """Those of whose end it was told otherwise than before."""
    visits: int
    """How often it came anew: each time it brings another nonce."""

    @classmethod
    def of(cls, path: Path) -> "Told":
        """Return what stands in a file of receipts."""
        kept = parse_receipts(path.read_text())
        ends = [receipt for receipt in kept if isinstance(receipt, EndReceipt)]
        told = Counter(receipt.match_id for receipt in set(ends))
        return cls(
            begun=frozenset(receipt.match_id for receipt in kept if isinstance(receipt, StartReceipt)),
            ended={receipt.match_id: receipt.record_digest for receipt in ends if receipt.record_digest},
            void=frozenset(receipt.match_id for receipt in ends if not receipt.record_digest),
            doubled=[match_id for match_id, times in told.items() if times > 1],
            visits=len({receipt.nonce for receipt in kept if isinstance(receipt, EventReceipt)}),
        )


class Kept(NamedTuple):
    """What the store holds."""

    epochs: Sequence[EpochRow]
    players: dict[int, PlayerRow]
    matches: dict[str, LadderMatch]
    results: int
    """So many results there are, counted one by one."""

    @classmethod
    def at(cls, place: str | Path) -> "Kept":
        """Return what a store holds, which is held against its ledgers first."""
        with LadderInspection.open(place) as queries:
            epochs = queries.check()
            players = {player.player: player for player in queries.players()}
            matches = {match.seating.match_id: match for match in _all_matches(queries)}
            return cls(epochs, players, matches, sum(1 for _ in queries.results_since()))

    @property
    def digests(self) -> dict[str, str]:
        """The digests of all records, by match."""
        return {
            match_id: match.outcome.record_digest.hex() for match_id, match in self.matches.items() if match.outcome
        }

    def names(self, match: LadderMatch) -> list[str]:
        """Return who sat at a table."""
        return [self.players[player].name for player in match.seating.players]

    def faults(self) -> set[tuple[str, str]]:
        """Return who forfeited a match, and by which fault."""
        return {
            (self.names(match)[forfeit.seat], forfeit.fault)
            for match in self.matches.values()
            if match.outcome
            for forfeit in match.outcome.result.forfeits
        }


def _all_matches(queries: LadderInspection) -> Iterator[LadderMatch]:
    token = ""
    while True:
        page = queries.matches(MatchFilter(), token=token, size=_A_PAGE)
        yield from page.matches
        token = page.next_token
        if not token:
            return


class Rated(NamedTuple):
    """Where a player stands over all games."""

    character: Character
    elo: float
    low: float
    high: float


def standings(archive: Path, cast: Sequence[Character]) -> list[Rated]:
    """Return where the bots stand by what is published, each in the version that it came with first."""
    published = json.loads((archive / "ladder.json").read_text())
    by_name = {one.name: one for one in cast}
    found = []
    for rating in published["ratings"]["overall"]["ratings"]:
        player = published["players"][str(rating["player"])]
        if player["name"] in by_name and player["version"] == "1":
            found.append(Rated(by_name[player["name"]], rating["elo"], rating["low"], rating["high"]))
    return found


class Order(NamedTuple):
    """How an order that was found fits the one that is known."""

    pairs: int
    """So many pairs of bots are not equally noisy."""
    told_apart: int
    """The intervals of so many of them lie apart, with the better bot above."""
    wrong: list[tuple[str, str]]
    """Those whose intervals lie apart, with the worse bot above."""
    levels: list[float]
    """The mean rating of each level of noise, that with the least noise first."""

    @classmethod
    def of(cls, rated: Sequence[Rated]) -> "Order":
        """Compare an order with that of the noise."""
        ranked = sorted(rated, key=lambda one: one.character.noise)
        pairs = [pair for pair in combinations(ranked, 2) if pair[0].character.noise < pair[1].character.noise]
        noises = sorted({one.character.noise for one in rated})
        return cls(
            len(pairs),
            sum(better.low > worse.high for better, worse in pairs),
            [(better.character.name, worse.character.name) for better, worse in pairs if worse.low > better.high],
            [fmean(one.elo for one in rated if one.character.noise == noise) for noise in noises],
        )
