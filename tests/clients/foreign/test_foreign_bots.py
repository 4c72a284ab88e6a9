"""The bots in other languages do what the contract asks of every client."""

import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

import grpc
import pytest
from foreign_clients import CLIENTS, Client, outcome_of
from missing import what_is_missing
from support.frames import from_server
from support.http2 import ACKNOWLEDGED, DATA, PING, PREFACE, frames
from support.programs import leave_out
from support.scripted_server import ScriptedServer, Stage

from ordago import v1
from ordago_doctor.server import StreamOverError
from ordago_doctor.wire import Wire

LONGEST_SECONDS = 30
RESUME_TOKEN = "the-token-of-the-session"  # noqa: S105 - of a session that lives for one test
SEED = b"sixteen bytes :)"
DEFAULT = v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_SIX_OF_HEARTS)))
GOODBYE = from_server(v1.Goodbye(sentence="that was all"))


def welcome(*, resumed: bool = False) -> v1.Welcome:
    return v1.Welcome(version=1, session_id="session", resume_token=RESUME_TOKEN, resumed=resumed)


def match_start(handle: int, *, last_decision: int = 0) -> v1.MatchStart:
    match_id, game = f"match-{handle}", "a game of tomorrow"
    return v1.MatchStart(match_handle=handle, match_id=match_id, game=game, seed=SEED, last_decision=last_decision)


def decision(handle: int, number: int) -> v1.Decision:
    actions = [v1.LegalAction(id=id_, amount=v1.AmountRange(min=1, max=1_000)) for id_ in range(1, 100)]
    return v1.Decision(match_handle=handle, number=number, actions=actions, default_answer=DEFAULT)


def asked(stage: Stage) -> Iterator[bytes]:
    """Welcome a bot, seat it, ask it something, and wait for its answer."""
    stage.hello()
    yield from_server(welcome(), match_start(1), decision(1, 1))
    stage.choice()


def said(bot: "subprocess.Popen[str]") -> str:
    """Wait for the end of a bot and return what it printed."""
    try:
        return bot.communicate(timeout=LONGEST_SECONDS)[0]
    finally:
        bot.kill()


# Its own tests


def test_its_own_tests_pass(client: Client) -> None:
    ended = subprocess.run(client.test, cwd=client.folder, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if ended.returncode and (missing := what_is_missing(ended.stdout + ended.stderr)):
        leave_out(f"the tests of {client.name} cannot be built, since {missing}")
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.usefixtures("built")
def test_each_client_can_be_built() -> None:
    outcomes = {client.name: outcome_of(client) for client in CLIENTS}
    assert {name: outcome.failed for name, outcome in outcomes.items() if outcome and outcome.failed} == {}


# One behaviour each, at a server that follows a script


def test_many_matches_are_played_at_once_and_answered_in_one_frame(client: Client, server: ScriptedServer) -> None:
    handles = range(1, 201)
    hellos, replies = [], []

    def scene(stage: Stage) -> Iterator[bytes]:
        hellos.append(stage.hello())
        yield from_server(welcome(), *map(match_start, handles), *(decision(handle, 1) for handle in handles))
        replies.append(stage.hear())
        yield GOODBYE

    bot = server.start(client.command, scene)
    output = said(bot)
    assert bot.returncode == 0, output
    [hello], [reply] = hellos, replies
    assert (hello.min_version, hello.max_version, list(hello.games)) == (1, 1, [])
    assert hello.bot.name == client.name
    assert len(hello.nonce) == 16
    assert [message.choice.match_handle for message in reply] == list(handles)
    answers = [message.choice.answer for message in reply]
    assert all(1 <= answer.legal_action < 100 and 1 <= answer.amount <= 1_000 for answer in answers)


def test_all_take_the_same_options(command: Sequence[str], server: ScriptedServer) -> None:
    hellos = []

    def scene(stage: Stage) -> Iterator[bytes]:
        hellos.append(stage.hello())
        yield from_server(welcome()) + GOODBYE

    games = ("--game", "mus", "--game", "mittlere")
    limits = ("--matches", "4", "--decisions", "2", "--matches-in-all", "9")
    bot = server.start([*command, "--name", "ana", *games, *limits, "--nonce", "ab" * 16, "--verbose"], scene)
    output = said(bot)
    assert bot.returncode == 0, output
    [hello] = hellos
    assert (hello.bot.name, list(hello.games), hello.nonce) == ("ana", ["mus", "mittlere"], b"\xab" * 16)
    assert (hello.max_matches, hello.max_open_decisions, hello.matches_in_all) == (4, 2, 9)
    assert "DEBUG" in output


def test_nobody_pings_for_what_comes(command: Sequence[str], server: ScriptedServer) -> None:
    """Libraries of gRPC would, to find out how much may be on its way at once: for nearly each frame of the server."""

    def scene(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(welcome(), match_start(1))
        for number in range(1, 101):
            yield from_server(decision(1, number))
            stage.choice()
            yield from_server(v1.Accepted(match_handle=1, number=number))
        yield GOODBYE

    heard = bytearray()
    with Wire(int(server.address.rpartition(":")[2]), heard=heard.extend) as wire:
        server.address = f"127.0.0.1:{wire.port}"
        output = said(server.start(command, scene))
    kinds = Counter(kind for kind, flags, _, _ in frames(bytes(heard[len(PREFACE) :])) if not flags & ACKNOWLEDGED)
    assert kinds[DATA] > 100, output
    assert kinds[PING] == 0


def test_a_refused_answer_is_not_given_again_after_a_broken_connection(client: Client, server: ScriptedServer) -> None:
    """Nor is the decision that was closed before it, which the server tells of once more."""
    answered = []

    def breaks(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        yield from_server(v1.Accepted(match_handle=1, number=1), decision(1, 2))
        stage.choice()
        yield from_server(v1.Refused(match_handle=1, number=2, rule="a_rule", strikes_left=1, time_left_ms=500))
        stage.choice()
        stage.break_off(grpc.StatusCode.UNAVAILABLE, "the server goes down")

    def goes_on(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        closed = v1.Accepted(match_handle=1, number=1)
        yield from_server(welcome(resumed=True), match_start(1, last_decision=1), closed, decision(1, 2))
        answered.append(stage.choice().answer)
        yield GOODBYE

    output = said(server.start(client.command, breaks, goes_on))
    assert answered == [DEFAULT], output


@pytest.mark.parametrize(
    "status", [grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAUTHENTICATED]
)
def test_it_stays_away_when_it_is_not_wanted(client: Client, server: ScriptedServer, status: grpc.StatusCode) -> None:
    def dismisses(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        stage.break_off(status, "not wanted")

    bot = server.start(client.command, dismisses, dismisses)
    output = said(bot)
    assert (bot.returncode, server.unplayed) == (3, 1), output
    assert "not wanted" in output


def test_whoever_is_shut_out_has_failed_whatever_words_it_is_told(
    command: Sequence[str], server: ScriptedServer
) -> None:
    def shuts_out(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        yield from_server(v1.Goodbye(sentence="the account is banned: asleep"))
        stage.break_off(grpc.StatusCode.PERMISSION_DENIED, "the account is banned")

    bot = server.start(command, shuts_out, shuts_out)
    output = said(bot)
    assert (bot.returncode, server.unplayed) == (3, 1), output
    assert "asleep" in output


def test_forfeits_and_void_matches_are_told(client: Client, server: ScriptedServer) -> None:
    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        accepted = v1.Accepted(match_handle=1, number=1, charged_ms=1234, bank_ms=5678, fault=v1.FAULT_TOO_LATE)
        forfeited = v1.Forfeited(match_handle=1, fault=v1.FAULT_TOO_LATE, sentence="too late too often")
        yield from_server(accepted, forfeited, v1.MatchEnd(match_handle=1, sentence="the server failed"))
        yield GOODBYE

    output = said(server.start([*client.command, "-v"], scene))
    assert "too late too often" in output
    assert "the server failed" in output
    assert "1234" in output
    assert "5678" in output


def test_what_is_unknown_is_ignored(client: Client, server: ScriptedServer) -> None:
    """Messages, fields, values of enums, cards, arms of a game: all from a newer server."""
    unknown_field = bytes([0xFA, 0x06, 3]) + b"new"  # Number 111.
    unknown_message = bytes([0x0A, len(unknown_field)]) + unknown_field
    newer = v1.Decision.FromString(decision(1, 1).SerializeToString() + unknown_field)
    newer.view.MergeFromString(unknown_field)
    newer.actions[0].MergeFromString(unknown_field)
    del newer.actions[1:]
    newer.actions[0].ClearField("amount")
    newer.actions[0].picks.add(min=1, max=1).MergeFromString(bytes([0x0A, 2, 0xC9, 0x01]))  # A card of code 201.
    accepted = v1.Accepted.FromString(bytes([0x08, 1, 0x10, 1, 0x28, 0xFA, 0x01]))  # A fault of code 250.
    choices = []

    def scene(stage: Stage) -> Iterator[bytes]:
        stage.hear()
        yield from_server(welcome()) + unknown_message + from_server(match_start(1)) + unknown_message
        yield b""
        yield unknown_message + from_server(newer) + unknown_message
        choices.append(stage.choice().answer)
        yield from_server(accepted, v1.Draining(sentence="soon"), v1.MatchEnd(match_handle=1)) + unknown_field + GOODBYE

    bot = server.start([*client.command, "-v"], scene)
    output = said(bot)
    assert bot.returncode == 0, output
    assert choices == [v1.Answer(legal_action=1, cards=[201])]
    assert RESUME_TOKEN not in output


def test_a_refused_answer_is_followed_by_the_default_answer(client: Client, server: ScriptedServer) -> None:
    answers = []

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        refused = v1.Refused(match_handle=1, number=1, fault=v1.FAULT_ILLEGAL, time_left_ms=500, sentence="not so")
        yield from_server(refused)
        answers.append(stage.choice().answer)
        yield GOODBYE

    output = said(server.start(client.command, scene))
    assert answers == [DEFAULT]
    assert "not so" in output


def test_it_ends_with_its_standard_input_when_it_was_launched(client: Client, server: ScriptedServer) -> None:
    playing = threading.Event()

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        playing.set()
        with suppress(StreamOverError):
            stage.hear()

    bot = server.start(client.command, scene, environment={"ORDAGO_LAUNCHED": "1"})
    assert playing.wait(LONGEST_SECONDS)
    said(bot)  # It closes the standard input.
    assert bot.returncode == 3


def test_it_says_goodbye_when_it_was_launched_and_is_told_to_stop(client: Client, server: ScriptedServer) -> None:
    playing, last_words = threading.Event(), []

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asked(stage)
        playing.set()
        last_words.extend(stage.hear())

    bot = server.start(client.command, scene, environment={"ORDAGO_LAUNCHED": "1"})
    assert playing.wait(LONGEST_SECONDS)
    bot.terminate()
    bot.wait(LONGEST_SECONDS)
    said(bot)
    assert [message.WhichOneof("body") for message in last_words] == ["goodbye"]
    assert bot.returncode == 130
