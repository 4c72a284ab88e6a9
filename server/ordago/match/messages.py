"""From the values of a game to the messages of a decision."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Final, NamedTuple, cast

from ordago import v1
from ordago.game import LegalAction
from ordago.games.folder import AnyGame
from ordago.match.terms import MatchTerms

_KEPT_ACCEPTANCES: Final = 4096


class Acceptance(NamedTuple):
    """What is said of a decision that is closed: a ``v1.Accepted`` without the match handle."""

    number: int
    """The number of the decision among those of its seat, from 1."""
    charged_ms: int
    """The time that was charged."""
    serialized: bytes
    """The message, serialized."""
    fault: v1.Fault = v1.FAULT_UNSPECIFIED
    """Why the default answer was taken, if it was."""

    def message(self) -> v1.Accepted:
        """Return the message."""
        return v1.Accepted.FromString(self.serialized)


# Bots that answer quickly are told the same few things again and again.
@lru_cache(maxsize=_KEPT_ACCEPTANCES)
def acceptance(number: int, charged_ms: int, bank_ms: int, lag_ms: int, lost_ms: int) -> Acceptance:
    """Return what is said of a decision that was closed by the bot's own answer."""
    accepted = v1.Accepted(number=number, charged_ms=charged_ms, bank_ms=bank_ms, lag_ms=lag_ms, lost_ms=lost_ms)
    return Acceptance(number, charged_ms, accepted.SerializeToString())


def legal_action_message(game: AnyGame, number: int, legal: LegalAction[Hashable]) -> v1.LegalAction:
    """Return the message of a legal action, which has this number in its decision."""
    message = v1.LegalAction(id=number, action=game.codec.action(legal.action))
    if legal.amount is not None:
        message.amount.min, message.amount.max = legal.amount
    for pick in legal.picks:
        # A card of the engine is the number of the card in the contract.
        message.picks.add(cards=cast(tuple[v1.Card, ...], pick.cards), min=pick.min, max=pick.max)
    return message


def typed_answer(game: AnyGame, action: Hashable) -> v1.Answer:
    """Return the answer that names a complete action by its type."""
    return v1.Answer(action=game.codec.action(action))


def record_seats(terms: MatchTerms) -> list[v1.RecordSeat]:
    """Return the seats of a match as its record names them, in order."""
    sides = terms.game.rules.sides(len(terms.seats))
    return [
        v1.RecordSeat(name=seat.name, version=seat.version, build=seat.build, side=side)
        for seat, side in zip(terms.seats, sides, strict=True)
    ]


def match_start(terms: MatchTerms, seat: int, *, last_decision: int) -> v1.MatchStart:
    """Return what a seat is told when a match begins, or goes on after some decisions of this seat."""
    game = terms.game
    sides = game.rules.sides(len(terms.seats))
    return v1.MatchStart(
        match_id=terms.match_id,
        game=game.name,
        rules_version=game.rules.version,
        options=game.codec.options(terms.options),
        seat=seat,
        players=[
            v1.Player(name=other.name, version=other.version, side=side)
            for other, side in zip(terms.seats, sides, strict=True)
        ],
        clock=terms.time.message(),
        seed=terms.seats[seat].seed,
        commitment=terms.commitment,
        faults=terms.faults.message(),
        last_decision=last_decision,
    )
