"""Whether the server serves, and what it offers, for those who ask by grpc's own services."""

from typing import Final

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

BOT_SERVICE: Final = "ordago.v1.BotService"
_GAME_SERVICE: Final = "ordago.v1.GameService"
_WHOLE_SERVER: Final = ""


class Health:
    """Answers ``grpc.health.v1.Health``. It belongs to grpc's thread."""

    def __init__(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        self._servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def tell(self, *, serving: bool) -> None:
        """Say from now on that new bots are welcome, or that they are not."""
        known = health_pb2.HealthCheckResponse
        for service in (_WHOLE_SERVER, BOT_SERVICE):
            await self._servicer.set(service, known.SERVING if serving else known.NOT_SERVING)


def add_reflection(server: grpc.aio.Server) -> None:
    """Let clients ask a server which services and messages it knows."""
    names = (BOT_SERVICE, _GAME_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
