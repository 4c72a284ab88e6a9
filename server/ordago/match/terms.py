"""The terms of a match: everything that is fixed before its first shuffle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from ordago import v1
from ordago.chance import Deals, SecretDeals, commitment, keyed_name, seed_text
from ordago.games.definition import AnyGame
from ordago.match.seat_clock import TimeTerms
from ordago.record.opening import opening


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """The player at a seat, as the table and the record name it."""

    name: str
    """The name of the bot, or of the entrant in an event."""
    version: str = ""
    build: str = ""
    seed: bytes = b""
    """The seed for the bot's own random choices, 16 bytes."""
    time: TimeTerms | None = None
    """The time of this seat. None: that of the match."""


@dataclass(frozen=True, slots=True)
class FaultTerms:
    """The limits on the faults of a seat."""

    strikes: int = 3
    """The number of illegal answers to one decision after which the default answer is taken, at least 1."""
    forfeit_after: int = 10
    """The number of decisions taken by default for its faults after which a seat is forfeited. Zero: never."""

    @classmethod
    def of(cls, message: v1.FaultTerms) -> "FaultTerms":
        """Return the terms of a message."""
        return cls(strikes=message.strikes, forfeit_after=message.forfeit_after)

    def message(self) -> v1.FaultTerms:
        """Return the terms as a message."""
        return v1.FaultTerms(strikes=self.strikes, forfeit_after=self.forfeit_after)


@dataclass(frozen=True, slots=True)
class DealTerms:
    """The source of a match's shuffles, and what the record reveals of it."""

    source: Deals = field(repr=False)
    """The source of the shuffles."""
    commitment: bytes
    """The SHA-256 of the secret that they are derived from, 32 bytes."""
    seed: str
    """The seed text of the shuffles, for the record."""
    revealed_secret: bytes = field(default=b"", repr=False)
    """The secret, if it is revealed at the end of the match; else empty."""

    @classmethod
    def of(cls, secret: bytes, seed: str, *, revealed: bool) -> "DealTerms":
        """Return the terms of deals that are derived from a secret and a seed text."""
        return cls(SecretDeals(secret, seed), commitment(secret), seed, secret if revealed else b"")


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The terms of a match."""

    match_id: str
    game: AnyGame
    options: Any  # the options of this game, which only its rules and its codec look into
    seats: tuple[SeatTerms, ...]
    deals: DealTerms
    """The source of the shuffles."""
    attempt: int = 0
    """The number of earlier attempts at this match, which were void."""
    time: TimeTerms = field(default_factory=TimeTerms)
    """The time of each seat that has none of its own."""
    faults: FaultTerms = field(default_factory=FaultTerms)
    """The limits on faults."""
    conceding: bool = False
    """True if answers may concede the match, in a game whose rules settle the outcome."""

    def time_of(self, seat: int) -> TimeTerms:
        """Return the time of a seat."""
        return self.seats[seat].time or self.time


def recorded_terms(record: v1.MatchRecord, *, seats: tuple[SeatTerms, ...], deals: DealTerms) -> MatchTerms:
    """Return the terms of a match by the heading of its record.

    Args:
        record: the record; its entries do not matter.
        seats: the players, in order of seats. Their times are those of the record.
        deals: the source of the shuffles.

    Raises:
        UnplayableError: this version of Ordago cannot play it, or not by the same rules.
    """
    begun = opening(record)
    return MatchTerms(
        match_id=record.match_id,
        game=begun.game,
        options=begun.game.codec.options_from(record.options),
        seats=tuple(map(_as_recorded, seats, record.seats)),
        deals=deals,
        attempt=record.attempt,
        time=TimeTerms.of(record.clock),
        faults=FaultTerms.of(record.faults),
        conceding=record.conceding,
    )


def _as_recorded(seat: SeatTerms, recorded: v1.RecordSeat) -> SeatTerms:
    return replace(seat, time=TimeTerms.of(recorded.clock)) if recorded.HasField("clock") else seat


def single_match_terms(
    *,
    game: AnyGame,
    options: Mapping[str, object],
    seats: Iterable[SeatTerms],
    secret: bytes,
    event: str,
    nonces: Mapping[str, bytes],
    time: TimeTerms,
    faults: FaultTerms,
    conceding: bool = False,
) -> MatchTerms:
    """Return the terms of a match with a secret of its own, which is revealed at its end.

    Args:
        game: the game.
        options: values for its options; the others have their defaults.
        seats: the players, in order of seats. Their seeds are derived from the secret.
        secret: the secret, 32 bytes; the match ID is derived from it too.
        event: the text that stands for an event's name in the seed text of the deals.
        nonces: the nonces that players contributed to the deals, by distinct names.
        time: the time of each seat that has none of its own.
        faults: the limits on faults.
        conceding: True if answers may concede the match, where its rules settle the outcome.
    """
    seed = seed_text(game=game.name, event=event, nonces=nonces, repetition=0, attempt=0)
    return MatchTerms(
        match_id=keyed_name(secret, "match").hex(),
        game=game,
        options=game.rules.options(options),
        seats=tuple(replace(seat, seed=keyed_name(secret, "seed", number)) for number, seat in enumerate(seats)),
        deals=DealTerms.of(secret, seed, revealed=True),
        time=time,
        faults=faults,
        conceding=conceding,
    )


_A_DAY_MS: Final = 86_400_000
"""A day is enough to play by hand or to stop in a debugger; much more would overflow 32-bit fields of the contract."""
_MOST_STRIKES: Final = 100
"""A bot that was refused 100 times finds no answer; each further refusal only costs the others time."""
_MOST_FAULTS: Final = 10_000
"""Hardly any match asks a seat for more decisions. For no limit there is 0."""


class TermBounds(NamedTuple):
    """The limits of one term of a match, both ends included."""

    least: int
    most: int
    sentence: str
    """A description for the command line. The unit is in the name of the term or in this sentence."""


TERM_BOUNDS: Final[Mapping[str, TermBounds]] = {
    "decision_ms": TermBounds(1, _A_DAY_MS, "Time for a decision."),
    "bank_ms": TermBounds(0, _A_DAY_MS, "Reserve for a whole match, used when the time of a decision is up."),
    "increment_ms": TermBounds(0, _A_DAY_MS, "Time that each decision adds to the bank."),
    "lag_credit_ms": TermBounds(0, _A_DAY_MS, "Most network time of a decision that is not charged."),
    "lag_bank_ms": TermBounds(0, _A_DAY_MS, "Most network time of a whole match that is not charged."),
    "disconnect_bank_ms": TermBounds(0, _A_DAY_MS, "How long a match waits for disconnected bots, in all."),
    "strikes": TermBounds(1, _MOST_STRIKES, "Illegal answers to a decision until the default answer is taken."),
    "forfeit_after": TermBounds(0, _MOST_FAULTS, "Default answers of a bot until it forfeits; 0: never."),
}
"""The limits of the terms of time (``TimeTerms``) and of faults (``FaultTerms``), by name."""
