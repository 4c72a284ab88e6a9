"""What a match is played under: everything that is fixed before its first shuffle."""

from dataclasses import dataclass, field
from typing import Any

from ordago import v1
from ordago.chance import Deals
from ordago.games.folder import AnyGame


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
    decision_ms: int = 10_000
    """The time for each decision."""
    strikes: int = 3
    """With this many refused answers to one decision the default answer is taken."""
    revealed_secret: bytes = field(default=b"", repr=False)
    """The secret, where it is revealed at the end of the match; empty where it is not."""

    @property
    def clock(self) -> v1.ClockTerms:
        """The time that each seat has, as a message."""
        return v1.ClockTerms(decision_ms=self.decision_ms)
