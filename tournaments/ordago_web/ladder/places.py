"""Where the pages of a ladder are, and how names of strangers are shown on them."""

from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, urlencode

from ordago.games import UnknownGameError, find_game
from ordago.names import visible


class Link(NamedTuple):
    """Somebody, or something, that a page tells of."""

    text: str
    place: str
    """Where it is told of. Empty: nowhere."""


class Time(NamedTuple):
    """A time, in UTC."""

    iso: str
    text: str


def bot_link(name: str) -> Link:
    """Return a bot."""
    return Link(visible(name), bot_place(name))


def bot_place(name: str) -> str:
    """Return the address of a bot."""
    # A browser takes a path of dots for a way up, however it is written.
    return f"/bots?{urlencode({'name': name})}" if name in (".", "..") else f"/bots/{quote(name, safe='')}"


def author_link(account: str) -> Link:
    """Return an author; a house bot has none."""
    return Link(visible(account), f"/authors/{quote(account, safe='')}" if account else "")


def match_place(match_id: str) -> str:
    """Return the address of a match."""
    return f"/matches/{quote(match_id, safe='')}"


def game_link(game: str) -> Link:
    """Return a game by its title; one that nobody knows any more by its short name."""
    try:
        title = find_game(game).rules.title
    except UnknownGameError:
        title = visible(game)
    return Link(title, f"/games/{quote(game, safe='')}")


def place_with(path: str, **parameters: str | int | None) -> str:
    """Return an address with those of some parameters that are not empty."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


def time_of(seconds: int) -> Time | None:
    """Return a time in seconds since 1970; ``None`` for zero, which stands for none."""
    if not seconds:
        return None
    at = datetime.fromtimestamp(seconds, UTC)
    return Time(at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%Y-%m-%d %H:%M"))
