"""The ledger of an epoch of a standing ladder, as a chain of lines (see ``chain``).

Each epoch has a ledger of its own. An entry is stored together with the change it describes, before anybody is
notified. Their order:

- ``begin``, once: the anchor of the ladder, the digest of this epoch's secret, and the head of the ledger before;
- ``player``, before a player's first seating in this epoch;
- ``seating`` or ``unrated``, before the match begins: the players at the seats, with their nonces;
- ``result`` and ``void``, as matches end, one of them for each seating;
- ``end``, once: the link from which the secret follows. The next epoch has begun by then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES, keyed_name, seed_text
from ordago.record.epochs import secret_of
from ordago.record.ledgers.chain import Chain, Count, Digest, Octets, Part, lines_of, read_entries

_MatchId: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
_Number: TypeAlias = Annotated[int, Field(ge=1)]
_EpochNumber: TypeAlias = Annotated[int, Field(ge=1, le=999_999)]
"""Bounded, since a verification takes as many steps back to the anchor."""
_Season: TypeAlias = Annotated[str, Field(pattern="^([a-z0-9][a-z0-9-]{0,63})?$")]
"""The name of a season, which also names a folder."""
_Nonce: TypeAlias = Annotated[Octets, Field(min_length=2 * MIN_NONCE_BYTES, max_length=2 * MAX_NONCE_BYTES)]


class PreviousLedger(Part):
    """The length and head of the previous epoch's ledger when this epoch began."""

    length: _Number
    head: Digest


class EpochBegin(Part):
    """An epoch begins. Its commitment is fixed from here on."""

    kind: Literal["begin"] = "begin"
    ladder: str
    """The short name of the ladder."""
    epoch: _EpochNumber
    """The number of the epoch, from 1."""
    anchor: Digest
    """The first link of the chain of secrets; it is the same for ever."""
    secret_digest: Digest
    """The SHA-256 of the secret of this epoch."""
    settings_digest: Digest
    """The SHA-256 of the settings of this epoch: games and terms."""
    began: Count
    """The time when it began, in seconds since 1970, UTC."""
    previous: PreviousLedger | None
    """``None`` in the first epoch."""
    season: _Season
    """The season that it belongs to. Empty: the one without a name."""


class PlayerEntry(Part):
    """A player is seated in this epoch for the first time."""

    kind: Literal["player"] = "player"
    player: _Number
    """The player's number, unique and the same in all epochs."""
    name: str
    version: str
    build: str
    account: str
    """The account of the bot's owner; empty for a house bot, and where no account is known."""
    house: bool
    """True for a house bot."""


class SeatEntry(Part):
    """The player at a seat."""

    player: _Number
    nonce: _Nonce
    """The nonce that it contributed to the deals."""


class SeatingEntry(Part):
    """A match begins."""

    kind: Literal["seating", "unrated"] = "seating"
    """The second means that no rating, figure or standing counts the match. Its deals depend on it."""
    number: Count
    """Its number in this epoch, from 0, without gaps."""
    match_id: _MatchId
    game: str
    """The short name of the game."""
    seats: Annotated[tuple[SeatEntry, ...], Field(min_length=1)]
    """The players, in order of seats."""

    @property
    def unrated(self) -> bool:
        """True if the match does not count."""
        return self.kind == "unrated"


class LadderResultEntry(Part):
    """A match has a result."""

    kind: Literal["result"] = "result"
    match_id: _MatchId
    record_digest: Digest
    ended: Count
    """The time when it ended, in seconds since 1970, UTC; never earlier than a previous time in this ledger."""


class LadderVoidEntry(Part):
    """A match is void. It is never played again, and its deals are never used again."""

    kind: Literal["void"] = "void"
    match_id: _MatchId
    reason: str
    """The reason, in one sentence."""


class EpochEnd(Part):
    """No match of the epoch runs any more."""

    kind: Literal["end"] = "end"
    link: Digest
    """The link of this epoch, which is as long as a digest."""


LadderEntry: TypeAlias = EpochBegin | PlayerEntry | SeatingEntry | LadderResultEntry | LadderVoidEntry | EpochEnd
"""An entry of the ledger of an epoch."""

_ENTRIES: Final[TypeAdapter[LadderEntry]] = TypeAdapter(Annotated[LadderEntry, Field(discriminator="kind")])


@dataclass(frozen=True)
class EpochLedger(Chain[LadderEntry]):
    """The ledger of an epoch. ``epoch_problems`` checks whether its entries fit together."""

    @cached_property
    def begin(self) -> EpochBegin | None:
        """The beginning of the epoch; ``None`` if the first line is another entry."""
        first = self.entries[0] if self.entries else None
        return first if isinstance(first, EpochBegin) else None

    @cached_property
    def end(self) -> EpochEnd | None:
        """The end of the epoch; ``None`` where it is not over."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, EpochEnd) else None

    @cached_property
    def secret(self) -> bytes | None:
        """The secret of the epoch; ``None`` where it is not revealed."""
        return secret_of(bytes.fromhex(self.end.link)) if self.end else None

    @cached_property
    def players(self) -> dict[int, PlayerEntry]:
        """The players that were seated, by number."""
        return {entry.player: entry for entry in self.entries if isinstance(entry, PlayerEntry)}

    @cached_property
    def seatings(self) -> dict[str, SeatingEntry]:
        """The matches that began, by name, in order."""
        return {entry.match_id: entry for entry in self.entries if isinstance(entry, SeatingEntry)}

    @cached_property
    def results(self) -> tuple[LadderResultEntry, ...]:
        """The results, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, LadderResultEntry))

    @cached_property
    def voids(self) -> tuple[LadderVoidEntry, ...]:
        """The void matches, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, LadderVoidEntry))


def ladder_match_id(number: int, *, secret: bytes) -> str:
    """Return the name of the match of this number in the epoch of a secret. Without that it tells nothing."""
    return keyed_name(secret, "match", number).hex()


def ladder_deal_seed(begin: EpochBegin, seating: SeatingEntry, names: Sequence[str]) -> str:
    """Return the seed text of the deals of a match.

    Args:
        begin: how its epoch began.
        seating: the seating of the match.
        names: the names of these, in order of their seats; all differ.
    """
    nonces = {name: bytes.fromhex(seat.nonce) for name, seat in zip(names, seating.seats, strict=True)}
    # An organiser that declares a match unrated afterwards, or the reverse, would need a record with other shuffles.
    event = f"{begin.ladder}/{begin.epoch}{'/unrated' if seating.unrated else ''}"
    return seed_text(game=seating.game, event=event, nonces=nonces, repetition=seating.number, attempt=0)


def read_epoch(lines: Sequence[str]) -> EpochLedger:
    """Read the lines of the ledger of an epoch, without line ends, from the first on."""
    return EpochLedger(tuple(lines), read_entries(lines, _ENTRIES))


def parse_epoch(text: str) -> EpochLedger:
    """Read the text of the ledger file of an epoch.

    Raises:
        LedgerError: it is no ledger, or was changed.
    """
    return read_epoch(lines_of(text))
