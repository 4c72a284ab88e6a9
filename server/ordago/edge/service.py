"""What a server offers beside the services that every server has."""

from typing import Protocol

import grpc

from ordago.edge.door import Door
from ordago.telemetry.telemetry import Telemetry


class Service(Protocol):
    """A service of the contract."""

    @property
    def name(self) -> str:
        """Its full name, for instance ``ordago.v1.LadderService``."""

    def handler(self, door: Door, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls in grpc's thread, as far as the door takes them. It is called once."""
