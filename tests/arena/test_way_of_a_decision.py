"""How far it is from a Choice that comes in to the next Decision that goes out, counted in calls of functions."""

import sys
from types import FrameType

import pytest
import trio
from support.connections import Nowhere, take_in
from support.frames import from_bot, hello
from support.halls import Hall
from trio.testing import wait_all_tasks_blocked

from ordago import IS_COMPILED, v1
from ordago.arena.connection import Departure, Status

pytestmark = pytest.mark.virtual_time

MOST_CALLS = 95
"""It was 89 when this was written, rules and record included, and 103 before the way was made a line."""
_WARM_UP = 600
"""After so many decisions what is made once and kept has been made."""
_DECISIONS = 600
"""So many that the shortest way is among them: cards are dealt by chance, and what rules ask depends on them."""


class Wire(Nowhere):
    """A connection that only keeps what is sent, so that nothing of the bot's end is counted."""

    def __init__(self, hall: Hall, name: str) -> None:
        self.asked: list[v1.Decision] = []
        self._handler = hall.server(self)
        self.say(from_bot(hello(bot=v1.Software(name=name), max_matches=1)))

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        self.asked += [m.decision for m in v1.PlayResponse.FromString(frame).messages if m.HasField("decision")]

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        raise AssertionError(f"{status} {sentence} {retry_after_ms}")

    def say(self, frame: bytes) -> None:
        take_in(self._handler, frame, trio.current_time())


class Calls:
    """Counts calls of functions of the server. Generated code is left out, and so is what fills in a value."""

    def __init__(self) -> None:
        self.number = 0

    def __enter__(self) -> "Calls":
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, _argument: object) -> None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        self.number += event == "call" and "/server/ordago/" in file and "/v1/" not in file and name != "__init__"


@pytest.mark.slow
@pytest.mark.skipif(IS_COMPILED, reason="calls are counted, and nobody sees those of compiled functions")
async def test_the_way_stays_short() -> None:
    hall, counts = Hall(), []
    async with hall.open():
        wires = [Wire(hall, name) for name in ("ana", "ben", "cleo")]
        await wait_all_tasks_blocked()
        while len(counts) < _WARM_UP + _DECISIONS:
            await wait_all_tasks_blocked()
            [wire] = [wire for wire in wires if wire.asked]
            decision = wire.asked.pop()
            answer = decision.default_answer
            choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer)
            with Calls() as calls:
                wire.say(from_bot(choice))
            counts.append(calls.number)
    # The least of them: where a cache is full and begun anew, or the rules have more to look at, some take longer.
    assert 50 < min(counts[_WARM_UP:]) <= MOST_CALLS
