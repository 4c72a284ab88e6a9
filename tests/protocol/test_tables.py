"""Every row of both tables, at both ends, and everything that stands in no row."""

import pytest
from support.connection_pair import ConnectionPair
from support.frames import choice, hello

from ordago import v1
from ordago.protocol import ConnectionState, SeatState, Sender
from ordago.protocol.states import LINK_TABLE, SEAT_TABLE

# Seats that a pair has in each state of the connection in which matches are played.
IDLE, ASKED, ANSWERED, NEW = 1, 2, 3, 4

SERVER_BODIES = {
    "welcome": v1.Welcome(version=1),
    "match_start": v1.MatchStart(match_handle=NEW),
    "decision": v1.Decision(match_handle=IDLE, number=1),
    "accepted": v1.Accepted(match_handle=ANSWERED, number=1),
    "refused": v1.Refused(match_handle=ANSWERED, number=1, fault=v1.FAULT_ILLEGAL),
    "forfeited": v1.Forfeited(match_handle=IDLE, fault=v1.FAULT_TOO_LATE),
    "match_end": v1.MatchEnd(match_handle=IDLE),
    "draining": v1.Draining(sentence="the server goes down"),
    "event_notice": v1.EventNotice(sentence="matches are played"),
    "announcement": v1.Announcement(number=1, sentence="maintenance at 20:00 UTC"),
    "goodbye": v1.Goodbye(sentence="that is all"),
}
BOT_BODIES = {"hello": hello(), "choice": choice(ASKED, 1), "goodbye": v1.Goodbye(), "retire": v1.Retire()}


def greeted() -> ConnectionPair:
    pair = ConnectionPair()
    pair.bot_says(hello())
    return pair


def playing() -> ConnectionPair:
    pair = ConnectionPair.opened()
    pair.server_says(*(v1.MatchStart(match_handle=handle) for handle in (IDLE, ASKED, ANSWERED)))
    pair.server_says(*(v1.Decision(match_handle=handle, number=1) for handle in (ASKED, ANSWERED)))
    pair.bot_says(choice(ANSWERED, 1))
    return pair


def draining() -> ConnectionPair:
    pair = playing()
    pair.server_says(v1.Draining())
    return pair


def leaving() -> ConnectionPair:
    pair = playing()
    pair.bot_says(v1.Goodbye())
    return pair


def closed() -> ConnectionPair:
    pair = playing()
    pair.server_says(v1.Goodbye())
    return pair


REACHED = {
    ConnectionState.NEW: ConnectionPair,
    ConnectionState.GREETED: greeted,
    ConnectionState.OPEN: playing,
    ConnectionState.DRAINING: draining,
    ConnectionState.LEAVING: leaving,
    ConnectionState.CLOSED: closed,
}


@pytest.mark.parametrize("state", ConnectionState)
def test_the_way_to_each_state_leads_there(state: ConnectionState) -> None:
    assert REACHED[state]().state is state


@pytest.mark.parametrize("kind", SERVER_BODIES)
@pytest.mark.parametrize("state", ConnectionState)
def test_a_message_of_the_server_takes_the_connection_where_the_table_says(state: ConnectionState, kind: str) -> None:
    pair = REACHED[state]()
    after = LINK_TABLE.get((Sender.SERVER, state), {}).get(kind)
    if after is None:
        pair.refuses_from_server(SERVER_BODIES[kind])
    else:
        pair.server_says(SERVER_BODIES[kind])
        assert pair.state is after


@pytest.mark.parametrize("kind", BOT_BODIES)
@pytest.mark.parametrize("state", ConnectionState)
def test_a_message_of_the_bot_takes_the_connection_where_the_table_says(state: ConnectionState, kind: str) -> None:
    pair = REACHED[state]()
    after = LINK_TABLE.get((Sender.BOT, state), {}).get(kind)
    if after is None:
        pair.refuses_from_bot(BOT_BODIES[kind])
    else:
        pair.bot_says(BOT_BODIES[kind])
        assert pair.state is after


def seat_in(state: SeatState) -> ConnectionPair:
    """Return a pair with seat 7 in a state; the number of its last decision is 2."""
    pair = ConnectionPair.opened()
    if state is not SeatState.ABSENT:
        pair.server_says(v1.MatchStart(match_handle=7, last_decision=1), v1.Decision(match_handle=7, number=2))
    if state in (SeatState.IDLE, SeatState.FORFEITED):
        pair.server_says(v1.Accepted(match_handle=7, number=2, fault=v1.FAULT_TOO_LATE))
    if state is SeatState.FORFEITED:
        pair.server_says(v1.Forfeited(match_handle=7, fault=v1.FAULT_TOO_LATE))
    if state is SeatState.ANSWERED:
        pair.bot_says(choice(7, 2))
    return pair


SEAT_BODIES = {
    "match_start": v1.MatchStart(match_handle=7),
    "decision": v1.Decision(match_handle=7, number=2),
    "accepted": v1.Accepted(match_handle=7, number=2),
    "refused": v1.Refused(match_handle=7, number=2, fault=v1.FAULT_ILLEGAL),
    "forfeited": v1.Forfeited(match_handle=7, fault=v1.FAULT_TOO_LATE),
    "match_end": v1.MatchEnd(match_handle=7),
}
# Where no decision is open these answer one that is closed by now, or a message that named none.
NOT_ASKED = (SeatState.ABSENT, SeatState.IDLE, SeatState.FORFEITED)
STALE = {(state, kind) for state in NOT_ASKED for kind in ("accepted", "refused")}


@pytest.mark.parametrize("state", SeatState)
def test_the_way_to_each_state_of_a_seat_leads_there(state: SeatState) -> None:
    assert seat_in(state).seat_state(7) is state


@pytest.mark.parametrize("kind", SEAT_BODIES)
@pytest.mark.parametrize("state", SeatState)
def test_a_message_of_the_server_takes_a_seat_where_the_table_says(state: SeatState, kind: str) -> None:
    pair = seat_in(state)
    after = SEAT_TABLE.get((Sender.SERVER, state), {}).get(kind)
    if (state, kind) in STALE:
        assert after is None
        after = state
    if after is None:
        pair.refuses_from_server(SEAT_BODIES[kind])
    else:
        pair.server_says(SEAT_BODIES[kind])
        assert pair.seat_state(7) is after


@pytest.mark.parametrize("state", SeatState)
def test_a_choice_takes_a_seat_where_the_table_says_and_is_never_refused(state: SeatState) -> None:
    pair = seat_in(state)
    pair.bot_says(choice(7, 2))
    assert pair.seat_state(7) is SEAT_TABLE.get((Sender.BOT, state), {}).get("choice", state)


@pytest.mark.parametrize("number", [0, 1, 3])
@pytest.mark.parametrize("kind", ["accepted", "refused"])
@pytest.mark.parametrize("state", SeatState)
def test_what_speaks_of_another_decision_changes_nothing(state: SeatState, kind: str, number: int) -> None:
    pair = seat_in(state)
    body = type(SEAT_BODIES[kind])()
    body.CopyFrom(SEAT_BODIES[kind])
    body.number = number
    pair.server_says(body)
    assert pair.seat_state(7) is state


@pytest.mark.parametrize("state", [SeatState.ASKED, SeatState.ANSWERED])
def test_no_other_decision_is_asked_while_one_is_open(state: SeatState) -> None:
    seat_in(state).refuses_from_server(v1.Decision(match_handle=7, number=3))


def test_the_tables_have_no_row_that_the_contract_has_no_message_for() -> None:
    bodies = {
        Sender.SERVER: {field.name for field in v1.ServerMessage.DESCRIPTOR.fields},
        Sender.BOT: {field.name for field in v1.BotMessage.DESCRIPTOR.fields},
    }
    for table in (LINK_TABLE, SEAT_TABLE):
        for (sender, _), row in table.items():
            assert set(row) <= bodies[sender]
    assert set(SERVER_BODIES) == bodies[Sender.SERVER]
    assert set(BOT_BODIES) == bodies[Sender.BOT]
