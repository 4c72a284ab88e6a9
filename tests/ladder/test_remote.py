"""Remote entrants in memory: who comes in for whom, who takes whose place, and how long it is waited for them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection, default
from support.event_hall import EVENT, REMOTE, Hall

from ordago import v1
from ordago.arena.admission.account_tokens import REFRESH_SECONDS
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.connection import Status
from ordago.fingerprint import fingerprint
from ordago.games import find_game
from ordago_ladder.entrants.remote_entrant import AbsentError
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.settings import common as common_settings

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.fixture(autouse=True)
def _no_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database be asked in trio's thread, since a virtual clock does not wait for others."""

    async def run_sync(function: Callable[..., object], *arguments: object, **_options: object) -> object:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    yield hall
    hall.accounts.close()


async def test_a_bot_plays_for_the_entrant_of_its_account_whatever_it_calls_itself(hall: Hall) -> None:
    """Else it could play badly, or be rude, under the name of another."""
    connection = hall.come(hall.token(), bot=v1.Software(name="yours", version="7"))
    assert connection.status is None
    seat = await hall.seat()
    assert seat is not None
    assert connection.last(v1.EventNotice).entrant == "mine"
    assert not hall.remote.life("yours", 0)._entrant.bots
    assert not hall.accounts.bots(), "no name of a bot is taken up"


@pytest.mark.parametrize(
    ("account", "bot", "words"),
    [
        ("yours", "", "has no entrant in this event"),
        ("stranger", "", "has no entrant in this event"),
        ("mine", "another", "bound to the bot 'another'"),
    ],
)
async def test_a_token_that_is_somebody_elses_is_refused(hall: Hall, account: str, bot: str, words: str) -> None:
    """The account of "yours" is called "you": one that is called like an entrant is not his for it."""
    connection = hall.come(hall.token(account, bot=bot))
    assert connection.status is Status.PERMISSION_DENIED
    assert words in connection.sentence


@pytest.mark.parametrize("token", [None, "", "ordago-guessed"])
async def test_without_a_good_token_nobody_comes_in(hall: Hall, token: str | None) -> None:
    assert hall.come(token).status is Status.UNAUTHENTICATED


async def test_of_fifty_processes_as_many_come_in_as_the_file_allows(hall: Hall) -> None:
    token = hall.token("you")
    crowd = [hall.come(token) for _ in range(50)]
    assert [connection.status for connection in crowd[:2]] == [None, None]
    assert {connection.status for connection in crowd[2:]} == {Status.RESOURCE_EXHAUSTED}
    assert "waits as a substitute" in crowd[2].sentence
    assert crowd[2].retry_after_ms
    assert hall.come(hall.token("mine")).status is None, "another entrant is not held up"


async def test_a_process_that_stood_by_takes_the_place_of_one_that_went(hall: Hall) -> None:
    token = hall.token()
    first = hall.come(token)
    seat = await hall.seat()
    assert seat is not None
    seat.begin(v1.MatchStart(match_id="m", players=[v1.Player(name="mine")]))
    first.vanish()
    second = hall.come(token)
    assert second.last(v1.Welcome).resumed, "the session goes on, with its matches"
    assert second.last(v1.MatchStart).match_id == "m"
    late = hall.come(None, resume=first.resume)
    assert late.status is Status.UNAUTHENTICATED, "the session is not the first's any more"
    again = hall.come(token, resume=second.resume)
    assert (again.status, second.status) == (None, Status.ABORTED)


async def test_a_token_that_is_revoked_ends_the_session_and_a_new_one_begins_another(hall: Hall) -> None:
    token, connection = hall.token(), FakeConnection
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.watch, hall.server.review)
        connection = hall.come(token)
        seat = await hall.seat()
        assert seat is not None
        known = hall.accounts.holder(fingerprint(token))
        assert known is not None
        hall.accounts.revoke(known.token.id, now=hall.calendar())
        await trio.sleep(2 * REFRESH_SECONDS)
        assert connection.status is Status.UNAUTHENTICATED
        assert seat.channel.loss is not None
        assert hall.come(token).status is Status.UNAUTHENTICATED
        assert hall.come(hall.token()).status is None
        nursery.cancel_scope.cancel()


async def test_who_took_over_a_session_depends_on_his_own_token(hall: Hall) -> None:
    old, new = hall.token(), hall.token()
    hall.come(old).vanish()
    second = hall.come(new)
    known = hall.accounts.holder(fingerprint(old))
    assert known is not None
    hall.accounts.revoke(known.token.id, now=hall.calendar())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.watch, hall.server.review)
        await trio.sleep(2 * REFRESH_SECONDS)
        nursery.cancel_scope.cancel()
    assert second.status is None


async def test_a_bot_that_does_not_play_all_games_is_sent_away_and_ends_no_event(hall: Hall) -> None:
    connection = hall.come(hall.token(), games=["mittlere"])
    assert connection.status is Status.FAILED_PRECONDITION
    assert "does not play mitaines" in connection.last(v1.Goodbye).sentence
    assert hall.come(hall.token(), games=["mittlere"]).status is Status.FAILED_PRECONDITION
    assert hall.told == ["a bot of 'mine' was refused: it does not play mitaines"], "once"
    assert hall.come(hall.token()).status is None


async def test_the_event_begins_when_all_processes_of_all_are_here(hall: Hall) -> None:
    yours = hall.token("you")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(check_in, hall, nursery.cancel_scope)
        await trio.sleep(1000)
        mine = hall.come(hall.token())
        hall.come(yours)
        await trio.sleep(1000)
        assert mine.last(v1.EventNotice).waiting_for == 1
        assert "1 of 2 are missing" in mine.last(v1.EventNotice).sentence
        hall.come(yours)
        await trio.sleep(10)
        pytest.fail("it did not begin")
    assert hall.shown == [([], ["mine", "yours"]), (["mine"], ["yours"]), (["mine", "yours"], [])]


async def check_in(hall: Hall, until: trio.CancelScope) -> None:
    assert set(await hall.remote.check_in(awaited=REMOTE, new=REMOTE)) == {"mine", "yours"}
    until.cancel()


async def test_it_begins_at_its_time_with_whoever_is_there(tmp_path: Path) -> None:
    hall = Hall(tmp_path, terms="begins = 2020-01-01T00:00:00Z")
    hall.come(hall.token())
    assert set(await hall.remote.check_in(awaited=REMOTE, new=REMOTE)) == {"mine"}
    assert [str(absence) for absence in hall.remote.absences(REMOTE)] == ["'yours' did not check in"]
    hall.accounts.close()


async def test_an_event_goes_on_soon_though_one_who_was_here_does_not_come_back(hall: Hall) -> None:
    """And at once though one does not come who did not come before."""
    hall.come(hall.token())
    began = trio.current_time()
    assert set(await hall.remote.check_in(awaited=["mine"], new=[])) == {"mine"}
    assert trio.current_time() == began
    assert set(await hall.remote.check_in(awaited=REMOTE, new=[])) == {"mine"}
    assert trio.current_time() - began == pytest.approx(20), "start_timeout"
    assert not hall.remote.absences([])


async def test_who_comes_and_goes_all_the_time_is_shown_now_and_then(hall: Hall) -> None:
    token = hall.token()
    with trio.move_on_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(check_in, hall, nursery.cancel_scope)
            for _ in range(300):
                connection = hall.come(token)
                await trio.sleep(0.017)
                connection.vanish()
                await trio.sleep(0.017)
    assert 1 < len(hall.shown) < 60


async def test_matches_wait_for_who_is_away_and_only_so_long_in_all(hall: Hall) -> None:
    """Who goes away at each match holds up the others for as long as the file says, and no longer."""
    token, began = hall.token(), trio.current_time()
    hall.come(token).say(v1.Goodbye())
    for _ in range(3):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_a_match_after, hall, token, 30.0)
            assert await hall.seat() is not None
    with pytest.raises(AbsentError, match="disconnected and did not reconnect") as caught:
        await hall.seat()
    assert caught.value.fault == v1.FAULT_DISCONNECTED
    assert trio.current_time() - began == pytest.approx(100, abs=1)
    assert hall.told[0] == "'mine' is not connected; its matches wait for 100 s at most"


async def play_a_match_after(hall: Hall, token: str, seconds: float) -> None:
    await trio.sleep(seconds)
    connection = hall.come(token)
    await trio.sleep(0.1)
    connection.say(v1.Goodbye())


async def test_who_goes_away_while_a_seat_waits_for_room_is_waited_for_like_others(hall: Hall) -> None:
    connection = hall.come(hall.token(), max_matches=1)
    assert await hall.seat() is not None
    async with trio.open_nursery() as nursery:
        with trio.move_on_after(1):
            await hall.seat()
            pytest.fail("there was no room")
        nursery.start_soon(vanish_after, connection, 1.0)
        assert await hall.seat() is None


async def vanish_after(connection: FakeConnection, seconds: float) -> None:
    await trio.sleep(seconds)
    connection.vanish()


async def test_who_did_not_check_in_is_not_waited_for_and_plays_when_he_comes(hall: Hall) -> None:
    hall.remote.begin({"mine": 9}, {}, absent=["mine"])
    began = trio.current_time()
    with pytest.raises(AbsentError, match="did not check in") as caught:
        await hall.seat()
    assert trio.current_time() == began
    assert caught.value.fault == v1.FAULT_FAILED_TO_START
    connection = hall.come(hall.token())
    assert connection.last(v1.EventNotice).matches_planned == 9
    assert await hall.seat() is not None


async def test_who_is_suspended_is_told_so_and_does_not_come_in_again(hall: Hall) -> None:
    token = hall.token()
    connection = hall.come(token)
    async with trio.open_nursery() as nursery:
        hall.remote.suspend("mine", "suspended after 3 forfeited matches", nursery)
    assert "suspended" in connection.last(v1.Goodbye).sentence
    refused = hall.come(token)
    assert (refused.status, refused.retry_after_ms) == (Status.PERMISSION_DENIED, 0)


@pytest.mark.slow
async def test_a_flood_of_strangers_keeps_no_entrant_out(tmp_path: Path) -> None:
    hall = Hall(tmp_path, bounds=ConnectionBounds(sessions_per_second=10))
    for _ in range(1000):
        hall.come("ordago-guessed")
    assert hall.come(hall.token(), answering=default).status is None
    hall.accounts.close()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('account = "you"', 'account = "mine"', "the account 'mine' is that of 'mine'; 'yours' needs one of its own"),
        ('house = "random"', 'house = "random"\nremote = true', "this one is more than one of them"),
        ('house = "random"', 'house = "random"\naccount = "x"', "'account' is for remote entrants"),
        ('house = "random"', "", "this one is none of them"),
        ("processes = 2", 'folder = "x"', "are for bots that Ordago starts"),
        ("processes = 2", "rules = true", "'rules' is for entrants with a 'command', which Ordago starts"),
        ('house = "random"', 'house = "random"\nrules = true', "'rules' is for entrants with a 'command'"),
        ('house = "random"', 'command = "x"\nrules = true\nenv = { ORDAGO_RULES = "" }', "sets ORDAGO_RULES"),
        ("processes = 2", "processes = 0", "'processes' takes a number of at least 1"),
        ("return_timeout = 100", "begins = 2026-11-22T18:00:00", "'begins' takes a time with its zone"),
        ("return_timeout = 100", 'begins = "soon"', "'begins' takes a time with its zone"),
    ],
)
async def test_what_an_event_file_says_wrongly_of_remote_entrants_is_named(old: str, new: str, words: str) -> None:
    with pytest.raises(EventFileError, match=words):
        parse_event(EVENT.format(terms="").replace(old, new))
