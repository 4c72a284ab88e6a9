"""What is known of the strengths of those who wait for a match, by the ratings as they are known."""

from typing import Final

from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings import StandingRating, StandingRatings
from ordago_ladder.standing.seating import KnownStrength
from ordago_ladder.standing.tables.repository import LadderRepository, Sitter

_UNKNOWN: Final = KnownStrength(ANCHOR, 400.0)
"""Somebody of whom nothing is known: he may be as weak or as strong as anybody, nearly."""


class Standings:
    """The ratings of all players, to look up."""

    def __init__(self, repository: LadderRepository, anchors: dict[str, float]) -> None:
        """Begin without ratings but those of house bots that are known, by their names."""
        self._repository = repository
        self._anchors = anchors
        self._games: dict[str, dict[int, StandingRating]] = {}
        self._overall: dict[int, tuple[int, StandingRating]] = {}

    def take(self, ratings: StandingRatings) -> None:
        """Take new ratings."""
        self._games = {game: {one.player: one for one in scale.ratings} for game, scale in ratings.games}
        self._overall = {one.player: (rank, one) for rank, one in enumerate(ratings.overall.ratings, start=1)}

    def strength(self, game: str, sitter: Sitter) -> KnownStrength:
        """Return what is known of the strength of a player at a game: of a new version that of the one before it."""
        if sitter.house and sitter.name in self._anchors:
            return KnownStrength(self._anchors[sitter.name], 0.0)
        rated = self._games.get(game, {})
        known = next((rated[player] for player in self._repository.versions_of(sitter) if player in rated), None)
        return KnownStrength(known.elo, known.half_length) if known is not None else _UNKNOWN

    def place(self, sitter: Sitter) -> tuple[int, StandingRating] | None:
        """Return where a player stands in all games, from 1, and with what rating; ``None`` where he has none."""
        player = self._repository.player_of(sitter)
        return None if player is None else self._overall.get(player)

    def __len__(self) -> int:
        return len(self._overall)
