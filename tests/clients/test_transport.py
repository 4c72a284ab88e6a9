"""When a player comes back, how long it waits before, and when it gives up; without a network."""

import logging
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import grpc
import pytest
from support.frames import from_server

from ordago import v1
from ordago_bot import transport
from ordago_bot.back_off import End
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.minds import Minds
from ordago_bot.player import Player
from ordago_bot.transport import SessionEndedError, Stop, play


class StreamError(grpc.RpcError):
    """How a stream ends, as grpc tells it."""

    def __init__(self, code: grpc.StatusCode, details: str = "", *, retry_after_ms: int | str | None = None) -> None:
        super().__init__()
        self._code, self._details = code, details
        self._trailing = None if retry_after_ms is None else (("retry-after-ms", str(retry_after_ms)),)

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> tuple[tuple[str, str], ...] | None:
        return self._trailing


class Clock(threading.Event):
    """A clock, and an event that is never set; to wait for it takes no time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.pauses.append(timeout)
        self.now += timeout
        return self.is_set()


class Script:
    """What becomes of one connection after the other."""

    def __init__(self, ends: Iterable[Any]) -> None:
        self._ends = iter(ends)
        self.streams = 0

    def stream(self, player: Player, *_: object, **__: object) -> "FakeStream":
        self.streams += 1
        return FakeStream(player, next(self._ends))


class FakeStream:
    """A connection that ends as the script says: by an error, or by something that happens on it."""

    def __init__(self, player: Player, end: Any) -> None:
        self._player, self._end = player, end
        self.alive = not isinstance(end, StreamError)

    def obey(self, _stop: Stop) -> None:
        """Nobody tells it anything."""

    def run(self) -> End:
        self._player.connect()
        try:
            if isinstance(self._end, StreamError):
                raise self._end
            self._end(self._player)
        except StreamError as error:
            return transport._end_of(error)
        return End("OK")


def welcomed(player: Player, *, resume_window_ms: int = 0) -> None:
    limits = v1.Limits(resume_window_ms=resume_window_ms)
    player.receive(from_server(v1.Welcome(session_id="s", resume_token="t", limits=limits)))  # noqa: S106


def dismissed(player: Player) -> None:
    welcomed(player)
    player.receive(from_server(v1.Goodbye(sentence="that is all")))


def broken_later(player: Player) -> None:
    welcomed(player)
    raise StreamError(grpc.StatusCode.UNAVAILABLE)


def told_to_come_back(player: Player) -> None:
    welcomed(player)
    player.receive(from_server(v1.Goodbye(sentence="maintenance", retry_after_ms=1500)))


def flooded(player: Player) -> None:
    welcomed(player)
    player.receive(from_server(v1.Goodbye(sentence="too much", fault=v1.FAULT_FLOODING)))
    raise StreamError(grpc.StatusCode.RESOURCE_EXHAUSTED, "too much", retry_after_ms=1500)


@pytest.fixture(autouse=True)
def looked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """No look goes over the network; those that are made are noted."""
    looks: list[tuple[object, ...]] = []
    monkeypatch.setattr(transport, "permanent_trouble", lambda *seen: looks.append(seen) or "")
    return looks


UNREACHABLE = StreamError(grpc.StatusCode.UNAVAILABLE)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(transport, "time", clock)
    return clock


def played(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, *ends: Any, patience: float = 30.0
) -> tuple[str | None, Script]:
    script = Script(ends)
    monkeypatch.setattr(transport, "_Stream", script.stream)
    player = Player(DefaultBot, name="ana", clock=clock.monotonic)
    stop = Stop(clock, clock)
    farewell = play(player, address="server:1", patience_seconds=patience, stop=stop, jitter=lambda: 0.0)
    return farewell, script


def test_a_goodbye_ends_it(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    farewell, script = played(monkeypatch, clock, dismissed)
    assert (farewell, script.streams, clock.pauses) == ("that is all", 1, [])


def test_a_connection_that_breaks_is_taken_up_again(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    farewell, script = played(monkeypatch, clock, broken_later, welcomed, dismissed)
    assert (farewell, script.streams) == ("that is all", 3)
    assert clock.pauses == [0.25, 0.25], "after a connection that lived the pauses begin anew"


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL])
def test_pauses_grow_while_nobody_answers(monkeypatch: pytest.MonkeyPatch, clock: Clock, code: grpc.StatusCode) -> None:
    farewell, _ = played(monkeypatch, clock, *[StreamError(code)] * 7, dismissed)
    assert farewell == "that is all"
    assert clock.pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


def test_patience_comes_to_an_end(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    with pytest.raises(SessionEndedError, match="the server at server:1 does not answer"):
        played(monkeypatch, clock, *[UNREACHABLE] * 99)
    assert 30 < sum(clock.pauses) < 40


def test_why_nobody_answers_is_told(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that is there, but whose certificate is not believed, must not be looked for in vain."""
    caplog.set_level(logging.INFO)
    unbelieved = StreamError(grpc.StatusCode.UNAVAILABLE, "Hostname Verification Check failed.")
    with pytest.raises(SessionEndedError, match=r"at server:1 does not answer \(Hostname Verification Check failed"):
        played(monkeypatch, clock, *[unbelieved] * 99)
    assert "broke (Hostname Verification Check failed.); trying again in 0.25 s" in caplog.text


def test_patience_is_renewed_by_a_connection_that_lives(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    ends = [*[UNREACHABLE] * 6, broken_later, *[UNREACHABLE] * 6, dismissed]
    assert played(monkeypatch, clock, *ends, patience=20)[0] == "that is all"


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
    ],
)
def test_where_coming_back_is_of_no_use_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, code: grpc.StatusCode
) -> None:
    with pytest.raises(SessionEndedError) as error:
        played(monkeypatch, clock, StreamError(code, "the reason"))
    assert str(error.value) == f"the server at server:1 ended the session ({code.name}): the reason"
    assert clock.pauses == []


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED])
def test_a_session_that_the_server_does_not_know_any_more_is_begun_anew_once(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, code: grpc.StatusCode
) -> None:
    unknown = StreamError(code, "no such session")
    assert played(monkeypatch, clock, broken_later, unknown, dismissed)[0] == "that is all"
    with pytest.raises(SessionEndedError, match="no such session"):
        played(monkeypatch, clock, broken_later, unknown, unknown, dismissed)


def test_a_new_session_begins_at_once_where_the_server_does_not_know_the_old_one(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """Else a bot would be late at an event that goes on after its runner was started anew."""
    unknown = StreamError(grpc.StatusCode.UNAUTHENTICATED, "no such session")
    played(monkeypatch, clock, broken_later, UNREACHABLE, UNREACHABLE, unknown, dismissed)
    assert clock.pauses == [0.25, 0.5, 1.0, 0.25]


def test_who_is_shown_the_door_in_the_middle_of_a_session_stays_away(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    def expelled(player: Player) -> None:
        welcomed(player)
        raise StreamError(grpc.StatusCode.PERMISSION_DENIED, "no more")

    with pytest.raises(SessionEndedError, match="no more"):
        played(monkeypatch, clock, expelled, dismissed)


def test_a_session_is_tried_to_be_resumed_for_as_long_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """A server that goes down for good cannot be told from one that is started anew."""

    def goes_down(player: Player) -> None:
        welcomed(player, resume_window_ms=120_000)
        player.receive(from_server(v1.Draining(sentence="an update")))
        raise StreamError(grpc.StatusCode.UNAVAILABLE)

    with pytest.raises(SessionEndedError, match="does not answer"):
        played(monkeypatch, clock, goes_down, *[UNREACHABLE] * 99)
    assert 120 < sum(clock.pauses) < 130


@pytest.mark.parametrize("code", [grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE])
def test_a_server_that_says_when_to_come_back_is_obeyed(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, code: grpc.StatusCode
) -> None:
    full = StreamError(code, "the server is full", retry_after_ms=12_500)
    assert played(monkeypatch, clock, *[full] * 4, UNREACHABLE, dismissed)[0] == "that is all"
    assert clock.pauses == [12.5, 12.5, 12.5, 12.5, 0.25], "a server that speaks is there, so patience begins anew"


@pytest.mark.parametrize("said", ["9" * 5000, "-1", "1.5", "soon", ""])
def test_a_time_to_come_back_that_is_none_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, said: str
) -> None:
    full = StreamError(grpc.StatusCode.UNAVAILABLE, "the server is full", retry_after_ms=said)
    assert played(monkeypatch, clock, full, dismissed)[0] == "that is all"
    assert clock.pauses == [0.25]


def test_a_goodbye_that_says_when_to_come_back_is_obeyed(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    assert played(monkeypatch, clock, told_to_come_back, dismissed)[0] == "that is all"
    assert clock.pauses == [1.5]


def test_who_has_sent_too_much_stays_away(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    with pytest.raises(SessionEndedError, match=r"RESOURCE_EXHAUSTED.*too much"):
        played(monkeypatch, clock, flooded, dismissed)


def test_a_frame_that_waits_while_the_bot_thinks_has_come_when_it_came(clock: Clock) -> None:
    def frames() -> Iterator[bytes]:
        yield from_server(v1.Welcome())
        for handle, clock.now in enumerate((1.0, 2.5), start=1):
            yield from_server(
                v1.MatchStart(match_handle=handle, game="mittlere"), v1.Decision(match_handle=handle, number=1)
            )

    player = Player(DefaultBot, name="ana", clock=clock.monotonic)
    player.connect()
    stream = transport._Stream(player, Minds(), address="server:1", token="", event="")
    stream._read(frames())
    clock.now = 4.0
    while not isinstance(came := stream._inbox.get(), End):
        stream._reply(came)
    sent = [v1.PlayRequest.FromString(stream._outbox.get() or b"") for _ in range(2)]
    assert [frame.messages[0].choice.thought_ms for frame in sent] == [3000, 1500]


def test_who_is_told_to_stop_does_not_come_back(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    def stopped(player: Player) -> None:
        welcomed(player)
        clock.set()

    assert played(monkeypatch, clock, stopped)[0] is None


def test_what_the_bot_raises_is_not_hidden(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    def fails(_player: Player) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        played(monkeypatch, clock, fails)
