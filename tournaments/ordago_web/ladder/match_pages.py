"""The list of matches and the page of a match."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.games import UnknownGameError, find_game, game_names
from ordago.record import RecordError, Replay, read_record
from ordago.record.opening import UnplayableError
from ordago.record.watched import watched_replay
from ordago.scene import sentence
from ordago_ladder.showing.match_page import replay_values
from ordago_web.access.turns import Turns
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking, chosen, errors_as_pages, further_places, wanted
from ordago_web.ladder.matches import match_row
from ordago_web.languages import language_of, translations
from ordago_web.pages import ROOT
from ordago_web.security import FRAMED

Opened: TypeAlias = Callable[[], tuple[v1.MatchRecord, Replay | None]]
"""A function that returns a record, and its replay if that is known. It takes time."""


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
        return [
            Route("/matches", self.matches),
            Route("/matches/{match_id}", self.match),
            Route("/matches/{match_id}/embed", self.embed),
        ]

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
            games=[("", sentence("All games")), *((name, find_game(name).rules.title) for name in game_names())],
            chosen=chosen(request, "running"),
            first=first,
            next=next_page,
        )

    async def match(self, request: Request) -> Response:
        """Show the result of a match and its replay: as spectators saw it, and all hands once its record is open."""
        with errors_as_pages():
            match, is_late = await self._found(request)
            opens = await self._asking.opening(match.epoch)
            replay = await self._replay(match, language_of(request), is_late=is_late)
            deleted = replay is None and not is_late and await self._is_deleted(match)
        page = "ladder/match.html.jinja" if replay is None else "ladder/replay.html.jinja"
        watch = is_late and not match.record_open and match.stage != v1.MATCH_STAGE_VOID
        site = self._context.pages.origin or str(request.base_url).rstrip("/")
        return self._context.pages.render(
            request,
            page,
            row=match_row(match),
            opens=opens,
            watch=watch,
            deleted=deleted,
            site=site,
            **(replay or {}),
        )

    async def embed(self, request: Request) -> Response:
        """Show the replay of a match alone, in a page that other sites may frame."""
        with errors_as_pages():
            match, is_late = await self._found(request)
            replay = await self._replay(match, language_of(request), is_late=is_late)
        if replay is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "There is no replay of this match, or not yet.")
        # Nothing in it asks for the analysis, which would be started in this site's name.
        values = {**replay, "layout": "frame.html.jinja", "row": match_row(match), "analysis": ""}
        request.scope[FRAMED] = True
        return self._context.pages.render(request, "ladder/embed.html.jinja", **values)

    async def _found(self, request: Request) -> tuple[v1.LadderMatch, bool]:
        """Return the match that a page is about, and True while spectators have not been shown its end.

        Raises:
            CallError: the server knows no such match, or is away.
        """
        asked = wanted(v1.GetMatchRequest, request, matchId=request.path_params["match_id"])
        match = (await self._asking.ask(asked, v1.GetMatchResponse)).match
        return match, not await self._asking.is_seen_out(match)

    async def _is_deleted(self, match: v1.LadderMatch) -> bool:
        """Return True if the record of a match was deleted to free space: it had one, and will never open."""
        if match.stage != v1.MATCH_STAGE_OVER or match.record_open:
            return False
        try:
            await self._asking.ask(v1.GetRecordRequest(match_id=match.match_id), v1.GetRecordResponse)
        except CallError as error:
            return error.status == "NOT_FOUND"
        return False

    async def _replay(self, match: v1.LadderMatch, language: str, *, is_late: bool) -> dict[str, Any] | None:
        """Return the values of the replay page, or ``None`` if there is nothing to replay, or this site cannot."""
        opened = await self._opened(match, is_late=is_late)
        if opened is None:
            return None
        row = match_row(match)
        analysis = f"{row.place}/analysis" if row.record and self._context.analyst is not None else ""
        made = partial(
            _replayed, opened, record_link=row.record, analysis=analysis, translations=translations(language)
        )
        async with self._replays.turn():
            return await trio.to_thread.run_sync(made)

    async def _opened(self, match: v1.LadderMatch, *, is_late: bool) -> Opened | None:
        """Return what opens the record of a match, or, while it is not open, what spectators saw; ``None`` if neither.

        Args:
            match: the match.
            is_late: spectators have not been shown its end yet.

        Raises:
            CallError: the server did not give the open record.
        """
        if match.record_open:
            answer = await self._asking.ask(v1.GetRecordRequest(match_id=match.match_id), v1.GetRecordResponse)
            return lambda: (read_record(answer.file), None)
        if is_late:
            return None
        try:
            watched = await self._asking.ask(v1.WatchMatchRequest(match_id=match.match_id), v1.WatchMatchResponse)
        except CallError:
            # The page has the result, whether or not the match can be seen now.
            return None
        return partial(watched_replay, watched)


def _replayed(opened: Opened, **values: Any) -> dict[str, Any] | None:  # noqa: ANN401 - those of ``replay_values``
    try:
        record, replayed = opened()
        return replay_values(record, replayed=replayed, root=ROOT, back="/matches", **values)
    except (RecordError, UnknownGameError, UnplayableError):
        return None
    except (LookupError, ValueError, TypeError):
        if values["record_link"]:
            raise
        # A server of another version showed events that do not follow each other by this one.
        return None
