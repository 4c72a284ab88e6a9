"""House bots at one table in one process: the rules and the policies, without server, network or clock.

It is how the tools measure the house. A player is made of the words that name a bot: ``solid``, ``solid-4`` with so
many worlds, ``solid-4-30`` with so many per cent of random moves, ``level-4``, ``seer``, ``default``, ``random``. Any
other word is a policy's module: ``mus_bets-8``. The seer is no bot that could be: it plays as ``solid`` would that
imagines nothing but the deal as it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import permutations, repeat
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias
from unittest.mock import patch

from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED, Outcome
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.search.playouts import any_action
from ordago_bot.house.levels import level_of
from ordago_bot.house.solid import POLICIES, policy_in, policy_of

Player: TypeAlias = Callable[[Any, Random], Any]
"""Returns the action of the actor of a state."""

OPTIONS: Final[Mapping[str, Mapping[str, object]]] = {"mittlere": {"deals": 6}, "taihe": {"deals": 6}}
"""What the matches are played with where it is not the defaults: as in the demonstration."""
SEATS: Final = {"mitaines": 4}
"""The number of seats where it is not the least that the game can be played with."""
_SECRET: Final = bytes(32)


class Table(NamedTuple):
    """A game, and what its matches are played with."""

    game: AnyGame
    seats: int
    options: Any

    @classmethod
    def of(cls, name: str, *, seats: int = 0) -> "Table":
        """Return the table of a game that the tools measure at; 0 seats are as many as they usually seat."""
        game = find_game(name)
        seats = seats or SEATS.get(name, game.rules.seat_counts[0])
        return cls(game, seats, game.rules.options(OPTIONS.get(name, {})))

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays for, from 0."""
        return self.game.rules.sides(self.seats)


def player_of(name: str, game: AnyGame) -> Player:
    """Return the player of a name."""
    word, *numbers = name.split("-")
    if word == "random":
        return lambda state, rng: any_action(game, rng.choice(state.legal_actions()), rng)
    if word == "default":
        return lambda state, _rng: state.default_action()
    if word == "seer":
        return _seer(game)
    worlds, noise = (*map(int, numbers), *(4, 0)[len(numbers) :])
    module = POLICIES[game.name] if word == "solid" else f"ordago_bot.house.{word}"
    if word == "level":
        module, worlds, noise = level_of(game.name, int(numbers[0]))
    policy = policy_in(module)

    def choose(state: Any, rng: Random) -> Any:  # noqa: ANN401 - of the game
        legal = state.legal_actions()
        if noise and rng.random() * 100 < noise:
            return any_action(game, rng.choice(legal), rng)
        return policy(state.view(state.actor), legal=legal, rng=rng, worlds=worlds)

    return choose


def _seer(game: AnyGame) -> Player:
    policy, module = policy_of(game.name), import_module(f"ordago_bot.house.{game.name}")
    assert policy is not None

    def choose(state: Any, rng: Random) -> Any:  # noqa: ANN401 - of the game
        # Mus draws hands, since they cost less than states.
        drawn, what = ("possible_hands", state.holdings.hands) if game.name == "mus" else ("possible_states", state)
        with patch.object(module, drawn, lambda _knowledge, *, rng: repeat(what)):  # noqa: ARG005 - as it is called
            return policy(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=4)

    return choose


def play(table: Table, players: Sequence[Player], *, deals: str, chance: str) -> Outcome:
    """Play a match.

    Args:
        table: what is played.
        players: who plays each seat.
        deals: what the deals come from; equal texts are equal deals.
        chance: what the players' own chance comes from.
    """
    source, rng = SecretDeals(_SECRET, deals), Random(chance)
    state = table.game.rules.new_match(seats=table.seats, options=table.options)
    while (actor := state.actor) != FINISHED:
        if actor == CHANCE:
            state.supply(source.shuffled(state.shuffle_due()))
        else:
            state.apply(players[actor](state, rng))
    assert state.outcome is not None
    return state.outcome


def seatings(sides: int) -> list[tuple[int, ...]]:
    """Return the bot on each side for each seating of a set: all of three, else the rotations of one circle."""
    circle = tuple(range(sides))
    return list(permutations(circle)) if sides == 3 else [(*circle[start:], *circle[:start]) for start in circle]


def sets_of(table: Table, bots: Sequence[str], *, sets: int) -> Iterator[list[tuple[float, ...]]]:
    """Play duplicate sets, and yield for each seating the score of each bot.

    Args:
        table: what is played.
        bots: who plays, one name for each side.
        sets: how many.
    """
    players = [player_of(bot, table.game) for bot in bots]
    for number in range(sets):
        played: list[tuple[float, ...]] = []
        for seating in seatings(len(bots)):
            seated = [players[seating[side]] for side in table.sides]
            outcome = play(table, seated, deals=f"set {number}", chance=f"{number} {seating}")
            score_of = {seating[side]: score for side, score in zip(table.sides, outcome.scores, strict=True)}
            played.append(tuple(score_of[bot] for bot in range(len(bots))))
        yield played
