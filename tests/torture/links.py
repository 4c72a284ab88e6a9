"""Gives fuzzed frames to each end of the session machine."""

from collections import Counter
from random import Random
from typing import NamedTuple

from support.clocks import run_in_virtual_time
from support.connection_pair import ConnectionPair
from support.frames import from_bot, from_server
from torture.mutation import ABSURD_NUMBERS, answers, garbage, greetings, mutated
from torture.telling import Arena, Ending
from torture.worlds import twins

from ordago import v1
from ordago.protocol import (
    BotConnection,
    LocalProtocolError,
    ReceivedChoice,
    RemoteProtocolError,
    ServerBody,
    ServerConnection,
)

# What is likely in play stands here often.
_HANDLES = (*(1,) * 30, *(2,) * 10, *ABSURD_NUMBERS)
_NUMBERS = (*(1,) * 20, *(2,) * 20, *ABSURD_NUMBERS)


class Part(NamedTuple):
    """A part of the frames."""

    frames: int
    seed: str


def frames_from_bots(rng: Random) -> list[bytes]:
    """Return frames such as bots send, in any order."""
    choices = [
        v1.Choice(match_handle=rng.choice(_HANDLES), number=rng.choice(_NUMBERS), answer=answer)
        for answer in rng.choices(answers(rng, 10), k=1000)
    ]
    return [b"", from_bot(v1.Goodbye()), *greetings(rng, 10), *map(from_bot, choices)]


def frames_from_servers(rng: Random) -> list[bytes]:
    """Return frames of a real match, and others such as servers send."""
    worlds = twins("mittlere", rng, deals_before=0)
    told = run_in_virtual_time(lambda: Arena().told(worlds, worlds.first, Ending.DEFAULT, rng))
    ends: list[ServerBody] = [v1.MatchEnd(match_handle=1), v1.Forfeited(match_handle=1), v1.Draining(), v1.Goodbye()]
    return [b"", *(frame for _, frame in told), *map(from_server, ends), from_server(v1.Welcome(version=1))]


def one_of(frames: list[bytes], rng: Random) -> bytes:
    """Return one of these frames, or several together, or something like them."""
    frame, way = rng.choice(frames), rng.random()
    if way < 0.7:
        return frame
    if way < 0.8:
        return b"".join(rng.choices(frames, k=rng.randrange(2, 9)))
    return garbage(rng) if way < 0.82 else mutated(frame, rng, rng.choice(frames))


def server_takes(part: Part) -> Counter[str]:
    """Give frames to the server's end, which asks and accepts in between."""
    rng, count = Random(part.seed), Counter[str]()
    frames, said = frames_from_bots(rng), _said_by_server()
    connection = ServerConnection()
    for number in range(part.frames):
        try:
            for message in connection.receive(one_of(frames, rng)):
                count["messages"] += 1
                count["choices"] += isinstance(message, ReceivedChoice)
        except RemoteProtocolError:
            count["refused"] += 1
            connection = ServerConnection() if number % 8 == 0 else ConnectionPair.opened().server
        _try_to_say(connection, rng.choice(said), count)
    return count


def _said_by_server() -> list[ServerBody]:
    said: list[ServerBody] = [v1.Draining()]
    for handle in (1, 1, 1, 2):
        said += [v1.MatchStart(match_handle=handle), v1.MatchEnd(match_handle=handle)]
        for number in (1, 2):
            said += [v1.Decision(match_handle=handle, number=number), v1.Accepted(match_handle=handle, number=number)]
            said.append(v1.Refused(match_handle=handle, number=number, fault=v1.FAULT_ILLEGAL))
    return said


def _try_to_say(connection: ServerConnection, body: ServerBody, count: Counter[str]) -> None:
    try:
        connection.send(body)
        count["said"] += 1
    except LocalProtocolError:
        pass


def bot_takes(part: Part) -> Counter[str]:
    """Give frames to the bot's end."""
    rng, count = Random(part.seed), Counter[str]()
    frames = frames_from_servers(rng)
    connection = BotConnection()
    for number in range(part.frames):
        try:
            count["messages"] += len(connection.receive(one_of(frames, rng)))
        except RemoteProtocolError:
            count["refused"] += 1
            connection = BotConnection() if number % 8 == 0 else ConnectionPair.opened().bot
    return count
