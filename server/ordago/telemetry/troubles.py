"""Troubles that a server goes on with for a while."""

import logging
from enum import Enum, unique
from threading import Lock

from ordago.telemetry.counters import Counters

_logger = logging.getLogger(__name__)


@unique
class Trouble(Enum):
    """Something that a server can go on without for a while, with the log lines for its beginning and its end."""

    JOURNAL = ("the journal cannot be written", "the journal can be written again")
    ROOM = ("too little disk space for the journal", "enough disk space for the journal again")
    RECORDS = ("records cannot be saved", "records are saved again")
    SITE = ("the site is down", "the site is up again")
    STORE = ("the ladder cannot be written", "the ladder can be written again")
    ACCOUNTS = ("the accounts cannot be used", "the accounts can be used again")
    RATINGS = ("the ratings are not up to date", "the ratings are up to date again")
    REFEREES = ("a referee process does not answer", "all referee processes answer again")
    HELD_UP = ("the server is held up", "the server responds again")


class Troubles:
    """The troubles of a server: counted while they last, and logged when they begin and end."""

    def __init__(self, counters: Counters) -> None:
        """Begin without troubles."""
        self.counters = counters
        self._changing_troubles = Lock()

    def begins(self, trouble: Trouble, why: str, **where: object) -> None:
        """Report that something does not work from now on; logged once until it is over. Any thread may call this."""
        name, _ = trouble.value
        with self._changing_troubles:
            known = name in self.counters.troubles
            self.counters.troubles[name] = why
        if not known:
            _logger.error(name, extra={**where, "error": why})

    def is_over(self, trouble: Trouble, *, if_reported: str | None = None) -> None:
        """Something works, whether it did before or not. Any thread may say so.

        Args:
            trouble: what does not trouble any more.
            if_reported: leave it as it is if its last log line was a different one.
        """
        name, works_again = trouble.value
        with self._changing_troubles:
            why = self.counters.troubles.get(name)
            over = why is not None and if_reported in (None, why)
            if over:
                del self.counters.troubles[name]
        if over:
            _logger.warning(works_again)

    def is_in(self, trouble: Trouble) -> bool:
        """Return True if this trouble lasts now."""
        return trouble.value[0] in self.counters.troubles
