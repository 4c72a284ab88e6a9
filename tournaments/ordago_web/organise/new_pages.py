"""The page on which an organiser writes an event file, saves it, and opens the event."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote

import trio
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from tomlkit.exceptions import TOMLKitError

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.games import game_names
from ordago.scene import Sentence, sentence
from ordago_bot.house import HOUSE_BOTS
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext
from ordago_web.organise.form import Problem, groups_of, problems_of, with_fields
from ordago_web.organise.organiser import Organiser, Organisers
from ordago_web.security import EVENT_FILE

BEGINNINGS: Final[Mapping[str, Sentence]] = {
    "round-robin": sentence("Round robin of one game"),
    "swiss": sentence("Swiss evening of all five games"),
    "open": sentence("Open event of an evening"),
    "knockout": sentence("Knockout"),
}
"""The event files to begin from, beside this module."""
_FOLDER: Final = Path(__file__).parent / "beginnings"
_DAY: Final = "2030-01-01"
"""The day in these files, for which tomorrow is written."""
_FILE: Final = "event.toml"
_MOST_FIELDS: Final = 1024
"""The most fields: an event has 40, and each of its games up to 20."""
_LOOK: Final = sentence("The form changed the event file. Look at it, then open the event.").words
_CONTINUED: Final = sentence(
    "This is the published event file. Webhooks in [[announce]] are never published: write them again."
).words


def routes(context: AppContext, server: AccountServer) -> Sequence[BaseRoute]:
    """Return the routes of the page."""
    pages = _NewPages(context, server)
    return [
        Route(EVENT_FILE, pages.show, methods=["GET"]),
        Route(EVENT_FILE, pages.change, methods=["POST"]),
    ]


class _NewPages:
    """Handlers of the page."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        self._context = context
        self._organisers = Organisers(context, server)

    async def show(self, request: Request) -> Response:
        """Show the form with a file to begin from, or with that of an event to go on with."""
        organiser = await self._organisers.of(request)
        if event := request.query_params.get("event", ""):
            return await self._continued(request, organiser, event)
        name = request.query_params.get("begin", "")
        text = (_FOLDER / f"{name if name in BEGINNINGS else next(iter(BEGINNINGS))}.toml").read_text(encoding="utf-8")
        tomorrow = datetime.fromtimestamp(self._context.now(), UTC) + timedelta(days=1)
        return await self._shown(request, organiser, text.replace(_DAY, f"{tomorrow:%Y-%m-%d}"))

    async def _continued(self, request: Request, organiser: Organiser, event: str) -> Response:
        """Show the file that an event has published, as its download has it."""
        try:
            responses = await self._organisers.calls.download(organiser.account.token, event)
            text = await trio.to_thread.run_sync(_file_in, responses)
        except CallError as error:
            return await self._shown(request, organiser, "", problems=[Problem(str(error), 0, "")])
        return await self._shown(request, organiser, text, notice=_CONTINUED)

    async def change(self, request: Request) -> Response:
        """Write changed fields into the file; then, as its button says, save the file or open the event."""
        organiser, form = await self._organisers.signed(request, most_fields=_MOST_FIELDS)
        text = form.get("text", "").replace("\r\n", "\n")
        try:
            written = await trio.to_thread.run_sync(_written, text, form)
        except (TOMLKitError, RecursionError) as error:
            return await self._shown(request, organiser, text, problems=problems_of(text, str(error)))
        do = form.get("do", "")
        if do not in ("open", "save") or written != text:
            return await self._shown(request, organiser, written, notice=_LOOK if do in ("open", "save") else "")
        if do == "save":
            head = {"content-disposition": f'attachment; filename="{_FILE}"'}
            return Response(text, headers=head, media_type="application/toml")
        return await self._opened(request, organiser, text, form.get("why", "").strip())

    async def _opened(self, request: Request, organiser: Organiser, text: str, why: str) -> Response:
        asked = v1.OpenEventRequest(file=text, why=why)
        try:
            answer = await self._organisers.calls.ask_slowly(organiser.account.token, asked, v1.OpenEventResponse)
        except CallError as error:
            return await self._shown(request, organiser, text, problems=problems_of(text, str(error)))
        return RedirectResponse(f"/organise/events/{quote(answer.event.name)}", HTTPStatus.SEE_OTHER)

    async def _shown(
        self,
        request: Request,
        organiser: Organiser,
        text: str,
        *,
        notice: str = "",
        problems: Sequence[Problem] = (),
    ) -> Response:
        try:
            groups = await trio.to_thread.run_sync(groups_of, text)
        except (TOMLKitError, RecursionError):
            groups = {}
        values = {field.place: field.value for fields in groups.values() for field in fields if field.value}
        return self._context.pages.render(
            request,
            "organise/new.html.jinja",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK,
            beginnings=BEGINNINGS,
            games=game_names(),
            house=HOUSE_BOTS,
            groups=groups,
            before=json.dumps(values, ensure_ascii=False),
            lines=text.expandtabs().splitlines(),
            notice=notice,
            problems=problems,
            wrong={problem.place: problem.text for problem in problems},
            is_admin=organiser.is_admin,
            csrf=self._context.sessions.of(request).csrf,
        )


def _written(text: str, form: Mapping[str, str]) -> str:
    """Return a text with the changed fields of a form. A form whose ``before`` is broken has all of them changed."""
    try:
        before = json.loads(form.get("before", "{}"))
    except (ValueError, RecursionError):
        before = {}
    return with_fields(text, before if isinstance(before, dict) else {}, form)


def _file_in(responses: Iterable[v1.DownloadEventResponse]) -> str:
    """Return the event file in a download, of which the rest is not taken."""
    found = b""
    for part in (part for response in responses for part in response.parts):
        if part.path and found:
            break
        if part.path == _FILE or (found and not part.path):
            found += part.data
    return found.decode(errors="replace")
