"""Frames of calls, in whatever pieces they arrive."""

import pytest

from ordago.arena.referees.calls import Frames, framed

CALLS = [[("ask", 1, b"\x00", (1.5, None), True)], [], [("end", 7, "ümlaut"), ("drop", 8)]]


@pytest.mark.parametrize("length", [1, 2, 5, 1000])
def test_frames_are_the_same_in_pieces_of_any_length(length: int) -> None:
    sent = b"".join(map(framed, CALLS))
    frames = Frames()
    pieces = [sent[start : start + length] for start in range(0, len(sent), length)]
    assert [list(calls) for piece in pieces for calls in frames.taken(piece)] == CALLS


def test_of_a_frame_that_is_cut_off_nothing_is_told() -> None:
    frames = Frames()
    assert list(frames.taken(framed(CALLS[0])[:-1])) == []
