"""Policies as bots: what was trained on observations and masks plays wherever a bot plays."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from ordago import v1
from ordago.games import find_game
from ordago_bot.bot import Bot, BotFactory, Choosable
from ordago_bot.house.solid import legal_action
from ordago_bot.match import Match
from ordago_gym.arrays import Policy, legal_ids, mask_of, observation_of
from ordago_gym.encoding import Encoding, EncodingError, encoding_of, encoding_with

_ONE: Final = np.zeros(1, np.int64)


class PolicyBot(Bot):
    """A bot that plays one game with a policy: at each decision it makes the observation that an environment makes."""

    def __init__(
        self, match: Match, *, choose: Policy, name: str, check: Callable[[Encoding], None] | None = None
    ) -> None:
        """Begin a match of the game of a policy, by name.

        Raises:
            EncodingError: the match is of another game, or ``check`` refuses its encoding.
        """
        super().__init__(match)
        self._game: Final = find_game(match.game)
        options = self._game.codec.options_from(match.options)
        if name.partition("_v")[0] != match.game:
            raise EncodingError(f"the policy plays {name}, and the match is of {match.game}")
        self._encoding: Final = encoding_with(name, seats=match.seats, options=options)
        if check is not None:
            check(self._encoding)
        self._policy: Final = choose
        self._memory: Final = self._encoding.memory()

    def choose(self, decision: v1.Decision) -> Choosable:
        """Let the policy choose ids until they say an action."""
        codec, encoding = self._game.codec, self._encoding
        asked = encoding.decision(
            codec.view_from(decision.view, seat=decision.seat),
            [legal_action(self._game, message) for message in decision.actions],
            [codec.action_from(extra.action) for extra in decision.extras],
            self._memory,
        )
        action = None
        while action is None:
            observed, mask = observation_of(encoding, asked)[None], mask_of(encoding, asked)[None]
            [chosen] = legal_ids(self._policy(observed, mask), mask, _ONE, source="the policy")
            asked = asked._replace(parts=(*asked.parts, chosen))
            action = encoding.action(asked, asked.parts)
        return codec.action(action)


def policy(choose: Policy | str | Path, *, game: str) -> BotFactory:
    """Return a bot that plays a game with a policy, for ``run``, ``play_locally`` and wherever else bots are named.

    Args:
        choose: returns an action id for each row of observations, given these and the masks; a bot has one row. Or the
            path of an ONNX model (extra ``onnx``), of which the bot takes the legal id with the highest score.
        game: the game; with the version of the encoding, such as ``mus_v0``, it fails where that is another.

    Raises:
        EncodingError: there is no such game or version, or the model is none for it.
        OSError: the model cannot be read.
    """
    encoding = encoding_of(game)
    if not isinstance(choose, str | Path):
        return partial(PolicyBot, choose=choose, name=game)
    # Imported here: it needs onnxruntime, which takes longer to import than all the rest of a bot.
    from ordago_gym import ModelPolicy

    model = ModelPolicy(choose)
    if model.encoding != encoding.id:
        raise EncodingError(f"{model.name} plays {model.encoding}, not {encoding.id}")
    return partial(PolicyBot, choose=model, name=model.encoding, check=model.check)
