"""The games as games of OpenSpiel (extra ``openspiel``). Importing this module registers them, as ``ordago_mus``.

Each card of a shuffle is a chance node, so a match follows from its history. Observations are those of the encodings.
There are no information states, since a view has the history of its deal alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import pyspiel

from ordago.cards import LAST_CARD
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game
from ordago_gym.arrays import floats_of, mask_of
from ordago_gym.encoding import ENCODED, Decision, encoding_of
from ordago_gym.table import match_rewards

State: TypeAlias = Any
"""A state of OpenSpiel, which has no types, or of a game."""
_MOST_STEPS: Final = 1_000_000
"""A bound on the ids of a match, which OpenSpiel asks for: no options lead to so many."""
_PLAYER: Final = {CHANCE: pyspiel.PlayerId.CHANCE, FINISHED: pyspiel.PlayerId.TERMINAL}


class _Match:
    """A match, the cards of a shuffle that is not complete, and the ids of an action that is not."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.shuffled: tuple[int, ...] = ()
        self.parts: tuple[int, ...] = ()

    def __deepcopy__(self, _: object) -> "_Match":
        """Return a copy: OpenSpiel clones a state by those of its attributes."""
        copy = _Match(self.state.clone())
        copy.shuffled, copy.parts = self.shuffled, self.parts
        return copy

    def left(self) -> list[int]:
        return [card for card in self.state.shuffle_due().cards if card not in self.shuffled]


class OrdagoGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game. Its parameters are ``players`` and the options of the game."""

    def __init__(self, kind: Any, name: str, parameters: Mapping[str, Any]) -> None:  # noqa: ANN401 - no types
        """Take the type, the name and the parameters that are not as usual.

        Raises:
            ValueError: it is not played by so many, or an option cannot have that value.
        """
        options = dict(parameters)
        self.rules: Final = find_game(name).rules
        seats = options.pop("players", self.rules.seat_counts[0])
        self.encoding: Final = encoding_of(name, seats=seats, options=options)
        self.options: Final = self.rules.options(options)
        self.sides: Final = self.rules.sides(seats)
        sizes = {"num_distinct_actions": self.encoding.actions, "max_chance_outcomes": LAST_CARD + 1}
        bounds = {"min_utility": -1.0, "max_utility": 1.0, "utility_sum": 0.0, "max_game_length": _MOST_STEPS}
        super().__init__(kind, pyspiel.GameInfo(num_players=seats, **sizes, **bounds), dict(parameters))

    def new_initial_state(self) -> "OrdagoState":
        """Return a match before its first shuffle."""
        return OrdagoState(self)

    def make_py_observer(self, *_: object) -> "_Observer":
        """Return what makes observations."""
        return _Observer(self)


class OrdagoState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a match."""

    def __init__(self, game: OrdagoGame) -> None:
        """Begin a match."""
        super().__init__(game)
        self.match = _Match(game.rules.new_match(seats=game.encoding.seats, options=game.options))

    def decision(self, player: int) -> Decision:
        """Return what a player sees, and what it may do if it is to act."""
        state, encoding = self.match.state, self.get_game().encoding
        if state.actor != player:
            watching: Decision = encoding.decision(state.view(player))
            return watching
        asked: Decision = encoding.decision(state.view(player), state.legal_actions(), state.extras())
        return asked._replace(parts=self.match.parts)

    def current_player(self) -> int:
        """Return the seat that is to act, or the numbers of OpenSpiel for chance and the end."""
        actor: int = self.match.state.actor
        return int(_PLAYER.get(actor, actor))

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = np.flatnonzero(mask_of(self.get_game().encoding, self.decision(player))).tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may come next in a shuffle, and their probabilities."""
        left = self.match.left()
        return [(card, 1 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        match = self.match
        if match.state.actor == CHANCE:
            match.shuffled += (action,)
            if not match.left():
                match.state.supply(match.shuffled)
                match.shuffled = ()
            return
        ids = (*match.parts, action)
        played = self.get_game().encoding.action(self.decision(match.state.actor), ids)
        match.parts = ids if played is None else ()
        if played is not None:
            match.state.apply(played)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"card {action}" if player == pyspiel.PlayerId.CHANCE else f"id {action}"

    def is_terminal(self) -> bool:
        """Return True at the end of the match."""
        return bool(self.match.state.actor == FINISHED)

    def returns(self) -> Sequence[float]:
        """Return the rewards by placings, from -1 to 1; 0 before the end of the match."""
        sides, outcome = self.get_game().sides, self.match.state.outcome
        return [0.0] * len(sides) if outcome is None else match_rewards(outcome.placings, sides)

    def __str__(self) -> str:
        return " ".join(map(str, self.history()))


class _Observer:
    """Observations of an encoding, and views as strings."""

    def __init__(self, game: OrdagoGame) -> None:
        self._encoding: Final = game.encoding
        self.tensor: Final = np.zeros(game.encoding.size, np.float32)
        fields, at = game.encoding.layout.fields, game.encoding.layout.at
        self.dict: Final = {
            field.name: self.tensor[at[field.name] :][: field.size].reshape(field.shape) for field in fields
        }

    def set_from(self, state: OrdagoState, player: int) -> None:
        self._encoding.observe(state.decision(player), floats_of(self.tensor))

    def string_from(self, state: OrdagoState, player: int) -> str:
        decision = state.decision(player)
        return f"{decision.view} {decision.parts}"


def resampler(
    rng: Random, imagine: Callable[[State], Iterator[State]] | None = None
) -> Callable[[OrdagoState, int], OrdagoState]:
    """Return what draws states that look the same to a player, for ``set_resampler`` of ISMCTS.

    They keep the history of the state that they were drawn for, so they are for search, and not to be serialized.

    Args:
        rng: the source of chance.
        imagine: returns states that fit a view, by their likelihood; all are equally likely if left out.
    """

    def draw(state: OrdagoState, player: int) -> OrdagoState:
        view, drawn = state.match.state.view(player), state.clone()
        possible = find_game(state.get_game().encoding.name).possible_states
        assert possible is not None, "a game with an encoding can imagine deals"
        # Likely states may come several times, so each is a copy.
        drawn.match.state = next(possible(view, rng=rng) if imagine is None else imagine(view)).clone()
        return drawn  # type: ignore[no-any-return]  # OpenSpiel has no types

    return draw


def _register(name: str) -> None:
    rules = find_game(name).rules
    kind = pyspiel.GameType(
        short_name=f"ordago_{name}",
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seat_counts[-1],
        min_num_players=rules.seat_counts[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": rules.seat_counts[0],
            **{spec.name: spec.default for spec in rules.option_specs},
        },
    )

    class Registered(OrdagoGame):
        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            super().__init__(kind, name, parameters or {})

    pyspiel.register_game(kind, Registered)


for _name in ENCODED:
    _register(_name)
