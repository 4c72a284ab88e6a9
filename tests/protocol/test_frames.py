"""From messages to bytes and back, and what cannot be understood."""

import pytest
from support.connection_pair import ConnectionPair, send_parts
from support.frames import body_of, choice, from_bot, from_server, hello

from ordago import v1
from ordago.protocol import BotConnection, ConnectionState, LocalProtocolError, RemoteProtocolError, ServerConnection
from ordago.protocol.connection import MAX_FRAME_MESSAGES

MESSAGES_FIELD = b"\x0a"


def test_joined_frames_are_one_frame_of_many_messages() -> None:
    connection = ConnectionPair.opened().server
    bodies = [
        v1.MatchStart(match_handle=1),
        v1.Decision(match_handle=1, number=1, events=[v1.Event(mittlere=v1.MittlereEvent(deal=3))] * 40),
        v1.Draining(sentence="x" * 20_000),
    ]
    joined = b"".join(connection.send(body) for body in bodies)
    assert joined == from_server(*bodies)
    received = ConnectionPair.opened().bot.receive(joined)
    assert [body_of(message) for message in received] == bodies


@pytest.mark.parametrize("length", [0, 1, 118, 119, 120, 121, 122, 16_370, 16_377, 16_380, 16_385, 2_100_000])
def test_a_frame_is_what_protobuf_would_make(length: int) -> None:
    """The lengths lie around those where the number of bytes of a length changes."""
    goodbye = v1.Goodbye(sentence="x" * length)
    assert ConnectionPair.opened().server.send(goodbye) == from_server(goodbye)
    assert ConnectionPair.opened().bot.send(goodbye) == from_bot(goodbye)


def test_an_empty_frame_means_nothing() -> None:
    pair = ConnectionPair.opened()
    assert pair.bot.receive(b"") == []
    assert pair.server.receive(b"") == []
    assert pair.state is ConnectionState.OPEN


@pytest.mark.parametrize(
    "garbage",
    [b"\xff", b"\x0a\x05ab", b"GET / HTTP/1.1\r\n", MESSAGES_FIELD + b"\x04\x0a\x02\x08", b"\x0a" * 1000],
)
def test_garbage_is_told_to_whoever_reads_it(garbage: bytes) -> None:
    with pytest.raises(RemoteProtocolError, match="the frame is no PlayRequest") as error:
        ServerConnection().receive(garbage)
    assert error.value.fault == v1.FAULT_MALFORMED
    with pytest.raises(RemoteProtocolError, match="the frame is no PlayResponse"):
        BotConnection().receive(garbage)


def test_a_frame_of_too_many_messages_is_a_flood() -> None:
    """To look at each of as many as have room in it would hold up all who play."""
    server = ConnectionPair.opened().server
    frame = v1.PlayRequest(messages=[v1.BotMessage()]).SerializeToString()
    assert server.receive(frame * MAX_FRAME_MESSAGES) == []
    with pytest.raises(RemoteProtocolError, match="2049 messages came; 2048 are allowed") as error:
        server.receive(frame * (MAX_FRAME_MESSAGES + 1))
    assert error.value.fault == v1.FAULT_FLOODING
    assert server.left_out == MAX_FRAME_MESSAGES, "none of them was looked at"


def test_a_text_that_is_no_text_is_garbage() -> None:
    frame = from_bot(hello(games=["mittlere"])).replace(b"mittlere", b"\xff\xfe\xfd\xfc\xff\xfe\xfd\xfc")
    with pytest.raises(RemoteProtocolError):
        ServerConnection().receive(frame)


def test_a_message_out_of_turn_is_named_with_the_state() -> None:
    with pytest.raises(RemoteProtocolError, match="'choice' may not be sent in the state 'new'"):
        ServerConnection().receive(from_bot(choice(1, 1)))
    with pytest.raises(LocalProtocolError, match="'match_start' may not be sent in the state 'new'"):
        ServerConnection().send(v1.MatchStart())


def test_a_bot_leaves_out_messages_that_it_does_not_know() -> None:
    unknown_kind = v1.ServerMessage.FromString(b"\xa2\x06\x03abc")  # field 100
    assert unknown_kind.WhichOneof("body") is None
    frame = v1.PlayResponse(messages=[unknown_kind]).SerializeToString()
    pair = ConnectionPair.opened()
    start = v1.MatchStart(match_handle=1)
    received = pair.bot.receive(frame + from_server(start) + frame)
    assert [body_of(message) for message in received] == [start]


def test_a_server_leaves_out_messages_that_it_does_not_know() -> None:
    frame = v1.PlayRequest(messages=[v1.BotMessage.FromString(b"\xa2\x06\x03abc")]).SerializeToString()
    assert ServerConnection().receive(frame) == []


def test_unknown_fields_and_enum_values_do_no_harm() -> None:
    pair = ConnectionPair.opened()
    pair.server_says(v1.MatchStart(match_handle=1), v1.Decision(match_handle=1, number=1))
    accepted = v1.Accepted.FromString(v1.Accepted(match_handle=1, number=1).SerializeToString() + b"\xa2\x06\x03abc")
    accepted.fault = 12_345  # type: ignore[assignment]  # a fault that is not known yet
    [message] = pair.bot.receive(from_server(accepted))
    assert message.accepted.fault == 12_345


def test_a_frame_with_a_message_out_of_turn_is_taken_as_a_whole_or_not_at_all() -> None:
    """A server that gets an error has not been handed the messages before it."""
    pair = ConnectionPair.opened()
    with pytest.raises(RemoteProtocolError):
        pair.server.receive(from_bot(choice(1, 1), hello()))


@pytest.mark.parametrize("body", [v1.Decision(match_handle=1, number=1), v1.Accepted(match_handle=1, number=1)])
def test_what_a_match_serializes_itself_is_sent_only_while_a_session_goes_on(body: v1.Decision | v1.Accepted) -> None:
    pair = ConnectionPair()
    with pytest.raises(LocalProtocolError):
        send_parts(pair.server, body)
    pair = ConnectionPair.opened()
    assert send_parts(pair.server, body) == from_server(body)
    pair.server_says(v1.Draining())
    assert send_parts(pair.server, body) == from_server(body)
    pair.server_says(v1.Goodbye())
    with pytest.raises(LocalProtocolError):
        send_parts(pair.server, body)
