"""Values for the pages of bots, authors and comparisons, converted from answers of the server."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ordago import v1
from ordago.names import visible
from ordago_ladder.pages.figures import score
from ordago_ladder.rating.known import Known
from ordago_web.ladder.places import Link, Time, author_link, bot_link, game_link, place_with, time_of
from ordago_web.ladder.standings import known_rating, language_of


class Figure(NamedTuple):
    """A formatted rating."""

    known: Known
    """The rating, as far as it is known."""
    matches: int
    provisional: bool


class VersionRow(NamedTuple):
    """A version of a bot."""

    version: str
    build: str
    language: str
    first_seen: Time | None
    current: bool
    ratings: Sequence[Figure | None]
    """In the order of the columns; ``None`` for no rating."""


class VersionTable(NamedTuple):
    """The versions of a bot, newest first."""

    games: Sequence[Link | None]
    """The games of the columns; ``None`` for all games together."""
    rows: Sequence[VersionRow]


class Pairings(NamedTuple):
    """The counts of pairings with others: ahead, level, behind, and as partners."""

    ahead: int
    level: int
    behind: int
    partners: int = 0

    @property
    def score(self) -> float | None:
        """The share of points, from 0 to 1; ``None`` before the first pairing."""
        played = self.ahead + self.level + self.behind
        return (self.ahead + self.level / 2) / played if played else None


class SeatRow(NamedTuple):
    """The results of a bot at one seat."""

    seat: int
    """Counted from 1."""
    matches: int
    mean_score: str
    pairings: Pairings


class OtherRow(NamedTuple):
    """The results of a bot against another."""

    bot: Link
    compare: str
    pairings: Pairings


class GameFigures(NamedTuple):
    """The results of a bot in one game."""

    game: Link
    matches: int
    pairings: Pairings
    seats: Sequence[SeatRow]
    others: Sequence[OtherRow]
    faults: Sequence[tuple[str, int]]
    strikes: int
    forfeits: int
    times: v1.TimeFigures | None
    """The thinking times; ``None`` if no record is open."""


class BotRow(NamedTuple):
    """A bot of an author, with its overall rank."""

    bot: Link
    version: str
    rank: int
    rating: Figure


class CompareRow(NamedTuple):
    """The results of two bots against each other in one game."""

    game: Link
    pairings: Pairings


def version_table(bot: v1.GetBotResponse) -> VersionTable:
    """Build the table of the versions of a bot and their ratings."""
    games = sorted({rating.game for version in bot.versions for rating in version.ratings})
    return VersionTable(
        games=[game_link(game) if game else None for game in games],
        rows=[_version(version, games) for version in bot.versions],
    )


def _version(version: v1.BotVersion, games: Sequence[str]) -> VersionRow:
    player, rated = version.player, {rating.game: rating.rating for rating in version.ratings}
    return VersionRow(
        version=visible(player.version),
        build=visible(player.build),
        language=language_of(player.sdk),
        first_seen=time_of(player.first_seen),
        current=player.current,
        ratings=[_figure(rated[game]) if game in rated else None for game in games],
    )


def _figure(rating: v1.Rating) -> Figure:
    return Figure(known_rating(rating), rating.matches, rating.provisional)


def figures_of(name: str, answer: v1.GetBotFiguresResponse) -> list[GameFigures]:
    """Convert the results of a bot in each game."""
    return [_game_figures(name, figures) for figures in answer.games]


def _game_figures(name: str, figures: v1.BotFigures) -> GameFigures:
    return GameFigures(
        game=game_link(figures.game),
        matches=figures.matches,
        pairings=_sum(seat.pairings for seat in figures.seats),
        seats=[_seat(seat, figures.game) for seat in figures.seats],
        others=[_other(name, other) for other in figures.others],
        faults=[(visible(fault.fault).replace("_", " "), fault.decisions) for fault in figures.faults],
        strikes=figures.strikes,
        forfeits=figures.forfeits,
        times=figures.times if figures.HasField("times") else None,
    )


def _seat(seat: v1.SeatFigures, game: str) -> SeatRow:
    return SeatRow(seat.seat + 1, seat.matches, score(seat.mean_score, game, decimals=1), _pairings(seat.pairings))


def _other(name: str, other: v1.OpponentFigures) -> OtherRow:
    compare = place_with("/compare", first=name, second=other.name)
    return OtherRow(bot_link(other.name), compare, _pairings(other.pairings))


def _pairings(found: v1.PairingFigures) -> Pairings:
    return Pairings(found.ahead, found.level, found.behind, found.partners)


def _sum(pairings: Iterable[v1.PairingFigures]) -> Pairings:
    return Pairings(*map(sum, zip(*map(_pairings, pairings), strict=True)))


def author_rows(standings: Iterable[v1.Standing]) -> list[BotRow]:
    """Convert the standings of an author to rows, each bot by its current version."""
    return [
        BotRow(bot_link(one.player.name), visible(one.player.version), one.rank, _figure(one.rating))
        for one in standings
    ]


def owner_of(bot: v1.GetBotResponse) -> Iterator[Link]:
    """Yield links to the authors of all versions of a bot, each once."""
    accounts = dict.fromkeys(version.player.account for version in bot.versions if version.player.account)
    yield from map(author_link, accounts)


def compare_rows(answer: v1.GetHeadToHeadResponse) -> list[CompareRow]:
    """Convert the results of two bots, for each game in which they met."""
    found = (
        CompareRow(game_link(one.game), Pairings(one.first_ahead, one.level, one.second_ahead, one.partners))
        for one in answer.games
    )
    return [row for row in found if any(row.pairings)]


def in_all(rows: Sequence[CompareRow]) -> Pairings:
    """Return the sum of the results in all games."""
    return Pairings(*map(sum, zip(*(row.pairings for row in rows), strict=True))) if rows else Pairings(0, 0, 0)
