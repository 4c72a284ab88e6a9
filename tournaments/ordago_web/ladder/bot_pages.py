"""The pages of a bot, of an author, and of a comparison of two bots."""

from collections.abc import Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ordago import v1
from ordago.names import quoted, visible
from ordago.scene import english
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking, course, course_of, errors_as_pages, season_rows, season_shown, wanted
from ordago_web.ladder.bots import author_rows, compare_rows, figures_of, in_all, owner_of, version_table
from ordago_web.ladder.feeds import FEED
from ordago_web.ladder.matches import MatchRow, match_row
from ordago_web.ladder.places import bot_link, bot_place, place_with
from ordago_web.ladder.rating_curves import course_chart
from ordago_web.ladder.standings import better

_RECENT: Final = 15
_MOST_VERSIONS: Final = 4
"""The number of versions, newest first, whose rating history is drawn."""


class BotPages:
    """Pages about one or a few bots."""

    def __init__(self, context: AppContext, asking: Asking) -> None:
        """Render pages from the answers of the ladder."""
        self._context = context
        self._asking = asking

    def routes(self) -> Sequence[Route]:
        """Return the routes of these pages."""
        return [
            Route("/bots", self.named),
            Route("/bots/{name:path}", self.bot),
            Route("/authors/{account:path}", self.author),
            Route("/compare", self.compare),
        ]

    async def named(self, request: Request) -> Response:
        """Show the bot that the query names, for forms and for names that cannot be a path."""
        name = request.query_params.get("name", "")
        if bot_place(name).startswith("/bots/") or not name:
            return RedirectResponse(bot_place(name) if name else "/", 303)
        return await self._shown(request, name)

    async def bot(self, request: Request) -> Response:
        """Show a bot."""
        name = request.path_params["name"]
        return await self._shown(request, name, name=name)

    async def _shown(self, request: Request, called: str, **fixed: str) -> Response:
        with errors_as_pages():
            asked = wanted(v1.GetBotRequest, request, **fixed)
            bot = await self._asking.ask(asked, v1.GetBotResponse)
            counted = v1.GetBotFiguresRequest(name=called, season=asked.season)
            figures = await self._asking.ask(counted, v1.GetBotFiguresResponse)
            recent = await self._recent(v1.ListMatchesRequest(bot=called, page_size=_RECENT))
            seasons = await self._asking.seasons()
            ladder = await self._asking.ladder()
            courses = [
                (visible(version.player.version or called), await course_of(self._asking, version, "", asked.season))
                for version in bot.versions[:_MOST_VERSIONS]
            ]
        return self._context.pages.render(
            request,
            "ladder/bot.html.jinja",
            called=visible(called),
            owners=list(owner_of(bot)),
            house=bot.versions[0].player.house,
            versions=version_table(bot),
            games=figures_of(called, figures),
            chart=course_chart(courses),
            matches=recent,
            seasons=season_rows(seasons),
            season=season_shown(asked.season, ladder),
            places={
                "matches": place_with("/matches", bot=called),
                "feed": place_with(FEED, bot=called),
                "running": place_with("/matches", bot=called, running="true"),
                "compare": place_with("/compare", first=called),
                # A plain link: the form is on the account page, so that pages of bots stay the same for all visitors.
                "challenge": place_with("/account", challenge=called) + "#challenges" if bot.takes_challenges else "",
            },
        )

    async def _recent(self, asked: v1.ListMatchesRequest) -> list[MatchRow]:
        answer = await self._asking.ask(asked, v1.ListMatchesResponse)
        return [match_row(match) for match in answer.matches]

    async def author(self, request: Request) -> Response:
        """Show the bots of an author."""
        account = request.path_params["account"]
        with errors_as_pages():
            asked = wanted(v1.ListStandingsRequest, request, account=account, currentOnly="true", pageSize="500")
            standings = await self._asking.ask(asked, v1.ListStandingsResponse)
            recent = await self._recent(v1.ListMatchesRequest(account=account, page_size=_RECENT))
        if not standings.standings and not recent:
            raise HTTPException(
                404, english("No bot of an author {name} has played on this ladder.", name=quoted(account))
            )
        return self._context.pages.render(
            request,
            "ladder/author.html.jinja",
            called=visible(account),
            bots=author_rows(standings.standings),
            matches=recent,
            places={"matches": place_with("/matches", account=account)},
        )

    async def compare(self, request: Request) -> Response:
        """Compare two bots by their matches against each other."""
        with errors_as_pages():
            asked = wanted(v1.GetHeadToHeadRequest, request)
            seasons = await self._asking.seasons()
            ladder = await self._asking.ladder()
            names = await self._asking.names()
            found = await self._compared(asked) if asked.first and asked.second else {"rows": None}
        return self._context.pages.render(
            request,
            "ladder/compare.html.jinja",
            asked=asked,
            names=names,
            seasons=season_rows(seasons),
            season=season_shown(asked.season, ladder),
            **found,
        )

    async def _compared(self, asked: v1.GetHeadToHeadRequest) -> dict[str, Any]:
        rows = compare_rows(await self._asking.ask(asked, v1.GetHeadToHeadResponse))
        first, second = [
            await self._asking.ask(v1.GetBotRequest(name=name, season=asked.season), v1.GetBotResponse)
            for name in (asked.first, asked.second)
        ]
        one, other = _overall(first), _overall(second)
        courses = [await course(self._asking, name, "", asked.season) for name in (asked.first, asked.second)]
        return {
            "rows": rows,
            "total": in_all(rows),
            "first": bot_link(asked.first),
            "second": bot_link(asked.second),
            "likelihood": better(one, other, same=asked.first == asked.second) if one and other else None,
            "chart": course_chart(courses),
        }


def _overall(bot: v1.GetBotResponse) -> v1.Rating | None:
    """Return the overall rating of the current version."""
    current = (version for version in bot.versions if version.player.current)
    ratings = (rating for version in current for rating in version.ratings if not rating.game)
    return next((rating.rating for rating in ratings), None)
