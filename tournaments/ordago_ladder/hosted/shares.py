"""Shares of what a server has for events, so that no organiser keeps the others out.

One account has so many events at once, and the last places are for accounts that have none. Several accounts together
fill the others, and not these.
"""

from typing import Final, NamedTuple

from ordago_ladder.hosted.events_api import EventLimitError

_MIB: Final = 1024 * 1024
LEAST_FREE_BYTES: Final = 512 * _MIB
"""With less room on the disk all events stop: what is left is for the tables."""
SCARCE_BYTES: Final = 1024 * _MIB
"""With less room on the disk only events of accounts that have little there go on."""
LITTLE_BYTES: Final = 64 * _MIB
"""So much counts as little: a hundred matches or so."""
MOST_BYTES: Final = 4096 * _MIB
"""So much room the events of one account take. No measurement: the largest event has some hundred megabytes."""
MOST_HOUSE_PROCESSES: Final = 32
"""So many processes the bots of the house have in all events of an account that run: two of the largest events."""


class Share(NamedTuple):
    """How many events there may be, in all and of one account."""

    most: int
    of_one: int
    last: int
    """So many of all are for accounts that have none."""

    def check(self, *, own: int, others: int, are: str, instead: str) -> None:
        """Check that an account may have one more.

        Args:
            own: how many it has.
            others: how many all others have.
            are: says of events that they count: ``are open``.
            instead: what the account can do where it has as many as it may.

        Raises:
            EventLimitError: it may not.
        """
        if own >= self.of_one:
            raise EventLimitError(f"{own} events of this account {are}, and no more may be: {instead}")
        if own + others >= self.most:
            raise EventLimitError(f"{self.most} events {are} on this server, and no more may be: try again later")
        if own and own + others >= self.most - self.last:
            sentence = f"the last {self.last} places are for accounts of which no events {are}: {instead}"
            raise EventLimitError(sentence)


OPEN: Final = Share(most=8, of_one=4, last=2)
"""Events that run."""
KEPT: Final = Share(most=1_000, of_one=100, last=100)
"""Events in the folder."""


def check_processes(*, own: int, more: int) -> None:
    """Check that bots of the house may have so many more processes in the events of an account.

    Raises:
        EventLimitError: they may not.
    """
    if own + more > MOST_HOUSE_PROCESSES:
        raise EventLimitError(
            f"bots of the house would have {own + more} processes in the events of this account, and "
            f"{MOST_HOUSE_PROCESSES} are the most: wait until one is over, or take fewer of them"
        )


def room_refusal(*, own_bytes: int, free_bytes: int) -> str:
    """Return why an event of an account that has so much on the disk may not go on; empty where it may."""
    if free_bytes < LEAST_FREE_BYTES or (free_bytes < SCARCE_BYTES and own_bytes > LITTLE_BYTES):
        return "there is too little room on the disk of the server; open it again when there is more"
    if own_bytes >= MOST_BYTES:
        return (
            f"the events of its account take {own_bytes // _MIB:,} MiB, and {MOST_BYTES // _MIB:,} are the most: "
            "remove one that is not needed"
        )
    return ""
