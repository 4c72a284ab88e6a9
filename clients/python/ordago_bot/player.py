"""Plays for a bot class, without I/O: frames of the server in, frames for the server out."""

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ordago import v1
from ordago.session import BotBody, BotLink, LinkState
from ordago.version import __version__
from ordago_bot.answers import Choosable, answer_of
from ordago_bot.bot import Bot

CONTRACT_VERSION: Final = 1
_NONCE_BYTES: Final = 16

BotFactory: TypeAlias = Callable[[v1.MatchStart], Bot]
"""Makes the bot that plays one seat; usually the class itself."""

_logger = logging.getLogger("ordago_bot")


class Player:
    """One process of a bot over all of its connections."""

    def __init__(
        self,
        factory: BotFactory,
        *,
        name: str,
        version: str = "",
        games: Sequence[str] = (),
        nonce: bytes = b"",
        max_open_decisions: int = 0,
        max_matches: int = 0,
    ) -> None:
        """Prepare to play.

        Args:
            factory: makes a bot for each seat.
            name: what the bot is called where the server does not know it by its token.
            version: the version of the bot.
            games: the games that it plays; none for all that the server offers.
            nonce: 16 to 64 random bytes that are mixed into the deals; none to let chance decide.
            max_open_decisions: how many decisions it takes at once; 0 for the server's limit.
            max_matches: how many matches it plays at once; 0 for the server's limit.
        """
        self._factory = factory
        self._hello = v1.Hello(
            min_version=CONTRACT_VERSION,
            max_version=CONTRACT_VERSION,
            sdk=v1.Software(name="ordago_bot python", version=__version__),
            bot=v1.Software(name=name, version=version),
            nonce=nonce or secrets.token_bytes(_NONCE_BYTES),
            games=games,
            max_open_decisions=max_open_decisions,
            max_matches=max_matches,
        )
        self._link = BotLink()
        self._bots: dict[int, Bot] = {}
        self._decisions: dict[int, v1.Decision] = {}
        self.farewell: str | None = None
        """The server's reason for ending the session; ``None`` while it goes on."""

    def greet(self) -> bytes:
        """Begin a connection: return the first frame."""
        self._link = BotLink()
        return self._send(self._hello)

    def leave(self, sentence: str) -> bytes:
        """Return the frame that ends the session; nothing if it is not open."""
        if self._link.state not in (LinkState.OPEN, LinkState.DRAINING):
            return b""
        return self._send(v1.Goodbye(sentence=sentence))

    def receive(self, frame: bytes) -> bytes:
        """Take in a frame and return what there is to send back; possibly nothing.

        Raises:
            RemoteProtocolError: the server broke the contract.
        """
        return b"".join(self._take(message) for message in self._link.receive(frame))

    def _take(self, message: v1.ServerMessage) -> bytes:
        if _logger.isEnabledFor(logging.DEBUG):
            _logger.debug("came: %s", _one_line(message))
        kind = message.WhichOneof("body")
        if kind == "decision":
            return self._decide(message.decision)
        if kind == "refused":
            return self._decide_again(message.refused)
        if kind == "match_start":
            self._begin(message.match_start)
        elif kind == "match_end":
            self._end(message.match_end)
        elif kind == "welcome":
            self._welcomed(message.welcome)
        elif kind == "goodbye":
            self.farewell = message.goodbye.sentence
        elif kind == "draining":
            _logger.info("the server is going down: %s", message.draining.sentence)
        elif message.accepted.fault:
            _logger.warning("the default answer was taken: %s", _fault_name(message.accepted.fault))
        return b""

    def _welcomed(self, welcome: v1.Welcome) -> None:
        _logger.info("connected; games: %s", ", ".join(offered.game for offered in welcome.games))
        if not welcome.resumed:
            self._bots.clear()
        self._decisions.clear()
        self._hello.resume.session_id = welcome.session_id
        self._hello.resume.resume_token = welcome.resume_token

    def forget_session(self) -> bool:
        """Begin a new session with the next greeting; say whether there was one that could have been resumed."""
        had_one = self._hello.HasField("resume")
        self._hello.ClearField("resume")
        return had_one

    def _begin(self, start: v1.MatchStart) -> None:
        # After a resume the bot of a match that goes on is kept, with all that it knows.
        known = self._bots.get(start.match_handle)
        if known is None or known.match.match_id != start.match_id:
            _logger.info("match %s of %s begins, seat %d", start.match_id, start.game, start.seat)
            self._bots[start.match_handle] = self._factory(start)

    def _decide(self, decision: v1.Decision) -> bytes:
        self._decisions[decision.match_handle] = decision
        return self._answer(decision, self._bots[decision.match_handle].choose(decision))

    def _decide_again(self, refused: v1.Refused) -> bytes:
        _logger.warning("refused: %s (%s)", refused.sentence, refused.rule or refused.field)
        decision = self._decisions.get(refused.match_handle)
        if decision is None or decision.number != refused.number or not refused.time_left_ms:
            return b""
        return self._answer(decision, self._bots[refused.match_handle].refused(decision, refused))

    def _answer(self, decision: v1.Decision, chosen: Choosable) -> bytes:
        answer = answer_of(chosen)
        choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer)
        return self._send(choice)

    def _end(self, end: v1.MatchEnd) -> None:
        self._decisions.pop(end.match_handle, None)
        bot = self._bots.pop(end.match_handle)
        placing = end.outcome.placings[bot.match.seat] if end.HasField("outcome") else None
        _logger.info("match %s ended: %s", bot.match.match_id, f"placing {placing}" if placing else "void")
        bot.ended(end)

    def _send(self, body: BotBody) -> bytes:
        if _logger.isEnabledFor(logging.DEBUG):
            _logger.debug("went: %s", _one_line(body))
        return self._link.send(body)


def _fault_name(fault: v1.Fault) -> str:
    """Return the name of a fault; a server that is newer than this may know others."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name if known is not None else f"fault {fault}"


def _one_line(message: v1.ServerMessage | BotBody) -> str:
    if isinstance(message, v1.Hello):
        return "hello"  # It may hold the token of a session.
    if isinstance(message, v1.ServerMessage) and message.HasField("welcome"):
        return "welcome"
    return " ".join(str(message).split())
