"""How the matches of a ladder are listed, newest first, page by page, at a cost that does not grow with the ladder.

A listing is merged from runs of an index that each are in its order already: one for all matches, one for a game, or
one for each player and game. Of each no more is read than a page.
"""

import base64
import binascii
import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, Table, exists, func, select, tuple_

from ordago.store import ladder_tables as tables
from ordago.store.errors import PageTokenError
from ordago.store.ladder_rows import LadderMatch, MatchFilter

Key: TypeAlias = tuple[int, int]
"""The epoch of a match, and its number in it."""
_Keys: TypeAlias = Select[tuple[int, int]]
_LAST: Final[Key] = (2**31 - 1, 2**31 - 1)
"""Behind all keys that there can be."""


def page_token(key: Key) -> str:
    """Return the token of the page that begins below a key."""
    return base64.urlsafe_b64encode(f"{key[0]}.{key[1]}".encode()).decode()


def token_key(token: str) -> Key:
    """Return the key below which the page of a token begins.

    Raises:
        PageTokenError: it is no token.
    """
    if not token:
        return _LAST
    try:
        epoch, number = map(int, base64.b64decode(token, altchars=b"-_", validate=True).split(b"."))
        key = (epoch, number)
    except (binascii.Error, ValueError):
        key = (-1, -1)
    if page_token(key) != token or not (0,) * 2 <= key < _LAST:
        raise PageTokenError("This page token was not given for a listing of matches: begin with the first page.")
    return key


def listed_keys(connection: Connection, wanted: MatchFilter, *, below: Key, size: int) -> list[Key]:
    """Return the keys of the matches that are wanted, newest first, as many as there are up to a size."""
    players = _players(connection, wanted)
    if wanted.running:
        runs = [_running(wanted, players)]
    elif players is not None:
        games = _games(connection) if wanted.game is None else [wanted.game]
        runs = [_of_player(player, game) for player in players for game in games]
    else:
        runs = [_of_game(wanted.game)]
    found = (_read(connection, run, wanted, below=below, size=size) for run in runs)
    merged = heapq.merge(*found, reverse=True)
    return [key for key, _ in islice(groupby(merged), size)]


def matches_of(connection: Connection, keys: Sequence[Key]) -> list[LadderMatch]:
    """Return the matches of some keys, in their order."""
    found = {}
    for start in range(0, len(keys), 100):
        some = keys[start : start + 100]
        columns = [*tables.matches.c, *(tables.results.c[name] for name in ("position", *tables.RESULT_COLUMNS))]
        source = tables.matches.outerjoin(tables.results).outerjoin(tables.voids, _same(tables.voids, tables.matches))
        chosen = select(*columns, tables.voids.c.reason).select_from(source)
        for row in connection.execute(chosen.where(_key_of(tables.matches).in_(some))):
            outcome = None if row.position is None else tables.result_of(row)
            found[row.epoch, row.number] = LadderMatch(tables.seating_of(row), outcome, row.reason)
    return [found[key] for key in keys]


def _players(connection: Connection, wanted: MatchFilter) -> list[int] | None:
    """Return the players of whom one has to be at the table; ``None`` where it may be anybody."""
    table = tables.players
    conditions = [
        column == value
        for column, value in (
            (table.c.player, wanted.player),
            (table.c.name, wanted.bot),
            (table.c.account, wanted.account),
        )
        if value is not None
    ]
    if not conditions:
        return None
    return list(connection.scalars(select(table.c.player).where(*conditions)))


def _games(connection: Connection) -> list[str]:
    """Return the games of which there are matches, each found at the end of the one before in the index."""
    games: list[str] = []
    while True:
        game = connection.scalar(
            select(func.min(tables.matches.c.game)).where(tables.matches.c.game > "".join(games[-1:]))
        )
        if game is None:
            return games
        games.append(game)


def _key_of(table: Table) -> ColumnElement[Any]:
    return tuple_(table.c.epoch, table.c.number)


def _same(one: Table, other: Table) -> ColumnElement[bool]:
    return (one.c.epoch == other.c.epoch) & (one.c.number == other.c.number)


def _of_player(player: int, game: str) -> tuple[Table, _Keys]:
    table = tables.seats
    return table, select(table.c.epoch, table.c.number).where(table.c.player == player, table.c.game == game)


def _of_game(game: str | None) -> tuple[Table, _Keys]:
    table = tables.matches
    chosen = select(table.c.epoch, table.c.number)
    return table, chosen if game is None else chosen.where(table.c.game == game)


def _running(wanted: MatchFilter, players: list[int] | None) -> tuple[Table, _Keys]:
    table = tables.running
    chosen = select(table.c.epoch, table.c.number).join(tables.matches)
    if wanted.game is not None:
        chosen = chosen.where(tables.matches.c.game == wanted.game)
    if players is not None:
        seats = tables.seats
        here = (seats.c.game == tables.matches.c.game) & _same(seats, tables.matches)
        chosen = chosen.where(exists().where(seats.c.player.in_(players), here))
    return table, chosen


def _read(
    connection: Connection, run: tuple[Table, _Keys], wanted: MatchFilter, *, below: Key, size: int
) -> Iterator[Key]:
    table, chosen = run
    chosen = chosen.where(_key_of(table) < below)
    if wanted.epoch is not None:
        chosen = chosen.where(table.c.epoch == wanted.epoch)
    if wanted.running is False:
        chosen = chosen.where(~exists().where(_same(tables.running, table)))
    rows = connection.execute(chosen.order_by(table.c.epoch.desc(), table.c.number.desc()).limit(size))
    return ((row.epoch, row.number) for row in rows.all())
