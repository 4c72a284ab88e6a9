"""What a match is played under: everything that is fixed before its first shuffle."""

from dataclasses import dataclass, field
from typing import Any

from ordago import v1
from ordago.chance import Deals
from ordago.games.folder import AnyGame
from ordago.match.clock import TimeTerms


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """Who sits at a seat, as the table and the record know him."""

    name: str
    """The name of the bot, or of the entrant in an event."""
    version: str = ""
    build: str = ""
    seed: bytes = b""
    """The seed for the bot's own chance, 16 bytes."""


@dataclass(frozen=True, slots=True)
class FaultTerms:
    """What comes of the faults of a seat."""

    strikes: int = 3
    """With this many illegal answers to one decision the default answer is taken, at least 1."""
    forfeit_after: int = 10
    """With this many decisions that were taken for it because of its faults a seat is forfeited. Zero: never."""

    @classmethod
    def of(cls, message: v1.FaultTerms) -> "FaultTerms":
        """Return the terms of a message."""
        return cls(strikes=message.strikes, forfeit_after=message.forfeit_after)

    def message(self) -> v1.FaultTerms:
        """Return the terms as a message."""
        return v1.FaultTerms(strikes=self.strikes, forfeit_after=self.forfeit_after)


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What a match is played under."""

    match_id: str
    game: AnyGame
    options: Any  # the options of this game, which only its rules and its codec look into
    seats: tuple[SeatTerms, ...]
    deals: Deals = field(repr=False)
    """Where the shuffles come from."""
    commitment: bytes
    """The SHA-256 of the secret that the deals come from, 32 bytes."""
    deal_seed: str
    """The seed text of the shuffles, for the record."""
    attempt: int = 0
    """How often the match was begun anew."""
    time: TimeTerms = field(default_factory=TimeTerms)
    """The time that each seat has."""
    faults: FaultTerms = field(default_factory=FaultTerms)
    """What comes of faults."""
    revealed_secret: bytes = field(default=b"", repr=False)
    """The secret, where it is revealed at the end of the match; empty where it is not."""
