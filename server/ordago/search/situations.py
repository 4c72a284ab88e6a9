"""What a request says that a seat knows, and the worlds that fit it."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple

from ordago import v1
from ordago.games import UnknownGameError, find_game
from ordago.games.definition import AnyGame
from ordago.search.playouts import AnyState
from ordago.search.requests import FIRST_WORLD_SECONDS, RequestError, unfit, within
from ordago.wire.slots import arm_of


class Situation(NamedTuple):
    """The knowledge of a seat."""

    game: AnyGame
    seat: int
    view: Any
    """The view, of the game's own type."""


def situation_of(message: v1.Situation) -> Situation:
    """Return the situation of a message.

    Raises:
        RequestError: there is no such game, or the view is none of this game.
    """
    try:
        game = find_game(message.game)
    except UnknownGameError as error:
        raise unfit(f"situation.game: {error}") from None
    most = max(game.rules.seat_counts)
    if message.seat >= most:
        raise unfit(f"situation.seat: {game.rules.title} has the seats 0 to {most - 1}, not {message.seat}")
    arm = arm_of(message.view)
    if not arm or (game.name in v1.View.DESCRIPTOR.fields_by_name and arm != game.name):
        raise unfit(f"situation.view: it has to be a view of {game.name!r}, and is {repr(arm) if arm else 'empty'}")
    try:
        return Situation(game, message.seat, game.codec.view_from(message.view, seat=message.seat))
    except Exception as error:  # what a forged view breaks depends on the game
        raise _misfit(game, error) from error


_SEARCHED_IN_VAIN: Final = "situation.view: no deal that fits it was found within {seconds:g} s"


def worlds_of(situation: Situation, *, rng: Random) -> tuple[AnyState, Iterator[AnyState]]:
    """Return the first world that fits a situation, compared with the view, and all of them, without end.

    Raises:
        RequestError: nothing fits the view, or no worlds can be drawn in this game.
    """
    game, seat, view = situation
    if game.possible_states is None:
        raise unfit(f"situation.game: {game.rules.title} cannot draw worlds, so no bot can search in it")
    in_vain = unfit(_SEARCHED_IN_VAIN.format(seconds=FIRST_WORLD_SECONDS))
    try:
        with within(FIRST_WORLD_SECONDS, in_vain):
            worlds = iter(game.possible_states(view, rng=rng))
            first = next(worlds)
            fits = first.actor == seat and first.view(seat) == view
    except RequestError:
        raise
    except Exception as error:  # as above
        raise _misfit(game, error) from error
    if not fits:
        raise unfit(f"situation.view: it is no view of a seat of {game.rules.title} that is to act")
    return first, chain((first,), worlds)


def _misfit(game: AnyGame, error: Exception) -> RequestError:
    return unfit(f"situation.view: no deal of {game.rules.title} fits it ({type(error).__name__}: {error})")
