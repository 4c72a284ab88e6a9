"""Bots that mean harm to whoever examines them: ``hostile.py WAY``."""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import grpc

from ordago import v1

ESCAPE = "\x1b]0;owned\x07\x1b[2J"
HELLO = v1.Hello(min_version=1, max_version=1, bot=v1.Software(name="hostile"), nonce=b"n" * 16)


def frames(way: str) -> Iterator[bytes]:
    """Yield what it says."""
    if way == "garbage":
        yield b"\xff" * 100
    if way == "huge":
        yield bytes(1 << 20)
    name = f"hostile{ESCAPE}" if way == "name" else "hostile"
    hello = v1.Hello(min_version=1, max_version=1, bot=v1.Software(name=name), nonce=b"n" * 16)
    yield v1.PlayRequest(messages=[v1.BotMessage(hello=hello)]).SerializeToString()
    stale = v1.BotMessage(choice=v1.Choice(match_handle=2**32 - 1, number=1, answer=v1.Answer(legal_action=1)))
    flood = {
        "empty": v1.PlayRequest(),
        "stale": v1.PlayRequest(messages=[stale] * 2000),
        "many": v1.PlayRequest(messages=[stale] * 4000),
    }
    if way in flood:
        yield from itertools.repeat(flood[way].SerializeToString())
    while True:
        time.sleep(1)


def main(way: str) -> None:
    """Do harm."""
    if way == "prints":
        sys.stdout.write(ESCAPE)
        while True:
            sys.stdout.write("x" * 65_536)
    if way == "leaves":
        left = subprocess.Popen(["sleep", "600"], start_new_session=True)  # noqa: S607 - the doctor has to end it
        print(f"left {left.pid}", flush=True)  # noqa: T201 - the test reads it
        os._exit(1)
    if way == "connects":
        addresses = [grpc.insecure_channel(os.environ["ORDAGO_ADDRESS"], [("grpc.use_local_subchannel_pool", 1)])]
        while True:
            play = addresses[0].stream_stream("/ordago.v1.BotService/Play")
            play(iter([]))
    play = grpc.insecure_channel(os.environ["ORDAGO_ADDRESS"]).stream_stream("/ordago.v1.BotService/Play")
    for _ in play(frames(way)):
        pass


if __name__ == "__main__":
    main(sys.argv[1])
