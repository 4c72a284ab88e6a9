"""A small web server in a thread of its own, for monitoring: ``/metrics``, ``/health`` and ``/live``.

It answers even while the thread of the matches is held up, when it is needed most.
"""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.process_collector import ProcessCollector

from ordago.addresses import AddressError
from ordago.ops.addresses import split_address
from ordago.ops.metrics import CountersCollector
from ordago.telemetry.counters import Counters
from ordago.telemetry.telemetry import is_full

_HELD_UP_SECONDS: Final = 5.0
"""Time without a turn of the matches' thread after which a server is unhealthy: half of the default time of a
decision."""
_DEAD_SECONDS: Final = 60.0
"""Time without a turn after which a server should be started anew: no disk that comes back takes so long."""
_UNAVAILABLE: Final = "503 Service Unavailable"


class WebError(Exception):
    """The web server cannot listen on its address. The user erred, or another program uses the address."""


class _Quiet(WSGIRequestHandler):
    """Answers a request without logging it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the names are the library's
        """Log nothing."""


class _WebServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _WebServer6(_WebServer):
    address_family = socket.AF_INET6


@contextmanager
def watched(address: str | None, counters: Counters) -> Iterator[int]:
    """Serve the metrics and the health of a server on HOST:PORT, and yield the port; without an address, yield 0.

    Raises:
        WebError: the address cannot be listened on.
    """
    if address is None:
        yield 0
        return
    with _listening(address) as server:
        server.set_app(_application(counters))
        thread = threading.Thread(target=server.serve_forever, name="ordago-web", daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def _listening(address: str) -> _WebServer:
    try:
        host, port = split_address(address)
        return (_WebServer6 if ":" in host else _WebServer)((host, port), _Quiet)
    except AddressError as error:
        raise WebError(str(error)) from error
    except OSError as error:
        raise WebError(f"cannot listen on {address}: {error.strerror}") from error


def _application(counters: Counters) -> WSGIApplication:
    registry = CollectorRegistry()
    registry.register(CountersCollector(counters))
    ProcessCollector(registry=registry)
    metrics: WSGIApplication = make_wsgi_app(registry)

    def application(environment: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environment["PATH_INFO"]
        if path == "/metrics":
            return metrics(environment, start_response)
        if path == "/health":
            status, sentence = health(counters)
        elif path == "/live":
            status, sentence = liveness(counters)
        else:
            status, sentence = "404 Not Found", "not found: try /metrics, /health or /live"
        start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{sentence}\n".encode()]

    return application


def health(counters: Counters) -> tuple[str, str]:
    """Return an HTTP status, 200 OK if new bots should be sent here, and a sentence with the reason."""
    held_up = time.monotonic() - counters.turned_at
    if not counters.turned_at:
        return _UNAVAILABLE, "the server is starting"
    if held_up > _HELD_UP_SECONDS:
        return _UNAVAILABLE, f"the server has not responded for {held_up:.0f} s"
    if troubles := counters.troubles.copy():
        return _UNAVAILABLE, "; ".join(f"{what}: {why}" for what, why in troubles.items())
    if counters.draining:
        return _UNAVAILABLE, "the server is draining"
    if is_full(counters):
        return _UNAVAILABLE, "the server is full and refuses new connections"
    if counters.seating_paused:
        # Still 200 OK, since bots may come in and wait.
        return "200 OK", "ok, but seating is paused"
    if counters.unseated:
        # Still 200 OK, since new bots are just what helps the waiting ones.
        return "200 OK", f"ok, but {counters.unseated} bots cannot be seated: {counters.unseated_why}"
    return "200 OK", "ok"


def liveness(counters: Counters) -> tuple[str, str]:
    """Return an HTTP status, 200 OK unless the server should be started anew, and a sentence with the reason."""
    held_up = time.monotonic() - counters.turned_at
    if counters.turned_at and held_up > _DEAD_SECONDS:
        return _UNAVAILABLE, f"the server has not responded for {held_up:.0f} s"
    return "200 OK", "alive"
