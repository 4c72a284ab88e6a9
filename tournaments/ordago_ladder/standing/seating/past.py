"""What is remembered of the seatings that were: whom a bot met, where it sat, and whose turn it is."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from ordago_ladder.standing.seating.participants import Kind, Seated

REMEMBERED: Final = 16
"""So many tables of a kind back it is remembered whom a bot met."""
MOST_OF_ONE: Final = 1 / 4
"""With one account a bot may have such a share of its pairings at the tables that are remembered."""
MOST_AHEAD: Final = 4
"""So many tables of one kind more than of another a bot may be drawn for, of those that it plays."""


class _Memory:
    """What one bot has played of one kind."""

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
    """What the seatings so far come to. Bots are known by their names, so a new version changes nothing."""

    def __init__(self) -> None:
        """Begin with no seatings."""
        self._tables = 0
        self._begun: dict[Kind, int] = {}
        self._turns: dict[str, int] = {}
        self._memories: dict[tuple[str, Kind], _Memory] = {}
        self._played: defaultdict[str, dict[Kind, int]] = defaultdict(dict)

    def note(self, kind: Kind, seats: Sequence[Seated]) -> None:
        """Note who sat at one more table, in order of seats."""
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
        """Return how many tables of a kind a bot has played, as it is counted for the choice of the next kind.

        What is new to it, or was not to be had for long, is no more than ``MOST_AHEAD`` tables behind.
        """
        played = self._played.get(name, {})
        return max(played.get(kind, 0), max(played.values(), default=0) - MOST_AHEAD)

    def seats(self, name: str, kind: Kind) -> Sequence[int]:
        """Return how often a bot sat in each seat; nowhere for a house bot."""
        memory = self._memories.get((name, kind))
        return [0] * kind.seats if memory is None else memory.seats

    def newness(self, one: Seated, other: Seated, kind: Kind, *, again: bool = False) -> float:
        """Return how new two are to each other, 1 if they have not met, and 0 if they may not sit at one table.

        These are two of one account, and accounts that met too often, unless they may meet again for all that. Of two
        memories that of more meetings counts.
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
    """Those whose turn it is to look for opponents.

    The account comes first that has not sat at a table for longest; among its bots the one that is longest in turn.
    """

    def __init__(self, past: Past) -> None:
        """Begin with nobody."""
        self._past: Final = past
        self._bots: dict[str, dict[int, None]] = {}
        self._order: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        """Say whether it is anybody's turn."""
        return bool(self._bots)

    def add(self, account: str, number: int) -> None:
        """Let a bot, known by its number, look for opponents in its turn."""
        if account not in self._bots:
            heappush(self._order, (self._past.turn(account), account))
        self._bots.setdefault(account, {})[number] = None

    def discard(self, account: str, number: int) -> None:
        """Let a bot look no more."""
        bots = self._bots.get(account, {})
        bots.pop(number, None)
        if not bots:
            self._bots.pop(account, None)

    def take(self) -> int | None:
        """Take out whose turn it is; ``None`` if it is nobody's."""
        while self._order:
            turn, account = self._order[0]
            if account in self._bots and turn == self._past.turn(account):
                number = next(iter(self._bots[account]))
                self.discard(account, number)
                return number
            # The account has gone, or has sat at a table since.
            heappop(self._order)
            if account in self._bots:
                heappush(self._order, (self._past.turn(account), account))
        return None
