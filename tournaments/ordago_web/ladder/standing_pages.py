"""The pages of standings, likelihoods, rating histories, epochs and seasons."""

from collections.abc import Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ordago import v1
from ordago.games import UnknownGameError, find_game
from ordago.names import MAX_NAME_LENGTH, quoted, visible
from ordago.scene import english
from ordago_web.context import AppContext
from ordago_web.ladder.asking import (
    Asking,
    chosen,
    course,
    errors_as_pages,
    further_places,
    game_links,
    season_rows,
    season_shown,
    wanted,
)
from ordago_web.ladder.matches import epoch_row
from ordago_web.ladder.places import Link, game_link, place_with, time_of
from ordago_web.ladder.rating_curves import MOST_LINES, course_chart
from ordago_web.ladder.standings import standings_table, superiority

_USUAL_ROWS: Final = "100"
_MOST_COMPARED: Final = "40"
"""The number of bots compared with each other on one page."""
_USUAL_LINES: Final = 5


class StandingPages:
    """Pages about all bots of a ladder."""

    def __init__(self, context: AppContext, asking: Asking) -> None:
        """Render pages from the answers of the ladder."""
        self._context = context
        self._asking = asking

    def routes(self) -> Sequence[Route]:
        """Return the routes of these pages."""
        return [
            Route("/", self.standings),
            Route("/games/{game}", self.standings),
            Route("/likelihoods", self.likelihoods),
            Route("/courses", self.courses),
            Route("/epochs", self.epochs),
            Route("/seasons", self.seasons),
            Route("/status", self.status),
        ]

    async def standings(self, request: Request) -> Response:
        """Show the standings, of all games or of one."""
        game = request.path_params.get("game", "")
        with errors_as_pages():
            fixed = {"currentOnly": "true", **({"game": game} if game else {})}
            if "pageSize" not in request.query_params:
                fixed["pageSize"] = _USUAL_ROWS
            asked = wanted(v1.ListStandingsRequest, request, **fixed)
            ladder = await self._ladder_with(game)
            answer = await self._asking.ask(asked, v1.ListStandingsResponse)
            seasons = await self._asking.seasons()
            is_start = not (game or request.query_params)
            tables = await self._asking.small_tables() if is_start else ()
        first, next_page = further_places(request, answer.next_page_token)
        return self._context.pages.render(
            request,
            "ladder/standings.html.jinja",
            ladder=_shown(ladder),
            table=standings_table(answer.standings),
            tables=tables,
            asked=asked,
            first=first,
            next=next_page,
            running_place=place_with("/matches", running="true", game=game),
            seasons=season_rows(seasons),
            chosen=chosen(request, "house", "provisional"),
            **_about(ladder, game, asked.season),
        )

    async def likelihoods(self, request: Request) -> Response:
        """Show the likelihoods that one bot is better than another."""
        with errors_as_pages():
            asked = wanted(v1.ListStandingsRequest, request, currentOnly="true", pageSize=_MOST_COMPARED)
            ladder = await self._ladder_with(asked.game)
            answer = await self._asking.ask(asked, v1.ListStandingsResponse)
            names = await self._asking.names()
        first, next_page = further_places(request, answer.next_page_token)
        return self._context.pages.render(
            request,
            "ladder/likelihoods.html.jinja",
            names=names,
            table=superiority(answer.standings),
            first=first,
            next=next_page,
            **_about(ladder, asked.game, asked.season, path="/likelihoods"),
        )

    async def courses(self, request: Request) -> Response:
        """Show the rating histories of the named bots, or of the first five on the ladder."""
        names = [name for name in request.query_params.getlist("bot") if name]
        game, season = request.query_params.get("game", ""), request.query_params.get("season", "")
        if len(names) > MOST_LINES or any(len(name) > MAX_NAME_LENGTH for name in names):
            raise HTTPException(
                400,
                english(
                    "A page compares at most {number} bots, with names of at most 64 characters.", number=MOST_LINES
                ),
            )
        with errors_as_pages():
            ladder = await self._ladder_with(game)
            top = v1.ListStandingsRequest(game=game, season=season, current_only=True, page_size=_USUAL_LINES)
            if not names:
                names = [
                    standing.player.name
                    for standing in (await self._asking.ask(top, v1.ListStandingsResponse)).standings
                ]
            courses = [await course(self._asking, name, game, season) for name in dict.fromkeys(names)]
            seasons = await self._asking.seasons()
        return self._context.pages.render(
            request,
            "ladder/courses.html.jinja",
            chart=course_chart(courses),
            names=[*names, ""][:MOST_LINES],
            seasons=season_rows(seasons),
            **_about(ladder, game, season, path="/courses"),
        )

    async def epochs(self, request: Request) -> Response:
        """Show the epochs with their commitments and revealed secrets."""
        with errors_as_pages():
            answer = await self._asking.ask(wanted(v1.ListEpochsRequest, request), v1.ListEpochsResponse)
            ladder = await self._asking.ladder()
        first, next_page = further_places(request, answer.next_page_token)
        epochs = [epoch_row(epoch, ladder, now=self._context.now()) for epoch in answer.epochs]
        anchor = ladder.anchor.hex()
        return self._context.pages.render(
            request, "ladder/epochs.html.jinja", epochs=epochs, anchor=anchor, first=first, next=next_page
        )

    async def seasons(self, request: Request) -> Response:
        """Show the seasons."""
        with errors_as_pages():
            answer = await self._asking.ask(wanted(v1.ListSeasonsRequest, request), v1.ListSeasonsResponse)
        first, next_page = further_places(request, answer.next_page_token)
        seasons = season_rows(answer)
        return self._context.pages.render(
            request, "ladder/seasons.html.jinja", seasons=seasons, first=first, next=next_page
        )

    async def status(self, request: Request) -> Response:
        """Show whether the server works; an error page with status 503 once it has not answered for two minutes."""
        with errors_as_pages():
            server = await self._asking.ask(v1.GetStatusRequest(), v1.GetStatusResponse)
        return self._context.pages.render(
            request,
            "ladder/status.html.jinja",
            troubles=[visible(trouble) for trouble in server.troubles],
            is_paused=any(one.pauses_seating for one in server.announcements),
            server=server,
            published=time_of(server.published_at),
        )

    async def _ladder_with(self, game: str) -> v1.GetLadderResponse:
        """Return the ladder, or raise status 404 for an unknown game."""
        ladder = await self._asking.ladder()
        if game and game not in [one.game for one in ladder.games]:
            try:
                find_game(game)
            except UnknownGameError:
                raise HTTPException(
                    404, english("There is no game {game} on this ladder.", game=quoted(game))
                ) from None
        return ladder


def _shown(ladder: v1.GetLadderResponse) -> dict[str, Any]:
    """Return the values of a ladder. Its title is text of its organiser."""
    return {
        "name": visible(ladder.name),
        "title": visible(ladder.title),
        "matches": ladder.matches,
        "running": ladder.running,
        "epoch": ladder.epoch,
    }


def _about(ladder: v1.GetLadderResponse, game: str, season: str, *, path: str = "") -> dict[str, Any]:
    """Return the values that pages about a game and a season share: the links between them."""
    home = game_link(game).place if game else "/"
    links = game_links(ladder, season=season)
    if path:
        links = [(Link(link.text, place_with(path, game=name, season=season)), name) for link, name in links]
    return {
        "game": game_link(game) if game else Link("", "/"),
        "game_name": game,
        "games": links,
        "season": season_shown(season, ladder),
        "places": {
            "ladder": place_with(home, season=season),
            "likelihoods": place_with("/likelihoods", game=game, season=season),
            "courses": place_with("/courses", game=game, season=season),
            "matches": place_with("/matches", game=game),
        },
    }
