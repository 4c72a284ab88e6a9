"""Networks that bots connect from: that of the test, or one of their own for each of them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

_BLOCK = "10.77"
"""Addresses of private networks that nobody else uses here."""


class Network(NamedTuple):
    """A network that a bot connects from."""

    prefix: tuple[str, ...]
    """What a command begins with that is run in it."""
    server: str
    """The address of the server, seen from there."""


LOOPBACK = Network((), "127.0.0.1")
"""The network of the test itself."""


def why_no_namespaces() -> str:
    """Return why no networks can be made here; nothing if they can."""
    if shutil.which("ip") is None:
        return "there is no program 'ip' (iproute2)"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    name = f"ordago-{os.getpid()}-try"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)  # noqa: S603, S607 - as below
    if tried.returncode == 0:
        _ip("netns", "del", name)
    return tried.stderr.decode().strip()


@contextmanager
def namespaces(count: int) -> Iterator[list[Network]]:
    """Give some network namespaces, each joined to this one by a pair of devices, and remove them again."""
    with ExitStack() as stack:
        yield [stack.enter_context(_namespace(number)) for number in range(1, count + 1)]


@contextmanager
def _namespace(number: int) -> Iterator[Network]:
    name, here, there = f"ordago-{os.getpid()}-{number}", f"orda{number}", f"ordb{number}"
    server, bot = f"{_BLOCK}.{number}.1", f"{_BLOCK}.{number}.2"
    _ip("netns", "add", name)
    try:
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        _ip("addr", "add", f"{server}/24", "dev", here)
        _ip("link", "set", here, "up")
        for device in (("addr", "add", f"{bot}/24", "dev", there), ("link", "set", there, "up")):
            _ip("-netns", name, *device)
        yield Network(("ip", "netns", "exec", name), server)
    finally:
        _ip("netns", "del", name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S603, S607 - that of the system
