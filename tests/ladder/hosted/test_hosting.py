"""Events beside the tables of a server: they are played, stopped, taken up again, and fail for themselves alone."""

from pathlib import Path

import pytest
from support.venue import NOW, Venue, event_file

from ordago.edge.services.event_keeper import Caller
from ordago_ladder.hosted import hosted_event, hosting
from ordago_ladder.hosted.events_api import (
    EventConflictError,
    EventLimitError,
    EventRefusedError,
    HostedStage,
    NoEventError,
)
from ordago_ladder.hosted.permissions import LEAST_FREE_BYTES
from ordago_ladder.verification.event import verify_folder

FRIDAY = event_file("friday")


@pytest.mark.slow
async def test_an_event_is_played_to_its_end_while_bots_of_the_same_accounts_sit_at_the_tables(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        for account in ("ana", "ben"):
            venue.come(account)
        state = await venue.opened(event_file("friday", house=True))
        assert (state.stage, state.opened, state.opened_by) == (HostedStage.CHECK_IN, NOW, "ola")
        assert state.title == "The friday"
        for account in ("ana", "ben"):
            venue.come(account, "friday")
        state = await venue.ended("friday")
        await venue.until(lambda: ("ben", "friday") in venue.farewells and venue.tables.finished > 0)
    assert (state.stage, state.sentence, state.played, state.planned) == (HostedStage.OVER, "", 6, 6)
    assert (state.here, state.missing) == (("ana", "ben"), ())
    assert state.ladder is not None
    assert {line.entrant for line in state.ladder.overall.lines} == {"ana", "ben", "house"}
    assert venue.farewells["ana", "friday"] == "the event is over"
    verification = verify_folder(tmp_path / "events" / "friday")
    assert (verification.records, verification.findings) == (6, ())


async def test_nobody_comes_in_for_the_event_of_others(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        venue.come("zoe", "friday")
        venue.come("ana", "monday")
        await venue.until(lambda: len(venue.farewells) == 2)
        assert "(PERMISSION_DENIED)" in venue.farewells["zoe", "friday"]
        assert "'zoe' has no entrant in this event" in venue.farewells["zoe", "friday"]
        assert "(NOT_FOUND): no event 'monday' is open here" in venue.farewells["ana", "monday"]
        assert venue.stage("friday") is HostedStage.CHECK_IN


@pytest.mark.slow
async def test_an_event_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    text = event_file("friday", repetitions=60, terms="parallel = 1")
    async with Venue(tmp_path).open() as venue:
        await venue.opened(text)
        venue.come("ana", "friday")
        venue.come("ben", "friday")
        await venue.until(lambda: venue.played("friday") > 1)
        state = await venue.stopped("friday", why="it rains")
        assert (state.stage, state.sentence) == (HostedStage.STOPPED, "stopped by ola: it rains")
        assert 1 < state.played < state.planned == 120
        await venue.until(lambda: len(venue.farewells) == 2)
        assert "(NOT_FOUND)" in venue.farewells["ana", "friday"]
        played = state.played
        state = await venue.opened(text)
        assert (state.stage, state.opened_by) == (HostedStage.CHECK_IN, "ola")
        venue.come("ana", "friday")
        venue.come("ben", "friday")
        await venue.until(lambda: venue.played("friday") > played)
        await venue.stopped("friday")
    findings = verify_folder(tmp_path / "events" / "friday").findings
    assert not findings


@pytest.mark.slow
async def test_an_event_that_is_over_goes_on_with_a_file_that_asks_for_more(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        for text, played in ((FRIDAY, 2), (event_file("friday", repetitions=2), 4)):
            state = await venue.opened(text)
            assert state.stage is HostedStage.CHECK_IN
            venue.come("ana", "friday")
            venue.come("ben", "friday")
            state = await venue.ended("friday")
            assert (state.stage, state.played) == (HostedStage.OVER, played)
        with pytest.raises(EventRefusedError, match="may only ask for more"):
            await venue.opened(FRIDAY)
    assert verify_folder(tmp_path / "events" / "friday").findings == ()


@pytest.mark.slow
async def test_a_server_that_is_started_again_goes_on_with_what_was_not_stopped(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        await venue.opened(event_file("stopped"))
        await venue.stopped("stopped")
    assert venue.stage("friday") is HostedStage.CHECK_IN
    (tmp_path / "events" / "broken" / "private").mkdir(parents=True)
    (tmp_path / "events" / "broken" / "private" / "hosted.json").write_text('{"stage": "dancing"}')
    async with Venue(tmp_path).open() as again:
        assert again.stage("stopped") is HostedStage.STOPPED
        again.come("ana", "friday")
        again.come("ben", "friday")
        assert (await again.ended("friday")).stage is HostedStage.OVER
    async with Venue(tmp_path).open() as afterwards:
        state = await afterwards.ask(afterwards.hosting.state, "friday")
        assert (state.stage, state.played) == (HostedStage.OVER, 2)
        assert state.ladder is not None, "the standings of what is over are looked up"


@pytest.mark.slow
async def test_an_event_that_fails_says_why_and_nothing_else_hears_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(event_file("past", terms="begins = 2020-01-01T00:00:00Z", start_seconds=1))
        state = await venue.ended("past")
        assert (state.stage, state.sentence) == (
            HostedStage.FAILED,
            "check-in is over, and 'ana', 'ben' did not check in",
        )
        whole = hosted_event.run_event
        monkeypatch.setattr(hosted_event, "run_event", _failing)
        await venue.opened(event_file("mistake"))
        state = await venue.ended("mistake")
        assert state.sentence == "the server failed (KeyError); see its log"
        monkeypatch.setattr(hosted_event, "run_event", whole)
        for event in ("friday", "saturday"):
            await venue.opened(event_file(event))
            for account in ("ana", "ben"):
                venue.come(account, event)
        for account in ("ana", "ben"):
            venue.come(account)
        assert [(await venue.ended(event)).stage for event in ("friday", "saturday")] == [HostedStage.OVER] * 2
        await venue.until(lambda: venue.tables.finished > 0)


async def _failing(*_: object, **__: object) -> None:
    raise KeyError("nobody foresaw it")


async def test_a_disk_that_fills_up_ends_events_and_lets_none_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left of it belongs to the tables."""
    monkeypatch.setattr(hosting, "_LOOK_SECONDS", 0.1)
    room = [LEAST_FREE_BYTES]
    async with Venue(tmp_path, free=lambda _: room[0]).open() as venue:
        await venue.opened(FRIDAY)
        room[0] -= 1
        with pytest.raises(EventLimitError, match="too little disk space"):
            await venue.opened(event_file("saturday"))
        state = await venue.ended("friday")
        assert state.stage is HostedStage.FAILED
        assert "too little disk space" in state.sentence


@pytest.mark.slow
async def test_what_may_not_be_opened_now_is_told(tmp_path: Path) -> None:
    venue = Venue(tmp_path)
    with pytest.raises(EventConflictError, match="the server is starting or shutting down"):
        venue.hosting.open(FRIDAY, by=Caller("ola"))
    async with venue.open():
        await venue.opened(FRIDAY)
        assert (await venue.opened(FRIDAY)).stage is HostedStage.CHECK_IN, "what runs already runs"
        with pytest.raises(EventConflictError, match="'friday' is running with another file: stop it first"):
            await venue.opened(event_file("friday", repetitions=2))
        await venue.stopped("friday")
        assert (await venue.opened(event_file("friday", repetitions=2))).name == "friday", "nobody has checked in"
        await venue.stopped("friday")
        for question in (venue.hosting.state, venue.hosting.stop, venue.hosting.remove):
            named = {} if question == venue.hosting.state else {"by": Caller("ola")}
            with pytest.raises(NoEventError, match=r"no event '\.\./friday'"):
                await venue.ask(question, "../friday", **named)
        assert [state.name for state in venue.hosting.states()] == ["friday"]


@pytest.mark.slow
async def test_late_entrants_come_in_where_the_runner_would_take_them(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(event_file("league"))
        await venue.stopped("league")
        grown = event_file("league", remote=("ana", "ben", "kim"))
        await venue.opened(grown)
        for account in ("ana", "ben", "kim"):
            venue.come(account, "league")
        state = await venue.ended("league")
        assert (state.stage, state.here, state.played) == (HostedStage.OVER, ("ana", "ben", "kim"), 6)
        with pytest.raises(EventRefusedError, match="the event is over, and goes on only"):
            await venue.opened(grown.replace('name = "kim"', 'name = "kim"\nwithdrawn = true'))
        assert venue.stage("league") is HostedStage.OVER
    assert not verify_folder(tmp_path / "events" / "league").findings
