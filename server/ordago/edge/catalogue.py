"""``GameService``: the list of games, and descriptions of events."""

from collections.abc import Callable
from typing import Final, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from ordago import v1
from ordago.arena.admission.authenticator import Refusal
from ordago.edge.call_gate import CallGate
from ordago.edge.stream import RETRY_AFTER, Context
from ordago.game import OptionSpec
from ordago.games import find_game, game_names

GAME_SERVICE: Final = "ordago.v1.GameService"
_KINDS: Final = {
    "INTEGER": v1.OPTION_KIND_INTEGER,
    "WORD": v1.OPTION_KIND_WORD,
    "BOOLEAN": v1.OPTION_KIND_BOOLEAN,
}


Describing: TypeAlias = Callable[[str], v1.DescribeEventResponse | Refusal]
"""A function that describes the event with a name, or refuses. An empty name means the ladder or the only event."""


def no_event(_name: str) -> v1.DescribeEventResponse:
    """Return an empty description, for a server without events."""
    return v1.DescribeEventResponse()


class Catalogue:
    """Handler of ``GameService``. The list of games is the same for everybody, so it is serialized once."""

    def __init__(self, gate: CallGate, event: Describing) -> None:
        """Prepare the list of games with their seats and options; ``event`` describes the events."""
        games = v1.ListGamesResponse(games=[game_info(name) for name in game_names()]).SerializeToString()
        self.handler = grpc.method_handlers_generic_handler(
            GAME_SERVICE,
            {
                "ListGames": _listing(games, gate),
                "DescribeEvent": _describing(event, gate),
            },
        )
        """The handler to register with a server."""


def _listing(games: bytes, gate: CallGate) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """Return a handler that always gives this answer, since the requests are empty."""
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(gate.unary(lambda _: games))
    return handler


def _describing(event: Describing, gate: CallGate) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """Return a handler that describes the event of a request."""

    async def describe(asked: bytes, context: Context) -> bytes:
        await gate.let_in(context)
        try:
            described = event(v1.DescribeEventRequest.FromString(asked).event)
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "this is no DescribeEventRequest")
        if isinstance(described, Refusal):
            retry = ((RETRY_AFTER, str(described.retry_after_ms)),) if described.retry_after_ms else ()
            await context.abort(grpc.StatusCode[described.status.name], described.sentence, retry)
        return described.SerializeToString()

    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(describe)
    return handler


def game_info(name: str) -> v1.GameInfo:
    """Return the description of a game."""
    rules = find_game(name).rules
    return v1.GameInfo(
        name=rules.name,
        title=rules.title,
        rules_version=rules.version,
        seat_counts=rules.seat_counts,
        options=[_option_info(spec) for spec in rules.option_specs],
    )


def _option_info(spec: OptionSpec) -> v1.OptionInfo:
    default = str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)
    return v1.OptionInfo(
        name=spec.name,
        kind=_KINDS[spec.kind.name],
        default_value=default,
        min=spec.min,
        max=spec.max,
        choices=[str(choice) for choice in spec.choices],
        sentence=spec.sentence,
    )
