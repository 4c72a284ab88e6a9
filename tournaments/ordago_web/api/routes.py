"""The calls under ``/api/v1/``, their description, and a page that shows it."""

import json
from collections.abc import Sequence
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago.edge.services.client import CallError
from ordago_web.answers import JSON, OCTETS, PROBLEM_JSON, Problem, answer_json, http_status
from ordago_web.api.calls import API_ROOT, CALLS, ApiCall
from ordago_web.api.operations import operations
from ordago_web.house import House
from ordago_web.ladder.asking import Asking
from ordago_web.pages import tagged
from ordago_web.parameters import ParameterError, request_of

_DESCRIPTION: Final = Path(__file__).with_name("openapi.json")


def routes(house: House) -> Sequence[BaseRoute]:
    """Return where the calls are, and what describes them."""
    asking = Asking(house)
    calls = [Route(_pattern(call), partial(_called, asking, call), methods=["GET"]) for call in CALLS]
    return [
        # The longer paths first: a name may have slashes.
        *sorted(calls, key=lambda route: -route.path.count("/")),
        Route("/api/openapi.json", _described),
        Route("/api", partial(_shown, house)),
        Route("/api/{rest:path}", _unknown),
    ]


def _pattern(call: ApiCall) -> str:
    return f"{API_ROOT}{call.path.replace('{name}', '{name:path}')}"


async def _called(asking: Asking, call: ApiCall, request: Request) -> Response:
    try:
        asked = request_of(call.request, [*request.query_params.multi_items(), *request.path_params.items()])
        answer = await asking.ask(asked, call.answer)
    except ParameterError as error:
        return _problem(HTTPStatus.BAD_REQUEST, str(error))
    except CallError as error:
        return _problem(http_status(error.status), str(error))
    if call.raw:
        name = f"{request.path_params['matchId']}.record"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return tagged(request, getattr(answer, call.raw), OCTETS, headers=headers)
    return tagged(request, answer_json(answer), JSON)


def _problem(status: HTTPStatus, sentence: str) -> Response:
    headers = {"Retry-After": "1"} if status is HTTPStatus.TOO_MANY_REQUESTS else {}
    return Response(Problem(status, sentence).json(), status, headers, PROBLEM_JSON)


async def _described(request: Request) -> Response:
    return tagged(request, _description_bytes(), JSON)


async def _unknown(request: Request) -> Response:
    if not request.path_params["rest"]:
        return RedirectResponse("/api")
    return _problem(HTTPStatus.NOT_FOUND, "There is no such call: /api/openapi.json describes all of them.")


async def _shown(house: House, request: Request) -> Response:
    description = _description()
    return house.pages.render(
        request, "api/calls.html.jinja", about=description["info"]["description"], operations=operations(description)
    )


@cache
def _description_bytes() -> bytes:
    return _DESCRIPTION.read_bytes()


@cache
def _description() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_description_bytes())
    return found
