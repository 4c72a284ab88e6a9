"""Organiser against organiser: what an account can do to the events of others at one server, and what it cannot."""

import json
import time
from pathlib import Path

import pytest
from support.venue import NOW, Venue, event_file

from ordago.edge.services.event_keeper import Caller
from ordago.store import StoreFailedError
from ordago.store.accounts.rows import Act
from ordago_ladder.hosted import hosting, permissions
from ordago_ladder.hosted.events_api import (
    EventConflictError,
    EventLimitError,
    EventRefusedError,
    EventTakenError,
    HostedStage,
    NoEventError,
    NotYoursError,
)
from ordago_ladder.hosted.hosting import Hosting
from ordago_ladder.hosted.permissions import KEPT, LEAST_FREE_BYTES, LITTLE_BYTES, OPEN, SCARCE_BYTES, Share
from ordago_ladder.hosted.removal import Removals, room_of
from ordago_ladder.verification.event import verify_folder

# Each test opens a server with a store, accounts and folders.
pytestmark = pytest.mark.slow

FRIDAY = event_file("friday")
ROOT = "root"


def log_of(venue: Venue) -> list[tuple[object, ...]]:
    """Return who did what to which event of whom, and why, the oldest first."""
    entries = [entry for entry in venue.accounts.log(most=100) if entry.act is not Act.CREATE_TOKEN]
    return [(one.actor, one.act, one.account, one.subject, one.why) for one in reversed(entries)]


# Shares


async def test_one_organiser_takes_so_many_places_and_the_last_are_for_who_has_none(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        for number in range(OPEN.of_one):
            await venue.opened(event_file(f"a{number}"), by="eve")
        with pytest.raises(EventLimitError, match="4 events of this account are open"):
            await venue.opened(event_file("a9"), by="eve")
        # An account in league with it fills what is left, but for the last places.
        for number in range(OPEN.most - OPEN.of_one - OPEN.last):
            await venue.opened(event_file(f"b{number}"), by="mallory")
        with pytest.raises(EventLimitError, match="the last 2 places are for accounts without events that are open"):
            await venue.opened(event_file("b9"), by="mallory")
        for number in range(OPEN.last):
            await venue.opened(event_file(f"c{number}"), by=f"honest-{number}")
        with pytest.raises(EventLimitError, match="8 events are open on this server"):
            await venue.opened(FRIDAY)
        await venue.stopped("a0", by="eve")
        await venue.opened(FRIDAY)


async def test_who_keeps_as_many_events_as_it_may_removes_one_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "KEPT", Share(most=4, of_one=2, last=1))
    assert (KEPT.most, KEPT.of_one, KEPT.last) == (1_000, 100, 100)
    async with Venue(tmp_path).open() as venue:
        for name, by in (("a1", "eve"), ("a2", "eve"), ("b1", "mallory")):
            await venue.opened(event_file(name), by=by)
            await venue.stopped(name, by=by)
        with pytest.raises(EventLimitError, match=r"2 events of this account are kept, .* remove one"):
            await venue.opened(event_file("a3"), by="eve")
        with pytest.raises(EventLimitError, match="the last 1 places are for accounts without events that are kept"):
            await venue.opened(event_file("b2"), by="mallory")
        await venue.opened(FRIDAY)
        await venue.removed("a1", by="eve")
        await venue.opened(event_file("a2"), by="eve")


async def test_an_organiser_whose_events_take_too_much_room_stops_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hosting, "_MEASURE_LOOKS", 1)
    monkeypatch.setattr(permissions, "MOST_BYTES", LITTLE_BYTES)
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        await venue.opened(event_file("large"), by="eve")
        (tmp_path / "events" / "large" / "private" / "x").write_bytes(b"x" * LITTLE_BYTES)
        state = await venue.ended("large")
        assert state.stage is HostedStage.FAILED
        assert state.sentence.startswith("the events of this account take 64 MiB, and 64 are allowed: remove one")
        assert LITTLE_BYTES <= state.size < LITTLE_BYTES + 10_000_000
        assert venue.stage("friday") is HostedStage.CHECK_IN
        with pytest.raises(EventLimitError, match="the events of this account take 6"):
            await venue.opened(event_file("small"), by="eve")
        await venue.removed("large", by="eve")
        await venue.opened(event_file("small"), by="eve")


async def test_where_room_is_scarce_those_go_on_who_have_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "_LOOK_SECONDS", 0.05)
    room = [SCARCE_BYTES]
    async with Venue(tmp_path, free=lambda _: room[0]).open() as venue:
        await venue.opened(FRIDAY)
        await venue.opened(event_file("large"), by="eve")
        venue.hosting._events["large"].measure = lambda: None  # type: ignore[method-assign]  # it has a size of its own
        venue.hosting._events["large"].size = LITTLE_BYTES + 1
        room[0] -= 1
        assert "too little disk space" in (await venue.ended("large")).sentence
        assert venue.stage("friday") is HostedStage.CHECK_IN
        room[0] = LEAST_FREE_BYTES - 1
        assert "too little disk space" in (await venue.ended("friday")).sentence


async def test_the_bots_of_the_house_are_shared_as_well(tmp_path: Path) -> None:
    army = "".join(f'[[entrant]]\nname = "h{number}"\nhouse = "random"\n' for number in range(15))
    async with Venue(tmp_path).open() as venue:
        for number in range(2):
            await venue.opened(event_file(f"a{number}", house=True) + army, by="eve")
        with pytest.raises(EventLimitError, match="would have 33 processes in the events of this account, and 32 are"):
            await venue.opened(event_file("a2", house=True), by="eve")
        await venue.opened(event_file("b", house=True))


# The end of check-in


async def test_an_event_whose_entrants_never_come_ends_and_gives_up_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The end of check-in is a time of day. One bot has to be there before, also on a busy machine.
    monkeypatch.setattr(permissions, "CHECK_IN_SECONDS", 6)
    monkeypatch.setattr("ordago_ladder.hosted.hosted_event.COME_BACK_SECONDS", 0.5)
    async with Venue(tmp_path, now=time.time).open() as venue:
        before = time.time()
        friday = event_file("friday", start_seconds=2)
        opened = await venue.opened(friday)
        assert opened.check_in_ends is not None
        assert before <= opened.check_in_ends <= time.time() + 6
        venue.come("ana", "friday")
        state = await venue.ended("friday")
        assert (state.stage, state.check_in_ends) == (HostedStage.FAILED, None)
        assert state.sentence.startswith("check-in is over, and ")
        assert state.sentence.endswith("'ben' did not check in")
        await venue.until(lambda: ("ana", "friday") in venue.farewells)
        # It verifies, and can be opened again, for another check-in.
        verification = verify_folder(tmp_path / "events" / "friday")
        assert (verification.findings, verification.records) == ((), 0)
        monkeypatch.setattr(permissions, "CHECK_IN_SECONDS", 3600)
        await venue.opened(friday)
        for account in ("ana", "ben"):
            venue.come(account, "friday")
        assert (await venue.ended("friday")).stage is HostedStage.OVER
    assert not verify_folder(tmp_path / "events" / "friday").findings


async def test_an_event_that_goes_on_without_absentees_begins_when_check_in_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permissions, "CHECK_IN_SECONDS", 1)
    monkeypatch.setattr("ordago_ladder.hosted.hosted_event.COME_BACK_SECONDS", 0.5)
    async with Venue(tmp_path, now=time.time).open() as venue:
        await venue.opened(event_file("friday", house=True, terms="absentees_forfeit = true", start_seconds=2))
        state = await venue.ended("friday")
        assert (state.stage, state.played) == (HostedStage.OVER, 6)
    assert not verify_folder(tmp_path / "events" / "friday").findings


async def test_the_end_of_check_in_outlives_the_server_and_nobody_begins_in_a_year(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        opened = await venue.opened(FRIDAY)
        assert opened.check_in_ends == NOW + permissions.CHECK_IN_SECONDS
        with pytest.raises(EventRefusedError, match="'begins' lies more than 7 days ahead"):
            await venue.opened(event_file("later", terms="begins = 2028-01-01T00:00:00Z"))
        begins = await venue.opened(event_file("soon", terms="begins = 2027-01-20T00:00:00Z"))
        assert begins.check_in_ends == begins.begins
    async with Venue(tmp_path, now=lambda: NOW + 1000).open() as again:
        state = await again.ask(again.hosting.state, "friday")
        assert state.check_in_ends == opened.check_in_ends


# Whose an event is


async def test_nobody_changes_an_event_of_another_account_but_an_admin_and_that_is_kept(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        for change in (venue.opened(FRIDAY, by="eve"), venue.stopped("friday", by="eve")):
            with pytest.raises(NotYoursError, match="'friday' belongs to the account 'ola'"):
                await change
        with pytest.raises(EventRefusedError, match="--why"):
            await venue.stopped("friday", by=ROOT, admin=True)
        assert venue.stage("friday") is HostedStage.CHECK_IN
        state = await venue.stopped("friday", by=ROOT, admin=True, why="too loud")
        assert (state.sentence, state.opened_by) == ("stopped by root: too loud", "ola")
        await venue.stopped("friday", by=ROOT, admin=True), "it does not run: nothing is done, and nothing said"
        for change in (venue.opened(FRIDAY, by="eve"), venue.removed("friday", by="eve")):
            with pytest.raises(NotYoursError):
                await change
        assert (await venue.opened(FRIDAY, by=ROOT, admin=True, why="sorry")).opened_by == "ola"
        await venue.stopped("friday")
        with pytest.raises(EventRefusedError, match="--why"):
            await venue.removed("friday", by=ROOT, admin=True)
        await venue.removed("friday", by=ROOT, admin=True, why="gone for good")
        assert log_of(venue) == [
            (ROOT, Act.STOP_EVENT, "ola", "friday", "too loud"),
            (ROOT, Act.OPEN_EVENT, "ola", "friday", "sorry"),
            (ROOT, Act.REMOVE_EVENT, "ola", "friday", "gone for good"),
        ]


async def test_what_cannot_be_kept_in_the_log_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attacker is an admin who fills the disk that the log is on, or takes its database away."""
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        await venue.opened(event_file("saturday"))
        await venue.stopped("saturday")
        monkeypatch.setattr(venue.accounts, "note", _not_kept)
        for change in (venue.stopped, venue.removed):
            name = "friday" if change == venue.stopped else "saturday"
            with pytest.raises(StoreFailedError):
                await change(name, by=ROOT, admin=True, why="unseen")
        with pytest.raises(StoreFailedError):
            await venue.opened(event_file("saturday"), by=ROOT, admin=True)
        assert venue.stage("friday") is HostedStage.CHECK_IN
        assert venue.stage("saturday") is HostedStage.STOPPED
        assert (tmp_path / "events" / "saturday" / "event.toml").exists()


def _not_kept(*_: object, **__: object) -> None:
    raise StoreFailedError("The database cannot be used: disk full.")


async def test_an_admin_who_opens_an_event_again_takes_a_place_of_its_owner(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        for number in range(OPEN.of_one + 1):
            await venue.opened(event_file(f"a{number}"), by="eve")
            if not number:
                await venue.stopped("a0", by="eve")
        with pytest.raises(EventLimitError, match="events of this account are open"):
            await venue.opened(event_file("a0"), by=ROOT, admin=True)


# Removal


async def test_what_was_played_is_removed_as_a_whole_and_its_name_stays_taken(tmp_path: Path) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        with pytest.raises(EventConflictError, match="'friday' is running: stop it first"):
            await venue.removed("friday")
        for account in ("ana", "ben"):
            venue.come(account, "friday")
        await venue.ended("friday")
        assert (
            room_of(venue.hosting._events["friday"].folder) >= (await venue.ask(venue.hosting.state, "friday")).size > 0
        )
        removed = await venue.removed("friday", why="no use")
        assert (removed.state.name, removed.state.played) == ("friday", 2)
        assert removed.files > 10
        assert log_of(venue) == [("ola", Act.REMOVE_EVENT, "ola", "friday", "no use")]
        assert sorted(path.name for path in (tmp_path / "events").iterdir()) == ["removed.json"]
        with pytest.raises(NoEventError):
            await venue.ask(venue.hosting.state, "friday")
    async with Venue(tmp_path).open() as again:
        for by in ("ola", "eve"):
            with pytest.raises(EventTakenError, match="that of an event that was removed on 2027-01-15"):
                await again.opened(event_file("friday", repetitions=2), by=by)
        with pytest.raises(EventTakenError, match="'fr1day' looks like 'friday', an event of 'ola'"):
            await again.opened(event_file("fr1day"), by="eve")


async def test_a_name_that_nothing_was_played_under_is_free_again(tmp_path: Path) -> None:
    """Nobody takes names out of the world by opening and removing events."""
    async with Venue(tmp_path).open() as venue:
        for by in ("eve", "ola"):
            await venue.opened(FRIDAY, by=by)
            await venue.stopped("friday", by=by)
            await venue.removed("friday", by=by)
        assert [one.name for one in Removals(tmp_path / "events")] == []


async def test_a_removal_that_was_interrupted_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = tmp_path / "events"
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        for account in ("ana", "ben"):
            venue.come(account, "friday")
        await venue.ended("friday")
        monkeypatch.setattr(Removals, "_hide", _fail)
        with pytest.raises(EventConflictError, match="'friday' cannot be deleted: no more"):
            await venue.removed("friday")
        assert (events / "friday").is_dir()
    monkeypatch.undo()
    async with Venue(tmp_path).open() as again:
        with pytest.raises(NoEventError):
            await again.ask(again.hosting.state, "friday")
    assert sorted(path.name for path in events.iterdir()) == ["removed.json"]


def _fail(*_: object, **_options: object) -> None:
    raise OSError(5, "no more")


# Names


@pytest.mark.parametrize("name", ["private", "lock", "removed", "con", "nul", "aux", "prn", "com1", "lpt9"])
async def test_a_name_that_means_something_else_is_refused(tmp_path: Path, name: str) -> None:
    async with Venue(tmp_path).open() as venue:
        with pytest.raises(EventRefusedError, match=f"'name' cannot be '{name}' on a server"):
            await venue.opened(event_file(name))
    assert not (tmp_path / "events" / name).is_dir()


@pytest.mark.parametrize("name", ["fr1day", "frlday", "fri-day", "fri--day", "friday-"])
async def test_a_name_that_looks_like_that_of_another_account_is_refused(tmp_path: Path, name: str) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        with pytest.raises(EventTakenError, match=f"'{name}' looks like 'friday', an event of 'ola'"):
            await venue.opened(event_file(name), by="eve")
        await venue.opened(event_file(name))
        await venue.opened(event_file("saturday"), by="eve")


async def test_an_event_that_cannot_begin_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its name, and room on the disk, would be gone for good, and nothing would remove it."""
    async with Venue(tmp_path).open() as venue:
        monkeypatch.setattr("ordago_ladder.run.kept_event.KeptEvent.begin_or_change", _fail)
        with pytest.raises(EventConflictError, match="the server cannot save the event: no more"):
            await venue.opened(FRIDAY, by="eve")
        assert not (tmp_path / "events" / "friday").exists()
        monkeypatch.undo()
        await venue.opened(FRIDAY)


async def test_a_folder_whose_note_cannot_be_read_becomes_nobodys_event(tmp_path: Path) -> None:
    """The attacker opens the event file that was published, and would have what was played of it."""
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
        await venue.stopped("friday")
    note = tmp_path / "events" / "friday" / "private" / "hosted.json"
    note.write_text("?")
    async with Venue(tmp_path).open() as again:
        with pytest.raises(EventConflictError, match="another event has the folder 'friday', which cannot be read"):
            await again.opened(FRIDAY, by="eve")
    assert note.read_text() == "?"


async def test_an_event_from_before_check_in_had_an_end_gets_one_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Venue(tmp_path).open() as venue:
        await venue.opened(FRIDAY)
    note = tmp_path / "events" / "friday" / "private" / "hosted.json"
    told = json.loads(note.read_bytes())
    del told["check_in_ends"], told["size"]
    note.write_text(json.dumps(told))
    monkeypatch.setattr(hosting, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hosting, "_MEASURE_LOOKS", 1)
    async with Venue(tmp_path).open() as again:
        await again.until(lambda: again.hosting.states()[0].size > 0)
        assert again.hosting.states()[0].check_in_ends == NOW + permissions.CHECK_IN_SECONDS


def test_what_cannot_be_deleted_keeps_no_server_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venue = Venue(tmp_path)
    going = tmp_path / "events" / ".going-friday"
    (going / "private").mkdir(parents=True)
    with monkeypatch.context() as broken:
        broken.setattr("shutil.rmtree", _fail)
        assert Hosting(tmp_path / "events", venue.accounts).states() == []
    assert going.exists()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "events" / ".going-linked").symlink_to(elsewhere)
    Hosting(tmp_path / "events", venue.accounts)
    assert not going.exists()
    assert elsewhere.exists(), "what a link leads to is not ours to delete"


def test_a_list_of_removed_events_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """Else names could be taken that are not free."""
    venue = Venue(tmp_path)
    (tmp_path / "events" / "removed.json").write_text("?")
    with pytest.raises(OSError, match=r"removed\.json is not a list of removed events"):
        Hosting(tmp_path / "events", venue.accounts)


def test_who_may_not_is_told_before_anything_is_looked_up(tmp_path: Path) -> None:
    venue = Venue(tmp_path)
    with pytest.raises(NoEventError):
        venue.hosting.remove("../../etc", by=Caller("eve", is_admin=True), why="x")
