"""Choices read from bytes are those that protobuf reads, and whatever is not surely one is left to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordago import v1
from ordago.wire.frames import ReceivedChoice, read_choices

MOST = 8
# Around the borders of one, two and four bytes, and of 32 bits.
NUMBERS = st.sampled_from([0, 1, 2, 127, 128, 129, 16_383, 16_384, 2**28, 2**32 - 1])
ANSWERS = st.one_of(
    st.builds(v1.Answer, legal_action=NUMBERS),
    st.builds(v1.Answer, legal_action=st.integers(1, 3), extra=st.integers(0, 1)),
    st.builds(v1.Answer, action=st.just(v1.Action(mittlere=v1.MittlereAction(card=7)))),
)
CHOICES = st.builds(
    v1.Choice, match_handle=NUMBERS, number=NUMBERS, answer=ANSWERS, thought_ms=st.one_of(st.none(), NUMBERS)
)
MESSAGES = st.one_of(
    st.builds(v1.BotMessage, choice=CHOICES),
    st.builds(v1.BotMessage, choice=CHOICES),
    st.just(v1.BotMessage(retire=v1.Retire())),
    st.just(v1.BotMessage()),
)
FRAMES = st.builds(v1.PlayRequest, messages=st.lists(MESSAGES, max_size=3)).map(v1.PlayRequest.SerializeToString)


def parts(choice: ReceivedChoice) -> tuple[int, int, bytes, int | None]:
    return choice.match_handle, choice.number, choice.answer, choice.thought_ms


def as_protobuf_reads(frame: bytes) -> list[tuple[int, int, bytes, int | None]]:
    """Every message of the frame is a choice; protobuf accepts it."""
    messages = v1.PlayRequest.FromString(frame).messages
    assert all(message.WhichOneof("body") == "choice" for message in messages)
    return [parts(ReceivedChoice.of(message.choice)) for message in messages]


def plain(*, number: int = 9, legal_action: int = 3, thought_ms: int | None = None) -> bytes:
    choice = v1.Choice(
        match_handle=5, number=number, answer=v1.Answer(legal_action=legal_action), thought_ms=thought_ms
    )
    return v1.PlayRequest(messages=[v1.BotMessage(choice=choice)]).SerializeToString()


@given(FRAMES)
def test_what_is_read_is_what_protobuf_reads(frame: bytes) -> None:
    choices = read_choices(frame, most=MOST)
    assert choices is None or [parts(choice) for choice in choices] == as_protobuf_reads(frame)


@pytest.mark.slow
@given(FRAMES, st.data())
def test_so_it_is_where_bytes_are_changed_left_out_or_put_in(frame: bytes, data: st.DataObject) -> None:
    changed = bytearray(frame)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed)))
        changed[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    choices = read_choices(bytes(changed), most=MOST)
    assert choices is None or [parts(choice) for choice in choices] == as_protobuf_reads(bytes(changed))


def test_what_bots_say_nearly_always_is_read() -> None:
    frame = plain() + plain(number=300, legal_action=127, thought_ms=0) + plain(thought_ms=70_000)
    choices = read_choices(frame, most=MOST)
    assert choices is not None
    assert [parts(choice) for choice in choices] == [
        (5, 9, b"\x08\x03", None),
        (5, 300, b"\x08\x7f", 0),
        (5, 9, b"\x08\x03", 70_000),
    ]


def test_an_action_of_the_game_is_read_as_well() -> None:
    answer = v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=7)))
    message = v1.BotMessage(choice=v1.Choice(match_handle=5, number=9, answer=answer))
    choices = read_choices(v1.PlayRequest(messages=[message]).SerializeToString(), most=MOST)
    assert choices is not None
    assert [parts(choice) for choice in choices] == [(5, 9, answer.SerializeToString(), None)]


def test_nothing_is_made_of_a_frame_with_too_many() -> None:
    assert read_choices(plain() * MOST, most=MOST) is not None
    assert read_choices(plain() * (MOST + 1), most=MOST) is None


def test_nothing_is_made_of_a_frame_that_breaks_off() -> None:
    frame = plain(number=300, thought_ms=300)
    assert all(read_choices(frame[:length], most=MOST) is None for length in range(1, len(frame)))


def test_a_number_without_end_is_none() -> None:
    """A hostile frame: it would take long to put such a number together."""
    assert read_choices(b"\x0a\x7f\x12\x7d\x08" + b"\xff" * 60_000, most=MOST) is None
