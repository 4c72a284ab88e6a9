"""Plays worlds at a whole arena in memory, and keeps every byte that goes to the connection of one seat."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from enum import Enum, unique
from random import Random
from typing import Any, NamedTuple

import trio
from support.connections import Nowhere, take_in
from support.frames import from_bot, hello
from support.matches import match_terms
from torture.worlds import ScriptedShuffles, Twins, World

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.bot import Bot
from ordago.arena.connection import ConnectionHandler, Departure, Status
from ordago.arena.play import play
from ordago.arena.server import Server
from ordago.games import game_names

DECISION_MS = 1000
MOST_SEATS = 5
_MANY_STRIKES = 100
_FEW_STRIKES = 3
_NONSENSE_SHARE = 0.3
# Answers that are illegal in every game and at every decision.
NONSENSE: Sequence[v1.Answer] = (
    v1.Answer(),
    v1.Answer(legal_action=4_000_000_000),
    v1.Answer(legal_action=1, extra=99),
    v1.Answer(legal_action=1, cards=[1, 1, 127]),
    v1.Answer(legal_action=1, amount=-(2**31)),
    v1.Answer(action=v1.Action()),
)


@unique
class Ending(Enum):
    """What the watched seat does at its last decision, once its illegal answers were refused."""

    DEFAULT = "default"
    """It takes the default answer."""
    SILENCE = "silence"
    LATE = "late"
    """It answers, but too late."""
    STRUCK = "struck"
    """It answers nothing but what is illegal."""
    RETURN = "return"
    """It loses its connection, comes back, and takes the default answer when it is asked again."""


class Told(NamedTuple):
    """A frame that was sent to a seat."""

    after: float
    """The time since the beginning of the match, in seconds."""
    frame: bytes


class Script:
    """What each seat answers, and how quickly; the same in both worlds but for what is hidden."""

    def __init__(self, twins: Twins, world: World, ending: Ending, rng: Random) -> None:
        self._twins = twins
        self._actions = deque(world.actions)
        self._illegal = deque(twins.probes)
        self._ending = ending
        self._rng = rng
        self._due: deque[v1.Answer] = deque()
        self.strikes = _FEW_STRIKES if ending is Ending.STRUCK else _MANY_STRIKES
        self.broke_off = False

    @property
    def at_the_end(self) -> bool:
        """Whether the last decision is open, or none after it."""
        return not self._illegal

    def delay(self) -> float:
        """Return how long the next answer takes, in seconds."""
        if self.at_the_end and self._ending is Ending.LATE and not self._due:
            return 1.5 * DECISION_MS / 1000
        return self._rng.randrange(400) / 1000

    def asked(self, decision: v1.Decision) -> v1.Answer | None:
        """Return the first answer to a decision."""
        illegal = self._illegal.popleft()
        self._due.clear()
        if decision.seat == self._twins.watched:
            self._due.extend(self._refusable(illegal))
        if self._actions:
            self._due.append(self._typed(self._actions.popleft()))
        elif self._ending is Ending.STRUCK:
            self._due.extend(NONSENSE[:_FEW_STRIKES])
        elif self._ending not in (Ending.SILENCE, Ending.RETURN):
            self._due.append(decision.default_answer)
        return self.refused()

    def breaks_off(self) -> bool:
        """Say, once, whether the watched seat is to lose its connection, since it has nothing more to say."""
        due = self._ending is Ending.RETURN and self.at_the_end and not self.broke_off
        self.broke_off |= due
        return due

    def _refusable(self, illegal: Sequence[Hashable]) -> list[v1.Answer]:
        """Return answers that are refused: few where the last decision is to be lost by strikes."""
        answers = [self._typed(action) for action in illegal]
        if self.strikes == _FEW_STRIKES:
            return answers[:1]
        return [self._rng.choice(NONSENSE), *answers] if self._rng.random() < _NONSENSE_SHARE else answers

    def refused(self) -> v1.Answer | None:
        """Return the next answer to the same decision."""
        return self._due.popleft() if self._due else None

    def _typed(self, action: Hashable) -> v1.Answer:
        return v1.Answer(action=self._twins.game.codec.action(action))


class Line(Nowhere):
    """The connection of one seat in memory."""

    def __init__(self, server: Server) -> None:
        self.take: Callable[[Line, v1.ServerMessage, bytes], None] = lambda _line, _message, _frame: None
        self._server = server
        self._welcome = v1.Welcome()
        self.handler = self._connect(hello())

    def _connect(self, greeting: v1.Hello) -> ConnectionHandler:
        handler = self._server(self)
        take_in(handler, from_bot(greeting), trio.current_time())
        return handler

    def break_off(self) -> None:
        """Lose the connection."""
        self.handler.lost()

    def come_back(self) -> None:
        """Take up the session on another connection."""
        resume = v1.Resume(session_id=self._welcome.session_id, resume_token=self._welcome.resume_token)
        self.handler = self._connect(hello(resume=resume))

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        [message] = v1.PlayResponse.FromString(frame).messages
        if message.HasField("welcome"):
            # It is the same for all matches, but for a token that is drawn by chance.
            self._welcome = message.welcome
        else:
            self.take(self, message, frame)

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        raise AssertionError(f"the server broke off: {status} {sentence} {retry_after_ms}")

    def say(self, choice: v1.Choice, *, at: float) -> None:
        """Send an answer that arrives at this time."""
        take_in(self.handler, from_bot(choice), at)


class Arena:
    """Bots that sit at one table after the other."""

    def __init__(self) -> None:
        self._bots: list[Bot] = []
        server = Server(authenticator=AllowEverybody(self._arrived), games=game_names())
        self._lines = [Line(server) for _ in range(MOST_SEATS)]

    def _arrived(self, bot: Bot) -> None:
        if bot not in self._bots:
            self._bots.append(bot)

    async def told(self, twins: Twins, world: World, ending: Ending, rng: Random) -> list[Told]:
        """Play a world, and return all that the watched seat is sent up to the end of its last decision."""
        script = Script(twins, world, ending, rng)
        terms = match_terms(
            twins.game,
            options=twins.options,
            seats=match_terms(twins.game).seats[:1] * twins.seats,
            source=ScriptedShuffles(world.shuffles),
            decision_ms=DECISION_MS,
            strikes=script.strikes,
            disconnect_bank_ms=DECISION_MS,
        )
        async with trio.open_nursery() as nursery:
            seating = _Seating(script, self._lines[twins.watched], nursery)
            for line in self._lines:
                line.take = seating.sent
            await play(terms, [bot.take_seat() for bot in self._bots[: twins.seats]])
        return seating.told


class _Seating:
    """One match: answers by the script, and keeps what goes to the watched line."""

    def __init__(self, script: Script, watched: Line, nursery: trio.Nursery) -> None:
        self.told: list[Told] = []
        self._script = script
        self._watched = watched
        self._nursery = nursery
        self._begun = trio.current_time()
        self._soon = trio.lowlevel.current_trio_token().run_sync_soon

    def sent(self, line: Line, message: v1.ServerMessage, frame: bytes) -> None:
        """Take a frame of the server, with its one message."""
        if self._nursery.cancel_scope.cancel_called:
            return
        if line is self._watched:
            # Rounded, since the same time later in a run is not the same number.
            self.told.append(Told(round(trio.current_time() - self._begun, 6), frame))
        # Not before the server has done what it is about, just as over a wire.
        if message.HasField("decision"):
            self._soon(self._answer, line, message.decision, self._first_answer(message.decision))
        elif message.HasField("refused"):
            self._soon(self._answer, line, message.refused, self._script.refused())
        elif message.HasField("accepted") and self._script.at_the_end:
            self._nursery.cancel_scope.cancel()

    def _first_answer(self, decision: v1.Decision) -> v1.Answer | None:
        return decision.default_answer if self._script.broke_off else self._script.asked(decision)

    async def _break_off(self) -> None:
        self._watched.break_off()
        await trio.sleep(self._script.delay())
        self._watched.come_back()

    def _answer(self, line: Line, asked: Any, answer: v1.Answer | None) -> None:
        if answer is not None:
            choice = v1.Choice(match_handle=asked.match_handle, number=asked.number, answer=answer)
            line.say(choice, at=trio.current_time() + self._script.delay())
        elif self._script.breaks_off():
            self._nursery.start_soon(self._break_off)


def differing_bytes(first: Sequence[Told], second: Sequence[Told]) -> int:
    """Return how many bytes differ, frames that are missing and those that left at another time included."""
    frames = [(one.frame, other.frame) for one, other in zip(first, second, strict=False)]
    unequal = sum(one != other for pair in frames for one, other in zip(*pair, strict=False))
    lengths = sum(abs(len(one) - len(other)) for one, other in frames)
    missing = sum(len(told.frame) for told in [*first[len(second) :], *second[len(first) :]])
    times = sum(len(one.frame) for one, other in zip(first, second, strict=False) if one.after != other.after)
    return unequal + lengths + missing + times
