"""A site that is asked without a network: requests go to the application under trio, and responses come back whole."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote, urlencode

import trio

Headers: TypeAlias = Mapping[str, str] | Sequence[tuple[str, str]]
"""What a browser says with a request; a list says some of it several times."""


@dataclass(frozen=True)
class Answer:
    """What a site answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


def csrf_of(answer: Answer) -> str:
    """Return the CSRF token of the first form of a page."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', answer.text)
    assert found, answer.text
    return found[1]


@dataclass
class Visitor:
    """A browser of a few lines: it keeps cookies, and follows nothing."""

    application: Callable[..., Awaitable[None]]
    host: str = "127.0.0.1:8080"
    client: str = "192.0.2.1"
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, address: str, **headers: str) -> Answer:
        return await self.ask("GET", address, headers=headers)

    async def post(self, address: str, form: Mapping[str, str], **headers: str) -> Answer:
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return await self.ask("POST", address, headers={**kind, **headers}, body=urlencode(form).encode())

    async def ask(self, method: str, address: str, *, headers: Headers = (), body: bytes = b"") -> Answer:
        async with self.opened(method, address, headers=headers, body=body) as (head, parts):
            return Answer(head.status, head.headers, b"".join([part async for part in parts]))

    @asynccontextmanager
    async def opened(
        self, method: str, address: str, *, headers: Headers = (), body: bytes = b""
    ) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        """Ask, and yield the head of the answer and its parts as they come; at the end the browser hangs up."""
        send, received = trio.open_memory_channel[dict[str, Any]](64)
        gone = trio.Event()
        scope = self._scope(method, address, headers)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run, scope, _requests(body, gone), send)
            start = await received.receive()
            head = Answer(start["status"], {k.decode(): v.decode() for k, v in start["headers"]}, b"")
            self._keep_cookies(start["headers"])
            yield head, _Parts(received)
            gone.set()
            nursery.cancel_scope.cancel()

    async def _run(self, scope: dict[str, Any], receive: Any, send: trio.MemorySendChannel[Any]) -> None:
        async with send:
            await self.application(scope, receive, send.send)

    def _scope(self, method: str, address: str, headers: Headers) -> dict[str, Any]:
        path, _, query = address.partition("?")
        given = [*(headers.items() if isinstance(headers, Mapping) else headers)]
        told = {"host": self.host, "accept": "text/html"}
        if self.cookies:
            told["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        named = [(name.replace("_", "-").lower(), value) for name, value in given]
        lines = [*((name, value) for name, value in told.items() if name not in dict(named)), *named]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in lines],
            "client": (self.client, 50000),
            "server": ("127.0.0.1", 8080),
            "state": {},
        }

    def _keep_cookies(self, headers: list[tuple[bytes, bytes]]) -> None:
        for name, value in headers:
            if name == b"set-cookie":
                cookie, _, content = value.decode().partition(";")[0].partition("=")
                self.cookies[cookie] = content


def _requests(body: bytes, gone: trio.Event) -> Callable[[], Awaitable[dict[str, Any]]]:
    told = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    return receive


class _Parts:
    """The parts of an answer, as they come."""

    def __init__(self, received: trio.MemoryReceiveChannel[dict[str, Any]]) -> None:
        self._received = received
        self._more = True

    def __aiter__(self) -> "_Parts":
        return self

    async def __anext__(self) -> bytes:
        if not self._more:
            raise StopAsyncIteration
        message = await self._received.receive()
        self._more = message.get("more_body", False)
        return message.get("body", b"")
