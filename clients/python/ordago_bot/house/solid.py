"""A bot that plays sensibly: it imagines deals that fit what it has seen, and takes what does best in them.

It holds nothing but the decisions that it was sent, so it cannot know more than any other bot.
"""

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol

from ordago import v1
from ordago.game import AmountRange, LegalAction, Pick
from ordago.games import find_game
from ordago.games.folder import AnyGame
from ordago_bot.answers import Choosable
from ordago_bot.bot import Bot
from ordago_bot.house.mittlere import choose as choose_mittlere
from ordago_bot.house.mus import choose as choose_mus


class Policy(Protocol):
    """How one game is played."""

    def __call__(
        self,
        view: Any,
        *,
        legal: Sequence[LegalAction[Any]],  # of the same
        rng: Random,
        worlds: int,
    ) -> Hashable:
        """Return the complete action to take at a view, imagining this many deals."""


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType({"mittlere": choose_mittlere, "mus": choose_mus})
"""The policies by game."""


class SolidBot(Bot):
    """Plays each game that there is a policy for; in others it takes the default answer."""

    def __init__(self, match: v1.MatchStart, *, worlds: int) -> None:
        """Begin a match, to imagine this many deals for each decision."""
        super().__init__(match)
        self._worlds = worlds
        self._game = find_game(match.game) if match.game in POLICIES else None

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take what does best in the deals imagined."""
        if self._game is None:
            return decision.default_answer
        action = POLICIES[self._game.name](
            self._game.codec.view_from(decision.view, seat=decision.seat),
            legal=[_legal_action(self._game, message) for message in decision.actions],
            rng=self.random,
            worlds=self._worlds,
        )
        return self._game.codec.action(action)


def _legal_action(game: AnyGame, message: v1.LegalAction) -> LegalAction[Any]:
    return LegalAction(
        game.codec.action_from(message.action),
        AmountRange(message.amount.min, message.amount.max) if message.HasField("amount") else None,
        tuple(Pick(tuple(pick.cards), pick.min, pick.max) for pick in message.picks),
    )
