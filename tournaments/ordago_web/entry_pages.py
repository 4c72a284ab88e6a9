"""The page on which authors enter an event of a server, until it begins."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import quote

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago_web.access.visitors import Account
from ordago_web.account_calls import AccountCalls
from ordago_web.accounts import connecting
from ordago_web.answers import http_status
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext

_PLACE: Final = "/events/{event}/entry"
_ENTRY: Final = v1.HOSTED_EVENT_STAGE_ENTRY
_SIGNED_OUT: Final = "UNAUTHENTICATED"
_NO_EVENTS: Final = "UNIMPLEMENTED"


class OpenEvent(NamedTuple):
    """An event that authors may enter, as pages list it."""

    name: str
    title: str
    begins: str
    """The time, in UTC."""
    places: int
    """The number of entrants that may still enter."""


class EntrantRow(NamedTuple):
    """An entrant whose bots come in from elsewhere."""

    name: str
    author: str
    own: bool
    """True for the entrant of the account that is signed in."""


def open_event(event: v1.HostedEvent) -> OpenEvent:
    """Convert an event for its page."""
    begins = f"{datetime.fromtimestamp(event.begins_at, UTC):%Y-%m-%d %H:%M}" if event.HasField("begins_at") else ""
    return OpenEvent(visible(event.name), visible(event.title or event.name), begins, event.places_left)


def entrant_rows(event: v1.HostedEvent, account: str) -> Sequence[EntrantRow]:
    """Convert the entrants of an event to rows of its page, for an account or for nobody."""
    entries = {entry.entrant: entry for entry in event.entries}
    rows = [(name, entries.get(name, v1.EventEntry())) for name in event.missing]
    return [EntrantRow(visible(name), visible(e.author), bool(account) and e.account == account) for name, e in rows]


async def open_events(context: AppContext) -> tuple[Sequence[OpenEvent], str]:
    """Return the events that authors may enter at the server of a site, and the reason if it does not say."""
    if context.accounts is None:
        return (), ""
    asked = v1.ListEventsRequest(stages=[_ENTRY])
    try:
        answer = await AccountCalls(context, context.accounts).ask("", asked, v1.ListEventsResponse)
    except CallError as error:
        return (), "" if error.status == _NO_EVENTS else str(error)
    return [open_event(event) for event in answer.events], ""


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of entry; none if the server has no accounts."""
    if context.accounts is None or context.events is None:
        return ()
    pages = _EntryPages(context, context.accounts)
    return [
        Route(_PLACE, pages.show, methods=["GET"]),
        Route(_PLACE, pages.enter, methods=["POST"]),
        Route(f"{_PLACE}/leave", pages.leave, methods=["POST"]),
    ]


class _EntryPages:
    """Handlers of the page."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        self._context = context
        self._calls = AccountCalls(context, server)

    async def show(self, request: Request) -> Response:
        """Show who has entered, and to an author the form to enter or leave."""
        return await self._shown(request, self._context.sessions.of(request).account)

    async def enter(self, request: Request) -> Response:
        """Enter the event for an author."""
        account, form = await self._calls.signed(request)
        texts = {key: form.get(key, "").strip() for key in ("entrant", "author", "version")}
        asked = v1.EnterEventRequest(name=request.path_params["event"], **texts)
        return await self._changed(request, account, asked, v1.EnterEventResponse, filled=texts)

    async def leave(self, request: Request) -> Response:
        """Leave the event for an author."""
        account, _ = await self._calls.signed(request)
        asked = v1.LeaveEventRequest(name=request.path_params["event"])
        return await self._changed(request, account, asked, v1.LeaveEventResponse, filled={})

    async def _changed(
        self, request: Request, account: Account, asked: Message, answer: type[Message], *, filled: Mapping[str, str]
    ) -> Response:
        try:
            await self._calls.ask(account.token, asked, answer)
        except CallError as error:
            if error.status == _SIGNED_OUT:
                self._context.sessions.sign_out(request)
                return await self._shown(request, None, problem=str(error))
            return await self._shown(request, account, problem=str(error), filled=filled)
        return RedirectResponse(f"/events/{quote(request.path_params['event'])}/entry", HTTPStatus.SEE_OTHER)

    async def _shown(
        self, request: Request, account: Account | None, *, problem: str = "", filled: Mapping[str, str] | None = None
    ) -> Response:
        asked = v1.GetEventRequest(name=request.path_params["event"])
        try:
            event = (await self._calls.ask("", asked, v1.GetEventResponse)).event
        except CallError as error:
            raise HTTPException(http_status(error.status), str(error)) from None
        entrants = entrant_rows(event, account.name if account is not None else "")
        return self._context.pages.render(
            request,
            "event_entry.html.jinja",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
            event=open_event(event),
            is_open=event.stage == _ENTRY,
            account=account,
            entrants=entrants,
            own=next((row.name for row in entrants if row.own), ""),
            problem=problem,
            filled=filled or {},
            connecting=connecting(self._context, request),
            csrf=self._context.sessions.of(request).csrf,
        )
