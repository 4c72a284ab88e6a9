"""Who sees what: hands, discards, and signals."""

from random import Random

from games.mus.table import (
    ALL_PASS,
    HANDS,
    action,
    dealt,
    new_match,
    say,
    shuffle,
    whole_match,
)

from ordago.games.mus.state import MusState
from ordago.games.mus.values import (
    EventKind,
    MusEvent,
    Signal,
)


def seen(state: MusState, text: str) -> list[list[MusEvent | None]]:
    """Say something, and return what each seat sees of it."""
    said = action(text)
    assert state.check(said) is None
    events = state.apply(said)
    return [[event.seen_by(seat) for event in events] for seat in range(4)]


def test_hands_discards_and_drawn_cards_are_for_their_seat_alone() -> None:
    private = {EventKind.HAND_DEALT, EventKind.DISCARDED, EventKind.DRAWN}
    met = set()
    for event in whole_match(4, signals="open"):
        if event.full.kind in private:
            met.add(event.full.kind)
            assert event.full.seat is not None
            for seat in range(4):
                hidden = event.full._replace(cards=())
                assert event.seen_by(seat) == (event.full if seat == event.full.seat else hidden)
        else:
            assert event.audience is None
    assert met == private


def test_signals_for_the_partner_are_seen_by_him_alone() -> None:
    state = dealt("Ro Rc 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="partner")
    by_seat = seen(state, "mus ~two kings")
    told = MusEvent(EventKind.SIGNALLED, seat=0, signal=Signal.TWO_KINGS)
    assert [told in events for events in by_seat] == [True, False, True, False]
    assert by_seat[1][-1] is None
    assert [state.view(seat).said[0].signal for seat in range(4)] == [Signal.TWO_KINGS, None, Signal.TWO_KINGS, None]


def test_open_signals_are_seen_by_all() -> None:
    state = dealt("Ro Rc 4o 5o", "Re Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    by_seat = seen(state, "mus ~two kings")
    assert all(MusEvent(EventKind.SIGNALLED, seat=0, signal=Signal.TWO_KINGS) in events for events in by_seat)
    assert [state.view(seat).said[0].signal for seat in range(4)] == [Signal.TWO_KINGS] * 4


def test_signals_are_allowed_from_the_second_deal_of_each_game_if_the_option_says_so() -> None:
    state = new_match(games=3, signals="open", signals_from_deal=1)
    dealt(*HANDS, state=state)
    assert state.extras() == ()
    say(state, "no mus", *ALL_PASS)
    shuffle(state, Random(1))
    assert state.extras() != ()
