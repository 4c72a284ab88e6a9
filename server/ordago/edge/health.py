"""Whether the server serves, and what it offers, for those who ask by grpc's own services."""

from collections.abc import Sequence
from typing import Final

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection

from ordago.edge.catalogue import GAME_SERVICE
from ordago.edge.door import Door

BOT_SERVICE: Final = "ordago.v1.BotService"
_WHOLE_SERVER: Final = ""
_KNOWN: Final = health_pb2.HealthCheckResponse


class Health:
    """Answers ``Check`` of ``grpc.health.v1.Health``, and nobody who would watch. It belongs to grpc's thread."""

    def __init__(self, door: Door, services: Sequence[str]) -> None:
        """Begin to serve bots, and these services besides."""
        self._names = {_WHOLE_SERVER, BOT_SERVICE, *services}
        self.serving = True
        """Whether new bots are welcome."""
        check = grpc.unary_unary_rpc_method_handler(
            door.unary(self._check),
            request_deserializer=health_pb2.HealthCheckRequest.FromString,
            response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
        )
        self.handler = grpc.method_handlers_generic_handler(health.SERVICE_NAME, {"Check": check})
        """What a server is to be given."""

    def _check(self, request: health_pb2.HealthCheckRequest) -> health_pb2.HealthCheckResponse | None:
        if request.service not in self._names:
            return None
        return _KNOWN(status=_KNOWN.SERVING if self.serving else _KNOWN.NOT_SERVING)


def add_reflection(server: grpc.aio.Server, services: Sequence[str]) -> None:
    """Let clients ask a server which services and messages it knows, these among them."""
    names = (BOT_SERVICE, GAME_SERVICE, *services, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
