"""Who is let in, who is turned away and why, and who may come back."""

import pytest
import trio
from support.connections import FakeConnection, Lobby
from support.frames import choice, from_bot, hello

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.arena.server import Server

pytestmark = pytest.mark.virtual_time


async def test_a_bot_is_welcomed_with_what_was_agreed_on() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter(games=["chess", "mittlere"], max_open_decisions=3, max_matches=5)
    [welcome] = connection.heard
    assert isinstance(welcome, v1.Welcome)
    assert welcome.version == 1
    assert [offered.game for offered in welcome.games] == ["mittlere"]
    assert (welcome.limits.max_open_decisions, welcome.limits.max_matches) == (3, 5)
    assert not welcome.resumed
    assert bot.connected
    assert (bot.identity.name, bot.identity.games) == ("fake", {"mittlere"})
    assert lobby.server.sessions.connected == 1


@pytest.mark.parametrize(("sdk", "known"), [("ordago go", "ordago go"), ("x" * 65, ""), ("a\u202eb", ""), ("", "")])
async def test_what_a_bot_was_built_with_is_known_as_far_as_people_can_read_it(sdk: str, known: str) -> None:
    _, bot = Lobby().enter(sdk=v1.Software(name=sdk))
    assert bot.identity.sdk == known


async def test_a_bot_that_sets_no_limits_has_those_of_the_server() -> None:
    connection, bot = Lobby().enter(max_open_decisions=2**32 - 1)
    limits = connection.heard[0].limits
    assert 0 < limits.max_open_decisions == bot.identity.max_open_decisions
    assert 0 < limits.max_matches == bot.identity.max_matches
    assert (limits.max_frame_bytes, limits.max_frame_messages) == (65_536, 2048)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"min_version": 2, "max_version": 3}, "version 1"),
        ({"min_version": 0, "max_version": 0}, "the bot 0 to 0"),
        ({"games": ["chess"]}, "plays mittlere, the bot chess"),
        ({"nonce": b""}, "0 bytes"),
        ({"nonce": b"n" * 15}, "15 bytes"),
        ({"nonce": b"n" * 65}, "65 bytes"),
        ({"bot": v1.Software(name="n" * 65)}, "64 characters"),
        ({"bot": v1.Software(name="n", version="v" * 65)}, "64 characters"),
        ({"bot": v1.Software(name="n", build="b" * 65)}, "64 characters"),
        ({"bot": v1.Software(name="ana\nben")}, "printable"),
        ({"bot": v1.Software(name="ana\x1b[31m")}, "printable"),
        ({"bot": v1.Software(name="ana\u202eneb")}, "printable"),
        ({"bot": v1.Software(name="ana\u00a0ben")}, "printable"),
        ({"bot": v1.Software(name="n", version="\x00")}, "printable"),
        ({"bot": v1.Software(name="n", build="\x7f")}, "printable"),
    ],
)
async def test_a_greeting_that_does_not_fit_is_turned_away(fields: dict[str, object], reason: str) -> None:
    lobby = Lobby()
    connection = lobby.connect(**fields)
    assert connection.status is Status.FAILED_PRECONDITION
    assert reason in connection.sentence
    assert not connection.heard
    assert not lobby.bots


@pytest.mark.parametrize(
    "fields",
    [
        {"nonce": b"n" * 64},
        {"bot": v1.Software(name="é" * 64)},
        {"bot": v1.Software(name="Ana's bot (陈) 🂡")},
        {"max_version": 99},
    ],
)
async def test_what_just_fits_is_let_in(fields: dict[str, object]) -> None:
    connection, _ = Lobby().enter(**fields)
    assert connection.status is None


@pytest.mark.parametrize("frame", [b"\xff\xff", from_bot(choice(1, 1)), from_bot(v1.Goodbye())])
async def test_anything_but_a_greeting_is_turned_away_at_first(frame: bytes) -> None:
    lobby = Lobby()
    connection = FakeConnection(lobby.server)
    connection.say_bytes(frame)
    assert connection.status is Status.FAILED_PRECONDITION
    assert connection.sentence
    assert not lobby.bots


async def test_two_greetings_are_one_too_many() -> None:
    lobby = Lobby()
    connection = FakeConnection(lobby.server)
    connection.say(hello(), more=from_bot(hello()))
    assert connection.status is Status.FAILED_PRECONDITION
    assert not lobby.bots


@pytest.mark.parametrize("frame", [b"\xff\xff", from_bot(hello())])
async def test_what_cannot_be_understood_later_ends_the_session_with_a_goodbye(frame: bytes) -> None:
    connection, bot = Lobby().enter()
    connection.say_bytes(frame)
    assert connection.last(v1.Goodbye).fault == v1.FAULT_MALFORMED
    assert connection.last(v1.Goodbye).sentence == connection.sentence
    assert connection.status is Status.INVALID_ARGUMENT
    assert not bot.connected
    connection.say_bytes(from_bot(choice(1, 1)))
    assert isinstance(connection.heard[-1], v1.Goodbye), "nothing is looked at any more"


async def test_an_empty_frame_means_nothing() -> None:
    connection, bot = Lobby().enter()
    connection.say_bytes(b"")
    assert bot.connected
    assert len(connection.heard) == 1


class LaunchedLobby:
    """A server that only those who were launched come in by."""

    def __init__(self) -> None:
        self.authenticator = LaunchTokens()
        self.server = Server(authenticator=self.authenticator, games=["mittlere"])
        self.bots: list[Bot] = []

    def expect(self, name: str = "", version: str = "") -> str:
        return self.authenticator.expect(Admission(self.bots.append, name=name, version=version))

    def connect(self, token: str | None, **fields: object) -> FakeConnection:
        connection = FakeConnection(self.server, token=token)
        connection.say(hello(**fields))
        return connection


async def test_a_launch_token_is_good_for_one_entry() -> None:
    lobby = LaunchedLobby()
    token, other = lobby.expect("ana", "7"), lobby.expect("ben")
    assert lobby.connect(token).status is None
    assert (lobby.bots[0].identity.name, lobby.bots[0].identity.version) == ("ana", "7")
    again = lobby.connect(token, nonce=b"another process ")
    assert again.status is Status.UNAUTHENTICATED
    assert "token" in again.sentence
    assert lobby.connect(other, bot=v1.Software(name="cleo", version="9")).status is None
    assert (lobby.bots[1].identity.name, lobby.bots[1].identity.version) == ("ben", "9")


@pytest.mark.parametrize("token", [None, "", "wrong"])
async def test_who_has_no_token_stays_outside(token: str | None) -> None:
    lobby = LaunchedLobby()
    lobby.expect()
    assert lobby.connect(token).status is Status.UNAUTHENTICATED
    assert not lobby.bots


async def test_a_token_that_was_withdrawn_is_worth_nothing() -> None:
    lobby = LaunchedLobby()
    token = lobby.expect()
    lobby.authenticator.withdraw(token)
    lobby.authenticator.withdraw(token)
    assert lobby.connect(token).status is Status.UNAUTHENTICATED


async def test_a_bad_greeting_does_not_use_up_a_token() -> None:
    lobby = LaunchedLobby()
    token = lobby.expect()
    assert lobby.connect(token, nonce=b"").status is Status.FAILED_PRECONDITION
    assert lobby.connect(token).status is None


async def test_who_was_launched_comes_back_without_a_token() -> None:
    lobby = LaunchedLobby()
    connection = lobby.connect(lobby.expect())
    connection.vanish()
    assert lobby.connect(None, resume=connection.resume).heard[0].resumed
    assert lobby.bots[0] is lobby.bots[1], "it is said to have arrived again"


async def test_a_broken_connection_can_be_taken_up_again() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    connection.vanish()
    assert not bot.connected
    await trio.sleep(RESUME_WINDOW_SECONDS - 0.001)
    again = lobby.come_back(connection)
    assert again.heard[0].resumed
    assert again.resume == connection.resume
    assert bot.connected
    await trio.sleep(2 * RESUME_WINDOW_SECONDS)
    assert bot.loss is None, "it is there, and waited for no more"


async def test_who_stays_away_too_long_is_forgotten() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    connection.vanish()
    await trio.sleep(RESUME_WINDOW_SECONDS + 1)
    assert lobby.come_back(connection).status is Status.UNAUTHENTICATED
    assert not bot.connected


@pytest.mark.parametrize("forged", [{"resume_token": "guessed"}, {"resume_token": ""}, {"session_id": "guessed"}])
async def test_nobody_takes_up_the_session_of_another(forged: dict[str, str]) -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    resume = connection.resume
    resume.MergeFrom(v1.Resume(**forged))
    if forged.get("resume_token") == "":
        resume.resume_token = ""
    thief = lobby.connect(resume=resume)
    assert thief.status is Status.UNAUTHENTICATED
    assert connection.status is None
    assert bot.connected


async def test_a_second_connection_takes_over_the_session() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    again = lobby.come_back(connection)
    assert connection.status is Status.ABORTED
    assert again.status is None
    connection.vanish()
    assert bot.connected, "the end of the old connection means nothing any more"


@pytest.mark.parametrize("late", [from_bot(v1.Goodbye()), from_bot(choice(1, 1)), b"\xff"])
async def test_what_still_comes_on_a_connection_that_was_taken_over_means_nothing(late: bytes) -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    again = lobby.come_back(connection)
    connection.say_bytes(late)
    assert bot.connected
    assert len(again.heard) == 1, "no answer to it either"
    again.vanish()
    assert lobby.come_back(again).heard[0].resumed, "the session is not forgotten"


async def test_a_launch_whose_welcome_was_lost_goes_on_with_its_session() -> None:
    """The bot does not know its session: it says Hello as if for the first time, with the same token and nonce."""
    bots: list[Bot] = []
    authenticator = LaunchTokens()
    server = Server(authenticator=authenticator, games=["mittlere"])
    token = authenticator.expect(Admission(bots.append, name="ana"))
    first, second, thief = (FakeConnection(server, token=token) for _ in range(3))
    first.say(hello())
    first.vanish()
    second.say(hello())
    assert second.heard[0].resumed
    assert bots == [bots[0]] * 2
    assert bots[0].connected
    thief.say(hello(nonce=b"another process "))
    assert thief.status is Status.UNAUTHENTICATED
    second.say(v1.Goodbye())
    third = FakeConnection(server, token=token)
    third.say(hello())
    assert third.status is Status.UNAUTHENTICATED, "the launch is over"


async def test_who_says_goodbye_cannot_come_back() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    connection.say(v1.Goodbye())
    assert connection.status is Status.OK
    assert not bot.connected
    assert lobby.come_back(connection).status is Status.UNAUTHENTICATED


async def test_all_are_told_that_the_server_goes_down() -> None:
    lobby = Lobby()
    connection, _ = lobby.enter()
    lobby.server.sessions.drain("maintenance", grace_seconds=60)
    assert connection.last(v1.Draining) == v1.Draining(sentence="maintenance", closing_in_ms=60_000)
    await trio.sleep(45)
    newcomer, _ = lobby.enter()
    assert newcomer.last(v1.Draining) == v1.Draining(sentence="maintenance", closing_in_ms=15_000)
    assert lobby.come_back(connection).last(v1.Draining).closing_in_ms == 15_000
    await trio.sleep(20)
    assert lobby.come_back(connection).last(v1.Draining).closing_in_ms == 1, "zero would mean: nobody knows when"


async def test_that_the_server_goes_down_is_announced_once() -> None:
    lobby = Lobby()
    connection, _ = lobby.enter()
    lobby.server.sessions.drain("maintenance", grace_seconds=60)
    lobby.server.sessions.drain("again", grace_seconds=1)
    assert len(connection.of(v1.Draining)) == 1


async def test_the_server_says_goodbye() -> None:
    lobby = Lobby()
    connections = [lobby.enter()[0] for _ in range(3)]
    connections[0].vanish()
    lobby.server.sessions.close("that is all")
    for connection in connections[1:]:
        assert connection.last(v1.Goodbye).sentence == "that is all"
        assert connection.status is Status.OK
    assert lobby.server.sessions.connected == 0


@pytest.mark.parametrize("late", [choice(1, 1), v1.Goodbye()])
async def test_what_crosses_with_the_goodbye_of_the_server_means_nothing(late: v1.Choice | v1.Goodbye) -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    bot.take_seat().begin(v1.MatchStart())
    lobby.server.sessions.close("that is all")
    connection.say(late)
    assert isinstance(connection.heard[-1], v1.Goodbye)
