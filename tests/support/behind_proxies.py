"""What a proxy stands before in its tests: a server of gRPC that takes few calls on a connection, and a site."""

import json
import os
import signal
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import HealthServicer
from support.ports import free_port
from support.shipped import SECONDS

NAME: Final = "play.example.org"
"""The name in the shipped files."""
_CALLS: Final = 16
"""The calls at a time that our server takes on a connection."""
_STREAMS: Final = 20


class _Site(BaseHTTPRequestHandler):
    """Tells what it was asked."""

    def do_GET(self) -> None:
        forwarded = self.headers.get_all("X-Forwarded-For", [])
        told = json.dumps({"path": self.path, "host": self.headers["Host"], "forwarded": forwarded}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the names are the library's
        pass


@contextmanager
def both() -> Iterator[dict[str, int]]:
    """Run both, and yield their ports by those that the shipped files name, and a free one for the proxy's own."""
    pool = ThreadPoolExecutor(_STREAMS + 4)
    server = grpc.server(pool, options=[("grpc.max_concurrent_streams", _CALLS)])
    health_pb2_grpc.add_HealthServicer_to_server(HealthServicer(), server)
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=site.serve_forever, daemon=True)
    thread.start()
    ports = {"443": free_port(), "7447": server.add_insecure_port("127.0.0.1:0"), "8080": site.server_address[1]}
    server.start()
    try:
        yield ports
    finally:
        server.stop(None).wait()
        site.shutdown()
        thread.join()
        site.server_close()
        pool.shutdown()


@contextmanager
def running(command: Sequence[str]) -> Iterator[None]:
    """Run a proxy, and end it with the processes that it has started."""
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere, process_group=0) as process:  # noqa: S603 - ours
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def assert_streams_stay(port: int, authority: bytes) -> None:
    """Open more streams than the server takes on a connection, and check that all of them answer and stay."""
    secure = grpc.ssl_channel_credentials(authority)
    with grpc.secure_channel(f"127.0.0.1:{port}", secure, [("grpc.ssl_target_name_override", NAME)]) as channel:
        grpc.channel_ready_future(channel).result(SECONDS)
        stub, asked = health_pb2_grpc.HealthStub(channel), health_pb2.HealthCheckRequest()
        streams = list[Any]()
        for _ in range(_STREAMS):
            # One after the other. A connection that has not said yet how many calls it takes is given a hundred by
            # Caddy, which answers 502 for those that are refused; bots try again.
            streams.append(stub.Watch(asked, timeout=SECONDS))
            assert next(streams[-1]).status == health_pb2.HealthCheckResponse.SERVING
        assert all(stream.is_active() for stream in streams)
        for stream in streams:
            stream.cancel()


def told_to_the_site(port: int, authority: bytes, path: str, **headers: str) -> dict[str, Any]:
    """Ask the site through the proxy, and return what it was asked."""
    context = ssl.create_default_context(cadata=authority.decode())
    connection = HTTPSConnection("127.0.0.1", port, timeout=SECONDS)
    connection.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname=NAME)
    try:
        connection.request("GET", path, headers={"Host": NAME, **headers})
        told: dict[str, Any] = json.loads(connection.getresponse().read())
        return told
    finally:
        connection.close()
