"""What may be watched of the matches that are played: how late it is shown, and how long it is kept."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
from support.connections import Lobby, default, first_legal
from support.matches import match_terms
from support.players import FakePlayer, play_match
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.play import play_untold
from ordago.arena.tables import watched as module
from ordago.arena.tables.watched import WatchedMatch, WatchedMatches, watched_end
from ordago.wire.fields import tag

pytestmark = pytest.mark.virtual_time


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def matches(clock: Clock) -> WatchedMatches:
    return WatchedMatches(delay_seconds=5, now=clock)


@pytest.fixture
def wait(matches: WatchedMatches, clock: Clock) -> Callable[[float], None]:
    def wait(seconds: float) -> None:
        clock.time += seconds
        matches.look()

    return wait


def seen(match: WatchedMatch, *, after: int = 0) -> list[bytes]:
    return list(match.seen(after, at_most=1000).events)


def test_what_happened_is_shown_as_late_as_it_is_to_be(matches: WatchedMatches, wait: Any) -> None:
    match = matches.begin(match_terms())
    match.news += [b"a", b"b"]
    wait(1)
    match.news.append(b"c")
    wait(1)
    assert not seen(match)
    wait(3.9)
    assert not seen(match)
    wait(0.1)
    assert seen(match) == [b"a", b"b"]
    wait(1)
    assert seen(match) == [b"a", b"b", b"c"]
    assert seen(match, after=2) == [b"c"]


def test_what_happens_is_never_shown_too_early_however_seldom_somebody_looks(
    matches: WatchedMatches, wait: Any
) -> None:
    match = matches.begin(match_terms())
    match.news.append(b"a")
    wait(100)
    assert not seen(match)
    wait(5)
    assert seen(match) == [b"a"]


def test_the_end_is_shown_as_late_as_all_else(matches: WatchedMatches, wait: Any) -> None:
    record = play_match(match_terms(), [FakePlayer() for _ in range(3)])
    match = matches.begin(match_terms())
    match.news.append(b"a")
    match.over(record)
    wait(4.9)
    assert match.seen(0, at_most=9) == ([], None)
    wait(0.1)
    assert match.seen(0, at_most=9) == ([b"a"], watched_end(record))


def test_the_end_is_not_shown_before_what_comes_before_it(matches: WatchedMatches, wait: Any) -> None:
    match = matches.begin(match_terms())
    match.news += [b"a", b"b", b"c"]
    match.void("The server failed.")
    wait(5)
    assert match.seen(0, at_most=2) == ([b"a", b"b"], None)
    assert match.seen(2, at_most=2) == ([b"c"], v1.WatchedEnd(sentence="The server failed."))


def test_a_match_is_forgotten_some_time_after_its_end_was_shown(matches: WatchedMatches, wait: Any) -> None:
    over, running = matches.begin(match_terms()), matches.begin(match_terms(match_id="1" * 32))
    over.void("The server failed.")
    wait(65)
    assert matches.find(over.start.match_id) is over
    wait(0.1)
    assert matches.find(over.start.match_id) is None
    assert matches.find(running.start.match_id) is running


def test_only_so_many_are_kept_after_their_end(
    matches: WatchedMatches, wait: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that leave each match at once would fill the memory with what nobody watches."""
    monkeypatch.setattr(module, "_MOST_KEPT", 3)
    names = [str(number) * 32 for number in range(8)]
    for name in names:
        matches.begin(match_terms(match_id=name)).void("The server failed.")
    wait(5.1)
    assert [name for name in names if matches.find(name)] == names[-3:]


def test_what_a_match_is_tells_nothing_of_its_deals(matches: WatchedMatches) -> None:
    terms = match_terms(revealed_secret=b"s" * 32)
    told = matches.begin(terms).start
    assert (told.match_id, told.game, told.options.mittlere.deals, told.delay_seconds) == ("0" * 32, "mittlere", 3, 5)
    assert [player.name for player in told.players] == ["bot 0", "bot 1", "bot 2"]
    serialized = told.SerializeToString()
    assert not any(hidden in serialized for hidden in (b"s" * 32, terms.deals.seed.encode(), terms.seats[0].seed))


def test_an_event_is_the_same_field_wherever_it_is_told() -> None:
    """What a match hands out to its seats goes to those who watch as it is."""
    assert tag(v1.Decision, "events") == tag(v1.WatchMatchResponse, "events")


async def test_a_match_between_bots_is_watched_as_it_is_played() -> None:
    matches, lobby = WatchedMatches(), Lobby()
    entered = [lobby.enter(answering=answering) for answering in (first_legal, default, first_legal)]
    match = matches.begin(match_terms())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(matches.keep)
        untold = await play_untold(match_terms(), [bot.take_seat() for _, bot in entered], onlookers=[match])
        match.over(untold.record)
        untold.tell()
        await trio.sleep(1)
        await wait_all_tasks_blocked()
        events, end = match.seen(0, at_most=10_000)
        nursery.cancel_scope.cancel()
    assert end == v1.WatchedEnd(outcome=untold.record.outcome)
    told = v1.WatchMatchResponse.FromString(b"".join(events)).events
    assert len(told) == sum(entry.HasField("event") for entry in untold.record.entries)
