"""The page of a table that waits for friends: whoever has its link sees who sits there, and may sit down."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago.scene import sentence
from ordago_web.access.visitors import Visitor
from ordago_web.context import AppContext
from ordago_web.forms import EXPIRED, form_of
from ordago_web.languages import language_of, translations
from ordago_web.play.human_match import Person
from ordago_web.play.opponents import STRENGTHS
from ordago_web.play.sessions import FullError, PlaySessions
from ordago_web.play.waiting_table import Guest, WaitingTable
from ordago_web.play.wishes import WishError

_GONE: Final = sentence("There is no such table: it was closed, or its match began long ago.").words
_BEGUN: Final = sentence("The match at this table has begun.").words


class FriendPages:
    """The handlers of tables that wait."""

    def __init__(self, context: AppContext, play_sessions: PlaySessions) -> None:
        """Show the tables of these sessions."""
        self._context = context
        self._play_sessions = play_sessions

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of the handlers."""
        place = "/play/tables/{token}"
        return (Route(place, self.table, methods=["GET"]), Route(place, self.change, methods=["POST"]))

    def _table(self, request: Request) -> WaitingTable:
        table = self._play_sessions.waiting(request.path_params["token"])
        if table is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, _GONE)
        return table

    async def table(self, request: Request) -> Response:
        """Show a table; send those who sit there to their match when it has begun."""
        return self._shown(request, self._table(request), self._context.sessions.of(request))

    def _shown(self, request: Request, table: WaitingTable, visitor: Visitor, problem: str = "") -> Response:
        seat, wish = table.seat_of(visitor.id), table.wish
        if table.match_id:
            if seat is None:
                raise HTTPException(HTTPStatus.NOT_FOUND, _BEGUN)
            return RedirectResponse(f"/play/{table.match_id}", HTTPStatus.SEE_OTHER)
        origin = self._context.pages.origin or str(request.base_url).rstrip("/")
        return self._context.pages.render(
            request,
            "waiting_table.html.jinja",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
            problem=problem,
            wish=wish,
            changed=[spec for spec in wish.game.rules.option_specs if spec.name in wish.options],
            strengths=STRENGTHS,
            seat=seat,
            is_host=seat == wish.seat,
            place=f"/play/tables/{table.token}",
            link=f"{origin}/play/tables/{table.token}",
            csrf=visitor.csrf,
        )

    async def change(self, request: Request) -> Response:
        """Seat a guest, begin the match, or close the table. The match begins by itself when all seats are taken."""
        form, table, visitor = await form_of(request), self._table(request), self._context.sessions.of(request)
        if not visitor.has_signed(form.get("csrf", "")):
            return self._shown(request, table, visitor, EXPIRED)
        try:
            self._changed(request, table, visitor, form)
        except (WishError, FullError) as error:
            return self._shown(request, table, visitor, f"{error}")
        is_closed = self._play_sessions.waiting(table.token) is None
        place = f"/play?game={table.wish.game.name}" if is_closed else f"/play/tables/{table.token}"
        return RedirectResponse(place, HTTPStatus.SEE_OTHER)

    def _changed(self, request: Request, table: WaitingTable, visitor: Visitor, form: Mapping[str, str]) -> None:
        is_host = table.seat_of(visitor.id) == table.wish.seat
        if form.get("do") == "sit":
            guest = Guest(Person(visitor.id, visitor.origin), translations(language_of(request)).gettext)
            table.sit(guest, guest.named(form))
            if not table.free:
                self._play_sessions.begin_waiting(table)
        elif form.get("do") == "begin" and is_host:
            self._play_sessions.begin_waiting(table)
        elif form.get("do") == "close" and is_host:
            self._play_sessions.close_waiting(table)
