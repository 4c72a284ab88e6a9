"""The bytes of a journal: what was cut off is dropped, what was damaged is noticed."""

import pytest

from ordago.journal import JournalError
from ordago.journal.frames import MAGIC, Framing, contents

CONTENTS = [b"a", b"bcd" * 20, bytes(40), b"\xff" * 300, b"the last"]
FRAMING = Framing(b"saltsalt")
WHOLE = FRAMING.whole(CONTENTS)
ENDS = [len(FRAMING.whole(CONTENTS[:count])) for count in range(len(CONTENTS) + 1)]


def test_what_was_written_is_read():
    assert contents(WHOLE) == CONTENTS
    assert contents(FRAMING.whole([])) == contents(MAGIC) == contents(b"") == []


def test_a_frame_in_a_content_is_none_of_the_journal():
    """A bot may say whatever it likes, and power cuts come when they like."""
    said = Framing().framed(b"said by a bot")
    whole = FRAMING.whole([b"a", said * 3])
    for length in range(len(FRAMING.whole([b"a"])), len(whole)):
        assert contents(whole[:length]) == [b"a"], length


def test_a_torn_tail_is_dropped_wherever_it_was_torn():
    for length in range(len(WHOLE)):
        whole = sum(end <= length for end in ENDS[1:])
        assert contents(WHOLE[:length]) == CONTENTS[:whole], length


@pytest.mark.parametrize("size", [1, 7, 8, 4096])
def test_a_tail_of_zeros_is_dropped(size: int):
    """After a power cut some file systems show what was never written as zeros."""
    assert contents(WHOLE + bytes(size)) == CONTENTS
    assert contents(WHOLE[:-3] + bytes(size)) == CONTENTS[:-1]


def test_each_damaged_byte_in_the_middle_is_noticed():
    for position in range(len(WHOLE)):
        damaged = bytearray(WHOLE)
        damaged[position] ^= 0x40
        if position < ENDS[-2]:
            with pytest.raises(JournalError):
                contents(bytes(damaged))
        else:
            assert contents(bytes(damaged)) == CONTENTS[:-1], "nothing shows that the last one was ever whole"


def test_what_is_damaged_is_told_with_its_place():
    damaged = WHOLE[: ENDS[2] + 10] + b"?" + WHOLE[ENDS[2] + 11 :]
    with pytest.raises(JournalError, match=f"damaged at byte {ENDS[2]}$"):
        contents(damaged)


def test_what_is_no_journal_is_not_taken_for_one():
    for other in (b"[event]\n", MAGIC.replace(b"1", b"2"), b"\n"):
        with pytest.raises(JournalError, match="not a journal"):
            contents(other)
