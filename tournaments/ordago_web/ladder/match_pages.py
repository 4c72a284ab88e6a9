"""The list of matches and the page of a match."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ordago import v1
from ordago.games import UnknownGameError, find_game, game_names
from ordago.record import RecordError, read_record
from ordago.record.opening import UnplayableError
from ordago_ladder.showing.match_page import replay_values
from ordago_web.access.turns import Turns
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking, chosen, errors_as_pages, further_places, wanted
from ordago_web.ladder.matches import match_row
from ordago_web.languages import language_of, translations
from ordago_web.pages import ROOT


class MatchPages:
    """Pages about matches."""

    def __init__(self, context: AppContext, asking: Asking) -> None:
        """Render pages from the answers of the ladder."""
        self._context = context
        self._asking = asking
        self._replays = Turns(at_once=1)
        """The queue of replays, so that a long match delays no other page."""

    def routes(self) -> Sequence[Route]:
        """Return the routes of these pages."""
        return [Route("/matches", self.matches), Route("/matches/{match_id}", self.match)]

    async def matches(self, request: Request) -> Response:
        """List matches, newest first."""
        with errors_as_pages():
            asked = wanted(v1.ListMatchesRequest, request)
            answer = await self._asking.ask(asked, v1.ListMatchesResponse)
        first, next_page = further_places(request, answer.next_page_token)
        return self._context.pages.render(
            request,
            "ladder/matches.html.jinja",
            rows=[match_row(match) for match in answer.matches],
            asked=asked,
            games=[("", "–"), *((name, find_game(name).rules.title) for name in game_names())],
            chosen=chosen(request, "running"),
            first=first,
            next=next_page,
        )

    async def match(self, request: Request) -> Response:
        """Show the replay of a match once its record is open, its public facts before that."""
        with errors_as_pages():
            asked = wanted(v1.GetMatchRequest, request, matchId=request.path_params["match_id"])
            match = (await self._asking.ask(asked, v1.GetMatchResponse)).match
            replay = await self._replay(match, language_of(request)) if match.record_open else None
        if replay is not None:
            return self._context.pages.render(request, "told.html.jinja", **replay)
        return self._context.pages.render(request, "ladder/match.html.jinja", match=match_row(match))

    async def _replay(self, match: v1.LadderMatch, language: str) -> dict[str, Any] | None:
        """Return the values of the replay page, or ``None`` if this site cannot replay the record."""
        answer = await self._asking.ask(v1.GetRecordRequest(match_id=match.match_id), v1.GetRecordResponse)
        row = match_row(match)
        analysis = f"{row.place}/analysis" if self._context.analyst is not None else ""
        made = partial(
            _replayed,
            answer.file,
            record_link=row.record,
            analysis=analysis,
            translations=translations(language),
        )
        async with self._replays.turn():
            return await trio.to_thread.run_sync(made)


def _replayed(file: bytes, **values: Any) -> dict[str, Any] | None:  # noqa: ANN401 - those of ``replay_values``
    try:
        return replay_values(read_record(file), root=ROOT, back="/matches", **values)
    except (RecordError, UnknownGameError, UnplayableError):
        return None
