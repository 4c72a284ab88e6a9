"""Casual tables in memory at which some play honestly and some send whatever they can think of."""

import gc
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import trio
from support.clocks import run_in_virtual_time
from support.connections import Nowhere, take_in
from support.frames import from_bot, hello
from torture.mutation import ABSURD_NUMBERS, answers, garbage, greetings, mutated

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.bot import Bot
from ordago.arena.connection import Departure, Status
from ordago.arena.server import Server, open_server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.protocol import BotConnection
from ordago.record import FinishedRecord, faults_of, verify

HONEST = "honest"
_HONEST_BOTS = 4
_ATTACKERS = 4
_FRAMES_A_ROUND = 64
_ROUND_SECONDS = 0.4
_MATCHES_EACH = 3
_RECORDS_PROVED = 20
"""One record of so many is replayed."""
_HISTORY = 40
_WARM_UP = 0.5
"""The share of the frames after which memory is looked at for the first time."""


class Part(NamedTuple):
    """A part of the frames, played at a hall of its own."""

    frames: int
    seed: str


class Honest(Nowhere):
    """A bot that answers in each round what it was asked, and watches that the server keeps to the contract."""

    def __init__(self, server: Server) -> None:
        self._connection = BotConnection()
        self._asked: list[v1.Decision] = []
        self.handler = server(self)
        greeting = hello(bot=v1.Software(name=HONEST), max_matches=_MATCHES_EACH)
        take_in(self.handler, self._connection.send(greeting), trio.current_time())

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        for message in self._connection.receive(frame):
            if message.HasField("decision"):
                self._asked.append(message.decision)

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        raise AssertionError(f"an honest bot was thrown out: {status} {sentence} {retry_after_ms}")

    def answer_all(self) -> int:
        """Answer what is open, and return how many decisions that were."""
        asked, self._asked = self._asked, []
        for decision in asked:
            choice = v1.Choice(
                match_handle=decision.match_handle, number=decision.number, answer=decision.default_answer
            )
            take_in(self.handler, self._connection.send(choice), trio.current_time())
        return len(asked)


class Attacker(Nowhere):
    """Somebody who sends anything, and comes again when he is thrown out."""

    def __init__(self, server: Server, bots: Sequence[Bot], rng: Random) -> None:
        self._server, self._bots, self._rng = server, bots, rng
        self._answers = answers(rng, 300)
        self._greetings = greetings(rng, 60)
        self._asked: deque[v1.Decision] = deque(maxlen=6)
        self._history: deque[bytes] = deque([b""], maxlen=_HISTORY)
        self._tokens: dict[str, str] = {}
        """The tokens of his own sessions."""
        self._ended = True
        self.count = Counter[str]()
        ways: dict[Callable[[], bytes], int] = {
            self._right_answer: 300,
            self._wrong_answer: 300,
            self._answer_to_anything: 200,
            self._again: 100,
            self._all_at_once: 50,
            self._mutated: 40,
            lambda: garbage(rng): 3,
            lambda: rng.choice(self._greetings): 3,
            lambda: from_bot(v1.Goodbye()): 3,
        }
        self._ways, self._weights = list(ways), list(ways.values())

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        for message in v1.PlayResponse.FromString(frame).messages:
            if message.HasField("decision"):
                self._asked.append(message.decision)
            elif message.HasField("refused"):
                self.count["refused"] += 1
                self.count[v1.Fault.Name(message.refused.fault)] += 1
            elif message.HasField("welcome"):
                self._tokens[message.welcome.session_id] = message.welcome.resume_token

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        assert sentence
        assert retry_after_ms >= 0
        self.count[status.name] += 1
        self._ended = True

    def attack(self, frames: int) -> None:
        """Send so many frames."""
        for make in self._rng.choices(self._ways, self._weights, k=frames):
            if self._ended:
                self._come_in()
            self._say(make())
            if self._rng.random() < 0.005:
                self._vanish()

    def _say(self, frame: bytes) -> None:
        take_in(self.handler, frame, trio.current_time() - self._rng.choice((0.0, 0.0, 0.001, 5.0)))

    def _come_in(self) -> None:
        if self.count["connections"]:
            # As a transport does after each end, whoever it was that ended.
            self.handler.lost()
        self._ended = False
        self.count["connections"] += 1
        self.handler = self._server(self)
        way = self._rng.random()
        if way < 0.6:
            self._say(from_bot(hello(max_matches=2, bot=v1.Software(name="attacker"))))
        elif way < 0.9:
            self._say(from_bot(hello(resume=self._some_session())))
        else:
            self._say(self._rng.choice(self._greetings))

    def _some_session(self) -> v1.Resume:
        """Return the session of another, without its secret, or perhaps one of his own."""
        session_id = self._rng.choice(self._bots).session.id
        return v1.Resume(session_id=session_id, resume_token=self._tokens.get(session_id, "x" * 32))

    def _vanish(self) -> None:
        if not self._ended:
            self._ended = True
            self.handler.lost()

    def _choice(self, answer: v1.Answer, handle: int, number: int) -> bytes:
        frame = from_bot(v1.Choice(match_handle=handle, number=number, answer=answer))
        self._history.append(frame)
        return frame

    def _right_answer(self) -> bytes:
        if not self._asked:
            return b""
        asked = self._asked.popleft()
        return self._choice(asked.default_answer, asked.match_handle, asked.number)

    def _wrong_answer(self) -> bytes:
        if not self._asked:
            return b""
        asked = self._rng.choice(self._asked)
        return self._choice(self._rng.choice(self._answers), asked.match_handle, asked.number)

    def _answer_to_anything(self) -> bytes:
        number = self._rng.choice(ABSURD_NUMBERS)
        handle = self._rng.choice(ABSURD_NUMBERS) if self._rng.random() < 0.5 else self._rng.randrange(100)
        return self._choice(self._rng.choice(self._answers), handle, number)

    def _again(self) -> bytes:
        return self._rng.choice(self._history)

    def _all_at_once(self) -> bytes:
        return b"".join(self._rng.sample(self._history, min(len(self._history), 8)))[:5000]

    def _mutated(self) -> bytes:
        return mutated(self._rng.choice(self._history), self._rng, self._rng.choice(self._history))


class BesiegedHall:
    """The tables, who plays at them, and what came of it."""

    def __init__(self, rng: Random) -> None:
        kind = TableTerms(find_game("mittlere"), seats=3, options={"deals": 3}, time=TimeTerms(decision_ms=1000))
        # Those who attack are seated again and again.
        self.tables = CasualTables([kind], keep=self._keep, rng=rng, pause_seconds=0)
        # The last ones that came in, so that sessions can be stolen that are still there.
        self._bots: deque[Bot] = deque(maxlen=50)
        self._server = open_server(self.tables, AllowEverybody(self._arrived))
        self._rng = rng
        self.count = Counter[str]()
        self._honest = [Honest(self._server) for _ in range(_HONEST_BOTS)]
        self._attackers = [Attacker(self._server, self._bots, rng) for _ in range(_ATTACKERS)]

    def _arrived(self, bot: Bot) -> None:
        if bot not in self._bots:
            self._bots.append(bot)
        self.tables.arrived(bot)

    async def _keep(self, finished: FinishedRecord) -> None:
        record = finished.message
        await trio.lowlevel.checkpoint()
        self.count["matches"] += 1
        if self.count["matches"] % _RECORDS_PROVED == 1:
            self.count["proved"] += 1
            assert not verify(record)
        for seat, faults in zip(record.seats, faults_of(record), strict=True):
            self.count[f"{seat.name} faults"] += sum(fault.decisions for fault in faults)

    async def attacked(self, frames: int) -> Counter[str]:
        """Play while so many frames come in, and return what happened."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.tables.run)
            rounds = -(-frames // _FRAMES_A_ROUND)
            for number in range(rounds):
                self._rng.choice(self._attackers).attack(min(_FRAMES_A_ROUND, frames - number * _FRAMES_A_ROUND))
                await trio.sleep(_ROUND_SECONDS)
                self.count["honest decisions"] += sum(honest.answer_all() for honest in self._honest)
                if number == int(_WARM_UP * rounds):
                    before = memory()
            self._look_at_memory(before)
            nursery.cancel_scope.cancel()
        self.count["frames"] = frames
        return sum((attacker.count for attacker in self._attackers), self.count)

    def _look_at_memory(self, before: "Memory") -> None:
        now = memory()
        self.count["more objects"] = max(0, now.blocks - before.blocks)
        self.count["more bytes"] = max(0, now.resident_bytes - before.resident_bytes)


class Memory(NamedTuple):
    """What a process holds."""

    blocks: int
    """Blocks that Python has allocated."""
    resident_bytes: int


def memory() -> Memory:
    """Return what this process holds once all garbage is gone."""
    gc.collect()
    return Memory(sys.getallocatedblocks(), resident_bytes())


def resident_bytes(process: int | str = "self") -> int:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return 1024 * int(line.split()[1])


def attacked(part: Part) -> Counter[str]:
    """Play at a hall of its own while a part of the frames comes in."""
    return run_in_virtual_time(lambda: _hall(part))


async def _hall(part: Part) -> Counter[str]:
    return await BesiegedHall(Random(part.seed)).attacked(part.frames)
