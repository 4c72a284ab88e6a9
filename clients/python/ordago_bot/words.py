"""What a player writes into its log, for whoever watches the bot."""

from ordago import v1
from ordago.protocol import BotBody


class EventCount:
    """Counts the matches of an event that begin, from what the server said of them last."""

    def __init__(self) -> None:
        """Begin with no event."""
        self._begun = 0
        self._planned = 0

    def learn(self, notice: v1.EventNotice) -> None:
        """Learn how many matches there are, and have begun."""
        self._begun, self._planned = notice.matches_begun, notice.matches_planned

    def next(self) -> str:
        """Count a match that begins, and return which it is, to be put behind other words; nothing if unknown."""
        self._begun += 1
        return f", match {self._begun} of {self._planned}" if self._planned else ""


def cost_words(accepted: v1.Accepted) -> str:
    """Return what a decision cost, and what it did not."""
    words = [f"charged {accepted.charged_ms} ms"]
    if accepted.lag_ms:
        words.append(f"travelled for {accepted.lag_ms} ms")
    if accepted.lost_ms:
        words.append(f"the server lost {accepted.lost_ms} ms")
    return ", ".join([*words, f"{accepted.bank_ms} ms left in the bank"])


def default_words(accepted: v1.Accepted) -> str:
    """Return why the default answer was taken, and how near the seat is to forfeiting the match."""
    reason = f"{accepted.sentence or 'no reason was given'} ({fault_name(accepted.fault)})"
    left = accepted.faults_left
    return f"{reason}; {left} more and the match is forfeited" if left else reason


def end_words(end: v1.MatchEnd, *, seat: int) -> str:
    """Return how a match ended for a seat."""
    forfeits = "".join(f", seat {forfeit.seat} forfeited ({fault_name(forfeit.fault)})" for forfeit in end.forfeits)
    if end.HasField("outcome"):
        return f"placing {end.outcome.placings[seat]}{forfeits}"
    return f"void{forfeits}: {end.sentence or 'no reason was given'}"


def fault_name(fault: v1.Fault) -> str:
    """Return the name of a fault; a server that is newer than this may know others."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name if known is not None else f"fault {fault}"


def one_line(message: v1.ServerMessage | BotBody) -> str:
    """Return a message in one line, without the secrets of a session."""
    if isinstance(message, v1.Hello):
        return "hello"  # It may hold the token of a session.
    if isinstance(message, v1.ServerMessage) and message.HasField("welcome"):
        return "welcome"
    return " ".join(str(message).split()) or type(message).__name__
