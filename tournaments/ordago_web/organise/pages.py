"""The events of a server for organisers: their progress, and the acts that stop, remove and download them."""

import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.edge.services.event_streams import RUNS
from ordago.scene import Sentence, sentence
from ordago_web.answers import http_status
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext
from ordago_web.ladder.places import time_of
from ordago_web.organise import new_pages
from ordago_web.organise.organiser import Organiser, Organisers

_PLACE: Final = "/organise"
_EVENT: Final = f"{_PLACE}/events/{{event}}"
STAGES: Final[Mapping[int, Sentence]] = {
    v1.HOSTED_EVENT_STAGE_ENTRY: sentence("Open to authors"),
    v1.HOSTED_EVENT_STAGE_CHECK_IN: sentence("Check-in"),
    v1.HOSTED_EVENT_STAGE_PLAYING: sentence("Running"),
    v1.HOSTED_EVENT_STAGE_OVER: sentence("Finished"),
    v1.HOSTED_EVENT_STAGE_STOPPED: sentence("Stopped"),
    v1.HOSTED_EVENT_STAGE_FAILED: sentence("Failed"),
}
_CONFIRM: Final = sentence("Tick the box: what is removed does not come back.").words
_BLOCK: Final = tarfile.BLOCKSIZE


def tar_parts(event: str, responses: Iterable[v1.DownloadEventResponse]) -> Iterator[bytes]:
    """Yield the parts of a tar archive with the files of a download, in a folder with the name of the event."""
    size = 0
    for part in (part for response in responses for part in response.parts):
        if part.path:
            file = tarfile.TarInfo(f"{event}/{part.path}")
            file.size, size = part.size, 0
            yield file.tobuf()
        size += len(part.data)
        yield part.data
        if size == file.size:
            yield bytes(-size % _BLOCK)
    yield bytes(2 * _BLOCK)


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of organisers; none if the server has no accounts or plays no events."""
    if context.accounts is None or context.events is None:
        return ()
    pages = _OrganisePages(context, context.accounts)
    return [
        *new_pages.routes(context, context.accounts),
        Route(_PLACE, pages.list, methods=["GET"]),
        Route(_EVENT, pages.show, methods=["GET"]),
        Route(f"{_EVENT}/stop", pages.stop, methods=["POST"]),
        Route(f"{_EVENT}/remove", pages.remove, methods=["POST"]),
        Route(f"{_EVENT}/leave", pages.leave, methods=["POST"]),
        Route(f"{_EVENT}/download", pages.download, methods=["POST"]),
        Route(f"{_PLACE}/invitations", pages.invitations, methods=["GET"]),
        Route(f"{_PLACE}/invitations", pages.invite, methods=["POST"]),
    ]


class _OrganisePages:
    """Handlers of the pages."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        self._context = context
        self._organisers = Organisers(context, server)
        self._calls = self._organisers.calls

    async def list(self, request: Request) -> Response:
        """List the events of the server, newest first."""
        organiser = await self._organisers.of(request)
        asked = v1.ListEventsRequest(page_token=request.query_params.get("page", ""))
        answer = await self._organisers.ask(request, organiser.account, asked, v1.ListEventsResponse)
        return self._rendered(request, "list", organiser, events=answer.events, more=answer.next_page_token)

    async def show(self, request: Request) -> Response:
        """Show an event: its progress, its entrants, its standings, and what its organiser may do."""
        return await self._shown(request, await self._organisers.of(request))

    async def stop(self, request: Request) -> Response:
        """Stop an event."""
        organiser, form = await self._organisers.signed(request)
        asked = v1.StopEventRequest(name=request.path_params["event"], why=form.get("why", "").strip())
        return await self._changed(request, organiser, asked, v1.StopEventResponse)

    async def remove(self, request: Request) -> Response:
        """Remove an event for good."""
        organiser, form = await self._organisers.signed(request)
        if not form.get("sure"):
            return await self._shown(request, organiser, problem=_CONFIRM)
        asked = v1.RemoveEventRequest(name=request.path_params["event"], why=form.get("why", "").strip())
        return await self._changed(request, organiser, asked, v1.RemoveEventResponse, to=_PLACE)

    async def leave(self, request: Request) -> Response:
        """Take an entrant that entered by itself out of an event."""
        organiser, form = await self._organisers.signed(request)
        asked = v1.LeaveEventRequest(name=request.path_params["event"], entrant=form.get("entrant", ""))
        return await self._changed(request, organiser, asked, v1.LeaveEventResponse)

    async def download(self, request: Request) -> Response:
        """Send the published files as an archive. The site shares few downloads, so that only organisers take them."""
        organiser, _ = await self._organisers.signed(request)
        event = request.path_params["event"]
        try:
            responses = await self._calls.download(organiser.account.token, event)
        except CallError as error:
            return await self._shown(request, organiser, problem=str(error))
        head = {"content-disposition": f"attachment; filename*=utf-8''{quote(event, safe='')}.tar"}
        return StreamingResponse(tar_parts(event, responses), headers=head, media_type="application/x-tar")

    async def invitations(self, request: Request) -> Response:
        """Show an admin the invitations in the log."""
        return await self._invited(request, await self._organisers.of(request))

    async def invite(self, request: Request) -> Response:
        """Make an invitation to play, and show its code once."""
        organiser, form = await self._organisers.signed(request)
        asked = v1.InviteRequest(account=form.get("account", "").strip(), why=form.get("why", "").strip())
        try:
            made = await self._calls.ask(organiser.account.token, asked, v1.InviteResponse)
        except CallError as error:
            return await self._invited(request, organiser, problem=str(error))
        return await self._invited(request, organiser, code=made.invitation)

    async def _invited(self, request: Request, organiser: Organiser, *, code: str = "", problem: str = "") -> Response:
        log = await self._organisers.ask(
            request, organiser.account, v1.ListAccountLogRequest(), v1.ListAccountLogResponse
        )
        invited = [entry for entry in log.entries if entry.act == v1.ACCOUNT_ACT_INVITE]
        used = {entry.account for entry in log.entries if entry.act == v1.ACCOUNT_ACT_REGISTER}
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        values = {"invited": invited, "used": used, "code": code, "problem": problem, "status": status}
        return self._rendered(request, "invitations", organiser, **values)

    async def _changed(
        self, request: Request, organiser: Organiser, asked: Message, answer: type[Message], *, to: str = ""
    ) -> Response:
        try:
            await self._calls.ask_slowly(organiser.account.token, asked, answer)
        except CallError as error:
            return await self._shown(request, organiser, problem=str(error))
        place = to or f"{_PLACE}/events/{quote(request.path_params['event'])}"
        return RedirectResponse(place, HTTPStatus.SEE_OTHER)

    async def _shown(self, request: Request, organiser: Organiser, *, problem: str = "") -> Response:
        name = request.path_params["event"]
        try:
            event = (await self._calls.ask("", v1.GetEventRequest(name=name), v1.GetEventResponse)).event
            results = await self._calls.ask("", v1.ListEventResultsRequest(name=name), v1.ListEventResultsResponse)
        except CallError as error:
            raise HTTPException(http_status(error.status), str(error)) from None
        return self._rendered(
            request,
            "event",
            organiser,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
            event=event,
            entries={entry.entrant: entry for entry in event.entries},
            standings=results.standings,
            runs=event.stage in RUNS,
            problem=problem,
        )

    def _rendered(self, request: Request, page: str, organiser: Organiser, **values: Any) -> Response:  # noqa: ANN401
        shared: dict[str, Any] = {"stages": STAGES, "moment": time_of, "organiser": organiser, **values}
        csrf = self._context.sessions.of(request).csrf
        return self._context.pages.render(request, f"organise/{page}.html.jinja", csrf=csrf, **shared)
