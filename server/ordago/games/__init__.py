"""The registry of games.

A game of this package is one folder here, one .proto file, one arm in games.proto and one line in ``_OWN_GAMES``.
Other packages offer theirs by the entry point group ``ordago.games``, whose values are ``Game`` objects.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple, cast

from ordago.games.definition import AnyGame, Game
from ordago.names import nearest, quoted

_OWN_GAMES: Final = (
    "mitaines",
    "mitigati",
    "mittlere",
    "mus",
    "taihe",
)
_ENTRY_POINT_GROUP: Final = "ordago.games"
_NAME: Final = re.compile("[a-z][a-z0-9]{0,31}")
"""A name is part of records, page addresses and file names."""


class UnknownGameError(LookupError):
    """There is no game of this name: the user's mistake."""


def game_names() -> list[str]:
    """Return the short names of all games, ascending."""
    return sorted({*_OWN_GAMES, *_offered().games})


def refused_games() -> list[str]:
    """Return a sentence for each game of another package that cannot be played here, with the reason."""
    return list(_offered().refused.values())


@cache
def find_game(name: str) -> AnyGame:
    """Return the game of a short name.

    Raises:
        UnknownGameError: there is none, and the message names the nearest; or a package offers one that cannot be
            played, and the message says why.
    """
    if name in _OWN_GAMES:
        own: AnyGame = import_module(f"{__name__}.{name}").GAME
        return own
    if name in _offered().games:
        return _offered().games[name]
    if name in _offered().refused:
        raise UnknownGameError(_offered().refused[name])
    raise UnknownGameError(f"there is no game {name!r}; {nearest(name, game_names())}")


class _Offered(NamedTuple):
    """The games of other packages."""

    games: Mapping[str, AnyGame]
    refused: Mapping[str, str]
    """The reasons why other games cannot be played, by their names."""


@cache
def _offered() -> _Offered:
    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=_ENTRY_POINT_GROUP):
        points.setdefault(point.name, []).append(point)
    games: dict[str, AnyGame] = {}
    refused: dict[str, str] = {}
    for name, same in points.items():
        try:
            games[name] = _loaded(same)
        except _RefusedError as error:
            packages = " and ".join(point.dist.name if point.dist is not None else point.value for point in same)
            refused[name] = f"the game {quoted(name)} of {packages} is left out: {error}"
    return _Offered(games, refused)


class _RefusedError(Exception):
    """A game of another package cannot be played: it has a mistake, or was installed wrongly."""


def _loaded(points: Sequence[EntryPoint]) -> AnyGame:
    """Return the game of the entry points of one name."""
    name, value = points[0].name, points[0].value
    if name in _OWN_GAMES:
        raise _RefusedError("Ordago has a game of this name; the package has to give it another one")
    if not _NAME.fullmatch(name) or name == "other":
        raise _RefusedError("a name is at most 32 small letters and digits, a letter first, and not 'other'")
    if len(points) > 1:
        raise _RefusedError("all of them offer a game of this name; uninstall all but one")
    try:
        game = points[0].load()
        called = game.rules.name if isinstance(game, Game) else None
    # Whatever a package does wrong, all other games can be played.
    except (Exception, SystemExit) as error:
        raise _RefusedError(f"{value} cannot be loaded ({type(error).__name__}: {error})") from error
    if called != name:
        found = f"a game called {called!r}" if called is not None else f"of the type {type(game).__name__}"
        raise _RefusedError(f"{value} is {found}, and has to be a Game called {name!r}")
    return cast(AnyGame, game)
