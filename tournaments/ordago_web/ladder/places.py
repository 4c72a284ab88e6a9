"""Addresses of the ladder pages, and links with safe names."""

from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, urlencode

from ordago.games import UnknownGameError, find_game
from ordago.names import visible


class Link(NamedTuple):
    """A name on a page, with its link."""

    text: str
    place: str
    """The address of the link; empty for none."""


class Time(NamedTuple):
    """A time, in UTC."""

    iso: str
    text: str


def bot_link(name: str) -> Link:
    """Return the link to a bot."""
    return Link(visible(name), bot_place(name))


def bot_place(name: str) -> str:
    """Return the address of a bot's page."""
    # Browsers resolve a path of dots to its parent, even if it is percent-encoded.
    return f"/bots?{urlencode({'name': name})}" if name in (".", "..") else f"/bots/{quote(name, safe='')}"


def author_link(account: str) -> Link:
    """Return the link to an author. The account of a house bot is empty, and so is its link."""
    return Link(visible(account), f"/authors/{quote(account, safe='')}" if account else "")


def match_place(match_id: str) -> str:
    """Return the address of a match."""
    return f"/matches/{quote(match_id, safe='')}"


def game_link(game: str) -> Link:
    """Return the link to a game, with its title, or its short name if this version no longer has the game."""
    try:
        title = find_game(game).rules.title
    except UnknownGameError:
        title = visible(game)
    return Link(title, f"/games/{quote(game, safe='')}")


def place_with(path: str, **parameters: str | int | None) -> str:
    """Return a path with those parameters that are not empty."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


def time_of(seconds: int) -> Time | None:
    """Convert seconds since 1970; ``None`` for zero, which means no time."""
    if not seconds:
        return None
    at = datetime.fromtimestamp(seconds, UTC)
    return Time(at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%Y-%m-%d %H:%M"))
