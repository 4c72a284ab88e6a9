"""Signals of partners in Mus: what opponents are sent of them, byte for byte."""

from collections.abc import Sequence

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Strategy, by_default, play_match

from ordago import v1
from ordago.games import find_game

MUS = find_game("mus")


def signalling(place: int) -> Strategy:
    """Return a strategy of default answers, typed out, each with one of its extras."""

    def play(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> v1.Answer:
        assert not refusals
        answer = v1.Answer()
        answer.CopyFrom(decision.default_answer)
        if decision.extras:
            answer.action.mus.signal = decision.extras[place % len(decision.extras)].action.mus.signal
        return answer

    return play


def told(strategy: Strategy, **options: object) -> list[list[bytes]]:
    """Return all that each seat is sent in a match in which seat 0 plays by a strategy, and the others by default."""
    terms = match_terms(MUS, options=MUS.rules.options({"target": 20, **options}))
    players = [FakePlayer(strategy), *(FakePlayer(by_default) for _ in range(3))]
    play_match(terms, players)
    return [[message.SerializeToString() for message in player.told] for player in players]


@pytest.mark.parametrize("place", [0, -1])
def test_opponents_are_sent_the_same_whatever_a_partner_signals(place: int) -> None:
    """The attacker compares bytes, and counts messages."""
    silent, signals = told(by_default), told(signalling(place))
    assert (signals[1], signals[3]) == (silent[1], silent[3])
    assert signals[2] != silent[2], "its partner learns of them"


def test_open_signals_reach_opponents() -> None:
    """The test above can fail."""
    assert told(by_default, signals="open")[1] != told(signalling(0), signals="open")[1]
