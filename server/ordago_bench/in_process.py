"""Matches in one process without a network, for the cost of the referee and the record."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ordago.chance import SECRET_BYTES
from ordago.games.definition import AnyGame
from ordago.match import (
    FaultTerms,
    Match,
    Question,
    Reply,
    SeatTerms,
    TimeTerms,
    single_match_terms,
)
from ordago.record import FinishedRecord, finished_file
from ordago_bench.processes.instant_bot import instant_answer


class Instant:
    """A seat in this process that answers instantly. It parses its messages, as a bot does."""

    def reply(self, question: Question) -> Reply:
        """Give the answer of an instant bot."""
        return Reply(instant_answer(question.message()).SerializeToString(), 0.0)


class PlayedMatch(NamedTuple):
    """A finished match."""

    decisions: int
    """The number of questions asked, including those repeated after a refused answer."""
    record: FinishedRecord


def played_out(match: Match, seats: Sequence[Instant]) -> PlayedMatch:
    """Play a match to its end."""
    match.begin()
    reply, decisions = None, 0
    while (step := match.step(reply)).played_out is None:
        decisions += step.question is not None
        reply = None if step.question is None else seats[step.question.seat].reply(step.question)
    return PlayedMatch(decisions, step.played_out.record)


def match_of(
    game: AnyGame, number: int, *, seat_of: Callable[[int], Instant] = lambda _seat: Instant()
) -> tuple[Match, list[Instant]]:
    """Return a match with default options and the fewest seats, and its players.

    Args:
        game: the game.
        number: the seed of the deals.
        seat_of: returns the player of a seat.
    """
    seats = [seat_of(seat) for seat in range(game.rules.seat_counts[0])]
    terms = single_match_terms(
        game=game,
        options={},
        seats=[SeatTerms(name=f"bot {seat}") for seat in range(len(seats))],
        secret=number.to_bytes(SECRET_BYTES),
        event="bench",
        nonces={},
        time=TimeTerms(decision_ms=60_000),
        faults=FaultTerms(),
    )
    return Match(terms), seats


def play_match(game: AnyGame, *, number: int) -> int:
    """Play a match, serialize its record as for a file, and return the number of decisions."""
    course = played_out(*match_of(game, number))
    finished_file(course.record)
    return course.decisions
