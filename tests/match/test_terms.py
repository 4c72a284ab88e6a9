"""The terms of single matches, and what terms may be at all."""

from ordago.chance import ALGORITHM, SecretDeals, commitment, keyed_name
from ordago.games import find_game
from ordago.match import FaultTerms, SeatTerms, TimeTerms
from ordago.match.terms import TERM_BOUNDS, single_match_terms

SECRET = b"s" * 32
DAY_MS = 24 * 60 * 60 * 1000


def test_all_of_a_single_match_follows_from_its_secret_and_what_players_brought() -> None:
    terms = single_match_terms(
        game=find_game("mittlere"),
        options={"deals": 6},
        seats=[SeatTerms(name) for name in ("ana", "ben", "cleo")],
        secret=SECRET,
        event="play",
        nonces={"ana": b"a" * 16},
        time=TimeTerms(),
        faults=FaultTerms(),
    )
    seed = f"{ALGORITHM}|mittlere|play|ana:{'61' * 16}|0|0"
    assert (terms.match_id, terms.attempt) == (keyed_name(SECRET, "match").hex(), 0)
    assert [seat.seed for seat in terms.seats] == [keyed_name(SECRET, "seed", number) for number in range(3)]
    assert (terms.deals.commitment, terms.deals.revealed_secret) == (commitment(SECRET), SECRET)
    assert isinstance(terms.deals.source, SecretDeals)
    assert terms.deals.seed == seed


def test_times_are_a_day_at_most_and_strikes_a_hundred() -> None:
    """docs/serving.md tells them, and organisers rely on them."""
    assert {bounds.most for name, bounds in TERM_BOUNDS.items() if name.endswith("_ms")} == {DAY_MS}
    assert (TERM_BOUNDS["decision_ms"].least, TERM_BOUNDS["bank_ms"].least) == (1, 0)
    assert TERM_BOUNDS["strikes"][:2] == (1, 100)
    assert TERM_BOUNDS["forfeit_after"][:2] == (0, 10_000)
