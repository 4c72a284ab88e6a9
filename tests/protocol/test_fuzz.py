"""Whatever comes, an end either takes it or says that the other erred; and two correct ends never accuse each other."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.connection_pair import ConnectionPair
from support.frames import from_bot, from_server, hello

from ordago import v1
from ordago.protocol import (
    BotBody,
    BotConnection,
    LocalProtocolError,
    RemoteProtocolError,
    ServerBody,
    ServerConnection,
)

HANDLES = st.integers(0, 2)
NUMBERS = st.integers(0, 3)
FAULTS = st.sampled_from([v1.FAULT_UNSPECIFIED, v1.FAULT_ILLEGAL, v1.FAULT_TOO_LATE])
ANSWERS = st.builds(v1.Answer, legal_action=st.integers(0, 2))

SERVER_BODIES: st.SearchStrategy[ServerBody] = st.one_of(
    st.builds(v1.Welcome),
    st.builds(v1.MatchStart, match_handle=HANDLES, last_decision=NUMBERS),
    st.builds(v1.Decision, match_handle=HANDLES, number=NUMBERS),
    st.builds(v1.Accepted, match_handle=HANDLES, number=NUMBERS, fault=FAULTS),
    st.builds(v1.Refused, match_handle=HANDLES, number=NUMBERS, fault=FAULTS),
    st.builds(v1.MatchEnd, match_handle=HANDLES),
    st.builds(v1.Draining),
    st.builds(v1.Goodbye),
)
BOT_BODIES: st.SearchStrategy[BotBody] = st.one_of(
    st.builds(hello),
    st.builds(v1.Choice, match_handle=HANDLES, number=NUMBERS, answer=ANSWERS),
    st.builds(v1.Goodbye),
    st.builds(v1.Retire),
)


def fresh_and_open_links() -> Sequence[ServerConnection | BotConnection]:
    pair = ConnectionPair.opened()
    return ServerConnection(), BotConnection(), pair.server, pair.bot


@given(st.lists(st.binary(max_size=60), max_size=4))
def test_random_bytes(frames: list[bytes]) -> None:
    for connection in fresh_and_open_links():
        for frame in frames:
            with suppress(RemoteProtocolError):
                connection.receive(frame)


@pytest.mark.slow
@given(st.lists(SERVER_BODIES, min_size=10, max_size=30), st.booleans())
def test_random_messages_to_a_bot(bodies: list[ServerBody], opened: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    connection = ConnectionPair.opened().bot if opened else BotConnection()
    for body in bodies:
        with suppress(RemoteProtocolError):
            connection.receive(from_server(body))


@pytest.mark.slow
@given(st.lists(BOT_BODIES | SERVER_BODIES, min_size=10, max_size=30), st.booleans())
def test_random_messages_to_a_server(bodies: list[object], opened: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    """The messages of the server are what it tries to send in between."""
    connection = ConnectionPair.opened().server if opened else ServerConnection()
    for body in bodies:
        if isinstance(body, BotBody):
            with suppress(RemoteProtocolError):
                connection.receive(from_bot(body))
        else:
            with suppress(LocalProtocolError):
                connection.send(body)  # type: ignore[arg-type]  # all others are bodies of a server


class Wire:
    """Two ends and what is on the way between them."""

    def __init__(self) -> None:
        pair = ConnectionPair.opened()
        self.server, self.bot = pair.server, pair.bot
        self.to_bot: deque[bytes] = deque()
        self.to_server: deque[bytes] = deque()

    def send(self, body: ServerBody | BotBody) -> None:
        """Send what may be sent, and forget what may not."""
        with suppress(LocalProtocolError):
            if isinstance(body, v1.Hello | v1.Choice | v1.Retire):
                self.to_server.append(self.bot.send(body))
            else:
                self.to_bot.append(self.server.send(body))

    def leave(self) -> None:
        with suppress(LocalProtocolError):
            self.to_server.append(self.bot.send(v1.Goodbye()))

    def arrive_at_bot(self) -> None:
        if self.to_bot:
            self.bot.receive(self.to_bot.popleft())

    def arrive_at_server(self) -> None:
        if self.to_server:
            self.server.receive(self.to_server.popleft())


FIRST, OTHER = v1.Answer(legal_action=1), v1.Answer(legal_action=2)
# One seat and two decisions, so that messages about the same one cross often; what is likely in play stands here twice.
STEPS: list[object] = [
    *["arrive at the bot", "arrive at the server", "arrive at the server"] * 2,
    *[v1.Choice(match_handle=1, number=1, answer=FIRST), v1.Choice(match_handle=1, number=1, answer=OTHER)] * 2,
    *[v1.Refused(match_handle=1, number=1, fault=v1.FAULT_ILLEGAL)] * 4,
    v1.Accepted(match_handle=1, number=1),
    v1.Accepted(match_handle=1, number=1, fault=v1.FAULT_TOO_LATE),
    v1.Decision(match_handle=1, number=1),
    v1.Decision(match_handle=1, number=2),
    v1.Choice(match_handle=1, number=2, answer=FIRST),
    v1.Accepted(match_handle=1, number=2),
    v1.MatchStart(match_handle=1),
    v1.MatchEnd(match_handle=1),
    v1.Draining(),
    v1.Goodbye(),
    "leave",
]


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(st.sampled_from(STEPS), min_size=30, max_size=60))
def test_what_one_end_may_send_the_other_takes_however_messages_cross(steps: list[object]) -> None:
    wire = Wire()
    wire.send(v1.MatchStart(match_handle=1))
    wire.send(v1.Decision(match_handle=1, number=1))
    wire.arrive_at_bot()
    wire.arrive_at_bot()
    for step in steps:
        if step == "arrive at the bot":
            wire.arrive_at_bot()
        elif step == "arrive at the server":
            wire.arrive_at_server()
        elif step == "leave":
            wire.leave()
        else:
            wire.send(step)  # type: ignore[arg-type]  # the rest are bodies
    while wire.to_bot or wire.to_server:
        wire.arrive_at_bot()
        wire.arrive_at_server()
