"""The unary service that tells which games there are, and which event is played."""

from typing import Final

import grpc
import grpc.aio

from ordago import v1
from ordago.game import OptionSpec
from ordago.games import find_game, game_names
from ordago.v1.game_service_pb2_grpc import GameServiceServicer

_KINDS: Final = {
    "INTEGER": v1.OPTION_KIND_INTEGER,
    "WORD": v1.OPTION_KIND_WORD,
    "BOOLEAN": v1.OPTION_KIND_BOOLEAN,
}


class Catalogue(GameServiceServicer):
    """Answers ``GameService``."""

    def __init__(self, event: v1.DescribeEventResponse) -> None:
        """Tell of an event; of none if the description is empty."""
        self._event = event

    async def ListGames(  # noqa: N802 - the name is the contract's
        self,
        request: v1.ListGamesRequest,  # noqa: ARG002 - it is empty
        context: grpc.aio.ServicerContext[v1.ListGamesRequest, v1.ListGamesResponse],  # noqa: ARG002 - not needed
    ) -> v1.ListGamesResponse:
        """List the games with their seats and options."""
        return v1.ListGamesResponse(games=[game_info(name) for name in game_names()])

    async def DescribeEvent(  # noqa: N802 - the name is the contract's
        self,
        request: v1.DescribeEventRequest,  # noqa: ARG002 - it is empty
        context: grpc.aio.ServicerContext[v1.DescribeEventRequest, v1.DescribeEventResponse],  # noqa: ARG002 - not needed
    ) -> v1.DescribeEventResponse:
        """Describe the event that is played."""
        return self._event


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
