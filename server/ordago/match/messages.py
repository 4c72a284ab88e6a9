"""Build the messages of a match from its terms and from the values of its game."""

from collections.abc import Hashable
from typing import Final, final

from ordago import v1
from ordago.games.definition import AnyGame
from ordago.match.fault_rules import sentence_of
from ordago.match.terms import MatchTerms
from ordago.record import FORMAT_VERSION
from ordago.record.opening import clocks_of
from ordago.wire.decision_parts import accepted_fields


@final
class Acceptance:
    """The acceptance of a closed decision: a ``v1.Accepted`` without the match handle.

    It is serialized only when it is sent: some bots do not ask for acceptances.

    Attributes:
        number: the number of the decision among those of its seat, from 1.
        charged_ms: the time charged.
        bank_ms: the time left in the bank.
        lag_ms: the network lag that was not charged.
        lost_ms: the delay caused by the server, which was not charged.
        fault: the reason for taking the default answer, if it was taken.
        more: the fields that explain the fault, serialized.
    """

    __slots__ = ("bank_ms", "charged_ms", "fault", "lag_ms", "lost_ms", "more", "number")

    def __init__(
        self,
        number: int,
        charged_ms: int,
        bank_ms: int = 0,
        lag_ms: int = 0,
        lost_ms: int = 0,
        fault: v1.Fault = v1.FAULT_UNSPECIFIED,
        more: bytes = b"",
    ) -> None:
        """Close a decision."""
        self.number: Final = number
        self.charged_ms: Final = charged_ms
        self.bank_ms: Final = bank_ms
        self.lag_ms: Final = lag_ms
        self.lost_ms: Final = lost_ms
        self.fault: Final = fault
        self.more: Final = more

    @property
    def parts(self) -> tuple[int, int, int, int, int, v1.Fault, bytes]:
        """The arguments of the constructor, in order."""
        return (self.number, self.charged_ms, self.bank_ms, self.lag_ms, self.lost_ms, self.fault, self.more)

    def serialized(self) -> bytes:
        """Return the message, serialized."""
        return accepted_fields(self.number, self.charged_ms, self.bank_ms, self.lag_ms, self.lost_ms) + self.more

    def message(self) -> v1.Accepted:
        """Return the message."""
        return v1.Accepted.FromString(self.serialized())


def fallen(accepted: Acceptance, game: AnyGame, action: Hashable, fault: v1.Fault, *, faults_left: int) -> Acceptance:
    """Return an acceptance that explains why the default action was taken and how many more faults are tolerated."""
    more = v1.Accepted(
        fault=fault,
        sentence=sentence_of(fault),
        answer=typed_answer(game, action),
        faults_left=faults_left,
    ).SerializeToString()
    number, charged_ms, bank_ms, lag_ms, lost_ms, _, _ = accepted.parts
    return Acceptance(number, charged_ms, bank_ms, lag_ms, lost_ms, fault, more)


def typed_answer(game: AnyGame, action: Hashable) -> v1.Answer:
    """Return the answer that states a complete action in typed form."""
    return v1.Answer(action=game.codec.action(action))


def record_seats(terms: MatchTerms) -> list[v1.RecordSeat]:
    """Return the seats of a match as its record names them, in order."""
    sides = terms.game.rules.sides(len(terms.seats))
    return [
        v1.RecordSeat(
            name=seat.name,
            version=seat.version,
            build=seat.build,
            side=side,
            clock=seat.time.message() if seat.time else None,
        )
        for seat, side in zip(terms.seats, sides, strict=True)
    ]


def record_heading(terms: MatchTerms) -> v1.MatchRecord:
    """Return the part of a record that precedes the first shuffle."""
    return v1.MatchRecord(
        format_version=FORMAT_VERSION,
        match_id=terms.match_id,
        attempt=terms.attempt,
        game=terms.game.name,
        rules_version=terms.game.rules.version,
        options=terms.game.codec.options(terms.options),
        seats=record_seats(terms),
        clock=terms.time.message(),
        commitment=terms.deals.commitment,
        secret=terms.deals.revealed_secret,
        deal_seed=terms.deals.seed,
        faults=terms.faults.message(),
        conceding=terms.conceding and terms.game.can_be_conceded(len(terms.seats)),
    )


def match_start(heading: v1.MatchRecord, seat: int, *, seed: bytes, last_decision: int) -> v1.MatchStart:
    """Return the message that begins or resumes a match for a seat.

    Args:
        heading: the heading of the record, from ``record_heading``. The rules of the game are not needed.
        seat: the seat.
        seed: the seed for the bot's own random choices.
        last_decision: the number of decisions that this seat has already taken.
    """
    return v1.MatchStart(
        match_id=heading.match_id,
        game=heading.game,
        rules_version=heading.rules_version,
        options=heading.options,
        seat=seat,
        players=[v1.Player(name=other.name, version=other.version, side=other.side) for other in heading.seats],
        clock=clocks_of(heading)[seat],
        seed=seed,
        commitment=heading.commitment,
        faults=heading.faults,
        last_decision=last_decision,
    )
