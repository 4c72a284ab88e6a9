"""What goes into the store of a standing ladder and comes out of it. Everything is frozen.

Times are whole seconds since 1970, UTC.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from ordago.record import Result
from ordago.record.epochs import LinkChain


@dataclass(frozen=True, slots=True)
class LadderRow:
    """The standing ladder that a database belongs to."""

    name: str
    """Its short name."""
    settings: str
    """The ladder file, as text."""
    settings_digest: str
    """The digest of the settings, in hexadecimal."""
    chain: LinkChain
    """Where the secrets of its epochs come from."""
    began: int
    season: str = ""
    """The season that epochs belong to which begin; empty where it has no name."""

    @property
    def anchor(self) -> bytes:
        """What is published of the chain before the first match, 32 bytes."""
        return self.chain.anchor


class PlayerRow(NamedTuple):
    """A player: a version of a bot. It is rated."""

    player: int
    """The number of the player on this ladder for ever, from 1."""
    name: str
    version: str
    build: str
    """The build that the player first came with."""
    account: str
    """Whose bot it is; empty of a house bot."""
    house: bool
    first_seen: int
    predecessor: int | None
    """The newest player of the same name and account before this one."""
    sdk: str = ""
    """The library that the player was built with, as he said when he came first; empty where he did not."""


class EpochRow(NamedTuple):
    """A stretch of time whose deals come from one secret."""

    epoch: int
    """From 1."""
    began: int
    settings_digest: str
    """The digest of the settings that hold in it, in hexadecimal."""
    first_serial: int
    """The serial number of its first match, had or to come: from 1, and on from epoch to epoch."""
    matches: int
    """How many matches began in it."""
    results: int
    """How many of them have a result."""
    voids: int
    """How many of them are void."""
    record_bytes: int
    """How much room its records take in the store."""
    revealed: bool
    """Whether its secret is known to everybody and its records are open."""
    verified: bool
    """Whether somebody verified it after that."""
    pruned: bool
    """Whether its records were given up to make room. Results, digests and ledger stay."""
    season: str = ""
    """The season that it belongs to; empty where it has no name."""


class SeatingRow(NamedTuple):
    """Who sits where in a match, as it was entered before the match began."""

    epoch: int
    """The epoch in which the match began, and whose secret its deals come from."""
    number: int
    """The number of the match in its epoch, from 0 without gaps."""
    match_id: str
    """The name of the match for ever, in hexadecimal."""
    game: str
    """The short name of the game."""
    players: tuple[int, ...]
    """The player of each seat."""
    nonces: tuple[bytes, ...]
    """What the bot at each seat brought for the deals."""
    begun: int


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played, to be committed: what counts of it, and its record."""

    match_id: str
    result: Result
    record: bytes = field(repr=False)
    """The record as a binary file."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""
    ended: int


class LadderResult(NamedTuple):
    """A match whose result counts."""

    position: int
    """Its place among all results of the ladder in the order of their commits, from 1 without gaps."""
    seating: SeatingRow
    result: Result
    ended: int
    record_digest: bytes
    """The digest of the record, 32 bytes."""


class LadderMatch(NamedTuple):
    """A match, whatever became of it so far."""

    seating: SeatingRow
    outcome: LadderResult | None
    """Its result; ``None`` where it has none."""
    void: str | None
    """Why it is void, in one sentence; ``None`` where it is not."""

    @property
    def running(self) -> bool:
        """Whether it has not come to its end."""
        return self.outcome is None and self.void is None


class MatchPage(NamedTuple):
    """Some matches of a listing, newest first."""

    matches: tuple[LadderMatch, ...]
    next_token: str
    """Leads to the matches behind these; empty where there are no more."""


class MatchFilter(NamedTuple):
    """Which matches are listed: those for which all of it holds that is not ``None``."""

    game: str | None = None
    """The short name of their game."""
    player: int | None = None
    """A player who sits in them."""
    bot: str | None = None
    """The name of a bot of which some version sits in them."""
    account: str | None = None
    """An account of which some bot sits in them."""
    epoch: int | None = None
    """The epoch in which they began."""
    running: bool | None = None
    """Whether they have come to no end."""
