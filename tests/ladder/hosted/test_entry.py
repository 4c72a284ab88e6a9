"""Authors enter an event themselves: until it begins, once for each account, and never in place of another."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import trio
from support.venue import Venue, event_file

from ordago.edge.services.event_keeper import Caller
from ordago_ladder.event_file.entry import entry_of
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.hosted import hosted_event
from ordago_ladder.hosted.events_api import (
    EventConflictError,
    EventLimitError,
    EventRefusedError,
    EventTakenError,
    HostedStage,
    HostedState,
    NoEventError,
    NotYoursError,
)
from ordago_ladder.verification.event import verify_folder

ORGANISER = Caller("ola", may_organise=True)


def open_file(
    *,
    most: int = 8,
    seconds: float = 3600,
    begins: datetime | None = None,
    house: bool = True,
    name: str = "friday",
    terms: str = "",
) -> str:
    """Return an event of one named entrant that authors may enter for some seconds, or until it begins."""
    begins = begins or datetime.fromtimestamp(time.time() + seconds, UTC)
    entry = f"open_entry = true\nentrants_at_most = {most}\nabsentees_forfeit = true\n"
    entry += f"begins = {begins.isoformat()}\n{terms}"
    return event_file(name, remote=("zoe",), house=house, terms=entry, start_seconds=60)


@asynccontextmanager
async def opened(folder: Path, text: str = "") -> AsyncIterator[Venue]:
    async with Venue(folder, now=time.time).open() as venue:
        await venue.opened(text or open_file())
        yield venue


async def enter(venue: Venue, account: str, entrant: str = "", event: str = "friday") -> HostedState:
    entry = entry_of(entrant=entrant or f"{account}-bot", account=account)
    return await venue.ask(partial(venue.hosting.enter, event, entry))


async def leave(venue: Venue, by: Caller, entrant: str = "") -> HostedState:
    return await venue.ask(partial(venue.hosting.leave, "friday", entrant, by=by))


async def test_authors_enter_and_leave_until_the_event_begins_with_those_who_are_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as venue:
        state = await venue.ask(venue.hosting.state, "friday")
        assert (state.stage, state.places_left, state.missing) == (HostedStage.ENTRY, 6, ("zoe",))
        for account in ("ana", "ben", "eve"):
            state = await enter(venue, account)
        assert (state.places_left, state.missing) == (3, ("zoe", "ana-bot", "ben-bot", "eve-bot"))
        state = await leave(venue, Caller("eve"))
        assert [entry.entrant for entry in state.entries] == ["ana-bot", "ben-bot"]
        assert state.places_left == 4
        with pytest.raises(EventConflictError, match="the account 'eve' has no entrant"):
            await leave(venue, Caller("eve"))
        assert (await enter(venue, "eve", "eve 2")).places_left == 3


async def test_entry_closes_no_earlier_than_the_event_begins_so_that_bots_have_all_of_start_timeout(
    tmp_path: Path,
) -> None:
    begins = datetime.now(UTC).replace(microsecond=900_000) + timedelta(hours=1)
    async with opened(tmp_path, open_file(begins=begins)) as venue:
        state = await venue.ask(venue.hosting.state, "friday")
        assert state.begins is not None
        assert begins.timestamp() <= state.begins < begins.timestamp() + 1


@pytest.mark.slow
async def test_an_event_of_those_who_entered_is_played_and_proved(tmp_path: Path) -> None:
    async with opened(tmp_path, open_file(seconds=3, house=False)) as venue:
        await enter(venue, "ana", "Anas bot")
        await enter(venue, "ben")
        for account in ("ana", "ben", "zoe"):
            venue.come(account, "friday")
        state = await venue.ended("friday")
        assert (state.stage, state.sentence, state.played) == (HostedStage.OVER, "", 6)
        await venue.until(lambda: len(venue.farewells) == 3)
        assert set(venue.farewells.values()) == {"the event is over"}
        with pytest.raises(EventConflictError, match="closed"):
            await enter(venue, "eve")
    folder = tmp_path / "events" / "friday"
    settings = parse_event((folder / "event.toml").read_text())
    assert [(one.name, one.account) for one in settings.entrants[1:]] == [("Anas bot", "ana"), ("ben-bot", "ben")]
    assert (verify_folder(folder).records, verify_folder(folder).findings) == (6, ())


@pytest.mark.slow
async def test_fifty_accounts_enter_at_once_and_all_of_them_are_in_after_a_restart(tmp_path: Path) -> None:
    accounts = {f"author {number}" for number in range(50)}
    async with opened(tmp_path, open_file(most=52)) as venue, trio.open_nursery() as nursery:
        for account in accounts:
            nursery.start_soon(enter, venue, account)
    async with Venue(tmp_path, now=time.time).open() as again:
        state = await again.ask(again.hosting.state, "friday")
        assert {entry.account for entry in state.entries} == accounts
        assert (state.stage, state.places_left) == (HostedStage.ENTRY, 0)
        with pytest.raises(EventLimitError, match="all 50 places are taken"):
            await enter(again, "ana")


@pytest.mark.parametrize(
    ("account", "entrant", "error", "words"),
    [
        ("ana", "second", EventTakenError, "has entered as 'deep blue'"),
        ("zoe", "mine", EventTakenError, "has entered as 'zoe'"),
        ("eve", "deep blue", EventTakenError, "is taken"),
        ("eve", "Deep-B1ue", EventTakenError, "looks like 'deep blue'"),
        ("eve", "dееp blue", ValueError, "mixes Cyrillic and Latin"),
        ("eve", "z0e", EventTakenError, "looks like 'zoe'"),
        ("eve", "House", EventTakenError, "looks like 'house'"),
        ("eve", "<b>eve</b>", ValueError, "'name' takes letters"),
        ("eve", 'x"\nhouse = "random', ValueError, "'name' takes letters"),
        ("eve", "", ValueError, "'name' takes letters"),
    ],
)
async def test_nobody_enters_twice_or_under_a_name_that_misleads(
    tmp_path: Path, account: str, entrant: str, error: type[Exception], words: str
) -> None:
    async with opened(tmp_path) as venue:
        await enter(venue, "ana", "deep blue")
        with pytest.raises(error, match=words):
            await venue.ask(partial(venue.hosting.enter, "friday", entry_of(entrant=entrant, account=account)))
        state = await enter(venue, "eve", "eves own")
        assert len(state.entries) == 2


async def test_texts_of_authors_stay_texts_in_the_file(tmp_path: Path) -> None:
    """The attacker writes TOML and HTML into them."""
    hostile = '"\\ """ [[entrant]] <script> \' #'
    async with opened(tmp_path) as venue:
        entry = entry_of(entrant="ana", account="ana", author=hostile, version=hostile)
        await venue.ask(partial(venue.hosting.enter, "friday", entry))
        settings = parse_event(venue.hosting._events["friday"].note.whole_text)
        entrant = settings.entrants[-1]
        assert (len(settings.entrants), entrant.author, entrant.version) == (3, hostile, hostile)
    for text in ("x" * 129, "a\nb", "a\u202eb", "\0"):
        with pytest.raises(ValueError, match="'author' takes at most 128 characters, all visible"):
            entry_of(entrant="ana", account="ana", author=text)


async def test_the_organiser_removes_an_entrant_for_good_and_nobody_else_does(tmp_path: Path) -> None:
    async with opened(tmp_path) as venue:
        await enter(venue, "eve")
        for other in (Caller("ana"), Caller("ola"), Caller("root", is_admin=True, may_organise=True)):
            with pytest.raises(NotYoursError, match="only that one and the organiser"):
                await leave(venue, other, "eve-bot")
        for named in ("zoe", "nobody"):
            with pytest.raises(EventConflictError, match="not among those that authors entered"):
                await leave(venue, ORGANISER, named)
        state = await leave(venue, ORGANISER, "eve-bot")
        assert (state.entries, state.places_left) == ((), 6)
        with pytest.raises(NotYoursError, match="the organiser removed the entrant of 'eve'"):
            await enter(venue, "eve", "another")
        assert len((await enter(venue, "ana", "eve-bot")).entries) == 1


async def test_only_events_that_say_so_are_open_and_only_before_they_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, event_file("closed")) as venue:
        with pytest.raises(EventConflictError, match="authors cannot enter 'closed' themselves"):
            await enter(venue, "ana", event="closed")
        with pytest.raises(NoEventError):
            await enter(venue, "ana", event="monday")
        await venue.opened(open_file())
        later = time.time() + 3601
        with monkeypatch.context() as patched:
            patched.setattr(hosted_event.time, "time", lambda: later)
            with pytest.raises(EventConflictError, match="entry to 'friday' is closed"):
                await enter(venue, "ana")
        await venue.stopped("friday")
        with pytest.raises(EventConflictError, match="entry to 'friday' is closed"):
            await enter(venue, "ana")


async def test_entries_stay_when_the_event_is_opened_with_another_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as venue:
        for account in ("ana", "ben", "eve"):
            await enter(venue, account)
        await leave(venue, ORGANISER, "eve-bot")
        await venue.stopped("friday")
        with pytest.raises(EventRefusedError, match="'entrants_at_most' is 3, and 4 have entered"):
            await venue.opened(open_file(most=3))
        named = open_file(most=5) + '[[entrant]]\nname = "ben the first"\naccount = "ben"\nremote = true\n'
        state = await venue.opened(named)
        assert state.missing == ("zoe", "ben the first", "ana-bot"), "the file has an entrant for ben's account"
        assert (state.stage, state.places_left) == (HostedStage.ENTRY, 1)
        with pytest.raises(NotYoursError):
            await enter(venue, "eve")


@pytest.mark.slow
async def test_an_event_with_too_few_entrants_fails_and_is_opened_again(tmp_path: Path) -> None:
    async with opened(tmp_path, open_file(seconds=1, house=False)) as venue:
        state = await venue.ended("friday")
        assert state.stage is HostedStage.FAILED
        assert "takes 2 entrants a table, and there are 1" in state.sentence
        with pytest.raises(EventRefusedError, match="there are 1"):
            await venue.opened(open_file(seconds=-1, house=False))
        state = await venue.opened(open_file(house=False))
        assert (state.stage, state.places_left) == (HostedStage.ENTRY, 7)


async def test_bots_that_come_early_wait_for_the_begin(tmp_path: Path) -> None:
    async with opened(tmp_path) as venue:
        await venue.until(lambda: venue.halls._router["friday"] is not None)
        refusal = venue.halls.described("friday")
        assert refusal.status.name == "UNAVAILABLE"
        assert refusal.retry_after_ms == 12_000
        assert "the event 'friday' begins at 20" in refusal.sentence


@pytest.mark.parametrize(
    ("without", "words"),
    [
        ("begins", "'open_entry' needs a time at which it ends; write 'begins'"),
        ("entrants_at_most", "'open_entry' needs the most entrants; write 'entrants_at_most'"),
        ("absentees_forfeit", "one absent author would stop the event; write absentees_forfeit = true"),
        ("open_entry", "'entrants_at_most' is for open_entry = true"),
    ],
)
async def test_a_file_that_cannot_be_open_names_its_key(tmp_path: Path, without: str, words: str) -> None:
    text = "\n".join(line for line in open_file().splitlines() if not line.startswith(without))
    async with Venue(tmp_path, now=time.time).open() as venue:
        with pytest.raises(EventRefusedError) as refused:
            await venue.opened(text)
        assert words in str(refused.value)
        with pytest.raises(EventRefusedError, match="this event has"):
            await venue.opened(open_file(most=256))


async def test_an_event_of_partners_lets_authors_enter_with_a_process_for_each_seat(tmp_path: Path) -> None:
    text = open_file(house=False).replace('name = "mitaines"\nseats = 2\noptions = { target = 20 }', 'name = "mus"')
    async with opened(tmp_path, text.replace('name = "zoe"', 'name = "zoe"\nprocesses = 2')) as venue:
        await enter(venue, "ana")
        settings = parse_event(venue.hosting._events["friday"].note.whole_text)
        assert [one.processes for one in settings.entrants] == [2, 2]
