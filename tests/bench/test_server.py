"""The measurement itself: what it says, and that it says it of real processes."""

import json

import pytest

from ordago import v1
from ordago_bench.latency import AnswerTimes, Latencies, shared_times
from ordago_bench.processes.instant_bot import InstantBot
from ordago_bench.processes.worker import Tally
from ordago_bench.server import Figures, Measurement, measure_server

MEASURED = Measurement(
    server=Figures(30_000.0, 40.0, 2.5, 9.0),
    echo=Figures(12_000.0, 74.0, 2.0, 4.0),
    batched_echo=Figures(200_000.0, 4.0, 1.0, 2.0),
    decisions_per_frame=20.0,
)


def test_the_ratios_are_decisions_over_decisions() -> None:
    assert MEASURED.ratio == 2.5
    assert MEASURED.batched_ratio == 0.15


def test_a_program_can_read_it() -> None:
    read = json.loads(json.dumps(MEASURED.as_json()))
    figures = {"decisions_per_s", "cpu_us_per_decision", "p50_ms", "p99_ms"}
    assert set(read) == {"server", "echo", "batched_echo", "decisions_per_frame", "ratio", "batched_ratio"}
    assert all(set(read[peer]) == figures for peer in ("server", "echo", "batched_echo"))
    assert (read["ratio"], read["batched_ratio"], read["echo"]["p99_ms"]) == (2.5, 0.15, 4.0)


def message(**body: object) -> v1.ServerMessage:
    return v1.ServerMessage(**body)  # type: ignore[arg-type]  # each is one of its bodies


def test_an_instant_bot_answers_all_decisions_of_a_frame_in_one() -> None:
    tally, latencies = Tally(), Latencies()
    bot = InstantBot(matches=2, tally=tally, latencies=latencies)
    frame = v1.PlayResponse(
        messages=[
            message(match_start=v1.MatchStart(match_handle=7, match_id="seven")),
            message(match_start=v1.MatchStart(match_handle=8, match_id="eight")),
            message(decision=v1.Decision(match_handle=7, number=1)),
            message(decision=v1.Decision(match_handle=8, number=5)),
        ]
    ).SerializeToString()
    answers = bot.answer(frame)
    choices = [answer.choice for answer in v1.PlayRequest.FromString(answers).messages]
    assert [(choice.match_handle, choice.number) for choice in choices] == [(7, 1), (8, 5)]
    assert {choice.answer.legal_action for choice in choices} == {1}
    assert (tally.decisions, tally.frames) == (2, 1)
    assert (tally.received_bytes, tally.sent_bytes) == (len(frame), len(answers))


def frame_of(*, handle: int, match_id: str = "", number: int = 0) -> bytes:
    """Return a frame with the start of a match, where it has a name, and with a decision, where it has a number."""
    frame = v1.PlayResponse()
    if match_id:
        frame.messages.append(message(match_start=v1.MatchStart(match_handle=handle, match_id=match_id)))
    if number:
        frame.messages.append(message(decision=v1.Decision(match_handle=handle, number=number)))
    return frame.SerializeToString()


def test_bots_measure_from_the_answer_of_one_to_the_next_decision_of_the_match_at_another() -> None:
    latencies, other_latencies = Latencies(), Latencies()
    with shared_times() as file:
        bot = InstantBot(matches=2, tally=Tally(), latencies=latencies, times=AnswerTimes(file))
        other = InstantBot(matches=2, tally=Tally(), latencies=other_latencies, times=AnswerTimes(file))
        assert other.answer(frame_of(handle=9, match_id="m")) == b"", "nothing is to be answered"
        assert bot.answer(frame_of(handle=7, match_id="m", number=1))
        other.answer(frame_of(handle=8, match_id="another", number=1))
        other.sends()
        assert bot.answer(frame_of(handle=7, number=2)), "it is not sent before, so nothing is to be measured"
        assert not latencies.bins
        assert not other_latencies.bins
        bot.sends()
        other.answer(frame_of(handle=9, number=1))
        assert (latencies.bins.total(), other_latencies.bins.total()) == (0, 1)


def test_a_match_that_begins_has_no_answer_of_one_before_it() -> None:
    times = AnswerTimes()
    place = times.begin("m")
    assert times.since(place, 1.0) is None
    times.answered(place)
    assert times.since(place, float("inf")) is not None
    assert times.begin("m") == place
    assert times.since(place, 1.0) is None


def test_a_match_that_is_over_is_forgotten() -> None:
    bot = InstantBot(matches=1, tally=Tally(), latencies=Latencies())
    bot.answer(frame_of(handle=7, match_id="m", number=1))
    over = v1.PlayResponse(messages=[message(match_end=v1.MatchEnd(match_handle=7))]).SerializeToString()
    assert bot.answer(over) == b""
    assert bot.answer(frame_of(handle=7, match_id="n", number=1))


@pytest.mark.slow
def test_a_short_measurement_of_the_server_and_its_peers() -> None:
    measured = measure_server("mittlere", connections=3, matches=4, seconds=0.2, rounds=2, warm_up_seconds=0.4)
    for figures in (measured.server, measured.echo, measured.batched_echo):
        assert figures.decisions_per_s > 0
        assert figures.cpu_us_per_decision > 0
        assert 0 < figures.p50_ms <= figures.p99_ms
    assert measured.decisions_per_frame > 0
    assert measured.ratio > 0
