"""What a match is played under: everything that is fixed before its first shuffle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from ordago import v1
from ordago.chance import Deals, SecretDeals, commitment, keyed_name, seed_text
from ordago.games.definition import AnyGame
from ordago.match.seat_clock import TimeTerms


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
class DealTerms:
    """Where the shuffles of a match come from, and what is said of that."""

    source: Deals = field(repr=False)
    """Where the shuffles come from."""
    commitment: bytes
    """The SHA-256 of the secret that they come from, 32 bytes."""
    seed: str
    """The seed text of the shuffles, for the record."""
    revealed_secret: bytes = field(default=b"", repr=False)
    """The secret, where it is revealed at the end of the match; empty where it is not."""

    @classmethod
    def of(cls, secret: bytes, seed: str, *, revealed: bool) -> "DealTerms":
        """Return the terms of deals that come from a secret and a seed text."""
        return cls(SecretDeals(secret, seed), commitment(secret), seed, secret if revealed else b"")


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What a match is played under."""

    match_id: str
    game: AnyGame
    options: Any  # the options of this game, which only its rules and its codec look into
    seats: tuple[SeatTerms, ...]
    deals: DealTerms
    """Where the shuffles come from."""
    attempt: int = 0
    """How often the match was begun anew."""
    time: TimeTerms = field(default_factory=TimeTerms)
    """The time that each seat has."""
    faults: FaultTerms = field(default_factory=FaultTerms)
    """What comes of faults."""


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
) -> MatchTerms:
    """Return the terms of a match with a secret of its own, which is revealed at its end.

    Args:
        game: the game.
        options: values for its options; the others have their defaults.
        seats: who sits where, in order. Their seeds come from the secret.
        secret: the secret, 32 bytes; it names the match, too.
        event: what the seed text of the deals says in place of an event.
        nonces: what players brought for the deals, by names that are distinct.
        time: the time that each seat has.
        faults: what comes of faults.
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
    )


_A_DAY_MS: Final = 86_400_000
"""A bank of a day lets a person play by hand, or a debugger stand still; far more could not be told to a bot."""
_MOST_STRIKES: Final = 100
"""A bot that was refused so often for one decision does not find an answer; each refusal costs the others time."""
_MOST_FAULTS: Final = 10_000
"""Hardly a match asks a seat more decisions; who wants no end to it says 0."""


class TermBounds(NamedTuple):
    """What one of the terms of a match may be, both ends included."""

    least: int
    most: int
    sentence: str
    """What it is, as a command line tells it. Its unit is in its name, or in the sentence."""


TERM_BOUNDS: Final[Mapping[str, TermBounds]] = {
    "decision_ms": TermBounds(1, _A_DAY_MS, "Time for a decision."),
    "bank_ms": TermBounds(0, _A_DAY_MS, "Time for a whole match, used up after that of a decision."),
    "increment_ms": TermBounds(0, _A_DAY_MS, "What each decision adds to the bank."),
    "lag_credit_ms": TermBounds(0, _A_DAY_MS, "Travelling time of a decision that is not charged, at most."),
    "lag_bank_ms": TermBounds(0, _A_DAY_MS, "Travelling time of a whole match that is not charged, at most."),
    "disconnect_bank_ms": TermBounds(0, _A_DAY_MS, "How long the table waits for a bot that is disconnected."),
    "strikes": TermBounds(1, _MOST_STRIKES, "Illegal answers to a decision until the default is taken."),
    "forfeit_after": TermBounds(0, _MOST_FAULTS, "Decisions taken for a bot until it forfeits; 0: never."),
}
"""The terms of time (``TimeTerms``) and of faults (``FaultTerms``) by name."""
