"""Conversion of the terms of a match to journal entries and back."""

from ordago.journal.v1 import JournaledMatch, JournaledSeat
from ordago.match import DealTerms, MatchTerms, SeatTerms, record_heading, recorded_terms
from ordago.record.opening import UnplayableError


def match_entry(terms: MatchTerms, seats: list[JournaledSeat]) -> JournaledMatch:
    """Return the journal entry of a match before its first shuffle.

    Args:
        terms: the terms of the match.
        seats: the players, in order of seats; their seeds are filled in here.
    """
    for seat, seat_terms in zip(seats, terms.seats, strict=True):
        seat.seed = seat_terms.seed
    return JournaledMatch(record=record_heading(terms), seats=seats)


def terms_of(match: JournaledMatch, *, secret: bytes = b"") -> MatchTerms:
    """Return the terms of a match in a journal.

    Args:
        match: the match.
        secret: the secret of its deals, where the match does not reveal it at its end; empty where it
            does, and the journal holds it.

    Raises:
        UnplayableError: this version of Ordago cannot play it, or not by the same rules.
    """
    record = match.record
    if len(match.seats) != len(record.seats):
        raise UnplayableError("It is not known who sat there.")
    seats = tuple(
        SeatTerms(name=seat.name, version=seat.version, build=seat.build, seed=begun.seed)
        for seat, begun in zip(record.seats, match.seats, strict=True)
    )
    deals = DealTerms.of(secret or record.secret, record.deal_seed, revealed=not secret)
    return recorded_terms(record, seats=seats, deals=deals)
