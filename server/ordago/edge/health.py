"""Whether the server serves, for those who ask by grpc's own service."""

from collections.abc import Sequence
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2

from ordago.edge.call_gate import CallGate

BOT_SERVICE: Final = "ordago.v1.BotService"
HEALTH_SERVICE: Final = health.SERVICE_NAME
_WHOLE_SERVER: Final = ""
_KNOWN: Final = health_pb2.HealthCheckResponse


class Health:
    """Answers ``Check`` of ``grpc.health.v1.Health``, and nobody who would watch. It belongs to grpc's thread."""

    def __init__(self, gate: CallGate, services: Sequence[str]) -> None:
        """Begin to serve bots, and these services besides."""
        self._names = {_WHOLE_SERVER, BOT_SERVICE, *services}
        self.serving = True
        """Whether new bots are welcome."""
        check = grpc.unary_unary_rpc_method_handler(
            gate.unary(self._check),
            request_deserializer=health_pb2.HealthCheckRequest.FromString,
            response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
        )
        self.handler = grpc.method_handlers_generic_handler(HEALTH_SERVICE, {"Check": check})
        """What a server is to be given."""

    def _check(self, request: health_pb2.HealthCheckRequest) -> health_pb2.HealthCheckResponse | None:
        if request.service not in self._names:
            return None
        return _KNOWN(status=_KNOWN.SERVING if self.serving else _KNOWN.NOT_SERVING)
