"""Conceding a match: the words of its seats, and the outcome that the rules of the game then settle.

A seat concedes with an answer, whose action still counts. A side has conceded once the last choice of each of its seats
did so: no seat concedes for its partner. Nobody is told before, so that a word is no signal. A default answer that the
server took for a seat takes its word back, like any answer without it.
"""

from collections.abc import Hashable
from typing import Final

from ordago.game import Outcome, State
from ordago.games.definition import AnyGame


class Concessions:
    """The seats of one match whose last choice conceded it, and the side that has conceded."""

    def __init__(self, game: AnyGame, *, seats: int, wanted: bool) -> None:
        """Begin a match.

        Args:
            game: the game.
            seats: the number of players.
            wanted: True if the terms of the match let its seats concede.
        """
        self.allowed: Final = wanted and game.can_be_conceded(seats)
        """True if an answer may concede: the rules have to settle the outcome, too."""
        self._game: Final = game
        self._sides: Final = game.rules.sides(seats)
        self.willing: Final = set[int]()
        """The seats whose word stands."""
        self.side: int | None = None
        """The side that has conceded; ``None`` while none has."""

    def note(self, seat: int, *, concedes: bool) -> None:
        """Note a choice of a seat, and if it concedes the match."""
        if not concedes:
            self.willing.discard(seat)
            return
        if not self.allowed:
            return
        self.willing.add(seat)
        side = self._sides[seat]
        if all(other in self.willing for other, its_side in enumerate(self._sides) if its_side == side):
            self.side = side

    def outcome(self, state: State[Hashable, Hashable, object]) -> Outcome | None:
        """Return the outcome of the match in this state; ``None`` while it goes on.

        An action that ends the match by the rules does so even if its seat concedes with it.
        """
        if state.outcome is not None or self.side is None or self._game.conceded is None:
            return state.outcome
        return self._game.conceded(state, self.side)
