"""Receipts as the SDK keeps them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import trio
from support.connections import Lobby
from support.scripted_server import ScriptedServer, Stage

from ordago import v1
from ordago.edge import Edge
from ordago.record.ledgers.receipts import parse_receipts
from ordago_bot import main, transport
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.player import Player
from ordago_bot.receipts import Receipts

EVENT = v1.DescribeEventResponse(
    event="cup",
    commitment=b"c" * 32,
    secret_digest=b"s" * 32,
    settings_digest=b"t" * 32,
    entrants=["ana", "ben"],
    beacon=v1.Beacon(source="drand quicknet", round=7),
)
LINES = 200


APPEND = f"""
import sys
from ordago_bot.receipts import ReceiptsFile

for number in range({LINES}):
    ReceiptsFile(sys.argv[1]).keep({{"kind": "event", "name": sys.argv[2] * 100, "number": number}})
"""


@pytest.mark.slow
def test_several_processes_append_whole_lines_to_one_file(tmp_path: Path) -> None:
    path, names = tmp_path / "receipts", "abc"
    processes = [subprocess.Popen([sys.executable, "-c", APPEND, str(path), name]) for name in names]  # noqa: S603 - ours
    assert [process.wait() for process in processes] == [0] * len(names)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == len(names) * LINES
    for name in names:
        assert [line["number"] for line in lines if line["name"] == name * 100] == list(range(LINES))
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_a_server_says_is_what_can_be_verified() -> None:
    kept: list[object] = []
    receipts = Receipts(kept.append)
    receipts.describe(EVENT, nonce=b"n" * 16)
    start = v1.MatchStart(match_id="m", seat=1, players=[v1.Player(name="ben"), v1.Player(name="ana")])
    receipts.begin(start)
    receipts.end(start, v1.MatchEnd(record_digest=b"d" * 32))
    assert len(kept) == 1, "without a ledger there is nothing to be held to"
    start.ledger_length, start.ledger_head = 3, b"h" * 32
    receipts.begin(start)
    receipts.end(start, v1.MatchEnd(record_digest=b"d" * 32, ledger_length=4, ledger_head=b"i" * 32))
    receipts.end(start, v1.MatchEnd(sentence="void", ledger_length=5, ledger_head=b"j" * 32))
    event, begun, over, void = parse_receipts("".join(f"{json.dumps(receipt)}\n" for receipt in kept))
    assert event.model_dump() == {
        "kind": "event",
        "event": "cup",
        "commitment": EVENT.commitment.hex(),
        "secret_digest": EVENT.secret_digest.hex(),
        "settings_digest": EVENT.settings_digest.hex(),
        "entrants": ("ana", "ben"),
        "beacon": {"source": "drand quicknet", "round": 7, "value": ""},
        "nonce": (b"n" * 16).hex(),
    }
    assert (begun.kind, begun.name, begun.length, begun.head) == ("match_start", "ana", 3, (b"h" * 32).hex())
    assert (over.record_digest, over.length, void.record_digest, void.length) == ((b"d" * 32).hex(), 4, "", 5)


@pytest.mark.parametrize("event", [EVENT, None])
async def test_a_server_describes_the_event_that_it_plays(event: v1.DescribeEventResponse | None) -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server, event=lambda _: event or v1.DescribeEventResponse()) as edge:
        with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
            described = await trio.to_thread.run_sync(transport._described, channel, "")
    assert described == (event or v1.DescribeEventResponse())


def goodbye(stage: Stage) -> Iterator[bytes]:
    assert stage.hello().nonce
    for message in (
        v1.ServerMessage(welcome=v1.Welcome(version=1)),
        v1.ServerMessage(goodbye=v1.Goodbye(sentence="over")),
    ):
        yield v1.PlayResponse(messages=[message]).SerializeToString()


def test_a_server_that_does_not_know_the_question_plays_no_event() -> None:
    """One of an older version, or in another language."""
    kept: list[object] = []
    with ScriptedServer() as server:
        server.stage(goodbye)
        player = Player(DefaultBot, name="ana", keep=kept.append)
        assert transport.play(player, address=server.address) == "over"
    assert kept == []


def test_a_file_that_cannot_be_written_to_ends_the_bot_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main.argument_parser().parse_args(["--receipts", str(tmp_path)])
    assert ended.value.code == 2
    assert f"cannot write to {tmp_path}: Is a directory" in capsys.readouterr().err
