"""A player without I/O, and the server's end of its connection."""

from collections.abc import Sequence
from typing import Any

from support.frames import body_of
from support.model_server import ModelServer

from ordago import v1
from ordago.protocol import ServerBody
from ordago_bot import Bot, Match
from ordago_bot.back_off import Over, Pause
from ordago_bot.player import Player

LEGAL = [v1.LegalAction(id=1), v1.LegalAction(id=2)]
DEFAULT = v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_SIX_OF_CLUBS)))


def pause_of(then: Pause | Over) -> float:
    """Return the seconds of a pause."""
    assert isinstance(then, Pause), then
    return then.seconds


class RecordingBot(Bot):
    """Takes the first legal action and remembers what happened to it."""

    made: list["RecordingBot"]

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.asked: list[int] = []
        self.ends: list[v1.MatchEnd] = []
        self.made.append(self)

    def choose(self, decision: v1.Decision) -> Any:
        self.asked.append(decision.number)
        return decision.actions[0]

    def ended(self, end: v1.MatchEnd) -> None:
        self.ends.append(end)


class Talk:
    """A player and the server's end of its connection."""

    def __init__(self, factory: Any = None, **settings: Any) -> None:
        self.bots: list[RecordingBot] = []
        self.now = 0.0
        factory = factory or type("Recording", (RecordingBot,), {"made": self.bots})
        self.player = Player(factory, name="ana", clock=lambda: self.now, **settings)
        self.link = ModelServer()
        self.hello = v1.Hello()

    def greet(self) -> None:
        self.link = ModelServer()
        [message] = self.link.receive(self.player.connect())
        self.hello = message.hello

    def open(self, *, resumed: bool = False, capabilities: Sequence[str] = ()) -> "Talk":
        self.greet()
        welcome = v1.Welcome(session_id="s", resume_token="t", resumed=resumed, capabilities=capabilities)  # noqa: S106
        assert self.says(welcome) == []
        return self

    def says(self, *bodies: ServerBody) -> list[Any]:
        """Send messages as one frame and return what the player says to them."""
        return self.says_at(None, *bodies)

    def says_at(self, arrived_seconds: float | None, *bodies: ServerBody) -> list[Any]:
        """Do the same; the frame came at this time."""
        frame = b"".join(self.link.send(body) for body in bodies)
        answer = self.player.receive(frame, arrived_seconds=arrived_seconds)
        return [body_of(message) for message in self.link.receive(answer)]

    def breaks(self) -> "Talk":
        """Break the connection and take the session up again."""
        return self.open(resumed=True)


def start(handle: int = 1, match_id: str = "m", **fields: Any) -> v1.MatchStart:
    return v1.MatchStart(match_handle=handle, match_id=match_id, game="mittlere", seed=b"s" * 16, **fields)


def decision(number: int = 1, handle: int = 1) -> v1.Decision:
    return v1.Decision(match_handle=handle, number=number, actions=LEGAL, default_answer=DEFAULT)


def refused(number: int = 1, **fields: Any) -> v1.Refused:
    return v1.Refused(**{"match_handle": 1, "number": number, "fault": v1.FAULT_ILLEGAL, "time_left_ms": 5, **fields})


def accepted(number: int = 1, handle: int = 1, **fields: Any) -> v1.Accepted:
    return v1.Accepted(match_handle=handle, number=number, **fields)
