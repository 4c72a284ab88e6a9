"""A receiver of announcements on this machine."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    """A request that was received."""

    path: str
    headers: dict[str, str]
    """By names in lower case."""
    body: bytes

    @property
    def content(self) -> Any:
        return json.loads(self.body)


class Hook:
    """A receiver that answers requests one after the other."""

    def __init__(self, port: int, received: list[Received]) -> None:
        self.url = f"http://127.0.0.1:{port}/hook?token=let-me-in"
        self.received = received
        """In the order of their arrival."""


@contextmanager
def received_announcements(*statuses: int, headers: Sequence[tuple[str, str]] = ()) -> Iterator[Hook]:
    """Open a receiver that answers with these statuses, and with 204 from then on."""
    left = list(statuses)
    received: list[Received] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(left.pop(0) if left else 204)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Hook(server.server_port, received)
        finally:
            server.shutdown()
            thread.join()
