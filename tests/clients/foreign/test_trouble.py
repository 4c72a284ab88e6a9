"""The six SDKs in trouble, side by side: for each case all of them end alike and say the same.

`make torture` tries all vectors, and prints the whole table.
"""

import base64
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
import trustme
from support.certificates import Files
from support.frames import from_server
from support.ports import free_port
from support.scripted_server import ScriptedServer, Stage
from support.talk import accepted, decision, refused, start
from support.tls_servers import forwarded, listening

from ordago import v1

VECTORS = Path(__file__).parents[3] / "clients/vectors"
SHORT = 3
"""How many vectors of a file the short form tries, evenly spread; the tests of each SDK read all of them."""
SECONDS = 20.0
"""A bot that retries for 30 seconds what can never work has failed."""
DAY = timedelta(days=1)
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ")
TOKEN = "t"  # noqa: S105 - of a session that is made up
PROXIES = ("http_proxy", "https_proxy", "grpc_proxy", "all_proxy")


class Done(NamedTuple):
    """A bot that has ended."""

    exit_code: int
    said: str


def run(words: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Done:
    """Run a bot, of which nothing is expected but that it ends."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ORDAGO_")}
    done = subprocess.run(  # noqa: S603 - ours
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
        env={**clean, **(environment or {})}, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(errors="replace"))


def ends(done: Done, exit_code: int, sentence: str) -> None:
    """Check how a bot ended, and that it said a sentence, however its lines are broken."""
    said = " ".join(done.said.split())
    assert done.exit_code == exit_code, said[-600:]
    assert sentence in said, said[-600:]


def vectors(name: str, request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Return the vectors of a file that are refused, all of them in the long form."""
    found = [case for case in json.loads((VECTORS / name).read_text(encoding="utf-8")) if "because" in case]
    return found if request.config.getoption("--torture") else found[:: max(1, len(found) // SHORT)]


def test_addresses_are_refused_alike(command: Sequence[str], request: pytest.FixtureRequest) -> None:
    wrong = []
    for case in vectors("addresses.json", request):
        if "\0" in case["address"]:
            continue  # No command line can have it.
        done = run([*command, f"--address={case['address']}"])
        if done.exit_code != 2 or case["because"] not in " ".join(done.said.split()):
            wrong.append((case, done))
    assert not wrong


def test_token_files_are_refused_alike(command: Sequence[str], request: pytest.FixtureRequest, tmp_path: Path) -> None:
    wrong, file = [], tmp_path / "token"
    for case in vectors("token-files.json", request):
        file.write_bytes(base64.b64decode(case["bytes"]))
        done = run([*command, "--token-file", str(file)])
        if done.exit_code != 2 or case["because"] not in " ".join(done.said.split()):
            wrong.append((case, done))
    assert not wrong


def test_the_variable_for_tls_is_read_alike(command: Sequence[str], request: pytest.FixtureRequest) -> None:
    for case in vectors("switches.json", request):
        ends(run(command, environment={"ORDAGO_TLS": case["text"]}), 2, "is neither 1 nor 0")


@pytest.mark.parametrize(
    "words",
    [
        ("--matches", "+5"), ("--matches", "-1"), ("--matches", "4294967296"), ("--matches", "٣"), ("--match", "5"),
        ("-matches", "5"), ("--nonsense",), ("left over",), ("--nonce", "xyz"), ("--event", "The Cup"),
        ("--token", "two words"), ("--tls-ca", "/dev/null"), ("--address",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_command_line_ends_with_2(command: Sequence[str], words: tuple[str, ...]) -> None:
    assert run([*command, *words]).exit_code == 2


@pytest.mark.parametrize(
    "variables",
    [
        {"ADDRESS": "host"}, {"TOKEN": "two words"}, {"TOKEN_FILE": "none"}, {"EVENT": "The Cup"}, {"NONCE": "xyz"},
        {"TLS": "yes"}, {"TLS_CA": "none"}, {"TLS_CERT": "none", "TLS_KEY": "none"}, {"RECEIPTS": "/no/such/file"},
        {"LOG_DECISIONS": "/no/such/file"}, {"ON_ERROR": "go"}, {"LOG": "xml"},
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_variable_is_named(command: Sequence[str], variables: Mapping[str, str]) -> None:
    done = run(command, environment={f"ORDAGO_{name}": value for name, value in variables.items()})
    ends(done, 2, f"ORDAGO_{next(iter(variables))}: ")
    assert "--" not in done.said.splitlines()[-1], "no option that was not given is named"


def test_receipts_are_not_appended_to_another_file(command: Sequence[str], tmp_path: Path) -> None:
    other = tmp_path / "passwd"
    other.write_text("root:x:0:0\n")
    for words, variables in ((["--receipts", str(other)], {}), ([], {"ORDAGO_RECEIPTS": str(other)})):
        done = run([*command, *words], environment=variables)
        ends(done, 2, f"cannot write to {other}: it is there and holds no receipts")
        assert other.read_text() == "root:x:0:0\n"


def test_the_version_and_the_help_are_told(command: Sequence[str]) -> None:
    version = run([*command, "--version"])
    assert version.exit_code == 0
    assert re.fullmatch(r"\S+ .*\d+\.\d+.*\n", version.said), version.said
    for word in ("--help", "-h"):
        assert "--token-file" in run([*command, word]).said


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("speaks TLS", "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own"),
        ("asks for certificates", "speaks TLS: connect with --tls"),
        ("speaks no TLS", "does not speak TLS: connect without --tls"),
        ("expired", "has a certificate that has expired"),
        ("not yet valid", "has a certificate that is not valid yet"),
        ("other names", "has a certificate for other names than 127.0.0.2"),
        (
            "unknown authority",
            "has a certificate of an authority that is not trusted here: name its file with --tls-ca",
        ),
    ],
)
def test_what_tls_can_never_do_is_told_at_once(
    command: Sequence[str], tmp_path: Path, case: str, sentence: str
) -> None:
    files = Files(tmp_path)
    if case in ("expired", "not yet valid"):
        files.issue(files.authority, **({"begins": -2 * DAY, "ends": -DAY} if case == "expired" else {"begins": DAY}))
    believed = trustme.CA() if case == "unknown authority" else files.authority
    options = (
        [] if case in ("speaks TLS", "asks for certificates") else [*files.client_options(believes=believed).items()]
    )
    words = [word for pair in options for word in pair]
    with listening(None if case == "speaks no TLS" else files, mutual=case == "asks for certificates") as address:
        if case == "other names":
            with forwarded(lambda: address) as other:
                done = run([*command, *words, "--address", f"{other.host}:{other.port}"])
        else:
            done = run([*command, *words, "--address", f"{address.host}:{address.port}"])
    ends(done, 3, sentence)


def one_match(stage: Stage) -> Iterator[bytes]:
    """Play a match of one decision and say goodbye."""
    stage.hello()
    yield from_server(v1.Welcome(session_id="s"), start(), decision(1))
    stage.choice()
    yield from_server(accepted(1), v1.MatchEnd(match_handle=1), v1.Goodbye(sentence="that is all"))


def test_no_proxy_is_used(command: Sequence[str], server: ScriptedServer) -> None:
    proxy = f"http://127.0.0.1:{free_port()}"
    variables = {name: proxy for spelt in PROXIES for name in (spelt, spelt.upper())}
    bot = server.start(command, one_match, environment=variables)
    said = bot.communicate(timeout=SECONDS)[0]
    ends(Done(bot.returncode, said), 0, "that is all")


def test_a_path_is_taken_as_it_is(command: Sequence[str], tmp_path: Path) -> None:
    path = tmp_path / "a%20b?c#d é"
    with ScriptedServer(socket=str(path)) as server:
        server.stage(one_match)
        ends(run([*command, "--address", f"unix:{path}"]), 0, "that is all")


@pytest.mark.parametrize("output", ["2>/dev/full", "2>&-", "0<&- 1>&- 2>&-", "2>&1 | head -0", ">/dev/full 2>&1"])
def test_output_that_goes_wrong_ends_no_bot(command: Sequence[str], server: ScriptedServer, output: str) -> None:
    server.stage(one_match)
    quoted = " ".join(f"'{word}'" for word in (*command, "--address", server.address, "--verbose"))
    code = run(["/bin/bash", "-c", f"set -o pipefail; {quoted} {output}"]).exit_code
    assert (code, server.unplayed) == (0, 0)


@pytest.mark.parametrize("ignored", [False, True])
def test_the_end_of_a_terminal_tells_a_bot_to_stop(
    command: Sequence[str], server: ScriptedServer, *, ignored: bool
) -> None:
    if ignored and command[0] == "node":
        pytest.skip("Node.js forgets at its start which signals were ignored; its SDK only knows nohup in a terminal")
    asked, heard = threading.Event(), list[str | None]()

    def scene(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(v1.Welcome(session_id="s"), start(), decision(1))
        stage.choice()
        yield from_server(accepted(1))
        asked.set()
        if ignored:
            yield from_server(decision(2))
        heard.extend(message.WhichOneof("body") for message in stage.hear())
        yield from_server(v1.MatchEnd(match_handle=1), v1.Goodbye(sentence="that is all"))

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
    try:
        bot = server.start(command, scene)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert asked.wait(SECONDS)
    bot.send_signal(signal.SIGHUP)
    said = bot.communicate(timeout=SECONDS)[0]
    assert bot.returncode == 0, said
    assert heard == ["choice" if ignored else "retire"]


def on_the_first_connection(stage: Stage) -> Iterator[bytes]:
    """Say everything once that a bot writes a line about, and break off after Draining."""
    stage.hello()
    offers = [v1.OfferedGame(game=game) for game in ("mittlere", "mus")]
    yield from_server(
        v1.Welcome(session_id="s", resume_token=TOKEN, games=offers, limits=v1.Limits(resume_window_ms=60_000)),
        v1.EventNotice(sentence="it begins\x1b[1m", matches_planned=9, matches_begun=2),
        v1.Announcement(number=1, sentence="down\x1b[2J at 20:00", pauses_seating=True),
        start(seat=2), start(2, "n", seat=1), decision(1),
    )  # fmt: skip
    stage.choice()
    yield from_server(refused(1, rule="mittlere.follow", sentence="a club is led", strikes_left=3))
    stage.choice()
    yield from_server(
        accepted(1, fault=v1.FAULT_TOO_LATE, sentence="too late", faults_left=2),
        v1.Forfeited(match_handle=2, fault=v1.FAULT_ILLEGAL, sentence="three strikes"),
        v1.Draining(sentence="maintenance"),
    )
    stage.break_off(grpc.StatusCode.UNAVAILABLE, "gone")


def on_the_second_connection(stage: Stage) -> Iterator[bytes]:
    stage.hello()
    offers = [v1.OfferedGame(game="mittlere")]
    yield from_server(
        v1.Welcome(session_id="s", resume_token=TOKEN, resumed=True, games=offers),
        start(seat=2, last_decision=1),
        v1.MatchEnd(
            match_handle=1,
            outcome=v1.Outcome(placings=[3, 1, 2]),
            forfeits=[v1.Forfeit(seat=1, fault=v1.FAULT_TOO_LATE)],
        ),
        v1.Goodbye(sentence="that is all"),
    )


LINES = """\
INFO connected; games: mittlere, mus
INFO event: it begins\\x1b[1m
INFO announcement: down\\x1b[2J at 20:00
INFO match m of mittlere begins, seat 2, match 3 of 9
INFO match n of mittlere begins, seat 1, match 4 of 9
WARNING match m, decision 1: refused: a club is led (mittlere.follow)
WARNING match m, decision 1: the default answer was taken: too late (FAULT_TOO_LATE); 2 more and the match is forfeited
WARNING match n is forfeited: three strikes (FAULT_ILLEGAL)
INFO the server is going down: maintenance
INFO the server has gone down; trying again in 0.2 s
INFO session resumed; games: mittlere
INFO match m of mittlere goes on, seat 2
INFO match m ended: placing 2, seat 1 forfeited (FAULT_TOO_LATE)
INFO the server said goodbye: that is all
INFO 1 match: placing 2: 1, void: 0; slowest decision: 0 ms (match m, decision 1); refused: 1 (mittlere.follow 1); \
default answers: 1 (FAULT_TOO_LATE 1); forfeited: 1
"""


def test_the_log_is_the_same_line_by_line(command: Sequence[str], server: ScriptedServer) -> None:
    bot = server.start(command, on_the_first_connection, on_the_second_connection)
    said = bot.communicate(timeout=SECONDS)[0]
    assert bot.returncode == 0, said
    steady = re.sub(r"decision: \d+ ms", "decision: 0 ms", re.sub(r"in 0\.\d\d s", "in 0.2 s", said))
    lines = [STAMP.sub("", line) for line in steady.splitlines()]
    assert all(map(STAMP.match, said.splitlines())), said
    assert lines == LINES.splitlines()
