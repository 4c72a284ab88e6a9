"""Events that are made when somebody reads them are made once, in whichever way they are read."""

import copy

import pytest
from support.copies import pickled

from ordago.game import Event
from ordago.games.events import MadeWhenRead


class Maker:
    """Makes an event, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, text: str) -> Event[str]:
        self.asked += 1
        return Event(text)


@pytest.mark.parametrize(
    "read",
    [
        lambda events: [*events],
        lambda events: [events[0], events[1]],
        lambda events: [*events[:]],
        lambda events: [*reversed(events)][::-1],
    ],
    ids=["one after the other", "by their places", "some of them", "from the end"],
)
def test_events_are_made_once_and_in_their_order(read) -> None:
    maker = Maker()
    events = MadeWhenRead([Event("was there"), (maker, "made")])
    assert (len(events), maker.asked) == (2, 0)
    for _ in range(2):
        assert [event.full for event in read(events)] == ["was there", "made"]
    assert maker.asked == 1
    assert events == (Event("was there"), Event("made"))


def test_an_event_is_known_by_what_it_says_and_who_sees_it() -> None:
    one = Event("a card", 0b10, "something")
    assert one == Event("a card", 0b10, "something") == copy.copy(one) == copy.deepcopy(one) == pickled(one)
    assert hash(one) == hash(Event("a card", 0b10, "something"))
    for other in (
        Event("a card", 0b01, "something"),
        Event("another", 0b10, "something"),
        Event("a card"),
        ("a card",),
    ):
        assert one != other
    assert repr(one) == "Event('a card', 2, 'something')"
    assert [one.seen_by(seat) for seat in (0, 1)] == ["something", "a card"]
    assert (one.public, Event("a card").public) == ("something", "a card")
