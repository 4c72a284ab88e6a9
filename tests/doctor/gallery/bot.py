"""A bot that does all that is asked of it, but for the one thing that it is told to do wrong: ``bot.py CASE``.

It is written on bare gRPC and knows no SDK, so that it shows what the doctor sees of a bot from anywhere. What it does
wrong stands beside what it does right, behind ``wrong``.
"""

import hashlib
import os
import queue
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import grpc
from channels import channel, contents, is_hopeless
from google.protobuf.unknown_fields import UnknownFieldSet
from wrongs import WRONG, wrong

from ordago import v1

METHOD = "/ordago.v1.BotService/Play"
COMES_BACK = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL}
NOT_LET_IN = {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}
STAYS = ("token-refused", "not-allowed", "hello-refused", "server-closed", "superseded", "goodbye-for-good")
PATIENCE_SECONDS = 30.0
OVER = (None, 0.0)


def say(sentence: str) -> None:
    """Print a sentence so that a terminal does nothing but show it. It does not matter if nobody can read it."""
    try:
        print(sentence if wrong("hostile-words-shown") else ascii(sentence), flush=True)  # noqa: T201 - it is a program
    except OSError:
        if wrong("output-full", "output-unread"):
            raise


class Match:
    """What is kept of a match: the last decision that came, and what was answered."""

    def __init__(self, start: v1.MatchStart) -> None:
        self.start = start
        self.number = 0
        self.answer = v1.Answer()
        self.decision: v1.Decision | None = None


class End(NamedTuple):
    """How a stream ended."""

    status: grpc.StatusCode
    sentence: str
    retry_after_ms: int


class Bot:
    """The session of a bot over all of its connections."""

    def __init__(self) -> None:
        self.nonce = b"n" * 16 if wrong("nonces") else os.urandom(3 if wrong("hello") else 16)
        self.session: v1.Welcome | None = None
        self.matches: dict[int, Match] = {}
        self.farewell: v1.Goodbye | None = None
        self.hoard: list[bytes] = []

    # What it says

    def hello(self) -> v1.BotMessage:
        hello = v1.Hello(min_version=1, max_version=1, bot=v1.Software(name="gallery"), nonce=self.nonce)
        hello.capabilities.append("tacit_acceptance")
        if self.session is not None and not wrong("lost-before-decision"):
            hello.resume.session_id = self.session.session_id
            hello.resume.resume_token = self.session.resume_token
            known = [(handle, match.number) for handle, match in self.matches.items() if not wrong("resume-names")]
            hello.resume.matches.extend(v1.KnownMatch(match_handle=h, last_decision=number) for h, number in known)
        if wrong("lost-before-welcome"):
            hello.resume.SetInParent()
        if wrong("token-kept"):
            say(f"hello: {hello}")
        return v1.BotMessage(hello=hello)

    def replies(self, frame: v1.PlayResponse, arrived: float) -> list[v1.BotMessage]:
        """Return what it says to a frame."""
        if wrong("empty-frame"):
            frame.messages[0]
        said = [reply for message in frame.messages if (reply := self._reply(message, arrived)) is not None]
        return said[: 32 if wrong("many-matches") else None]

    def _reply(self, message: v1.ServerMessage, arrived: float) -> v1.BotMessage | None:
        kind = message.WhichOneof("body")
        if kind is None:
            if wrong("unknown-message"):
                raise ValueError("a message of an unknown kind came")
            return None
        choice: v1.Choice | None = getattr(self, f"_hear_{kind}")(getattr(message, kind))
        if choice is None:
            return None
        if not wrong("thoughts"):
            choice.thought_ms = round((time.monotonic() - arrived) * 1000)
        return v1.BotMessage(choice=choice)

    # What it hears

    def _hear_welcome(self, welcome: v1.Welcome) -> None:
        self.session = welcome

    def _hear_match_start(self, start: v1.MatchStart) -> None:
        known = self.matches.get(start.match_handle)
        if wrong("resume-match-over") and known is not None:
            raise ValueError("this match has begun before")
        if wrong("in-place") and known is None and start.last_decision:
            raise ValueError("this match began without this bot")
        if wrong("hostile-words"):
            say(", ".join(player.name % () for player in start.players))
        if known is None or start.last_decision + 1 < known.number:
            kept = known if known is not None and wrong("resume-earlier") else Match(start)
            self.matches[start.match_handle] = kept

    def _hear_decision(self, decision: v1.Decision) -> v1.Choice | None:
        match = self.matches.get(decision.match_handle)
        self._look_at(decision)
        if match is None or wrong("first-decision") or self._is_deaf(match, decision):
            return None
        match.decision = decision
        again = decision.number == match.number
        if not again or wrong("asked-twice", "lost-after-answer"):
            match.answer = self._choose(match, decision, another=again)
        match.number = decision.number
        return v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=match.answer)

    def _is_deaf(self, match: Match, decision: v1.Decision) -> bool:
        if wrong("tacit-acceptance"):
            return match.decision is not None
        return wrong("lost-while-thinking", "resume-earlier") and decision.number <= match.number

    def _look_at(self, decision: v1.Decision) -> None:
        if wrong("memory"):
            self.hoard.append(os.urandom(50_000))
        if wrong("pace"):
            time.sleep(0.3)
        if wrong("absurd-numbers"):
            struct.pack(">i", decision.clock.decision_ms)
        if wrong("unknown-field") and len(UnknownFieldSet(decision)):
            raise ValueError("a decision holds an unknown field")

    def _hear_refused(self, refused: v1.Refused) -> v1.Choice | None:
        self._tell(refused.fault, refused.sentence)
        match = self.matches.get(refused.match_handle)
        if wrong("stale"):
            return v1.Choice(match_handle=refused.match_handle, number=refused.number, answer=v1.Answer(legal_action=1))
        is_due = refused.time_left_ms or wrong("last-strike")
        if match is None or match.decision is None or match.decision.number != refused.number or not is_due:
            return None
        if not wrong("refused"):
            default = match.decision.default_answer
            match.answer = v1.Answer(action=default.action) if wrong("default-whole") else default
        return v1.Choice(match_handle=refused.match_handle, number=refused.number, answer=match.answer)

    def _hear_accepted(self, accepted: v1.Accepted) -> None:
        self._tell(accepted.fault, accepted.sentence)
        if wrong("too-late") and accepted.fault:
            sys.exit("it was too late")
        if (match := self.matches.get(accepted.match_handle)) is not None and not wrong("last-strike"):
            match.decision = None

    def _hear_forfeited(self, forfeited: v1.Forfeited) -> None:
        self._tell(forfeited.fault, forfeited.sentence)
        if wrong("forfeited"):
            self.matches.clear()

    def _hear_match_end(self, end: v1.MatchEnd) -> None:
        if wrong("void-match"):
            say(f"placing {end.outcome.placings[0]}")
        if wrong("conceded"):
            say({1: "all deals", 2: "target", 3: "limit"}[end.outcome.reason])
        self.matches.pop(end.match_handle, None)

    def _hear_draining(self, draining: v1.Draining) -> None:
        say(draining.sentence)
        if wrong("draining"):
            os._exit(0)

    def _hear_event_notice(self, notice: v1.EventNotice) -> None:
        say(notice.sentence[:200])
        if wrong("event-notice"):
            raise ValueError("nobody asked for news")

    def _hear_announcement(self, announcement: v1.Announcement) -> None:
        say(announcement.sentence[:200])

    def _hear_goodbye(self, goodbye: v1.Goodbye) -> None:
        say(goodbye.sentence)
        self.farewell, self.session = goodbye, None
        self.matches.clear()

    def _tell(self, fault: int, sentence: str) -> None:
        if sentence:
            say(f"{v1.Fault.Name(fault) if wrong('unknown-value') else fault}: {sentence[:200]}")

    # What it plays

    def _choose(self, match: Match, decision: v1.Decision, *, another: bool) -> v1.Answer:
        seed = os.urandom(8) if wrong("same-again") else match.start.seed + decision.number.to_bytes(4, "big")
        chance = Random(hashlib.sha256(seed).digest())
        if wrong(f"{match.start.game}-{len(match.start.players)}"):
            return v1.Answer(legal_action=10_000)
        legal = decision.actions[0] if another else chance.choice(decision.actions[1:] or decision.actions)
        answer = v1.Answer(legal_action=legal.id, extra=99 if wrong("open-extras") else 0)
        if legal.HasField("amount") and not wrong("open-amounts"):
            answer.amount = chance.randint(legal.amount.min, legal.amount.max)
        for pick in legal.picks:
            most = pick.min - 1 if wrong("open-picks") else pick.min
            answer.cards.extend(chance.sample(list(pick.cards), max(0, most)))
        return answer


class Stream:
    """One connection."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.alive = False
        self.outbox: queue.SimpleQueue[v1.PlayRequest | None] = queue.SimpleQueue()

    def run(self) -> End:
        self.put([self.bot.hello()])
        with channel() as way:
            play = way.stream_stream(METHOD, v1.PlayRequest.SerializeToString, v1.PlayResponse.FromString)
            inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
            frames = play(iter(self.outbox.get, None), metadata=metadata())
            threading.Thread(target=_read, args=(frames, inbox), daemon=True).start()
            for frame, arrived in self._arrivals(inbox):
                self.alive = True
                self.answer(self.bot.replies(frame, arrived))
            self.outbox.put(None)
            retry = dict(frames.trailing_metadata() or ()).get("retry-after-ms", "0")
            return End(frames.code(), frames.details() or "", int(retry))

    def _arrivals(self, inbox: "queue.SimpleQueue[Any]") -> Iterator[tuple[v1.PlayResponse, float]]:
        patience = 1.0 if wrong("server-stalls") else None
        while (arrival := inbox.get(timeout=patience if self.bot.matches else None)) is not OVER:
            yield arrival

    def answer(self, messages: list[v1.BotMessage]) -> None:
        """Say something, in one frame."""
        parts = [[message] for message in messages] if wrong("batches") else [messages]
        for part in filter(None, parts):
            self.put(part)

    def put(self, messages: list[v1.BotMessage]) -> None:
        self.outbox.put(v1.PlayRequest(messages=messages))


def _read(frames: Any, inbox: "queue.SimpleQueue[Any]") -> None:
    try:
        for frame in frames:
            inbox.put((frame, time.monotonic()))
    except grpc.RpcError:
        pass  # How it ended is asked for later.
    finally:
        inbox.put(OVER)


def metadata() -> list[tuple[str, str]]:
    """Return what comes along with the call."""
    return [("authorization", f"Bearer {TOKEN}")] if TOKEN and not wrong("token") else []


def token() -> str:
    """Return the token that it was given."""
    return (contents(os.environ.get("ORDAGO_TOKEN_FILE")) or b"").decode().strip()


# When it comes back


def play(bot: Bot) -> int:
    """Play over one connection after the other, and return the exit code."""
    pause, began, lost_session = 0.25, time.monotonic(), False
    looks = not WRONG.startswith("tls-")
    while True:
        stream = Stream(bot)
        CURRENT[:] = [stream]
        end = stream.run()
        if stream.alive:
            pause, began = 0.25, time.monotonic()
            looks = False
        if bot.farewell is not None and not wrong("goodbye-for-good"):
            if bot.farewell.fault or not bot.farewell.retry_after_ms or wrong("goodbye-for-now"):
                return 5 if wrong("goodbye") else 0
            end, bot.farewell = End(end.status, end.sentence, bot.farewell.retry_after_ms), None
        refused = end.status in NOT_LET_IN and bot.session is not None and not stream.alive
        if refused and not lost_session and not wrong("resume-refused"):
            bot.session, lost_session = None, not wrong("resume-refused-twice")
            bot.matches.clear()
        elif not comes_back(end, bot) or (looks and is_hopeless()) or time.monotonic() - began > PATIENCE_SECONDS:
            say("" if wrong("refusal-told") else f"the session ended: {end.status.name} {end.sentence}")
            return 3
        time.sleep(waits(end, pause))
        pause = min(8.0, pause * 2)


def comes_back(end: End, bot: Bot) -> bool:
    """Say whether it is of use to come back."""
    if wrong(*STAYS) or (wrong("resume-refused-twice") and end.status in NOT_LET_IN):
        return True
    if end.status is grpc.StatusCode.OK:
        return not wrong("ended-without-goodbye")
    if end.status in COMES_BACK:
        gives_up = wrong("server-not-there") or (wrong("server-restarted") and bot.session and "ready" in end.sentence)
        return not gives_up
    return end.retry_after_ms > 0


def waits(end: End, pause: float) -> float:
    """Return how long it waits before it comes back, in seconds."""
    if wrong("patience", "server-full", "resume-refused-twice", *STAYS):
        return 0.05
    return end.retry_after_ms / 1000 or pause


# How it is told to end


def stop(*_: object) -> None:
    """Retire, or leave at once where a runner says so."""
    if wrong("told-to-leave"):
        return
    if os.environ.get("ORDAGO_LAUNCHED"):
        os._exit(130)
    CURRENT[0].put([v1.BotMessage(retire=v1.Retire())])


def end_with_input() -> None:
    """End with the standard input."""
    while os.read(0, 4096):
        pass
    os._exit(3)


def turn_round() -> None:
    """Take all the time of a processor that there is."""
    while True:
        pass


CURRENT: list[Stream] = []
TOKEN = token()


def run() -> int:
    """Play, and return the exit code, that of a failure too."""
    try:
        return play(Bot())
    except SystemExit as end:
        say(str(end.code))
    except BaseException as error:  # noqa: BLE001 - whatever it is, it ends the process
        say(f"{type(error).__name__}: {error}")
    return 1


def main() -> None:
    """Play until the process ends."""
    if not wrong("told-to-stop"):
        signal.signal(signal.SIGTERM, stop)
    if not wrong("hung-up"):
        signal.signal(signal.SIGHUP, stop)
    if os.environ.get("ORDAGO_LAUNCHED") and not wrong("input-ends"):
        threading.Thread(target=end_with_input, daemon=True).start()
    if wrong("rest"):
        threading.Thread(target=turn_round, daemon=True).start()
    if wrong("token-kept"):
        say(f"the token is {TOKEN}")
    # Signals are handled in this thread, which does nothing else.
    threading.Thread(target=lambda: os._exit(run()), daemon=True).start()
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
