"""A real server that is worn down in one way after the other: it stays small, and honest bots notice next to nothing.

One of them is there all the while and waits for an answer again and again; newcomers come in one after the other.
"""

import time
from collections import defaultdict
from pathlib import Path

import grpc
import pytest
from support.certificates import Files
from support.figures import Note, Size
from support.frames import from_bot, hello
from support.raw_client import RawClient
from torture.served import Served, served
from torture.siege import WAYS, besieged
from torture.witness import Witness

pytestmark = pytest.mark.alone

_ANSWER_SECONDS = 1.0
_MORE_MIB = defaultdict(
    lambda: 64,
    # A connection takes gRPC some 25 KiB, and 4,096 may be there before the oldest are shut.
    silent=160,
    # gRPC reads them before anybody is asked, and tells nobody: what they cost is no more than known.
    headers=640,
)
_WELCOME_SECONDS = defaultdict(lambda: 4.0, headers=12.0)
_SHORT = ("strangers", "resets", "held_responses", "silent")


def test_a_siege(tmp_path: Path, size: Size, note: Note) -> None:
    ways = WAYS if size(0, 1) else _SHORT
    with served("mittlere", tmp_path) as server:
        for way in ways:
            _besiege(server, way, seconds=size(1, 15), note=note)
        assert "Traceback" not in server.log, server.log


def test_handshakes_that_never_end(tmp_path: Path, size: Size, note: Note) -> None:
    """Hundreds at once, which then break off, ended a server that gave grpc its certificate for each of them."""
    files = Files(tmp_path)
    with served("mittlere", tmp_path, "--tls-cert", files.certificate, "--tls-key", files.key) as server:
        with besieged("mute", server.port, seconds=size(2, 15)) as attack:
            assert attack.stdout is not None
            note("handshakes that never ended", int(attack.stdout.read()))
        assert comes_in(server.port, files), server.log
        assert server.process.poll() is None


def comes_in(port: int, files: Files) -> bool:
    """Say whether a bot comes in over TLS."""
    client = RawClient(port, credentials=grpc.ssl_channel_credentials(files.client().authorities))
    client.say(from_bot(hello()))
    heard = client.hear_if_any()
    client.close()
    return bool(heard)


def _besiege(server: Served, way: str, *, seconds: int, note: Note) -> None:
    before = most = server.resident_mib
    with Witness(server.port) as witness, besieged(way, server.port, seconds=seconds) as attack:
        while attack.poll() is None:
            time.sleep(0.05)
            most = max(most, server.resident_mib)
        assert attack.stdout is not None
        done = int(attack.stdout.read())
    slowest, longest = max(witness.answered, default=0.0), max(witness.welcomed, default=0.0)
    note(f"{way}: done", done)
    note(f"{way}: more memory of the server", most - before, "MiB", bound=str(_MORE_MIB[way]))
    note(f"{way}: longest wait of an honest bot for an answer", slowest, "s", bound=str(_ANSWER_SECONDS))
    note(f"{way}: longest way in of a newcomer", longest, "s", bound=str(_WELCOME_SECONDS[way]))
    note(f"{way}: newcomers turned away", len(witness.refusals))
    assert done, way
    assert not witness.lost, way
    assert witness.welcomed, (way, witness.refusals)
    assert slowest < _ANSWER_SECONDS, way
    assert longest < _WELCOME_SECONDS[way], way
    assert most - before < _MORE_MIB[way], way
