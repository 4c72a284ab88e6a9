"""The registry of games.

A game of this package is one folder here, one .proto file, one arm in games.proto and one line in ``_OWN_GAMES``.
Other packages offer theirs by the entry point group ``ordago.games``, whose values are ``Game`` objects.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, cast

from ordago.games.folder import AnyGame
from ordago.names import nearest

_OWN_GAMES: Final = (
    "mitaines",
    "mitigati",
    "mittlere",
    "mus",
    "taihe",
)
_ENTRY_POINT_GROUP: Final = "ordago.games"


class UnknownGameError(LookupError):
    """There is no game of this name. The user erred."""


def game_names() -> list[str]:
    """Return the short names of all games, ascending."""
    return sorted({*_OWN_GAMES, *_foreign_games()})


@cache
def find_game(name: str) -> AnyGame:
    """Return the game of a short name.

    Raises:
        UnknownGameError: there is none; the message names the nearest.
    """
    if name in _OWN_GAMES:
        return _called(name, import_module(f"{__name__}.{name}").GAME)
    if name in _foreign_games():
        return _called(name, _foreign_games()[name].load())
    raise UnknownGameError(f"there is no game {name!r}; {nearest(name, game_names())}")


def _called(name: str, game: object) -> AnyGame:
    """Return a game that was registered under a name, which has to be its own."""
    found = cast(AnyGame, game)
    if found.rules.name != name:
        raise ValueError(f"the game that is registered as {name!r} calls itself {found.rules.name!r}")
    return found


@cache
def _foreign_games() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_ENTRY_POINT_GROUP)}
