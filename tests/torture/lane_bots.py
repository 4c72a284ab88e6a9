"""Bots of a ladder with several servers, in one process, which come back after whatever happens.

``python -m torture.lane_bots TOKENS THINK_MS ADDRESS ...``, with a file of tokens, one for each bot, and the addresses
of the lanes, their own first. Each bot plays one match at a time, thinks for THINK_MS on average and takes the default
answer, or the first legal action. It resumes its session where it was; where nobody lets it in for a while, it begins
anew at the next lane. Each line on the standard input is a number: of their thinking times they take that share from
then on, and a line of JSON tells what they have seen so far.
"""

import argparse
import asyncio
import json
import os
import secrets
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random

import grpc
import grpc.aio

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE
from ordago_bench.processes.instant_bot import instant_answer
from ordago_bench.processes.worker import open_channel

_METHOD = "/ordago.v1.BotService/Play"
_COME_IN_TOGETHER = 40
_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 4.0
_MOVE_SECONDS = 30.0
"""How long a bot tries its lane before it goes to the next."""
_REFUSED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


@dataclass(slots=True)
class Seen:
    """The counts of the bots of a process."""

    leisure: float = 1.0
    """The share of their thinking times that they take."""
    here: int = 0
    """The number of bots that are welcome now."""
    resumed: int = 0
    anew: int = 0
    """Sessions that were begun, the first of each bot among them."""
    moved: int = 0
    decisions: int = 0
    begun: set[str] = field(default_factory=set)
    """The matches that began, by their IDs."""
    ended: dict[str, str] = field(default_factory=dict)
    """The digest of the record of each match that ended; empty for one that is void."""
    doubled: list[str] = field(default_factory=list)
    """Matches that ended otherwise than another bot, or the same one, was told before."""
    statuses: Counter[str] = field(default_factory=Counter)
    """The number of streams by the status with which they ended."""

    def written(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps({one.name: getattr(self, one.name) for one in fields(self)}, default=sorted)


class Bot:
    """A bot that always comes back."""

    def __init__(self, seen: Seen, token: str, lanes: list[str], rng: Random, *, think_seconds: float) -> None:
        self._seen, self._lanes, self._rng = seen, lanes, rng
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._think_seconds = think_seconds
        self._session: v1.Resume | None = None
        self._matches: dict[int, v1.KnownMatch] = {}
        self._names: dict[int, str] = {}
        self._is_here = False
        self._last_here = time.monotonic()
        self._pause_seconds = _PAUSE_SECONDS

    async def stay(self, entry: asyncio.Semaphore) -> None:
        """Play, and come back."""
        while True:
            await self._visit(entry)
            if time.monotonic() - self._last_here > _MOVE_SECONDS:
                self._lanes = [*self._lanes[1:], self._lanes[0]]
                self._begin_anew()
                self._last_here = time.monotonic()
                self._seen.moved += 1
            await asyncio.sleep(self._pause_seconds * self._rng.uniform(0.5, 1))
            self._pause_seconds = min(2 * self._pause_seconds, _LONGEST_PAUSE_SECONDS)

    async def _visit(self, entry: asyncio.Semaphore) -> None:
        async with open_channel(self._lanes[0]) as channel:
            method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
            # What ends a stream is told by its status.
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                async with entry:
                    call = method(metadata=self._metadata)
                    await call.write(self._greeting())
                    frame = await call.read()
                while isinstance(frame, bytes):
                    if answer := self._take(frame):
                        await asyncio.sleep(self._rng.expovariate(1 / self._think_seconds) * self._seen.leisure)
                        await call.write(answer)
                    frame = await call.read()
            status = await call.code()
        self._leave()
        self._seen.statuses[status.name] += 1
        if status in _REFUSED:
            self._begin_anew()

    def _greeting(self) -> bytes:
        hello = v1.Hello(
            min_version=1,
            max_version=1,
            nonce=secrets.token_bytes(16),
            max_matches=1,
            max_open_decisions=1,
            capabilities=[TACIT_ACCEPTANCE],
        )
        if self._session is not None:
            hello.resume.CopyFrom(self._session)
            hello.resume.matches.extend(self._matches.values())
        return v1.PlayRequest(messages=[v1.BotMessage(hello=hello)]).SerializeToString()

    def _take(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame."""
        answers = v1.PlayRequest()
        for message in v1.PlayResponse.FromString(frame).messages:
            match message.WhichOneof("body"):
                case "welcome":
                    self._come(message.welcome)
                case "match_start":
                    handle, match_id = message.match_start.match_handle, message.match_start.match_id
                    self._names[handle] = match_id
                    self._matches.setdefault(handle, v1.KnownMatch(match_handle=handle))
                    self._seen.begun.add(match_id)
                case "decision":
                    decision = message.decision
                    self._matches[decision.match_handle].last_decision = decision.number
                    choice = answers.messages.add().choice
                    choice.match_handle, choice.number = decision.match_handle, decision.number
                    choice.answer.CopyFrom(instant_answer(decision))
                    self._seen.decisions += 1
                case "match_end":
                    self._end(message.match_end)
                case "goodbye":
                    self._begin_anew()
        return answers.SerializeToString()

    def _come(self, welcome: v1.Welcome) -> None:
        self._session = v1.Resume(session_id=welcome.session_id, resume_token=welcome.resume_token)
        if welcome.resumed:
            self._seen.resumed += 1
        else:
            self._seen.anew += 1
            self._matches.clear()
        self._seen.here += 1
        self._is_here, self._pause_seconds = True, _PAUSE_SECONDS

    def _leave(self) -> None:
        if self._is_here:
            self._seen.here -= 1
            self._is_here, self._last_here = False, time.monotonic()

    def _begin_anew(self) -> None:
        self._session = None
        self._matches.clear()

    def _end(self, end: v1.MatchEnd) -> None:
        self._matches.pop(end.match_handle, None)
        match_id, digest = self._names.pop(end.match_handle), end.record_digest.hex()
        if self._seen.ended.setdefault(match_id, digest) != digest:
            self._seen.doubled.append(match_id)


def _answer_lines(seen: Seen, loop: asyncio.AbstractEventLoop) -> None:
    for line in sys.stdin:
        seen.leisure = float(line)
        # Where the bots are, since nothing may change meanwhile.
        loop.call_soon_threadsafe(lambda: print(seen.written(), flush=True))  # noqa: T201 - this is how it speaks
    os._exit(0)


async def _play_all(tokens: list[str], lanes: list[str], think_seconds: float) -> None:
    seen, entry = Seen(), asyncio.Semaphore(_COME_IN_TOGETHER)
    threading.Thread(target=_answer_lines, args=(seen, asyncio.get_running_loop()), daemon=True).start()
    bots = [Bot(seen, token, lanes, Random(number), think_seconds=think_seconds) for number, token in enumerate(tokens)]
    # What goes wrong in one of them ends all of them, and the test finds the end of their output.
    async with asyncio.TaskGroup() as together:
        for bot in bots:
            together.create_task(bot.stay(entry))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("tokens", type=lambda file: Path(file).read_text().split())
    parser.add_argument("think_ms", type=int)
    parser.add_argument("lanes", nargs="+")
    parsed = parser.parse_args()
    asyncio.run(_play_all(parsed.tokens, parsed.lanes, parsed.think_ms / 1000))
