"""Log messages of a player, for people who watch the bot."""

from typing import Final

from ordago import v1
from ordago.protocol import BotBody

NO_REASON: Final = "no reason was given"
"""What stands for a sentence that a server left out."""


class EventCount:
    """Counter of the matches that have begun in an event, corrected by each notice of the server."""

    def __init__(self) -> None:
        """Begin with no event."""
        self._begun = 0
        self._planned = 0

    def learn(self, notice: v1.EventNotice) -> None:
        """Take over the server's counts of matches planned and begun."""
        self._begun, self._planned = notice.matches_begun, notice.matches_planned

    def next(self) -> str:
        """Count a match that begins; return ", match 3 of 9", or "" if the number planned is unknown."""
        self._begun += 1
        return f", match {self._begun} of {self._planned}" if self._planned else ""


def cost_words(accepted: v1.Accepted) -> str:
    """Return the time charged for a decision, the time not charged (network, server), and the time left."""
    words = [f"charged {accepted.charged_ms} ms"]
    if accepted.lag_ms:
        words.append(f"travelled for {accepted.lag_ms} ms")
    if accepted.lost_ms:
        words.append(f"the server lost {accepted.lost_ms} ms")
    return ", ".join([*words, f"{accepted.bank_ms} ms left in the bank"])


def default_words(accepted: v1.Accepted) -> str:
    """Return the reason why the default answer was taken, and the faults left before the match is forfeited."""
    reason = f"{accepted.sentence or NO_REASON} ({fault_name(accepted.fault)})"
    left = accepted.faults_left
    return f"{reason}; {left} more and the match is forfeited" if left else reason


def end_words(end: v1.MatchEnd, *, seat: int) -> str:
    """Return the placing of a seat, or the reason why the match is void, and the forfeits."""
    forfeits = "".join(f", seat {forfeit.seat} forfeited ({fault_name(forfeit.fault)})" for forfeit in end.forfeits)
    if end.HasField("outcome"):
        return f"placing {end.outcome.placings[seat]}{forfeits}"
    return f"void{forfeits}: {end.sentence or NO_REASON}"


def fault_name(fault: v1.Fault) -> str:
    """Return the name of a fault, or its number if only a newer server knows it."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name if known is not None else f"fault {fault}"


def one_line(message: v1.ServerMessage | BotBody) -> str:
    """Return a message in one line, without the secrets of the session."""
    if isinstance(message, v1.Hello):
        return "hello"  # It may contain the resume token of the session.
    if isinstance(message, v1.ServerMessage) and message.HasField("welcome"):
        return "welcome"
    return " ".join(str(message).split()) or type(message).__name__
