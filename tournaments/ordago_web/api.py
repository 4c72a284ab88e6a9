"""The calls under ``/api/v1/``, their description in OpenAPI, and the page that shows it."""

import json
from collections.abc import Sequence
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.account_calls import AccountCalls
from ordago_web.accounts import may_be_token
from ordago_web.answers import JSON, OCTETS, PROBLEM_JSON, Problem, answer_json, http_status
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking
from ordago_web.pages import tagged
from ordago_web.parameters import ParameterError, request_of


class Parameter(NamedTuple):
    """A parameter of a call."""

    name: str
    kind: str
    in_path: bool
    text: str


class Property(NamedTuple):
    """A field of an answer."""

    name: str
    kind: str
    schema: str
    """The name of its schema, which the page explains on its own. Empty for a plain value."""
    text: str


class Schema(NamedTuple):
    """A schema: the fields of a message, or the values of an enum."""

    name: str
    text: str
    properties: Sequence[Property]
    values: Sequence[str]
    """The possible values of an enum; empty for a message."""


class Operation(NamedTuple):
    """One call of the API."""

    path: str
    anchor: str
    text: str
    parameters: Sequence[Parameter]
    answer: str
    """The name of the schema of its answer; empty for a file."""


class Operations(NamedTuple):
    """All calls, and the schemas of their answers."""

    calls: Sequence[Operation]
    schemas: Sequence[Schema]


def operations(description: dict[str, Any]) -> Operations:
    """Extract the calls and schemas from an OpenAPI description."""
    root = description["servers"][0]["url"]
    return Operations(
        calls=[_operation(root + path, item["get"]) for path, item in description["paths"].items()],
        schemas=[_schema(name, schema) for name, schema in description["components"]["schemas"].items()],
    )


def _operation(path: str, described: dict[str, Any]) -> Operation:
    content = described["responses"]["200"]["content"].get("application/json")
    return Operation(
        path=path,
        anchor=described["operationId"],
        text=described["description"],
        parameters=[
            Parameter(one["name"], one["schema"]["type"], one["in"] == "path", one["description"])
            for one in described["parameters"]
        ],
        answer=_name(content["schema"]) if content else "",
    )


def _schema(name: str, schema: dict[str, Any]) -> Schema:
    properties = [_property(field, described) for field, described in schema.get("properties", {}).items()]
    return Schema(name, schema["description"], properties, schema.get("enum", ()))


def _property(name: str, described: dict[str, Any]) -> Property:
    element = described.get("items", described)
    kind = element.get("type", "")
    if element.get("contentEncoding"):
        kind = element["contentEncoding"]
    return Property(
        name,
        f"list of {kind}".strip() if "items" in described else kind,
        _name(element),
        described.get("description", ""),
    )


def _name(schema: dict[str, Any]) -> str:
    name: str = schema.get("$ref", "").rpartition("/")[2]
    return name


API_ROOT: Final = "/api/v1"
"""The root of all calls. An incompatible change would get a new one."""


class ApiCall(NamedTuple):
    """A call of a service by GET. Request fields that are not in its path are query parameters."""

    path: str
    """The path below the root. Fields stand in braces, by their names in JSON."""
    request: type[Message]
    answer: type[Message]
    raw: str = ""
    """The bytes field of the answer that is sent as a file. Empty: the whole answer is sent, as JSON."""
    with_token: bool = False
    """True if it needs the token of an author, and no cache may keep its answer."""

    @property
    def method(self) -> str:
        """The name of the call in its service."""
        return self.request.DESCRIPTOR.name.removesuffix("Request")

    @property
    def path_fields(self) -> tuple[str, ...]:
        """The fields in the path, by their names in JSON."""
        parts = self.path.split("/")
        return tuple(part[1:-1] for part in parts if part.startswith("{"))


CALLS: Final = (
    ApiCall("/ladder", v1.GetLadderRequest, v1.GetLadderResponse),
    ApiCall("/status", v1.GetStatusRequest, v1.GetStatusResponse),
    ApiCall("/standings", v1.ListStandingsRequest, v1.ListStandingsResponse),
    ApiCall("/bots/{name}", v1.GetBotRequest, v1.GetBotResponse),
    ApiCall("/bots/{name}/figures", v1.GetBotFiguresRequest, v1.GetBotFiguresResponse),
    ApiCall("/players/{player}/course", v1.GetRatingCourseRequest, v1.GetRatingCourseResponse),
    ApiCall("/head-to-head", v1.GetHeadToHeadRequest, v1.GetHeadToHeadResponse),
    ApiCall("/epochs", v1.ListEpochsRequest, v1.ListEpochsResponse),
    ApiCall("/seasons", v1.ListSeasonsRequest, v1.ListSeasonsResponse),
    ApiCall("/faults", v1.ListFaultsRequest, v1.ListFaultsResponse, with_token=True),
    ApiCall("/matches", v1.ListMatchesRequest, v1.ListMatchesResponse),
    ApiCall("/matches/{matchId}", v1.GetMatchRequest, v1.GetMatchResponse),
    ApiCall("/matches/{matchId}/record", v1.GetRecordRequest, v1.GetRecordResponse, raw="file"),
)
"""All calls of LadderService and MatchService but ``WatchMatch``, which ``/matches/ID/live`` serves, and ``GetFault``,
whose answer would bring the views of all games with it: ``/account/faults/…`` sends it as a file."""


_PREFLIGHT: Final = {
    "allow": "GET, HEAD, OPTIONS",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "If-None-Match",
    "access-control-max-age": "86400",
}
"""The answer to a browser that asks first, as it does before it sends a tag. It may remember it for a day."""
_PRIVATE: Final = {"cache-control": "private, no-store"}
_DESCRIPTION: Final = Path(__file__).with_name("openapi.json")


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of the calls and of their description."""
    asking = Asking(context)
    calls = [
        Route(_pattern(call), partial(_called, asking, call), methods=["GET"]) for call in CALLS if not call.with_token
    ]
    if context.accounts is not None:
        own = AccountCalls(context, context.accounts)
        calls += [
            Route(_pattern(call), partial(_called, own, call), methods=["GET"]) for call in CALLS if call.with_token
        ]
    return [
        # Longer paths first: the name of a bot may contain slashes.
        *sorted(calls, key=lambda route: -route.path.count("/")),
        Route("/api/openapi.json", _described),
        Route("/api", partial(_shown, context)),
        Route("/api/{rest:path}", _preflight, methods=["OPTIONS"]),
        Route("/api/{rest:path}", _unknown),
    ]


def _pattern(call: ApiCall) -> str:
    return f"{API_ROOT}{call.path.replace('{name}', '{name:path}')}"


async def _called(asking: Asking | AccountCalls, call: ApiCall, request: Request) -> Response:
    try:
        asked = request_of(call.request, [*request.query_params.multi_items(), *request.path_params.items()])
        # The token of the site itself, by which it reads the ladder, is never lent to a visitor.
        if isinstance(asking, AccountCalls):
            answer = await asking.ask(_token_of(request), asked, call.answer)
        else:
            answer = await asking.ask(asked, call.answer)
    except ParameterError as error:
        return _problem(HTTPStatus.BAD_REQUEST, str(error))
    except CallError as error:
        return _problem(http_status(error.status), str(error))
    if call.raw:
        name = f"{request.path_params['matchId']}.record"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return tagged(request, getattr(answer, call.raw), OCTETS, headers=headers)
    return tagged(request, answer_json(answer), JSON, headers=_PRIVATE if call.with_token else None)


def _token_of(request: Request) -> str:
    """Return the bearer token of a request; empty if there is none, or nothing that can be one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and may_be_token(token) else ""


def _problem(status: HTTPStatus, sentence: str) -> Response:
    headers = {"Retry-After": "1"} if status is HTTPStatus.TOO_MANY_REQUESTS else {}
    return Response(Problem(status, sentence).json(), status, headers, PROBLEM_JSON)


async def _preflight(_request: Request) -> Response:
    """Tell a browser what a page of another site may send. The origin that it may have is in each answer."""
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=_PREFLIGHT)


async def _described(request: Request) -> Response:
    return tagged(request, _description_bytes(), JSON)


async def _unknown(request: Request) -> Response:
    if not request.path_params["rest"]:
        return RedirectResponse("/api")
    return _problem(HTTPStatus.NOT_FOUND, "There is no such call: /api/openapi.json describes all of them.")


async def _shown(context: AppContext, request: Request) -> Response:
    description = _description()
    return context.pages.render(
        request, "api/calls.html.jinja", about=description["info"]["description"], operations=operations(description)
    )


@cache
def _description_bytes() -> bytes:
    return _DESCRIPTION.read_bytes()


@cache
def _description() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_description_bytes())
    return found
