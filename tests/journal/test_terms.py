"""What a match is played under, into a journal and out of it again."""

from support.matches import DEAL_SEED, SECRET, match_terms

from ordago.journal.terms import match_entry, terms_of
from ordago.journal.v1 import JournaledMatch, JournaledSeat
from ordago.match import DealTerms


def test_the_terms_of_a_match_are_the_same_again():
    deals = DealTerms.of(SECRET, DEAL_SEED, revealed=True)
    terms = match_terms(decision_ms=700, bank_ms=900, forfeit_after=4, strikes=2, attempt=3, deals=deals)
    entry = match_entry(terms, [JournaledSeat(session_id=f"s{seat}") for seat in range(3)])
    assert [seat.session_id for seat in entry.seats] == ["s0", "s1", "s2"]
    assert terms_of(JournaledMatch.FromString(entry.SerializeToString())) == terms
