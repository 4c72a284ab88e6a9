import json
from collections.abc import Callable

import pytest
from google.protobuf.any_pb2 import Any
from hypothesis import given
from hypothesis import strategies as st

from ordago import v1
from ordago.record import (
    FORMAT_VERSION,
    FinishedRecord,
    RecordError,
    digest,
    finished_file,
    from_file_bytes,
    from_json,
    read_record,
    to_file_bytes,
    to_json,
)
from ordago.wire.fields import delimited, tag

_SMALL = v1.MatchRecord(
    format_version=FORMAT_VERSION,
    match_id="small",
    game="mittlere",
    options=v1.GameOptions(mittlere=v1.MittlereOptions(deals=300)),
    seats=[v1.RecordSeat(name="ana", side=0), v1.RecordSeat(name="ben", version="é", side=1), v1.RecordSeat()],
    clock=v1.ClockTerms(),
    commitment=bytes(range(32)),
    entries=[
        v1.RecordEntry(shuffle=v1.RecordedShuffle(deal=1, cards=[v1.CARD_ACE_OF_CLUBS, v1.CARD_SIX_OF_CLUBS])),
        v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent(seat=0))),
        v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent(points=[0, 157, 0], scores=[-2, 1, 1]))),
        v1.RecordEntry(choice=v1.RecordedChoice(seat=2, action=v1.Action(mittlere=v1.MittlereAction()))),
        v1.RecordEntry(),
    ],
    outcome=v1.Outcome(scores=[-300, 0, 300]),
)
_SMALL_FILE = to_file_bytes(_SMALL)


def test_a_record_comes_back_from_either_file(played: v1.MatchRecord):
    assert from_file_bytes(to_file_bytes(played)) == played
    assert from_json(to_json(played)) == played
    assert read_record(to_file_bytes(played)) == played
    assert read_record(to_json(played).encode()) == played


def test_a_record_of_bytes_is_the_same_file(played: v1.MatchRecord):
    finished = FinishedRecord.of(played)
    assert finished.message is played
    of_bytes_alone = FinishedRecord(played.match_id, finished.serialized)
    assert finished.digest == of_bytes_alone.digest == digest(played)
    assert finished_file(of_bytes_alone) == to_file_bytes(played)
    assert (of_bytes_alone.message, of_bytes_alone.match_id) == (played, finished.match_id)


def test_the_json_speaks_the_names_of_the_contract(played: v1.MatchRecord):
    file = json.loads(to_json(played))
    assert file["record"]["match_id"] == f"{1:032x}"
    assert file["record"]["outcome"]["reason"] == "OUTCOME_REASON_DEALS_PLAYED"
    assert file["record"]["seats"][1]["name"] == "beñat"
    assert "beñat" in to_json(played)


@pytest.mark.slow
def test_every_single_changed_byte_of_a_file_is_noticed():
    """All 255 other values of every byte of a file that has every kind of field."""
    for place, byte in enumerate(_SMALL_FILE):
        for value in range(256):
            if value != byte:
                with pytest.raises(RecordError):
                    from_file_bytes(_SMALL_FILE[:place] + bytes([value]) + _SMALL_FILE[place + 1 :])


_AS_WRITTEN = bytes.fromhex("08 01 6a 06  12 01 0a  1a 01 01")
"""A record with an outcome: one score and one placing, each as a list of numbers side by side."""
_WITH_MORE = bytes.fromhex("08 01 6a 06  10 0a  18 01  78 07")
"""The same in as many bytes: numbers one by one, and what an unknown field holds."""


def test_nothing_can_be_hidden_in_bytes_that_another_way_of_writing_spares():
    """An author who is caught may have nothing in a file that its digest does not see, and no reader either."""
    assert v1.MatchRecord.FromString(_AS_WRITTEN).SerializeToString(deterministic=True) == _AS_WRITTEN
    record = v1.MatchRecord.FromString(_WITH_MORE)
    assert digest(record) == digest(v1.MatchRecord.FromString(_AS_WRITTEN))
    record_tag, digest_tag = tag(v1.RecordFile, "record"), tag(v1.RecordFile, "digest")
    honest, forged = (
        delimited(record_tag, written) + delimited(digest_tag, digest(record)) for written in (_AS_WRITTEN, _WITH_MORE)
    )
    assert from_file_bytes(honest).outcome.scores == [5]
    assert len(forged) == len(honest)
    with pytest.raises(RecordError, match="not encoded as records are"):
        from_file_bytes(forged)


@given(place=st.integers(0, 10_000), change=st.integers(1, 255))
def test_a_changed_byte_of_a_whole_match_is_noticed(play_match: Callable[..., v1.MatchRecord], place: int, change: int):
    file = bytearray(to_file_bytes(play_match(deals=3)))
    file[place % len(file)] ^= change
    with pytest.raises(RecordError):
        from_file_bytes(bytes(file))


@given(st.integers(0, len(_SMALL_FILE) - 1))
def test_a_file_that_was_cut_off_is_noticed(length: int):
    with pytest.raises(RecordError):
        from_file_bytes(_SMALL_FILE[:length])


@given(st.binary(min_size=1, max_size=40))
def test_bytes_that_were_added_are_noticed(more: bytes):
    with pytest.raises(RecordError):
        from_file_bytes(_SMALL_FILE + more)


@given(st.binary(max_size=300))
def test_bytes_at_random_are_no_record_and_nothing_worse(data: bytes):
    with pytest.raises(RecordError):
        read_record(data)


@pytest.mark.slow
@given(st.text(max_size=100).map("{{{}".format))
def test_text_at_random_is_no_record_and_nothing_worse(text: str):
    with pytest.raises(RecordError):
        read_record(text.encode(errors="surrogatepass"))


@pytest.mark.parametrize("name", ["record", "digest"])
def test_both_the_record_and_the_digest_are_wanted(name: str):
    file = v1.RecordFile.FromString(_SMALL_FILE)
    file.ClearField(name)
    with pytest.raises(RecordError, match="a record and its digest"):
        from_file_bytes(file.SerializeToString())


def test_each_error_says_what_is_wrong():
    file = v1.RecordFile.FromString(_SMALL_FILE)
    file.record.attempt = 3
    with pytest.raises(RecordError, match="changed after it was written"):
        from_file_bytes(file.SerializeToString())
    with pytest.raises(RecordError, match="newer version"):
        from_file_bytes(_SMALL_FILE + b"\xfa\x3e\x01x")
    with pytest.raises(RecordError, match="damaged"):
        from_file_bytes(b"\xff")
    with pytest.raises(RecordError, match="not a record in JSON"):
        read_record(b'{"record": 7}')
    with pytest.raises(RecordError, match="UTF-8"):
        read_record(b'{"\xff')


def test_an_unknown_field_deep_inside_is_noticed():
    file = v1.RecordFile(record=_SMALL)
    file.record.seats[0].MergeFromString(b"\xfa\x3e\x01x")
    file.digest = digest(file.record)
    with pytest.raises(RecordError, match="newer version"):
        from_file_bytes(file.SerializeToString())


def test_changed_json_is_noticed_and_its_layout_is_free(played: v1.MatchRecord):
    text = to_json(played)
    assert from_json(json.dumps(json.loads(text))) == played
    with pytest.raises(RecordError, match="changed"):
        from_json(text.replace("beñat", "bernat"))
    with pytest.raises(RecordError, match="JSON"):
        from_json(text.replace('"match_id"', '"match_name"'))


def test_messages_of_a_game_that_is_not_installed_have_no_json():
    foreign = v1.GameOptions(other=Any(type_url="type.example/nowhere.Options", value=b"\x08\x01"))
    record = v1.MatchRecord(options=foreign)
    assert from_file_bytes(to_file_bytes(record)) == record
    with pytest.raises(RecordError, match="not installed"):
        to_json(record)
