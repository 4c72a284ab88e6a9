"""Who comes in by a token, under which name, and for how long."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from support.accounts import DAY, TokenLobby

from ordago import v1
from ordago.arena.admission.account_tokens import REFRESH_SECONDS
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.connection import Status
from ordago.store import StoreError
from ordago.store.accounts.bot_names import NAME_HELD_SECONDS
from ordago.store.accounts.rows import KnownBot, Limits, Scope, Sighting

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def _no_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database be asked in trio's thread, since a virtual clock does not wait for others."""

    async def run_sync(function: Callable[..., object], *arguments: object, **_options: object) -> object:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[TokenLobby]:
    lobby = TokenLobby(tmp_path)
    yield lobby
    lobby.accounts.close()


async def test_a_bot_with_a_token_comes_in_under_its_own_name(lobby: TokenLobby) -> None:
    token = lobby.token()
    assert lobby.connect(token).status is None
    assert lobby.connect(token, name="deeper").status is None, "again and again"
    assert [bot.identity.name for bot in lobby.bots] == ["deep", "deeper"]


async def test_a_token_for_one_bot_says_how_it_is_called(lobby: TokenLobby) -> None:
    assert lobby.connect(lobby.token(bot="ana's best"), name="deep").status is None
    assert lobby.bots[0].identity.name == "ana's best"
    assert lobby.bots[0].identity.version == "7"


async def test_a_token_is_recognised_before_a_word_was_said(lobby: TokenLobby) -> None:
    token, other, observing = lobby.token(), lobby.token(), lobby.token(scope=Scope.OBSERVE)
    expiring, revoked = lobby.expiring_token(), lobby.token()
    recognise = lobby.authenticator.recognise
    assert recognise(token) == "", "it was made a moment ago"
    lobby.revoke(revoked)
    await lobby.authenticator.refresh()
    assert recognise(token)
    assert recognise(token) == recognise(token)
    assert recognise(token) != recognise(other)
    assert recognise(expiring)
    lobby.calendar.now += DAY
    assert [recognise(one) for one in (expiring, revoked, observing, "guessed", "", None)] == [""] * 6


async def test_without_a_token_nobody_comes_in(lobby: TokenLobby) -> None:
    for missing in (None, ""):
        connection = lobby.connect(missing)
        assert connection.status is Status.UNAUTHENTICATED
        assert "asks for a token" in connection.sentence


async def test_an_unknown_token_is_worth_nothing(lobby: TokenLobby) -> None:
    token = lobby.token()
    for wrong in (token[:-1], token + "x", token.swapcase(), "ordago_", "x" * 10_000):
        connection = lobby.connect(wrong)
        assert connection.status is Status.UNAUTHENTICATED
        assert connection.sentence == "the token is not known here; was it copied in full?"
    assert not lobby.bots


async def test_an_expired_token_is_worth_nothing(lobby: TokenLobby) -> None:
    token = lobby.expiring_token()
    assert lobby.connect(token).status is None
    lobby.calendar.now += DAY
    connection = lobby.connect(token)
    assert connection.status is Status.UNAUTHENTICATED
    assert "has expired" in connection.sentence


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope is not Scope.PLAY])
async def test_a_token_for_something_else_is_not_good_for_playing(lobby: TokenLobby, scope: Scope) -> None:
    connection = lobby.connect(lobby.token(scope=scope))
    assert connection.status is Status.PERMISSION_DENIED
    assert "lacks the scope 'play'" in connection.sentence


@pytest.mark.parametrize("name", ["deep", "DEEP", " deep"])
async def test_the_name_of_another_accounts_bot_is_refused(lobby: TokenLobby, name: str) -> None:
    assert lobby.connect(lobby.token("ana")).status is None
    ben = lobby.token("ben")
    connection = lobby.connect(ben, name=name)
    assert connection.status is Status.PERMISSION_DENIED
    assert f"{name!r} belongs to another account" in connection.sentence
    assert "ana" not in connection.sentence, "nobody is told whose it is"
    assert lobby.connect(ben, name="shallow").status is None
    assert lobby.connect(lobby.token("ana")).status is None, "any token of the account is good for its bot"


@pytest.mark.parametrize("name", ["De ep", "d-e-e-p", "d\u0435\u0435p".replace("d", "\u0501"), "deep\ufffd"])
async def test_a_name_that_looks_like_that_of_another_account_does_not_come_in(lobby: TokenLobby, name: str) -> None:
    ana, ben = lobby.token("ana"), lobby.token("ben")
    assert lobby.connect(ana).status is None
    connection = lobby.connect(ben, name=name)
    assert connection.status is Status.PERMISSION_DENIED
    await lobby.authenticator.refresh()
    assert lobby.connect(ben, name=name).status is Status.PERMISSION_DENIED, "nor when the names are read again"
    with pytest.raises(StoreError):
        lobby.token("ben", bot=name)


async def test_an_author_may_have_names_that_look_alike_and_who_had_one_before_keeps_it(lobby: TokenLobby) -> None:
    ana, ben = lobby.token("ana"), lobby.token("ben")
    assert lobby.connect(ana, name="anabot").status is None
    assert lobby.connect(ana, name="ana-bot").status is None
    _, token = lobby.accounts.create_token(account="ben", scopes=[Scope.PLAY], now=lobby.calendar())
    lobby.accounts.enter([Sighting(token.id, "ben", "anab0t", "1", "", at=int(lobby.calendar()))])
    await lobby.authenticator.refresh()
    assert lobby.connect(ben, name="anab0t").status is None, "it was held before names were compared like this"


async def test_a_bot_that_is_turned_away_takes_no_name(tmp_path: Path) -> None:
    """An account could take any number of names otherwise, as fast as it connects."""
    crowd = TokenLobby(tmp_path, bounds=ConnectionBounds(sessions_per_second=1, sessions_at_once=1))
    ana, ben = crowd.token("ana"), crowd.token("ben")
    assert crowd.connect(ana).status is None
    assert crowd.connect(ana, name="shallow").status is Status.RESOURCE_EXHAUSTED
    await crowd.authenticator.refresh()
    assert [bot.name for bot in crowd.accounts.bots()] == ["deep"]
    assert crowd.connect(ben, name="shallow").status is None
    crowd.accounts.close()


async def test_a_name_that_is_bound_is_taken_before_it_ever_played(lobby: TokenLobby) -> None:
    lobby.token("ana", bot="deep")
    await lobby.authenticator.refresh()
    assert lobby.connect(lobby.token("ben")).status is Status.PERMISSION_DENIED


@pytest.mark.parametrize("name", ["", "   "])
async def test_a_bot_needs_a_name(lobby: TokenLobby, name: str) -> None:
    connection = lobby.connect(lobby.token(), name=name)
    assert connection.status is Status.FAILED_PRECONDITION
    assert "requires a bot name" in connection.sentence


async def test_a_token_that_was_just_made_is_good_at_once(lobby: TokenLobby) -> None:
    """The server runs on; another process makes the token."""
    await lobby.authenticator.refresh()
    assert lobby.connect(lobby.token()).status is None


async def test_who_came_in_is_written_down(lobby: TokenLobby) -> None:
    token = lobby.token()
    for _ in range(3):
        lobby.connect(token)
    lobby.calendar.now += 5
    lobby.connect(token)
    await lobby.authenticator.refresh()
    assert lobby.accounts.bots() == [KnownBot("deep", "ana", "7", "b", int(lobby.calendar.now))]
    assert [known.last_used_at for known in lobby.accounts.tokens()] == [int(lobby.calendar.now)]


async def test_a_session_of_a_revoked_token_ends_within_seconds(lobby: TokenLobby) -> None:
    token, other = lobby.token(), lobby.token("ben")
    connection, friend = lobby.connect(token), lobby.connect(other, name="shallow")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.authenticator.watch, lobby.server.review)
        await trio.sleep(10 * REFRESH_SECONDS)
        assert connection.status is None
        lobby.revoke(token)
        await trio.sleep(REFRESH_SECONDS + 0.1)
        nursery.cancel_scope.cancel()
    assert connection.status is Status.UNAUTHENTICATED
    assert connection.last(v1.Goodbye).sentence == connection.sentence == "the token was revoked; ask for a new one"
    assert (lobby.bots[0].connected, friend.status) == (False, None)
    again = lobby.connect(None, resume=connection.resume)
    assert again.status is Status.UNAUTHENTICATED
    assert "no such session" in again.sentence


async def test_a_session_of_an_expired_token_ends_too(lobby: TokenLobby) -> None:
    connection = lobby.connect(lobby.expiring_token())
    lobby.server.review()
    assert connection.status is None
    lobby.calendar.now += DAY
    lobby.server.review()
    assert connection.status is Status.UNAUTHENTICATED


async def test_a_session_of_a_revoked_token_is_not_resumed(lobby: TokenLobby) -> None:
    """Not even before the session was ended for it."""
    token = lobby.token()
    connection = lobby.connect(token)
    connection.vanish()
    assert lobby.connect(None, resume=connection.resume).heard[0].resumed, "no token is needed for that"
    lobby.revoke(token)
    await lobby.authenticator.refresh()
    again = lobby.connect(token, resume=connection.resume)
    assert again.status is Status.UNAUTHENTICATED
    assert "revoked" in again.sentence


async def test_what_was_known_stands_when_the_database_fails(
    lobby: TokenLobby, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    token = lobby.token()
    assert lobby.connect(token).status is None

    def fails(*_: object) -> None:
        raise StoreError("The database cannot be used: the disk is full.")

    with monkeypatch.context() as broken, caplog.at_level(logging.WARNING):
        for method in ("enter", "holder", "holders"):
            broken.setattr(lobby.accounts, method, fails)
        await lobby.authenticator.refresh()
        assert lobby.connect("unknown").status is Status.UNAUTHENTICATED
    assert any("the disk is full" in getattr(record, "error", "") for record in caplog.records)
    assert token not in caplog.text
    await lobby.authenticator.refresh()
    assert [bot.name for bot in lobby.accounts.bots()] == ["deep"], "what could not be written down is not forgotten"
    assert lobby.connect(token).status is None


async def test_a_name_is_taken_by_who_came_in_while_the_names_were_read(
    lobby: TokenLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, read = lobby.token("ana"), lobby.token("ben"), lobby.accounts.owners

    def read_and_then(*, now: float) -> object:
        owners = read(now=now)
        assert lobby.connect(ana).status is None
        return owners

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(lobby.accounts, "owners", read_and_then)
        await lobby.authenticator.refresh()
    assert lobby.connect(ben).status is Status.PERMISSION_DENIED


async def test_two_servers_that_let_the_same_name_in_at_once_agree_in_the_end(
    lobby: TokenLobby, tmp_path: Path
) -> None:
    other = TokenLobby(tmp_path)
    mine, theirs = lobby.connect(lobby.token("ana")), other.connect(other.token("ben"))
    assert (mine.status, theirs.status) == (None, None)
    for one in (lobby, other, lobby, other):
        await one.authenticator.refresh()
        one.server.review()
    assert (mine.status, theirs.status) == (None, Status.PERMISSION_DENIED)
    other.accounts.close()


async def test_sessions_are_counted_by_account_and_failures_by_address(tmp_path: Path) -> None:
    lobby = TokenLobby(tmp_path, bounds=ConnectionBounds(sessions_per_second=1, sessions_at_once=2))
    ana, ben = lobby.token("ana"), lobby.token("ben")
    assert [lobby.connect(ana).status for _ in range(3)] == [None, None, Status.RESOURCE_EXHAUSTED]
    assert lobby.connect(ben, name="shallow").status is None, "from the same address"
    assert [lobby.connect("wrong").status for _ in range(2)] == [Status.UNAUTHENTICATED] * 2
    guesser = lobby.connect("wrong")
    assert (guesser.status, guesser.retry_after_ms) == (Status.RESOURCE_EXHAUSTED, 1000)
    assert lobby.connect(ben, name="shallow").status is None, "whoever has a token is not kept out by guessers"
    lobby.accounts.close()


async def test_a_greeting_that_does_not_fit_binds_no_name(lobby: TokenLobby) -> None:
    assert lobby.connect(lobby.token("ana"), nonce=b"").status is Status.FAILED_PRECONDITION
    assert lobby.connect(lobby.token("ben")).status is None


@pytest.mark.slow
async def test_an_account_has_so_many_names_and_no_more(lobby: TokenLobby) -> None:
    """One token could take any number of names from all others, for ever."""
    token, other = lobby.token(), lobby.token("ben")
    statuses = [lobby.connect(token, name=f"bot {number}").status for number in range(1_000)]
    assert statuses == [None] * Limits().names + [Status.PERMISSION_DENIED] * (1_000 - Limits().names)
    refused = lobby.connect(token, name="one more")
    assert refused.sentence.startswith(f"the account has {Limits().names} bot names, its maximum")
    await lobby.authenticator.refresh()
    assert lobby.connect(token, name="one more").status is Status.PERMISSION_DENIED
    assert lobby.connect(token, name="bot 3").status is None, "those that it has it keeps"
    assert lobby.connect(other, name="one more").status is None
    assert len(lobby.accounts.bots()) == Limits().names


async def test_a_name_that_nobody_used_for_long_is_free_again(lobby: TokenLobby) -> None:
    token, other = lobby.token(), lobby.token("ben")
    bound = lobby.token("ana", bot="kept")
    for name in ("old", "in use"):
        lobby.connect(token, name=name)
    await lobby.authenticator.refresh()
    lobby.calendar.now += NAME_HELD_SECONDS / 2
    lobby.connect(token, name="in use")
    await lobby.authenticator.refresh()
    assert lobby.connect(other, name="old").status is Status.PERMISSION_DENIED
    lobby.calendar.now += NAME_HELD_SECONDS / 2
    await lobby.authenticator.refresh()
    assert lobby.connect(other, name="in use").status is Status.PERMISSION_DENIED
    assert lobby.connect(other, name="kept").status is Status.PERMISSION_DENIED, "a token is bound to it"
    assert lobby.connect(bound).status is None
    assert lobby.connect(other, name="old").status is None
    await lobby.authenticator.refresh()
    assert {bot.name: bot.account for bot in lobby.accounts.bots()} == {"in use": "ana", "kept": "ana", "old": "ben"}


@pytest.mark.slow
async def test_builds_that_are_made_up_are_noted_to_a_bound(lobby: TokenLobby) -> None:
    token = lobby.token()
    for number in range(600):
        lobby.connect(token, bot=v1.Software(name="deep", version=str(number)))
    await lobby.authenticator.refresh()
    assert len(lobby.accounts.bots()) == 256


async def test_the_log_tells_whose_bots_come_in_and_who_is_turned_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lobby = TokenLobby(tmp_path, bounds=ConnectionBounds(max_sessions_each=1))
    caplog.set_level(logging.INFO)
    token = lobby.token("ana")
    lobby.connect(token)
    lobby.connect(token, name="one too many")
    lobby.connect("made up", name="ben's")
    told = {record.__dict__["bot"]: record for record in caplog.records if "bot" in record.__dict__}
    assert told["deep"].__dict__["account"] == "ana"
    [known] = lobby.accounts.tokens()
    assert told["one too many"].__dict__["token_id"] == known.id
    assert told["one too many"].__dict__["origin"]
    assert "token_id" not in told["ben's"].__dict__
    assert token not in caplog.text
