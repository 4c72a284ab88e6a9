"""A bot that plays sensibly: it imagines deals that fit its view, and takes the action that does best in them.

It gets the same decisions as any other bot, and so cannot know more. With *noise* it takes any legal action at some
of its decisions: the more noise, the weaker. So its versions are opponents of known order.
"""

import logging
from collections.abc import Hashable, Mapping, Sequence
from importlib import import_module
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

from ordago import v1
from ordago.game import AmountRange, LegalAction, Pick
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago_bot.bot import Bot, Choosable, complete
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.house.weighing import Weigher
from ordago_bot.match import Match

_PER_CENT: Final = 100
DEFAULT_WORLDS: Final = HOUSE_BOTS["solid"].settings["worlds"].default
_LOG: Final = logging.getLogger("ordago_bot")


class Policy(Protocol):
    """A function that plays one game."""

    def __call__(
        self,
        view: Any,  # noqa: ANN401 - of the policy's own game
        *,
        legal: Sequence[LegalAction[Any]],  # of the same
        rng: Random,
        worlds: int,
    ) -> Hashable:
        """Return the complete action to take at a view, after imagining ``worlds`` deals."""


POLICIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mitaines": "ordago_bot.house.mitaines",
        "mitigati": "ordago_bot.house.mitigati",
        "mittlere": "ordago_bot.house.mittlere",
        "mus": "ordago_bot.house.mus",
        "taihe": "ordago_bot.house.taihe",
    }
)
"""The modules of the policies by game. Each is imported at the first match of its game, so that the bot starts fast."""


def policy_in(module: str) -> Policy:
    """Return the policy of a module."""
    return cast(Policy, import_module(module).choose)


def policy_of(game: str) -> Policy | None:
    """Return the policy for a game; ``None`` if the house has none."""
    return policy_in(POLICIES[game]) if game in POLICIES else None


def weigher_of(game: str) -> Weigher | None:
    """Return the evaluation of a game's actions; ``None`` if the house has none."""
    return cast(Weigher, import_module(POLICIES[game])) if game in POLICIES else None


class SolidBot(Bot):
    """A bot that plays every game with a policy. In others it takes the default answers, and logs a warning."""

    def __init__(self, match: Match, *, worlds: int = DEFAULT_WORLDS, noise: int = 0, policy: str = "") -> None:
        """Begin a match.

        Args:
            match: the match.
            worlds: the number of deals to imagine for each decision.
            noise: the percentage of decisions at which a random legal action is taken, from 0 to 100.
            policy: the module of the policy; empty for that of ``solid``.
        """
        super().__init__(match)
        self._worlds = worlds
        self._noise = noise
        self._policy = policy_in(policy) if policy else policy_of(match.game)
        self._game = find_game(match.game) if self._policy is not None else None
        if self._policy is None:
            _LOG.warning("the house has no policy for the game %r: it takes the default answers", match.game)

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take the action that does best in the deals imagined, or with noise a random one."""
        # Without noise no random number is drawn here, so that a bot without noise plays as if there were no setting.
        if self._noise and self.random.randrange(_PER_CENT) < self._noise:
            return complete(self.random.choice(decision.actions), self.random)
        if self._policy is None or self._game is None:
            return decision.default_answer
        action = self._policy(
            self._game.codec.view_from(decision.view, seat=decision.seat),
            legal=[legal_action(self._game, message) for message in decision.actions],
            rng=self.random,
            worlds=self._worlds,
        )
        return self._game.codec.action(action)


def legal_action(game: AnyGame, message: v1.LegalAction) -> LegalAction[Any]:
    """Return a legal action of a decision as the rules know it."""
    return LegalAction(
        game.codec.action_from(message.action),
        AmountRange(message.amount.min, message.amount.max) if message.HasField("amount") else None,
        tuple(Pick(tuple(pick.cards), pick.min, pick.max) for pick in message.picks),
    )
