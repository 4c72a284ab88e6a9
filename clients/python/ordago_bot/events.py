"""Events that a player logs, with their sentences and fields (docs/bot-process.md, log)."""

import logging
import traceback
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from ordago import v1
from ordago.protocol import BotBody
from ordago_bot.log import NOTE, Event
from ordago_bot.seat import Failure, authors_frames, error_text

NO_REASON: Final = "no reason was given"
"""What stands for a sentence that a server left out."""
UNREACHABLE: Final = "unreachable"


class EventCount:
    """Counter of the matches that have begun in an event, corrected by each notice of the server."""

    def __init__(self) -> None:
        """Begin with no event."""
        self.begun = 0
        """The number of matches that have begun."""
        self.planned = 0
        """The number of matches planned; 0 if it is unknown."""

    def learn(self, notice: v1.EventNotice) -> None:
        """Take over the server's counts of matches planned and begun."""
        self.begun, self.planned = notice.matches_begun, notice.matches_planned

    def begin(self) -> None:
        """Count a match that begins."""
        self.begun += 1


def welcomed(welcome: v1.Welcome) -> Event:
    """Return ``connected``, or ``resumed`` if the session goes on."""
    games = [offered.game for offered in welcome.games]
    name, words = ("resumed", "session resumed") if welcome.resumed else ("connected", "connected")
    return Event(name, f"{words}; games: {', '.join(games)}", {"games": games})


def draining(sentence: str) -> Event:
    """Return the event of a server that is going down."""
    return Event("draining", f"the server is going down: {sentence or NO_REASON}", {"sentence": sentence})


def event_notice(sentence: str) -> Event:
    """Return the event of a notice about the event in which the bot plays."""
    return Event("event_notice", f"event: {sentence or NO_REASON}", {"sentence": sentence})


def announcement(sentence: str) -> Event:
    """Return the event of an announcement of the server's operator."""
    return Event("announcement", f"announcement: {sentence or NO_REASON}", {"sentence": sentence})


def match_begins(start: v1.MatchStart, count: EventCount) -> Event:
    """Return the event of a match that begins, with its number if the event has a plan."""
    fields: dict[str, Any] = _match_fields(start)
    words = f"match {start.match_id} of {start.game} begins, seat {start.seat}"
    if count.planned:
        fields |= {"number": count.begun, "planned": count.planned}
        words += f", match {count.begun} of {count.planned}"
    return Event("match_begins", words, fields)


def match_goes_on(start: v1.MatchStart) -> Event:
    """Return the event of a match that continues after a resume."""
    words = f"match {start.match_id} of {start.game} goes on, seat {start.seat}"
    return Event("match_goes_on", words, _match_fields(start))


def _match_fields(start: v1.MatchStart) -> dict[str, Any]:
    return {"match": start.match_id, "game": start.game, "seat": start.seat}


def refused(refusal: v1.Refused, *, match_id: str) -> Event:
    """Return the event of a refused answer; ``match_id`` is empty if the match is not known any more."""
    where = f"match {match_id}" if match_id else "a match that is over"
    cause = cause_of(refusal)
    words = f"{where}, decision {refusal.number}: refused: {refusal.sentence or NO_REASON} ({cause})"
    fields = {"decision": refusal.number, "cause": cause, "sentence": refusal.sentence}
    return Event("refused", words, ({"match": match_id} if match_id else {}) | fields, logging.WARNING)


def cause_of(refusal: v1.Refused) -> str:
    """Return the cause of a refusal: the rule, else the field, else the fault."""
    return refusal.rule or refusal.field or fault_name(refusal.fault)


def default_taken(accepted: v1.Accepted, *, match_id: str) -> Event:
    """Return the event of a default answer that was taken for a fault, with the faults left before the forfeit."""
    fault, left = fault_name(accepted.fault), accepted.faults_left
    words = f"match {match_id}, decision {accepted.number}: the default answer was taken: "
    words += f"{accepted.sentence or NO_REASON} ({fault})"
    words += f"; {left} more and the match is forfeited" if left else ""
    fields = {"match": match_id, "decision": accepted.number, "fault": fault, "faults_left": left}
    return Event("default_taken", words, fields | {"sentence": accepted.sentence}, logging.WARNING)


def forfeited(notice: v1.Forfeited, *, match_id: str) -> Event:
    """Return the event of a forfeited match."""
    fault = fault_name(notice.fault)
    words = f"match {match_id} is forfeited: {notice.sentence or NO_REASON} ({fault})"
    fields = {"match": match_id, "fault": fault, "sentence": notice.sentence}
    return Event("forfeited", words, fields, logging.WARNING)


def failed(failure: Failure) -> Event:
    """Return the event of a bot that failed. The first one of a match has a trace and the decision, too."""
    decision = failure.decision
    fields: dict[str, Any] = {"match": failure.match_id}
    words = f"match {failure.match_id}"
    if decision is not None:
        fields["decision"] = decision.number
        words += f", decision {decision.number}: the bot failed, and the default answer is taken"
    else:
        words += f": the bot failed{' at its start, and default answers are taken' if failure.at_start else ''}"
    fields["error"] = error_text(failure.error)
    if failure.is_first:
        fields["trace"] = "".join(traceback.format_exception(None, failure.error, authors_frames(failure.error)))
        fields |= {} if decision is None else {"asked": MessageToDict(decision)}
    return Event("failed", f"{words}: {fields['error']}", fields, logging.ERROR)


def match_ended(end: v1.MatchEnd, start: v1.MatchStart) -> Event:
    """Return the event of a match that ended: the placing of the seat, or the reason why it is void, and forfeits."""
    forfeits = [{"seat": forfeit.seat, "fault": fault_name(forfeit.fault)} for forfeit in end.forfeits]
    behind = "".join(f", seat {forfeit['seat']} forfeited ({forfeit['fault']})" for forfeit in forfeits)
    fields: dict[str, Any] = {"match": start.match_id}
    if end.HasField("outcome"):
        fields["placing"] = end.outcome.placings[start.seat]
        words = f"placing {fields['placing']}{behind}"
    else:
        fields["void"] = end.sentence
        words = f"void{behind}: {end.sentence or NO_REASON}"
    fields |= {"forfeits": forfeits} if forfeits else {}
    return Event("match_ended", f"match {start.match_id} ended: {words}", fields)


def connection_broke(reason: str, seconds: float) -> Event:
    """Return the event of a connection that broke and is opened again after a pause."""
    return _paused("connection_broke", f"the connection broke ({reason})", {"reason": reason}, seconds)


def gone_down(seconds: float) -> Event:
    """Return the event of a connection that ended after Draining."""
    return _paused("gone_down", "the server has gone down", {}, seconds)


def goodbye_for_now(sentence: str, seconds: float) -> Event:
    """Return the event of a goodbye that says when to come back."""
    words = f"the server said goodbye for now: {sentence or NO_REASON}"
    return _paused("goodbye_for_now", words, {"sentence": sentence}, seconds)


def _paused(name: str, words: str, fields: dict[str, Any], seconds: float) -> Event:
    return Event(name, f"{words}; trying again in {seconds:.2f} s", fields | {"seconds": round(seconds, 3)})


def stopping() -> Event:
    """Return the event of an order to stop."""
    words = "told to stop: running matches are played to their end; once more to leave at once"
    return Event("told_to_stop", words)


def goodbye(sentence: str) -> Event:
    """Return the event of a server's goodbye for good."""
    return Event("goodbye", f"the server said goodbye: {sentence or NO_REASON}", {"sentence": sentence})


def unreachable(address: str, reason: str) -> Event:
    """Return the event of a server that does not answer."""
    words = f"the server at {address} does not answer ({reason})"
    return Event(UNREACHABLE, words, {"address": address, "reason": reason}, logging.ERROR)


def session_ended(address: str, status: str, sentence: str) -> Event:
    """Return the event of a session that the server ended for good."""
    words = f"the server at {address} ended the session ({status}): {sentence or NO_REASON}"
    fields = {"address": address, "status": status, "sentence": sentence}
    return Event("session_ended", words, fields, logging.ERROR)


def came(message: v1.ServerMessage) -> Event:
    """Return the event of a message that came."""
    return Event("came", f"came: {_one_line(message)}", level=logging.DEBUG)


def went(body: BotBody) -> Event:
    """Return the event of a message that went."""
    return Event("went", f"went: {_one_line(body)}", level=logging.DEBUG)


def cost(accepted: v1.Accepted, *, match_id: str) -> Event:
    """Return the time charged for a decision, the time not charged (network, server), and the time left."""
    words = [f"match {match_id}, decision {accepted.number}: charged {accepted.charged_ms} ms"]
    if accepted.lag_ms:
        words.append(f"travelled for {accepted.lag_ms} ms")
    if accepted.lost_ms:
        words.append(f"the server lost {accepted.lost_ms} ms")
    return Event(NOTE, ", ".join([*words, f"{accepted.bank_ms} ms left in the bank"]), level=logging.DEBUG)


def fault_name(fault: v1.Fault) -> str:
    """Return the name of a fault, or its number if only a newer server knows it."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name if known is not None else f"fault {fault}"


def _one_line(message: v1.ServerMessage | BotBody) -> str:
    """Return a message in one line, without the secrets of the session."""
    if isinstance(message, v1.Hello):
        return "hello"  # It may contain the resume token of the session.
    if isinstance(message, v1.ServerMessage) and message.HasField("welcome"):
        return "welcome"
    return " ".join(str(message).split()) or type(message).__name__
