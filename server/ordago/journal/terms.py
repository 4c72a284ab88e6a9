"""What a match is played under, into a journal and out of it again."""

from ordago.journal.v1 import JournaledMatch, JournaledSeat
from ordago.match import DealTerms, FaultTerms, MatchTerms, SeatTerms, TimeTerms, record_heading
from ordago.record.opening import UnplayableError, opening


def match_entry(terms: MatchTerms, seats: list[JournaledSeat]) -> JournaledMatch:
    """Return what a journal holds of a match before its first shuffle.

    Args:
        terms: what the match is played under.
        seats: who sits at its seats, in order; their seeds are filled in here.
    """
    for seat, seat_terms in zip(seats, terms.seats, strict=True):
        seat.seed = seat_terms.seed
    return JournaledMatch(record=record_heading(terms), seats=seats)


def terms_of(match: JournaledMatch, *, secret: bytes = b"") -> MatchTerms:
    """Return what a match of a journal is played under.

    Args:
        match: the match.
        secret: the secret that its deals come from, where the match does not reveal it at its end; empty where it
            does, and the journal holds it.

    Raises:
        UnplayableError: this version of Ordago cannot play it, or not by the same rules.
    """
    record = match.record
    begun = opening(record)
    if len(match.seats) != len(record.seats):
        raise UnplayableError("It is not known who sat there.")
    return MatchTerms(
        match_id=record.match_id,
        game=begun.game,
        options=begun.game.codec.options_from(record.options),
        seats=tuple(
            SeatTerms(name=seat.name, version=seat.version, build=seat.build, seed=sitting.seed)
            for seat, sitting in zip(record.seats, match.seats, strict=True)
        ),
        deals=DealTerms.of(secret or record.secret, record.deal_seed, revealed=not secret),
        attempt=record.attempt,
        time=TimeTerms.of(record.clock),
        faults=FaultTerms.of(record.faults),
    )
