"""The unary service that tells which games there are, and which event is played."""

from collections.abc import Callable
from typing import Final

import grpc

from ordago import v1
from ordago.edge.door import Door
from ordago.game import OptionSpec
from ordago.games import find_game, game_names

GAME_SERVICE: Final = "ordago.v1.GameService"
_KINDS: Final = {
    "INTEGER": v1.OPTION_KIND_INTEGER,
    "WORD": v1.OPTION_KIND_WORD,
    "BOOLEAN": v1.OPTION_KIND_BOOLEAN,
}


class Catalogue:
    """Answers ``GameService``. The games are the same for everybody, so that is made once."""

    def __init__(self, door: Door, event: Callable[[], v1.DescribeEventResponse]) -> None:
        """List the games with their seats and options, and describe the event; none if the description is empty."""
        games = v1.ListGamesResponse(games=[game_info(name) for name in game_names()]).SerializeToString()
        self.handler = grpc.method_handlers_generic_handler(
            GAME_SERVICE,
            {
                "ListGames": _answering(lambda: games, door),
                "DescribeEvent": _answering(lambda: event().SerializeToString(), door),
            },
        )
        """What a server is to be given."""


def _answering(answer: Callable[[], bytes], door: Door) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """Return what gives this answer to whatever is asked: the requests are empty."""
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(door.unary(lambda _: answer()))
    return handler


def game_info(name: str) -> v1.GameInfo:
    """Return what is announced of a game."""
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
