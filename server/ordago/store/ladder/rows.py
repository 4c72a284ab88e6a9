"""The values that the store of a standing ladder takes and returns. All are frozen.

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
    """The source of the secrets of its epochs."""
    began: int
    season: str = ""
    """The season that epochs belong to which begin; empty where it has no name."""

    @property
    def anchor(self) -> bytes:
        """The link of the chain that is published before the first match, 32 bytes."""
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
    """The library that the player was built with, as stated at its first visit; empty if it was not stated."""


class EpochRow(NamedTuple):
    """A stretch of time whose deals come from one secret."""

    epoch: int
    """From 1."""
    began: int
    settings_digest: str
    """The digest of the settings that hold in it, in hexadecimal."""
    first_serial: int
    """The serial number of its first match, played or not. They count from 1, through all epochs."""
    matches: int
    """The number of matches that began in it."""
    results: int
    """The number of them with a result."""
    voids: int
    """The number of them that are void."""
    record_bytes: int
    """The size of its records in the store, in bytes."""
    revealed: bool
    """True if its secret is public and its records are open."""
    verified: bool
    """True if it was verified after that."""
    pruned: bool
    """True if its records were deleted to make room. Results, digests and the ledger stay."""
    season: str = ""
    """The season that it belongs to; empty where it has no name."""


class SeatingRow(NamedTuple):
    """The seating of a match, as entered before the match began."""

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
    """The nonce of the bot at each seat."""
    begun: int
    unrated: bool = False
    """True if no rating, figure or standing counts the match."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played, to be committed: its result and its record."""

    match_id: str
    result: Result
    record: bytes = field(repr=False)
    """The record as a binary file."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""
    ended: int
    refusals: bytes = field(default=b"", repr=False)
    """The refused answers, as ``FinishedRecord`` has them."""


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
    """The reason why it is void, in one sentence; ``None`` where it is not."""
    lane: str
    """The lane of the server that plays it; empty if it is over, or played by an only server."""

    @property
    def running(self) -> bool:
        """True if it has not ended."""
        return self.outcome is None and self.void is None


class MatchPage(NamedTuple):
    """Some matches of a listing, newest first."""

    matches: tuple[LadderMatch, ...]
    next_token: str
    """The token of the next page; empty if there is none."""


class MatchFilter(NamedTuple):
    """A filter for matches: all conditions that are not ``None`` have to hold."""

    game: str | None = None
    """The short name of their game."""
    player: int | None = None
    """A player at the table."""
    bot: str | None = None
    """The name of a bot, any version of which is at the table."""
    account: str | None = None
    """An account, any bot of which is at the table."""
    epoch: int | None = None
    """The epoch in which they began."""
    running: bool | None = None
    """True for matches that have not ended, False for those that have."""
