"""Queries of the ladder pages, and the errors that they show."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago.scene import english
from ordago_web.answers import http_status
from ordago_web.context import AppContext
from ordago_web.ladder.matches import MatchRow, SeasonRow, is_seen_out, match_row, opening, season_row
from ordago_web.ladder.places import Link, Time, game_link, place_with
from ordago_web.parameters import ParameterError, request_of

AnswerT = TypeVar("AnswerT", bound=Message)
RequestT = TypeVar("RequestT", bound=Message)
_MOST_PROPOSED: Final = 500
"""The most rows of one answer: 20 KB of a page."""


@contextmanager
def errors_as_pages() -> Iterator[None]:
    """Turn errors of parameters and calls into error pages."""
    try:
        yield
    except ParameterError as error:
        raise HTTPException(400, str(error)) from None
    except CallError as error:
        raise HTTPException(http_status(error.status), str(error)) from None


def wanted(kind: type[RequestT], request: Request, **fixed: str) -> RequestT:
    """Build the request of a page from its query and from fixed values, by the names of fields in JSON.

    Empty values in a query are ignored, since forms send every field.

    Raises:
        ParameterError: the query has an unknown or bad parameter.
    """
    given = [(name, text) for name, text in request.query_params.multi_items() if text]
    return request_of(kind, [*given, *fixed.items()])


def chosen(request: Request, *names: str) -> dict[str, str]:
    """Return the values of some names in a query, empty for absent ones."""
    return {name: request.query_params.get(name, "") for name in names}


def further_places(request: Request, next_token: str) -> tuple[str, str]:
    """Return the addresses of the first and next page of a list, empty if this is the first or the last one."""
    parameters = {name: text for name, text in request.query_params.items() if name != "pageToken"}
    first = place_with(request.url.path, **parameters) if request.query_params.get("pageToken") else ""
    return first, place_with(request.url.path, **parameters, pageToken=next_token) if next_token else ""


def game_links(ladder: v1.GetLadderResponse, **parameters: str) -> list[tuple[Link, str]]:
    """Return the links to all games together and to each game of a ladder, with the short names of the games."""
    games = [(Link("", place_with("/", **parameters)), "")]
    for game in ladder.games:
        link = game_link(game.game)
        games.append((Link(link.text, place_with(link.place, **parameters)), game.game))
    return games


def season_rows(answer: v1.ListSeasonsResponse) -> Sequence[SeasonRow]:
    """Return the rows of the seasons, newest first."""
    return [season_row(season) for season in answer.seasons]


def season_shown(asked: str, ladder: v1.GetLadderResponse) -> str:
    """Return the season that a page shows."""
    return visible(asked or ladder.season)


class Asking:
    """Asks the ladder of the site."""

    def __init__(self, context: AppContext) -> None:
        """Use the ladder of this site."""
        self._context = context

    async def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request.

        Raises:
            CallError: the server refused it or is away, or the site has no ladder.
        """
        if self._context.ladder is None:
            raise CallError("NOT_FOUND", english("This site shows no ladder."))
        return await self._context.ladder.ask(request, answer)

    async def ladder(self) -> v1.GetLadderResponse:
        """Return the ladder.

        Raises:
            CallError: the server is away, or the site has no ladder.
        """
        return await self.ask(v1.GetLadderRequest(), v1.GetLadderResponse)

    async def seasons(self) -> v1.ListSeasonsResponse:
        """Return the seasons, newest first.

        Raises:
            CallError: the server is away, or the site has no ladder.
        """
        return await self.ask(v1.ListSeasonsRequest(), v1.ListSeasonsResponse)

    async def names(self) -> list[str]:
        """Return the names of the first 500 bots of the ladder, which fields propose; they take any other as well.

        Raises:
            CallError: the server is away, or the site has no ladder.
        """
        asked = v1.ListStandingsRequest(current_only=True, page_size=_MOST_PROPOSED)
        answer = await self.ask(asked, v1.ListStandingsResponse)
        return [standing.player.name for standing in answer.standings]

    async def opening(self, epoch: int) -> Time | None:
        """Return about when the records of an epoch open; ``None`` if only its last matches have to end.

        Raises:
            CallError: the server is away, or the site has no ladder.
        """
        newest = await self.ask(v1.ListEpochsRequest(page_size=1), v1.ListEpochsResponse)
        ladder, now = await self.ladder(), self._context.now()
        return next((opening(each, ladder, now=now) for each in newest.epochs if each.epoch == epoch), None)

    async def small_tables(self) -> Sequence[MatchRow]:
        """Return the matches that are shown small; none at a site without live tables.

        Raises:
            CallError: the server is away.
        """
        small = self._context.small_tables
        return [match_row(match) for match in await small.matches()] if small is not None else ()

    async def is_seen_out(self, match: v1.LadderMatch) -> bool:
        """Return True if a match is over, and its end has been shown to spectators.

        Raises:
            CallError: the server is away, or the site has no ladder.
        """
        return is_seen_out(match, await self.ladder(), now=self._context.now())


async def course(asking: Asking, name: str, game: str, season: str) -> tuple[str, Sequence[v1.RatingPoint]]:
    """Return the visible name of a bot and the rating history of its current version."""
    bot = await asking.ask(v1.GetBotRequest(name=name, season=season), v1.GetBotResponse)
    current = next((version for version in bot.versions if version.player.current), bot.versions[0])
    return visible(name), await course_of(asking, current, game, season)


async def course_of(asking: Asking, version: v1.BotVersion, game: str, season: str) -> Sequence[v1.RatingPoint]:
    """Return the rating history of a version; empty if it has no rating."""
    if game not in [rating.game for rating in version.ratings]:
        return ()
    asked = v1.GetRatingCourseRequest(player=version.player.player, game=game, season=season)
    return (await asking.ask(asked, v1.GetRatingCourseResponse)).points
