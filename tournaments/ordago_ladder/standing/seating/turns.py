"""Whose turn it is to look for opponents: accounts one after the other, whatever they have of bots."""

from heapq import heappop, heappush
from typing import Final

from ordago_ladder.standing.seating.past import Past


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
