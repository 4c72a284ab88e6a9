"""A referee in another process says the steps that a referee here returns, and they arrive as they were."""

from collections.abc import Iterator

import pytest
from support.matches import SECRET, match_terms
from support.players import FakePlayer, Strategy, by_default, by_number

from ordago import v1
from ordago.arena.play import tell
from ordago.arena.referees.steps import Frames, framed, plain_step, step_of
from ordago.arena.referees.worker import RefereeWorker
from ordago.journal import match_entry
from ordago.journal.v1 import JournaledSeat
from ordago.match import Match, MatchTerms, Reply, Step


def faulty(decision: v1.Decision, refusals: object) -> v1.Answer | None:
    """Be silent, or break a rule, now and then: so that seats are refused, at fault, and forfeit."""
    if decision.number % 5 == 0:
        return None
    return v1.Answer(legal_action=99) if decision.number % 7 == 0 and not refusals else decision.default_answer


def taken(terms: MatchTerms, strategies: tuple[Strategy, ...]) -> Iterator[tuple[Reply | None, Step]]:
    """Play a match, and yield each reply with the step that comes of it; at first what it begins with."""
    match, players = Match(terms), [FakePlayer(strategy) for strategy in strategies]
    yield None, match.begin()
    reply, step = None, match.step(None)
    yield reply, step
    while step.played_out is None:
        tell(step, players)
        reply = None if step.question is None else players[step.question.seat].reply(step.question)
        step = match.step(reply)
        yield reply, step


def over_the_wire(call: tuple[object, ...]) -> tuple[object, ...]:
    [[arrived]] = Frames().taken(framed([call]))
    return arrived


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("strategies", [(by_number, by_default, by_number), (faulty, by_number, lambda *_: None)])
def test_a_worker_says_the_steps_of_a_referee_here(strategies: tuple[Strategy, ...], *, watched: bool) -> None:
    terms = match_terms(decision_ms=500, forfeit_after=4)
    worker, steps = RefereeWorker(), list(taken(terms, strategies))
    entry = match_entry(terms, [JournaledSeat() for _ in terms.seats]).SerializeToString()
    worker.hear([over_the_wire(("begin", 7, entry, b"", SECRET, (0, b""), watched, ()))])
    for reply, _ in steps[2:]:
        if reply is None:
            worker.go_on_with_one()
        else:
            times = (reply.thought_ms, reply.away, reply.lost)
            worker.hear([over_the_wire(("answer", 7, reply.answer, reply.elapsed, reply.fault, *times))])
    names = ["begun", *["step"] * (len(steps) - 1)]
    assert worker.said == [
        (name, 7, plain_step(step, watched=watched)) for name, (_, step) in zip(names, steps, strict=True)
    ]
    assert not worker.plays


def test_a_step_arrives_as_it_was() -> None:
    terms = match_terms(decision_ms=500, forfeit_after=4)
    kinds: set[str] = set()
    for _, step in taken(terms, (faulty, by_number, lambda *_: None)):
        _, plain = over_the_wire(("step", plain_step(step, watched=True)))
        arrived = step_of(plain, match_id=terms.match_id)
        assert plain_step(arrived, watched=True) == plain_step(step, watched=True)
        assert [type(message) for _, message in arrived.messages] == [type(message) for _, message in step.messages]
        kinds |= {type(message).__name__ for _, message in arrived.messages}
        if step.played_out is not None:
            assert arrived.played_out.record.message == step.played_out.record.message
            assert arrived.played_out.ends == step.played_out.ends
    assert kinds == {"MatchStart", "Acceptance", "Refused", "Forfeited"}


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
