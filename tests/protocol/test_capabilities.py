"""What a bot may ask for, and how both ends speak where it is granted."""

import pytest
from support.connection_pair import ConnectionPair
from support.frames import choice, from_server, hello

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE, RemoteProtocolError, SeatState, granted


def playing(*capabilities: str) -> ConnectionPair:
    """Return a pair for which something was granted, in whose match 7 decision 2 was answered."""
    pair = ConnectionPair()
    pair.bot_says(hello(capabilities=capabilities))
    pair.server_says(v1.Welcome(version=1, capabilities=capabilities))
    pair.server_says(v1.MatchStart(match_handle=7, last_decision=1), v1.Decision(match_handle=7, number=2))
    pair.bot_says(choice(7, 2))
    return pair


def test_what_is_not_known_is_not_granted_and_nothing_twice() -> None:
    assert granted([]) == []
    assert granted(["", "telepathy", TACIT_ACCEPTANCE.upper(), f"{TACIT_ACCEPTANCE} ", "\x1b[2J"]) == []
    assert granted([TACIT_ACCEPTANCE] * 5000 + ["x" * 60_000]) == [TACIT_ACCEPTANCE]


def test_an_answer_was_taken_where_the_next_decision_comes() -> None:
    pair = playing(TACIT_ACCEPTANCE)
    pair.server_says(v1.Decision(match_handle=7, number=3))
    assert pair.seat_state(7) is SeatState.ASKED
    pair.bot_says(choice(7, 3))
    pair.server_says(v1.MatchEnd(match_handle=7))
    assert pair.seat_state(7) is SeatState.ABSENT


def test_an_answer_was_taken_where_the_seat_is_forfeited_afterwards() -> None:
    pair = playing(TACIT_ACCEPTANCE)
    pair.server_says(v1.Forfeited(match_handle=7, fault=v1.FAULT_OVER_LIMIT))
    assert pair.seat_state(7) is SeatState.FORFEITED


def test_an_answer_may_be_taken_after_the_one_before_it_was_refused() -> None:
    """The bot answered twice before it heard of the first: by the table it is asked, and yet there is an answer."""
    pair = playing(TACIT_ACCEPTANCE)
    pair.bot_says(choice(7, 2, 2))
    pair.server_says(v1.Refused(match_handle=7, number=2, fault=v1.FAULT_ILLEGAL))
    assert pair.seat_state(7) is SeatState.ASKED
    pair.server_says(v1.Decision(match_handle=7, number=3))
    assert pair.seat_state(7) is SeatState.ASKED


def test_acceptances_that_are_told_all_the_same_close_a_decision() -> None:
    pair = playing(TACIT_ACCEPTANCE)
    pair.server_says(v1.Accepted(match_handle=7, number=2, fault=v1.FAULT_TOO_LATE))
    assert pair.seat_state(7) is SeatState.IDLE


@pytest.mark.parametrize("number", [0, 1])
def test_an_earlier_decision_is_never_due(number: int) -> None:
    playing(TACIT_ACCEPTANCE).refuses_from_server(v1.Decision(match_handle=7, number=number))


@pytest.mark.parametrize("capabilities", [(), ("telepathy",)])
@pytest.mark.parametrize(
    "body", [v1.Decision(match_handle=7, number=3), v1.Forfeited(match_handle=7, fault=v1.FAULT_OVER_LIMIT)]
)
def test_nothing_is_taken_tacitly_where_it_was_not_granted(
    body: v1.Decision | v1.Forfeited, capabilities: tuple[str, ...]
) -> None:
    with pytest.raises(RemoteProtocolError):
        playing(*capabilities).bot.receive(from_server(body))
