"""What a player keeps of one seat: its bot, what it was asked last, and what it answered."""

from typing import Final, NamedTuple

from ordago import v1
from ordago_bot.answers import answer_of
from ordago_bot.bot import Bot

_MS_PER_SECOND: Final = 1000
_NUMBER_BYTES: Final = 4
"""All clients here seed alike (docs/clients.md, chance): the number of a decision is a ``uint32``."""


class Reply(NamedTuple):
    """An answer that is ready to be sent."""

    choice: v1.Choice
    asked_seconds: float
    """When the decision came, by the clock of the player."""

    def sent(self, seconds: float) -> v1.Choice:
        """Return the choice, with the time that was thought about it until it was sent."""
        self.choice.thought_ms = round((seconds - self.asked_seconds) * _MS_PER_SECOND)
        return self.choice


class Seat:
    """One seat of one match, over all connections of the session.

    A decision may come again: after a broken connection, or because the server lost time. Its answer is kept and sent
    again, so that the bot is asked once, and the server cannot be told two things.
    """

    def __init__(self, start: v1.MatchStart, bot: Bot) -> None:
        """Begin with nothing asked."""
        self.start = start
        """The match, as it was announced."""
        self.bot = bot
        """Who plays the seat."""
        self.number = 0
        """The last decision that came; 0 if none did."""
        self._answer = v1.Answer()
        self._open: v1.Decision | None = None
        self._asked_seconds = 0.0
        self._closed = 0
        self._refusals: set[str] = set()

    def carries_on(self, start: v1.MatchStart) -> bool:
        """Say whether a match that is announced is this one, at no earlier point than the bot has seen."""
        return start.match_id == self.start.match_id and start.last_decision + 1 >= self.number

    def disconnect(self) -> None:
        """Go on over another connection, where the decision that is open will come again."""
        self._open = None

    def decide(self, decision: v1.Decision, *, seconds: float) -> Reply:
        """Answer a decision that came at a time."""
        self._open, self._asked_seconds = decision, seconds
        if decision.number != self.number:
            self.bot.random.seed(self.start.seed + decision.number.to_bytes(_NUMBER_BYTES, "big"))
            self._answer = answer_of(self.bot.choose(decision))
            self.number = decision.number
        return self._reply(decision)

    def decide_again(self, refused: v1.Refused) -> Reply | None:
        """Answer a refusal; ``None`` if the decision is closed."""
        decision = self._open
        if decision is None or decision.number != refused.number or not _is_answer_due(refused):
            return None
        self._answer = answer_of(self.bot.refused(decision, refused))
        return self._reply(decision)

    def is_first_refusal(self, cause: str) -> bool:
        """Say whether no answer in this match was refused before for this cause."""
        is_first = cause not in self._refusals
        self._refusals.add(cause)
        return is_first

    def close(self, number: int) -> bool:
        """Close a decision; say whether that is news, since it may be told again after a broken connection."""
        if self._open is not None and self._open.number == number:
            self._open = None
        news = number > self._closed
        self._closed = max(number, self._closed)
        return news

    def _reply(self, decision: v1.Decision) -> Reply:
        choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=self._answer)
        return Reply(choice, self._asked_seconds)


def _is_answer_due(refused: v1.Refused) -> bool:
    """Say whether a refusal leaves the decision open. With the last strike the default answer is taken."""
    last_strike = bool(refused.rule) and not refused.strikes_left
    return bool(refused.time_left_ms) and not last_strike
