"""Matches to be played in tests."""

from dataclasses import fields, replace
from typing import Any

from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.match import DealTerms, FaultTerms, MatchTerms, SeatTerms, TimeTerms

SECRET = b"s" * 32
DEAL_SEED = "ordago-shuffle-1|test"


def match_terms(game: AnyGame | None = None, **changes: Any) -> MatchTerms:
    """Return the terms of a short match of Mittlere, or of another game, some of them as given.

    The terms of time, of faults and of deals are given by the names of their fields.
    """
    game = game or find_game("mittlere")
    seats = game.rules.seat_counts[0]
    terms: dict[str, Any] = {
        "match_id": "0" * 32,
        "game": game,
        "options": game.rules.options({"deals": 3} if game.name == "mittlere" else {}),
        "seats": tuple(SeatTerms(f"bot {seat}", version="1", seed=bytes([seat]) * 16) for seat in range(seats)),
    }
    groups = {"time": TimeTerms(), "faults": FaultTerms(), "deals": DealTerms.of(SECRET, DEAL_SEED, revealed=False)}
    for group, usual in groups.items():
        names = {field.name for field in fields(usual)} & set(changes)
        terms[group] = replace(usual, **{name: changes.pop(name) for name in names})
    return MatchTerms(**{**terms, **changes})
