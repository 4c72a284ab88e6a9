"""The points for the lances of a deal at the showdown, and the score of a match."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, final

from ordago.games.mus.hands import BEST_JUEGO, HandWorth, best_seat
from ordago.games.mus.members import (
    CALLED,
    FEDERATION,
    FOR_BONUS,
    FOR_CALLED,
    JUEGO,
    NOBODY,
    PARES,
    PASSED,
    PUNTO,
    SOURCE,
)
from ordago.games.mus.values import SEATS, SIDE_OF, Lance, Reason, Ruleset, Settlement

_Parts: TypeAlias = tuple[int, int, int, tuple[int, ...], tuple[int, ...]]


@final
class Scoreboard:
    """The progress and the score of a match.

    Attributes:
        game: the game that is played, counted from 0.
        deal: the deal that is played, counted from 0 over the whole match.
        deal_of_game: the deal that is played, counted from 0 in this game.
        points: the points of the sides in this game.
        games: the games won by the sides.
    """

    __slots__ = ("deal", "deal_of_game", "game", "games", "points")

    def __init__(
        self,
        game: int = 0,
        deal: int = 0,
        deal_of_game: int = 0,
        points: tuple[int, ...] = (0, 0),
        games: tuple[int, ...] = (0, 0),
    ) -> None:
        """Begin with the first deal, or with a later one."""
        self.game: Final = game
        self.deal: Final = deal
        self.deal_of_game: Final = deal_of_game
        self.points: Final = points
        self.games: Final = games

    def __eq__(self, other: object) -> bool:
        """Return True if another scoreboard is the same."""
        return isinstance(other, Scoreboard) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Return the hash of its parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Return the constructor call that makes the scoreboard."""
        return f"Scoreboard{self._parts()}"

    def __reduce__(self) -> "tuple[type[Scoreboard], _Parts]":
        """Return the arguments that make a copy: its attributes cannot be set."""
        return Scoreboard, self._parts()

    def _parts(self) -> _Parts:
        return self.game, self.deal, self.deal_of_game, self.points, self.games

    @property
    def mano(self) -> int:
        """The seat that speaks first in this deal, and wins among equal hands."""
        return self.deal % SEATS

    @property
    def dealer(self) -> int:
        """The dealer of this deal."""
        return (self.deal + SEATS - 1) % SEATS

    def with_points(self, points: tuple[int, ...]) -> "Scoreboard":
        """Return the scoreboard with these points of the sides."""
        return Scoreboard(self.game, self.deal, self.deal_of_game, points, self.games)

    def with_game(self, winner: int) -> "Scoreboard":
        """Return the scoreboard after a side has won the game."""
        first, second = self.games
        games = (first, second + 1) if winner else (first + 1, second)
        return Scoreboard(self.game, self.deal, self.deal_of_game, self.points, games)

    def next_deal(self) -> "Scoreboard":
        """Return the scoreboard before the next deal of this game."""
        return Scoreboard(self.game, self.deal + 1, self.deal_of_game + 1, self.points, self.games)

    def next_game(self) -> "Scoreboard":
        """Return the scoreboard before the next game."""
        return Scoreboard(self.game + 1, self.deal + 1, games=self.games)


class Award(NamedTuple):
    """Points for a side."""

    side: int
    points: int
    lance: Lance
    reason: Reason


def showdown(
    settled: Iterable[Settlement], worths: Sequence[HandWorth], *, mano: int, ruleset: Ruleset
) -> Iterator[Award]:
    """Yield the scores at a showdown, in order.

    Args:
        settled: how the betting on each lance ended, in order.
        worths: the worth of each seat's hand.
        mano: the seat that wins among equal hands, then the next ones.
        ruleset: the scoring.
    """
    for settlement in settled:
        lance = settlement.lance
        if settlement.result is NOBODY:
            continue
        side = settlement.side
        if side is None:
            side = SIDE_OF[best_seat(worths, lance, mano=mano)]
        if settlement.result is CALLED:
            yield Award(side, settlement.stake, lance, FOR_CALLED)
        bonus = _bonus(settlement, worths[side::2], ruleset)
        if bonus:
            yield Award(side, bonus, lance, FOR_BONUS)


def _bonus(settlement: Settlement, worths: Sequence[HandWorth], ruleset: Ruleset) -> int:
    """Return the points for a lance beside its stake, for the side whose hands have these worths."""
    if settlement.lance is PARES:
        return sum([worth.pares_bonus for worth in worths])
    if settlement.lance is JUEGO:
        return sum([_juego_bonus(worth, ruleset) for worth in worths])
    if ruleset is SOURCE:
        return 0
    return int(settlement.lance is PUNTO or settlement.result is PASSED)


def _juego_bonus(worth: HandWorth, ruleset: Ruleset) -> int:
    if not worth.juego:
        return 0
    return 1 + (worth.punto == BEST_JUEGO) + (ruleset is FEDERATION)
