"""What the pages of a ladder ask for, and what is told where there is no answer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago_web.answers import http_status
from ordago_web.context import AppContext
from ordago_web.ladder.matches import SeasonRow, season_row
from ordago_web.ladder.places import Link, game_link, place_with
from ordago_web.parameters import ParameterError, request_of

AnswerT = TypeVar("AnswerT", bound=Message)
RequestT = TypeVar("RequestT", bound=Message)


@contextmanager
def told_to_people() -> Iterator[None]:
    """Turn what stands against an answer into a page that says so."""
    try:
        yield
    except ParameterError as error:
        raise HTTPException(400, str(error)) from None
    except CallError as error:
        raise HTTPException(http_status(error.status), str(error)) from None


def wanted(kind: type[RequestT], request: Request, **fixed: str) -> RequestT:
    """Return the request that the address of a page makes: of its query, and of what is fixed, by names of JSON.

    What is empty in a query stands for nothing: so forms send what nobody filled in.

    Raises:
        ParameterError: no request can be made of it.
    """
    given = [(name, text) for name, text in request.query_params.multi_items() if text]
    return request_of(kind, [*given, *fixed.items()])


def chosen(request: Request, *names: str) -> dict[str, str]:
    """Return what a query says of some names, empty where it says nothing."""
    return {name: request.query_params.get(name, "") for name in names}


def further_places(request: Request, next_token: str) -> tuple[str, str]:
    """Return the addresses of the first page of a list, if this is another, and of the next one, if there is one."""
    parameters = {name: text for name, text in request.query_params.items() if name != "pageToken"}
    first = place_with(request.url.path, **parameters) if request.query_params.get("pageToken") else ""
    return first, place_with(request.url.path, **parameters, pageToken=next_token) if next_token else ""


def game_links(ladder: v1.GetLadderResponse, **parameters: str) -> list[tuple[Link, str]]:
    """Return the games of a ladder behind all of them together, each with its short name, as its ladder is linked."""
    games = [(Link("", place_with("/", **parameters)), "")]
    for game in ladder.games:
        link = game_link(game.game)
        games.append((Link(link.text, place_with(link.place, **parameters)), game.game))
    return games


def season_rows(answer: v1.ListSeasonsResponse) -> Sequence[SeasonRow]:
    """Return the seasons, the newest first."""
    return [season_row(season) for season in answer.seasons]


def season_shown(asked: str, ladder: v1.GetLadderResponse) -> str:
    """Return the season that a page is about."""
    return visible(asked or ladder.season)


class Asking:
    """Asks the ladder of a house."""

    def __init__(self, context: AppContext) -> None:
        """Ask the ladder of this house."""
        self._context = context

    async def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request of the contract.

        Raises:
            CallError: there is none.
        """
        if self._context.ladder is None:
            raise CallError("NOT_FOUND", "This site shows no ladder.")
        return await self._context.ladder.ask(request, answer)

    async def ladder(self) -> v1.GetLadderResponse:
        """Return the ladder.

        Raises:
            CallError: it cannot be had.
        """
        return await self.ask(v1.GetLadderRequest(), v1.GetLadderResponse)

    async def seasons(self) -> v1.ListSeasonsResponse:
        """Return the seasons, the newest first.

        Raises:
            CallError: they cannot be had.
        """
        return await self.ask(v1.ListSeasonsRequest(), v1.ListSeasonsResponse)


async def course(asking: Asking, name: str, game: str, season: str) -> tuple[str, Sequence[v1.RatingPoint]]:
    """Return how the rating of a bot went, by its version that played last, with its name as it is shown."""
    bot = await asking.ask(v1.GetBotRequest(name=name, season=season), v1.GetBotResponse)
    current = next((version for version in bot.versions if version.player.current), bot.versions[0])
    return visible(name), await course_of(asking, current, game, season)


async def course_of(asking: Asking, version: v1.BotVersion, game: str, season: str) -> Sequence[v1.RatingPoint]:
    """Return how the rating of a version went; nothing where it has none."""
    if game not in [rating.game for rating in version.ratings]:
        return ()
    asked = v1.GetRatingCourseRequest(player=version.player.player, game=game, season=season)
    return (await asking.ask(asked, v1.GetRatingCourseResponse)).points
