"""List the matches of a ladder, newest first, page by page, at a cost that does not grow with the ladder.

A listing is merged from runs of an index, each of them in the order of the listing: one run for all matches, one for a
game, or one for each player and game. At most a page is read of each run.
"""

import heapq
from collections.abc import Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

from sqlalchemy import Column, Connection, Select, exists, func, select

from ordago.store.errors import PageTokenError
from ordago.store.ladder import schema as tables
from ordago.store.ladder.rows import LadderMatch, LadderResult, MatchFilter

_TOKEN_BYTES: Final = 12
"""A token is as long as those of the other lists of a ladder, so that one pattern describes all of them to clients."""
_MOST_SERIAL: Final = 2**31 - 1
"""Greater than any serial number in use: the column holds 32-bit integers."""
_VALUES_A_STATEMENT: Final = 500
"""Databases limit the number of values in one statement."""


class _Run(NamedTuple):
    """A part of an index with serial numbers in order."""

    serial: Column[int]
    chosen: Select[tuple[int]]


def page_token(serial: int) -> str:
    """Return the token of the page that begins below a match: 24 hexadecimal digits, as those of all lists."""
    return serial.to_bytes(_TOKEN_BYTES).hex()


def token_serial(token: str) -> int:
    """Return the serial number below which the page of a token begins. Every token of that form has one.

    Raises:
        PageTokenError: it is no token.
    """
    if not token:
        return _MOST_SERIAL
    try:
        serial = bytes.fromhex(token)
    except ValueError:
        serial = b""
    if len(serial) != _TOKEN_BYTES:
        raise PageTokenError("The page token is not one of a list of matches: begin with the first page.")
    return min(int.from_bytes(serial), _MOST_SERIAL)


def listed(connection: Connection, wanted: MatchFilter, *, below: int, size: int) -> list[int]:
    """Return the serial numbers of the matches that are wanted, newest first, as many as there are up to a size."""
    first, end = 0, below
    if wanted.epoch is not None:
        first, end = _epoch_range(connection, wanted.epoch, below=below)
    players = _players(connection, wanted)
    if wanted.running:
        return _running(connection, wanted, players, first=first, end=end)[:size]
    runs = _runs(connection, wanted, players)
    return _merged(connection, runs, first=first, end=end, ended=wanted.running is False, size=size)


def latest_results(connection: Connection, *, size: int) -> list[int]:
    """Return the serial numbers of matches with a result, the one that ended last first, up to a size."""
    columns = tables.results.c
    return list(connection.scalars(select(columns.serial).order_by(columns.position.desc()).limit(size)))


def newest_ended(
    connection: Connection, players: Sequence[int], *, epochs: tuple[int, int], size: int
) -> list[LadderMatch]:
    """Return the newest matches of some players that have come to an end, as many as there are up to a size.

    Only matches that began in a range of epochs are searched, including void ones.
    """
    first, _ = _epoch_range(connection, epochs[0], below=_MOST_SERIAL)
    _, end = _epoch_range(connection, epochs[1], below=_MOST_SERIAL)
    runs = [_of_player(player, game) for player in players for game in _games(connection)]
    return matches_of(connection, _merged(connection, runs, first=first, end=end, ended=True, size=size))


def matches_of(connection: Connection, serials: Sequence[int]) -> list[LadderMatch]:
    """Return the matches of some serial numbers, in their order."""
    serial = tables.matches.c.serial
    source = (
        tables.matches.outerjoin(tables.results)
        .outerjoin(tables.voids, tables.voids.c.serial == serial)
        .outerjoin(tables.running, tables.running.c.serial == serial)
        .outerjoin(tables.lanes, tables.lanes.c.lane == tables.running.c.lane)
    )
    chosen = select(*tables.WITH_RESULT, tables.voids.c.reason, tables.lanes.c.name.label("lane")).select_from(source)
    found = {}
    for start in range(0, len(serials), _VALUES_A_STATEMENT):
        some = serials[start : start + _VALUES_A_STATEMENT]
        for row in connection.execute(chosen.where(serial.in_(some))):
            outcome = None if row.position is None else tables.result_of(row)
            found[row.serial] = LadderMatch(tables.seating_of(row), outcome, row.reason, row.lane or "")
    return [found[serial] for serial in serials]


def _players(connection: Connection, wanted: MatchFilter) -> list[int] | None:
    """Return the players, one of whom has to be at the table; ``None`` for any."""
    columns = tables.players.c
    wishes = [(columns.player, wanted.player), (columns.name, wanted.bot), (columns.account, wanted.account)]
    conditions = [column == value for column, value in wishes if value is not None]
    return list(connection.scalars(select(columns.player).where(*conditions))) if conditions else None


def _runs(connection: Connection, wanted: MatchFilter, players: Sequence[int] | None) -> list[_Run]:
    if players is None:
        return [_of_game(wanted.game)]
    games = _games(connection) if wanted.game is None else [wanted.game]
    return [_of_player(player, game) for player in players for game in games]


def _games(connection: Connection) -> list[str]:
    """Return the games with matches, each found in the index after the end of the one before."""
    column = tables.matches.c.game
    games: list[str] = []
    after = ""
    while (game := connection.scalar(select(func.min(column)).where(column > after))) is not None:
        games.append(game)
        after = game
    return games


def _epoch_range(connection: Connection, epoch: int, *, below: int) -> tuple[int, int]:
    """Return the serial numbers at which an epoch begins and ends, none where there is no such epoch."""
    columns = tables.epochs.c
    row = connection.execute(select(columns.first_serial, columns.matches).where(columns.epoch == epoch)).first()
    return (row.first_serial, min(below, row.first_serial + row.matches)) if row else (0, 0)


def _of_player(player: int, game: str) -> _Run:
    columns = tables.seats.c
    return _Run(columns.serial, select(columns.serial).where(columns.player == player, columns.game == game))


def _of_game(game: str | None) -> _Run:
    columns = tables.matches.c
    chosen = select(columns.serial)
    return _Run(columns.serial, chosen if game is None else chosen.where(columns.game == game))


def _running(
    connection: Connection, wanted: MatchFilter, players: Sequence[int] | None, *, first: int, end: int
) -> list[int]:
    """Return the running matches that fit a filter. All running ones are searched."""
    columns = tables.matches.c
    chosen = select(columns.serial, columns.game, columns.players).join(tables.running)
    chosen = chosen.where(tables.running.c.serial >= first, tables.running.c.serial < end)
    rows = connection.execute(chosen.order_by(tables.running.c.serial.desc()))
    seated = None if players is None else set(map(str, players))
    return [
        row.serial
        for row in rows
        if wanted.game in (None, row.game) and (seated is None or not seated.isdisjoint(row.players.split()))
    ]


def _merged(connection: Connection, runs: Sequence[_Run], *, first: int, end: int, ended: bool, size: int) -> list[int]:
    """Return the newest of all runs that begin in a range, each once."""
    found = (_read(connection, run, first=first, end=end, ended=ended, size=size) for run in runs)
    return [serial for serial, _ in islice(groupby(heapq.merge(*found, reverse=True)), size)]


def _read(connection: Connection, run: _Run, *, first: int, end: int, ended: bool, size: int) -> list[int]:
    """Read the newest matches of a run that begin in a range: all, or only those that have ended."""
    chosen = run.chosen.where(run.serial >= first, run.serial < end)
    if ended:
        chosen = chosen.where(~exists().where(tables.running.c.serial == run.serial))
    rows = connection.execute(chosen.order_by(run.serial.desc()).limit(size))
    return [row.serial for row in rows]


def meetings_of(
    connection: Connection, first: Sequence[int], second: Sequence[int], *, epochs: tuple[int, int], most: int
) -> list[LadderResult]:
    """Return the newest results of rated matches, in epochs from one to another, in which both had a player."""
    mine, theirs = tables.seats.alias(), tables.seats.alias()
    together = (mine.c.game == theirs.c.game) & (mine.c.serial == theirs.c.serial)
    serials = (
        select(mine.c.serial)
        .distinct()
        .join_from(mine, theirs, together)
        .where(mine.c.player.in_(first), theirs.c.player.in_(second))
    )
    chosen = (
        select(*tables.WITH_RESULT)
        .join_from(tables.results, tables.matches)
        .where(tables.results.c.serial.in_(serials), tables.matches.c.epoch.between(*epochs))
        .where(tables.matches.c.unrated.is_(False))
        .order_by(tables.results.c.serial.desc())
        .limit(most)
    )
    return [tables.result_of(row) for row in connection.execute(chosen)]
