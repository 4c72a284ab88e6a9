"""A server for bots that are started on this machine: for one match, or for an event."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

import trio

from ordago.arena.admission.authenticator import LaunchTokens
from ordago.arena.processes.supervisor import Host
from ordago.arena.server import Server
from ordago.arena.stall_detector import stall_detector
from ordago.edge.server import Edge
from ordago.telemetry.telemetry import Telemetry

_HOST: Final = "127.0.0.1"


@asynccontextmanager
async def open_host(games: Iterable[str], *, telemetry: Telemetry | None = None) -> AsyncIterator[Host]:
    """Open a server that only bots come in to that are started here, and end with it what is started.

    Args:
        games: the games that they play, by their short names.
        telemetry: where it is told what happens; nowhere if ``None``.

    Raises:
        EdgeError: nothing can be listened on.
        EdgeFailedError: the server failed.
    """
    tokens = LaunchTokens()
    server = Server(tokens, games=games, telemetry=telemetry)
    detector = stall_detector(server.telemetry, server.clock)
    async with Edge.open(f"{_HOST}:0", server, own_bots_only=True) as edge, detector, trio.open_nursery() as nursery:
        yield Host(tokens, f"{_HOST}:{edge.port}", nursery)
