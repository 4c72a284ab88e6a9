"""Memory of past seatings: opponents and seats of each bot, and the turn of each account."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from ordago_ladder.standing.seating.participants import Kind, Seated

REMEMBERED: Final = 16
"""The number of latest tables of a kind whose opponents a bot's memory holds."""
MOST_OF_ONE: Final = 1 / 4
"""The largest share of a bot's remembered pairings with one account: it bounds what accomplices can give each other."""
MOST_AHEAD: Final = 4
"""The largest lead, in tables, of one kind over another that a bot plays."""


class _Memory:
    """The opponents and seats of one bot at tables of one kind."""

    __slots__ = ("meetings", "met", "seats")

    def __init__(self, seats: int) -> None:
        self.seats = [0] * seats
        self.met: deque[tuple[str, ...]] = deque(maxlen=REMEMBERED)
        self.meetings: Counter[str] = Counter()

    def note(self, seat: int, met: tuple[str, ...]) -> None:
        self.seats[seat] += 1
        if len(self.met) == REMEMBERED:
            self.meetings -= Counter(self.met[0])
        self.met.append(met)
        self.meetings.update(met)


class Past:
    """Memory of all seatings so far. It knows bots by name, so a new version changes nothing."""

    def __init__(self) -> None:
        """Begin with no seatings."""
        self._tables = 0
        self._begun: dict[Kind, int] = {}
        self._turns: dict[str, int] = {}
        self._memories: dict[tuple[str, Kind], _Memory] = {}
        self._played: defaultdict[str, dict[Kind, int]] = defaultdict(dict)

    def note(self, kind: Kind, seats: Sequence[Seated]) -> None:
        """Note the bots at one more table, in order of seats."""
        self._tables += 1
        self._begun[kind] = self._tables
        for number, one in enumerate(seats):
            if not one.account:
                continue
            memory = self._memories.setdefault((one.name, kind), _Memory(kind.seats))
            memory.note(number, tuple(other.met_as for other in seats if other is not one))
            self._turns[one.account] = self._tables
            self._played[one.name][kind] = self.played(one.name, kind) + 1

    def turn(self, account: str) -> int:
        """Return the number of the last table, from 1, at which a bot of an account sat; 0 for none."""
        return self._turns.get(account, 0)

    def begun(self, kind: Kind) -> int:
        """Return the number of the last table of a kind, from 1; 0 for none."""
        return self._begun.get(kind, 0)

    def played(self, name: str, kind: Kind) -> int:
        """Return the tables of a kind that a bot has played, as they count for the choice of its next kind.

        A kind that is new to it, or was unavailable for long, counts as at most ``MOST_AHEAD`` tables behind.
        """
        played = self._played.get(name, {})
        return max(played.get(kind, 0), max(played.values(), default=0) - MOST_AHEAD)

    def seats(self, name: str, kind: Kind) -> Sequence[int]:
        """Return the number of tables at which a bot had each seat; all zero for a house bot."""
        memory = self._memories.get((name, kind))
        return [0] * kind.seats if memory is None else memory.seats

    def newness(self, one: Seated, other: Seated, kind: Kind, *, again: bool = False) -> float:
        """Return the newness of two bots to each other: 1 if they have not met, 0 if they may not share a table.

        Two bots of one name or account may not. Two accounts that met too often may only if ``again`` is true.
        If the two remember different numbers of meetings, the larger one counts.
        """
        if one.name == other.name or (one.account and one.account == other.account):
            return 0.0
        meetings = max(self._meetings(one, other, kind), self._meetings(other, one, kind))
        too_many = MOST_OF_ONE * REMEMBERED * kind.opponents
        met_too_often = not again and one.account and other.account and meetings >= too_many
        return 0.0 if met_too_often else 1 / (1 + meetings)

    def _meetings(self, one: Seated, other: Seated, kind: Kind) -> int:
        memory = self._memories.get((one.name, kind))
        return 0 if memory is None else memory.meetings.get(other.met_as, 0)


class AccountTurns:
    """The queue of bots that look for opponents.

    The account that has not played for longest comes first, and of its bots the one longest in the queue.
    """

    def __init__(self, past: Past) -> None:
        """Begin with an empty queue."""
        self._past: Final = past
        self._bots: dict[str, dict[int, None]] = {}
        self._order: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        """Return True if a bot is in the queue."""
        return bool(self._bots)

    def add(self, account: str, number: int) -> None:
        """Add a bot by its number, unless it is in the queue."""
        if account not in self._bots:
            heappush(self._order, (self._past.turn(account), account))
        self._bots.setdefault(account, {})[number] = None

    def discard(self, account: str, number: int) -> None:
        """Remove a bot, if it is in the queue."""
        bots = self._bots.get(account, {})
        bots.pop(number, None)
        if not bots:
            self._bots.pop(account, None)

    def take(self) -> int | None:
        """Remove and return the number of the bot whose turn it is; ``None`` if the queue is empty."""
        while self._order:
            turn, account = self._order[0]
            if account in self._bots and turn == self._past.turn(account):
                number = next(iter(self._bots[account]))
                self.discard(account, number)
                return number
            # The account has no more bots here, or has played since it was queued, so this entry is out of date.
            heappop(self._order)
            if account in self._bots:
                heappush(self._order, (self._past.turn(account), account))
        return None
