"""Health of the server, by grpc's standard service."""

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
    """Handler of ``grpc.health.v1.Health``: of ``Check`` only, not of ``Watch``. Used in grpc's thread."""

    def __init__(self, gate: CallGate, services: Sequence[str]) -> None:
        """Report as serving the server as a whole, the bot service, and these services."""
        self._names = {_WHOLE_SERVER, BOT_SERVICE, *services}
        self.serving = True
        """False once no new bots are accepted."""
        check = grpc.unary_unary_rpc_method_handler(
            gate.unary(self._check),
            request_deserializer=health_pb2.HealthCheckRequest.FromString,
            response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
        )
        self.handler = grpc.method_handlers_generic_handler(HEALTH_SERVICE, {"Check": check})
        """The handler to register with a server."""

    def _check(self, request: health_pb2.HealthCheckRequest) -> health_pb2.HealthCheckResponse | None:
        if request.service not in self._names:
            return None
        return _KNOWN(status=_KNOWN.SERVING if self.serving else _KNOWN.NOT_SERVING)
