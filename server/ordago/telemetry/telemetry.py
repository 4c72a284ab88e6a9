"""Telemetry of a running server: everything is counted, and logged if an operator should read it.

The log never holds a token, a secret, a card, a legal action or a view, since players may read it. The names that bots
give may contain anything; the log's formatter escapes control characters.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, unique
from itertools import count
from typing import Final

from ordago import v1
from ordago.journal import JournalError
from ordago.match import MatchTerms, PlayerFailedError
from ordago.telemetry.counters import Counters
from ordago.telemetry.seat import SeatTelemetry
from ordago.telemetry.troubles import Trouble, Troubles

_SHORT_ID: Final = 8
"""The logged length of a session's name: enough to find its lines, but too short to use."""
_LONGEST_NAME: Final = 64
"""The logged length of a name, as much as an accepted bot can have: a stranger may send one of 64 KiB."""
_LONGEST_REASON: Final = 200
"""The logged length of a reason, which may quote a stranger."""
_SHUT_OUT_SECONDS: Final = 10.0
"""The time for which the server counts as full after it turned a newcomer away because it was full."""
_LINES_A_SECOND: Final = 20
"""The most lines logged in a second for each event that strangers can cause at will."""
_US_A_SECOND: Final = 1_000_000
_logger = logging.getLogger(__name__)


@unique
class Ending(Enum):
    """The way a connection ended; each is an attribute of ``SessionCounters``."""

    SUPERSEDED = "superseded"
    LOST = "lost"
    SLOW = "slow"
    REFUSED = "refused"
    LEFT = "left"
    DISMISSED = "dismissed"


_ENDINGS: Final = {
    Ending.SUPERSEDED: "session superseded",
    Ending.LOST: "session lost",
    Ending.SLOW: "slow reader cut off",
    Ending.REFUSED: "session refused",
    Ending.LEFT: "session left",
    Ending.DISMISSED: "session ended",
}


class BotTelemetry:
    """Telemetry of one bot."""

    def __init__(self, counters: Counters, *, session_id: str, name: str, version: str, account: str) -> None:
        """Use ``Telemetry.bot``."""
        self._counters = counters
        self._account = {"account": account} if account else {}
        self._who = {"session": session_id[:_SHORT_ID], "bot": name, "version": version}

    def opened(self) -> None:
        """A session began."""
        self._counters.sessions.opened += 1
        _logger.info("session opened", extra={**self._who, **self._account})

    def resumed(self) -> None:
        """A session was taken up again."""
        self._counters.sessions.resumed += 1
        _logger.info("session resumed", extra={**self._who, **self._account})

    def ended(self, how: Ending) -> None:
        """A connection ended. The session may be taken up again if it was lost."""
        sessions = self._counters.sessions
        setattr(sessions, how.value, getattr(sessions, how.value) + 1)
        level = logging.WARNING if how in (Ending.SLOW, Ending.REFUSED) else logging.INFO
        _logger.log(level, _ENDINGS[how], extra=self._who)

    def retires(self) -> None:
        """The bot accepts no more seats."""
        _logger.info("session retires", extra=self._who)

    def given_up(self) -> None:
        """The bot did not come back in time: it forfeits what it plays."""
        self._counters.sessions.given_up += 1
        _logger.warning("session given up", extra=self._who)

    def paused(self, seconds: float) -> None:
        """The bot forfeited a match, and is not seated again for so long."""
        _logger.warning("bot paused", extra={**self._who, "seconds": round(seconds)})

    def stale(self) -> None:
        """A choice was about no open decision."""
        self._counters.stale_choices += 1

    def seat(self, start: v1.MatchStart) -> "SeatTelemetry":
        """Return the telemetry of a seat of this bot, whose match begins."""
        return SeatTelemetry(self._counters, {**self._who, "match": start.match_id, "seat": start.seat}, start.game)


class _Sparing:
    """Logs what strangers do, but not as often as they like: a log that they can fill is a weapon."""

    def __init__(self) -> None:
        self._second: dict[str, int] = {}
        """The second in which each event was last logged."""
        self._reported: Counter[str] = Counter()
        """The number of log lines in this second."""

    def log(self, event: str, **fields: object) -> None:
        """Log an event; the first one of a second also tells how many were left out before."""
        second, left_out = int(time.monotonic()), 0
        if self._second.get(event) != second:
            self._second[event] = second
            left_out = max(0, self._reported.pop(event, 0) - _LINES_A_SECOND)
        self._reported[event] += 1
        if self._reported[event] <= _LINES_A_SECOND:
            _logger.info(event, extra={**fields, **({"left_out": left_out} if left_out else {})})


class Telemetry(Troubles):
    """Telemetry of a server."""

    def __init__(self, counters: Counters | None = None) -> None:
        """Count in these counters; without them, in new ones that nothing reads."""
        super().__init__(counters or Counters())
        self.waits: Final = Waits(self)
        """The operations that are waited for."""
        self._sparing = _Sparing()

    def bot(self, *, session_id: str, name: str, version: str, account: str = "") -> BotTelemetry:
        """Return the telemetry of a bot, by the name and version that it gives, and its account; empty for none."""
        return BotTelemetry(self.counters, session_id=session_id, name=name, version=version, account=account)

    def turned_away(self, status: str, *, name: str, reason: str, origin: str, token_id: str = "") -> None:
        """A bot was not let in.

        Args:
            status: the status of its stream.
            name: what the bot calls itself, at any length; empty if it has not said so.
            reason: the reason, as the bot received it. It may quote the bot.
            origin: the address that it came from.
            token_id: the ID of its token; empty if that is not valid, or not known yet.
        """
        self.counters.sessions.turned_away[status] += 1
        fields = {"status": status, "bot": name[:_LONGEST_NAME], "reason": reason[:_LONGEST_REASON], "origin": origin}
        self._sparing.log("bot turned away", **fields, **({"token_id": token_id} if token_id else {}))

    def newcomers_shut_out(self, reason: str) -> None:
        """A newcomer was turned away for want of room. It is logged once for all in the next seconds."""
        now = time.monotonic()
        if now - self.counters.shut_out_at > _SHUT_OUT_SECONDS:
            _logger.warning("new connections are refused", extra={"reason": reason})
        self.counters.shut_out_at = now

    def connection_shut(self, origin: str, reason: str) -> None:
        """A transport connection was shut that had nothing to say, or too much."""
        self.counters.gate.shut += 1
        self._sparing.log("connection shut", origin=origin, reason=reason)

    def handshake_failed(self, origin: str) -> None:
        """A transport connection over TLS ended before anything was asked on it."""
        self.counters.gate.handshakes_failed += 1
        self._sparing.log("handshake failed", origin=origin)

    def call_refused(self, origin: str, reason: str) -> None:
        """A call was one too many."""
        self.counters.gate.calls_refused += 1
        self._sparing.log("call refused", origin=origin, reason=reason)

    def accounts_changed(self, call: str, *, account: str, by: str) -> None:
        """Log a call that changed accounts: that of its caller, or the one that it names."""
        _logger.info("accounts changed", extra={"call": call, "account": account or by, "by": by})

    def accounts_away(self, reason: str) -> None:
        """A call could not be answered, since the accounts cannot be used."""
        self._sparing.log("accounts cannot be used", error=reason)

    @contextmanager
    def match(self, terms: MatchTerms, *, goes_on_later: bool = False) -> Iterator[None]:
        """Log a match that is played in this context. An exception that ends it early is logged and passed on.

        Args:
            terms: what the match is played under.
            goes_on_later: whether it goes on when the server is started again, if it is stopped.
        """
        game = self.counters.game(terms.game.name)
        game.matches_begun += 1
        where = {"match": terms.match_id, "game": terms.game.name, "attempt": terms.attempt}
        _logger.info("match begun", extra={**where, "bots": [seat.name for seat in terms.seats]})
        try:
            yield
        except Exception as error:
            game.matches_void += 1
            failure = error.__cause__ or error
            if isinstance(failure, JournalError):
                # It is no bug in the program, and it affects all running matches.
                self.begins(Trouble.JOURNAL, str(failure))
                _logger.error("match void: the journal cannot be written", extra=where)  # noqa: TRY400 - it is told whole
            elif isinstance(failure, PlayerFailedError):
                fields = {**where, "error": str(failure)}
                _logger.error("match void: a house bot failed", extra=fields)  # noqa: TRY400 - no mistake of ours
            else:
                _logger.exception("match void: the server failed", extra=where)
            raise
        except BaseException:
            if goes_on_later:
                _logger.info("match stopped: it goes on later", extra=where)
            else:
                game.matches_void += 1
                _logger.warning("match void: it was stopped", extra=where)
            raise
        game.matches_finished += 1
        _logger.info("match ended", extra=where)

    def not_carried_on(self, match_id: str, game: str, why: str) -> None:
        """A match of an earlier server is void. It counts as begun, as it would if it went on."""
        self.counters.game(game).matches_begun += 1
        self.counters.game(game).matches_void += 1
        _logger.warning("match void: it cannot go on", extra={"match": match_id, "why": why})

    def committed(self, seconds: float | None = None) -> None:
        """Results were written into the database of an event or ladder, after so long where it is measured."""
        self.counters.commits += 1
        if seconds is not None:
            self.counters.commit_us.add(round(seconds * _US_A_SECOND))

    def house_bot_missing(self, why: str) -> None:
        """A bot of the house could not be started, for a reason that names it; a match that needed it did not begin."""
        _logger.error("a house bot is missing", extra={"error": why})

    def house_bot_crashed(self, why: str) -> None:
        """A process of a house bot ended, or hung; another one takes over its matches."""
        _logger.error("a house bot is restarted", extra={"error": why})

    def unseated(self, number: int, why: str) -> None:
        """Report bots that have long waited and cannot be seated, and why; logged as it begins and as it ends."""
        if number and not self.counters.unseated:
            _logger.warning("bots wait and cannot be seated", extra={"bots": number, "why": why})
        elif self.counters.unseated and not number:
            _logger.info("all waiting bots can be seated again")
        self.counters.unseated, self.counters.unseated_why = number, why

    def records_given_up(self, *, epochs: int, record_bytes: int, published: int) -> None:
        """Records of so many epochs made room in the store of a ladder, and those of some in its published folder."""
        fields = {"epochs": epochs, "bytes": record_bytes, "published_epochs": published}
        _logger.info("old records deleted", extra=fields)

    def loop_lag(self, seconds: float) -> None:
        """Count how late the thread of the matches took a turn."""
        self.counters.loop_lag_us.add(max(0, round(seconds * _US_A_SECOND)))

    def stalled(self, seconds: float) -> None:
        """The thread of the matches was held up for so long."""
        self.counters.stalls += 1
        self.counters.stalled_seconds += seconds
        _logger.warning("server stalled", extra={"stalled_ms": round(1000 * seconds)})

    def referees_ended(self, *, matches: int) -> None:
        """A process of referees ended, and its matches go on in others."""
        _logger.error("a referee process ended", extra={"matches": matches})

    def failed_at(self, what: str) -> None:
        """Log an unforeseen exception; call this while it is being handled."""
        _logger.exception("the server failed", extra={"at": what})

    def drains(self, *, closing_in_seconds: float) -> None:
        """The server begins no new match, and ends after so long at the latest."""
        self.counters.draining = True
        closing = {"closing_in_ms": round(1000 * closing_in_seconds), "running": self.matches_running}
        _logger.warning("draining", extra=closing)

    def seating(self, *, paused: bool) -> None:
        """Report whether the operator has paused seating; logged as it begins and as it ends."""
        if paused and not self.counters.seating_paused:
            _logger.warning("seating paused")
        elif not paused and self.counters.seating_paused:
            _logger.warning("seating resumed")
        self.counters.seating_paused = paused

    @property
    def matches_running(self) -> int:
        """The number of matches that are played now, of all games."""
        return sum(game.matches_running for game in self.counters.games().values())


def is_full(counters: Counters) -> bool:
    """Return True if newcomers were turned away for want of room a moment ago."""
    return bool(counters.shut_out_at) and time.monotonic() - counters.shut_out_at < _SHUT_OUT_SECONDS


LONG_SECONDS: Final = 5.0
"""Longer waits are logged. A commit takes milliseconds, a fit some seconds, and its process reports that it works."""


class Waits:
    """Waits that go on now, and their length so far."""

    def __init__(self, troubles: Troubles, *, now: Callable[[], float] = time.monotonic) -> None:
        """Report long waits as troubles, by a monotonic clock in seconds."""
        self._troubles = troubles
        self._now = now
        self._numbers = count()
        self._begun: dict[int, tuple[Trouble, str, float]] = {}
        self._others: dict[int, tuple[Trouble, str, Callable[[], float]]] = {}
        self._reported: dict[Trouble, str] = {}
        """The last log line for each trouble."""
        self._answered: set[Trouble] = set()
        """Those of them for which nothing was late at the last look."""

    @contextmanager
    def waiting(self, trouble: Trouble, whom: str) -> Iterator[None]:
        """Note in this context that something is waited for: ``the disk of the records``. Any thread may call this."""
        number = next(self._numbers)
        self._begun[number] = trouble, whom, self._now()
        try:
            yield
        finally:
            del self._begun[number]

    @contextmanager
    def watching(self, trouble: Trouble, whom: str, waited_seconds: Callable[[], float]) -> Iterator[None]:
        """Watch in this context a wait that is measured elsewhere, by a function for its seconds so far."""
        number = next(self._numbers)
        self._others[number] = trouble, whom, waited_seconds
        try:
            yield
        finally:
            del self._others[number]

    def look(self) -> None:
        """Log the waits that have become long, and those that are over. Call it from one thread."""
        late = self._late()
        for trouble, sentence in late.items():
            self._troubles.begins(trouble, sentence)
            self._reported[trouble] = sentence
        answered = self._reported.keys() - late.keys()
        # Not at once: the waiting code may be about to report the reason.
        for trouble in answered & self._answered:
            self._troubles.is_over(trouble, if_reported=self._reported.pop(trouble))
        self._answered = answered

    def _late(self) -> dict[Trouble, str]:
        now = self._now()
        begun = [(trouble, whom, now - since) for trouble, whom, since in self._begun.copy().values()]
        begun += [(trouble, whom, waited()) for trouble, whom, waited in self._others.copy().values()]
        longest = sorted(begun, key=lambda one: one[2])
        return {
            trouble: f"{whom} has not answered for {seconds:.0f} s"
            for trouble, whom, seconds in longest
            if seconds > LONG_SECONDS
        }
