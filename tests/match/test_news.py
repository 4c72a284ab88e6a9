"""Each seat is told what it sees of a match, once, in order and by its own numbers."""

from random import Random

import pytest
from support.matches import match_terms

from ordago.games import find_game
from ordago.match.news import News
from ordago.match.seat_progress import SeatProgress
from ordago.wire.decision_parts import EVERYBODY, EventParts

SEATS = 4


class Told:
    """The news of a match, by the numbers of its seats."""

    def __init__(self) -> None:
        terms = match_terms(find_game("mus"))
        self._seats = [SeatProgress(seat, terms) for seat in range(SEATS)]
        self._news = News(self._seats)
        self.happened = self._news.happened

    def hand_over(self, seat: int) -> tuple[int, list[bytes]]:
        return self._news.hand_over(self._seats[seat])


def happened(number: int, audience: int = EVERYBODY, *, redacted: bool = True) -> EventParts:
    told = b"" if audience == EVERYBODY or not redacted else b"r%d" % number
    return EventParts(b"", b"f%d" % number, told, audience)


def test_what_everybody_sees_is_told_to_each_seat_once() -> None:
    news = Told()
    news.happened += [happened(0), happened(1)]
    assert news.hand_over(2) == (1, [b"f0", b"f1"])
    news.happened.append(happened(2))
    assert news.hand_over(2) == (3, [b"f2"])
    assert news.hand_over(2) == (4, [])
    assert news.hand_over(0) == (1, [b"f0", b"f1", b"f2"])


def test_who_does_not_see_an_event_is_told_what_is_left_of_it_or_nothing() -> None:
    news = Told()
    news.happened += [happened(0, 0b0101), happened(1, 0b0010, redacted=False), happened(2)]
    assert news.hand_over(0) == (1, [b"f0", b"f2"])
    assert news.hand_over(1) == (1, [b"r0", b"f1", b"f2"])
    assert news.hand_over(2) == (1, [b"f0", b"f2"])
    assert news.hand_over(3) == (1, [b"r0", b"f2"])


@pytest.mark.parametrize("silent", [None, 3])
def test_what_everybody_was_told_is_forgotten_and_nothing_else(silent: int | None) -> None:
    """In a long match too, and where one seat is never asked."""
    rng, news = Random(26), Told()
    whole: list[EventParts] = []
    told: list[list[bytes]] = [[] for _ in range(SEATS)]
    most = 0
    for number in range(5_000):
        event = happened(number, rng.choice((EVERYBODY, rng.randrange(1 << SEATS))), redacted=rng.random() < 0.5)
        whole.append(event)
        news.happened.append(event)
        seat = rng.randrange(SEATS)
        if seat != silent:
            first, events = news.hand_over(seat)
            assert first == len(told[seat]) + 1
            told[seat] += events
        most = max(most, len(news.happened))
    for seat in range(SEATS):
        told[seat] += news.hand_over(seat)[1]
        seen = [one.full if one.audience == EVERYBODY or one.audience >> seat & 1 else one.redacted for one in whole]
        assert told[seat] == [one for one in seen if one]
    assert most == 5_000 if silent is not None else most < 250
