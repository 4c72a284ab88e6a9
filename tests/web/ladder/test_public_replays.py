"""A match whose record is not open is replayed as spectators saw it, and by nothing else that its record holds.

The attacker is a bot's friend who reads each byte: what differs in hidden cards alone has to give the same bytes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from match.test_onlookers import FakeOnlooker, play_world
from support.matches import match_terms
from support.players import FakePlayer, by_default, play_match
from torture.worlds import Twins, World, twins

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.edge.services.ladder import watch_responses
from ordago.games import game_names
from ordago.record import replay
from ordago.record.opening import UnplayableError
from ordago.record.watched import watched_heading, watched_replay
from ordago_ladder.showing.match_page import replay_values
from ordago_web.clients import LadderServer

PAIRS = 8


def record_of(worlds: Twins, world: World) -> v1.MatchRecord:
    """Return the record of a world, up to the decision in which it ends."""
    record, _ = play_world(worlds, world, FakeOnlooker(), then=by_default)
    left, kept = len(world.shuffles) + len(world.actions), []
    for entry in record.entries:
        left -= not entry.HasField("event")
        if left < 0:
            break
        kept.append(entry)
    del record.entries[:]
    record.entries.extend(kept)
    # How the rest went is another story in each world.
    record.outcome.CopyFrom(v1.Outcome(reason=v1.OUTCOME_REASON_DEALS_PLAYED))
    record.outcome.scores.extend([0] * worlds.seats)
    record.outcome.placings.extend([1] * worlds.seats)
    return record


def told(record: v1.MatchRecord) -> bytes:
    """Return what the server sends of a match that is over, in one."""
    return b"".join(watch_responses(record))


def shown(record: v1.MatchRecord) -> str:
    """Return all that the page of the match is made of, as spectators see it."""
    heading, replayed = watched_replay(v1.WatchMatchResponse.FromString(told(record)))
    values = replay_values(heading, root="/", record_link="", back="/", replayed=replayed)
    return f"{values['match']}{values['text']}"


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_deals_that_differ_in_hidden_cards_are_replayed_by_the_same_bytes(name: str) -> None:
    different = 0
    for seed in range(PAIRS):
        pair = twins(name, Random(seed), deals_before=seed % 2)
        first, second = record_of(pair, pair.first), record_of(pair, pair.second)
        assert told(first) == told(second)
        assert shown(first) == shown(second)
        different += replay(first).events != replay(second).events
    assert different > PAIRS / 2, "most pairs are of two different deals, which their records tell apart"


def test_nothing_of_a_record_but_its_public_events_and_its_end_is_told() -> None:
    record = play_match(match_terms(), [FakePlayer() for _ in range(3)])
    other = v1.MatchRecord()
    other.CopyFrom(record)
    other.secret, other.commitment, other.attempt = b"s" * 32, b"c" * 32, 3
    for seat in other.seats:
        seat.build = "b" * 64
    for entry in other.entries:
        if entry.HasField("choice"):
            entry.choice.charged_ms += 1234
    assert other != record
    assert told(other) == told(record)
    assert shown(other) == shown(record)
    assert b"shuffle" not in told(record)


@pytest.mark.parametrize("name", game_names())
def test_it_is_told_byte_for_byte_as_it_was_to_those_who_watched(name: str) -> None:
    worlds, onlooker = twins(name, Random(1), deals_before=1), FakeOnlooker()
    record, _ = play_world(worlds, worlds.first, onlooker, then=by_default)
    whole = v1.WatchMatchResponse.FromString(told(record))
    assert b"".join(v1.WatchMatchResponse(events=[event]).SerializeToString() for event in whole.events) == b"".join(
        onlooker.news
    )
    heading, replayed = watched_replay(whole)
    assert replayed.outcome == replay(record).outcome
    assert (heading.match_id, [seat.name for seat in heading.seats]) == (
        record.match_id,
        [seat.name for seat in record.seats],
    )
    assert "Secret" not in shown(record)


@pytest.mark.parametrize("event", [v1.Event(), v1.Event(mus=v1.MusEvent())])
def test_what_a_strange_server_tells_is_refused(event: v1.Event) -> None:
    start = v1.WatchedStart(game="mittlere", rules_version=1)
    with pytest.raises(UnplayableError, match="another version"):
        watched_replay(v1.WatchMatchResponse(start=start, events=[event]))
    assert watched_heading(start).game == "mittlere"


class Matches:
    """A client of a server that tells parts of a match, and then fails if it is told to."""

    def __init__(self, *parts: v1.WatchMatchResponse, error: CallError | None = None) -> None:
        self._parts, self._error = parts, error

    @contextmanager
    def opened(self) -> Iterator["Matches"]:
        yield self

    def listen(self, _request: object, _answer: object, *, patience_seconds: float) -> Iterator[v1.WatchMatchResponse]:
        assert patience_seconds < 20
        yield from self._parts
        if self._error is not None:
            raise self._error


def test_the_parts_of_a_match_become_one() -> None:
    record = play_match(match_terms(), [FakePlayer() for _ in range(3)])
    parts = map(v1.WatchMatchResponse.FromString, watch_responses(record))
    asked = LadderServer(None, Matches(*parts)).ask(v1.WatchMatchRequest(), v1.WatchMatchResponse)  # type: ignore[arg-type]
    assert asked == v1.WatchMatchResponse.FromString(told(record))


@pytest.mark.parametrize(
    ("status", "seen"),
    [("RESOURCE_EXHAUSTED", "ABORTED"), ("DEADLINE_EXCEEDED", "ABORTED"), ("UNAVAILABLE", "UNAVAILABLE")],
)
def test_many_spectators_do_not_make_the_whole_site_think_that_its_server_is_away(status: str, seen: str) -> None:
    server = LadderServer(None, Matches(error=CallError(status, "too many watch already")))  # type: ignore[arg-type]
    with pytest.raises(CallError) as failed:
        server.ask(v1.WatchMatchRequest(), v1.WatchMatchResponse)
    assert failed.value.status == seen
