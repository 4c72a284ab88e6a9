"""Events of a server that nobody plays, and a server over real gRPC that tells of them."""

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import trio
from google.protobuf.message import Message
from support.accounts import TokenLobby
from support.commands import ordago
from support.organiser import Organiser
from support.processes import PATIENCE_SECONDS
from support.raw_client import in_thread

from ordago.edge import Edge
from ordago.edge.services.client import CallError, EventClient
from ordago.edge.services.event_keeper import Caller
from ordago.edge.services.events import EventService
from ordago.store.accounts.rows import Scope
from ordago.store.event.store import Store
from ordago_ladder.event_file.entry import Entry
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.events_api import EventConflictError, HostedStage, HostedState, NoEventError, Removed
from ordago_ladder.hosted.keeper import HostedEventKeeper
from ordago_ladder.publication.archive import publish_event

OPENED = 1_800_000_000
FRIDAY = """
[event]
name = "friday"
title = "Friday night"

[[game]]
name = "mittlere"

[[entrant]]
name = "deep"
remote = true
account = "ana"

[[entrant]]
name = "sota"
remote = true
account = "ben"

[[entrant]]
name = "one"
house = "random"

[[entrant]]
name = "two"
house = "random"
"""


def state_of(name: str, folder: Path, **known: Any) -> HostedState:
    """Return an event as it is when it was opened, but for what is known."""
    usual: dict[str, Any] = {
        "title": name.title(),
        "stage": HostedStage.CHECK_IN,
        "sentence": "",
        "opened": OPENED,
        "opened_by": "root",
        "begins": None,
        "played": 0,
        "planned": 0,
        "here": (),
        "missing": (),
        "ladder": None,
        "check_in_ends": None,
        "size": 0,
        "folder": EventFolder(folder / name),
    }
    return HostedState(name=name, **usual | known)


def played_event(honest: Organiser, folder: Path) -> HostedState:
    """Publish the event of an organiser in a folder of its name, as a run does, and return it as when it is over."""
    settings, own = honest.settings, EventFolder(folder / honest.settings.event.name)
    own.private.mkdir(parents=True)
    with Store.open(own.store, create=True) as store:
        honest.keep(store)
        ladder = publish_event(settings, honest.text, store, own).ladder
    known = {"stage": HostedStage.OVER, "played": len(ladder.results), "planned": ladder.planned, "ladder": ladder}
    return state_of(settings.event.name, folder, title=settings.event.heading, **known)


class FakeOffice:
    """Keeps events, and plays none."""

    def __init__(self, folder: Path, *states: HostedState) -> None:
        self.folder = folder
        self.events = {state.name: state for state in states}
        self.asked: list[tuple[str, str, Caller]] = []
        """What was opened, stopped and removed, and by whom."""
        self.whys: list[str] = []
        """What was said of the reasons."""
        self.refusal: Exception | None = None
        self.stop_seconds = 0.0
        """How long an event takes to end when it is stopped."""

    def open(self, text: str, *, by: Caller, why: str = "") -> HostedState:
        self.asked.append(("open", text, by))
        self.whys.append(why)
        if self.refusal is not None:
            raise self.refusal
        settings = parse_event(text)
        if settings.event.name in self.events:
            raise EventConflictError(f"there is an event {settings.event.name!r} already")
        missing = tuple(entrant.name for entrant in settings.remote_entrants)
        known = {"title": settings.event.heading, "opened_by": by.account, "missing": missing}
        state = state_of(settings.event.name, self.folder, **known)
        self.events[state.name] = state
        return state

    def stop(self, name: str, *, by: Caller, why: str = "") -> HostedState:
        self.asked.append(("stop", name, by))
        self.whys.append(why)
        ended = partial(self.set, name, stage=HostedStage.STOPPED, sentence=f"stopped by {by.account}")
        if self.stop_seconds:
            threading.Timer(self.stop_seconds, ended).start()
            return self.state(name)
        return ended()

    def enter(self, name: str, entry: Entry) -> HostedState:
        self.asked.append(("enter", entry.entrant, Caller(entry.account)))
        if self.refusal is not None:
            raise self.refusal
        return self.set(name, entries=(*self.state(name).entries, entry), places_left=7)

    def leave(self, name: str, entrant: str, *, by: Caller) -> HostedState:
        self.asked.append(("leave", entrant, by))
        kept = [entry for entry in self.state(name).entries if by.account != entry.account]
        return self.set(name, entries=tuple(kept), places_left=8)

    def remove(self, name: str, *, by: Caller, why: str = "") -> Removed:
        self.asked.append(("remove", name, by))
        self.whys.append(why)
        if self.refusal is not None:
            raise self.refusal
        state = self.state(name)
        del self.events[name]
        return Removed(state, files=7)

    def state(self, name: str) -> HostedState:
        if name not in self.events:
            raise NoEventError(name)
        return self.events[name]

    def states(self) -> Sequence[HostedState]:
        return list(self.events.values())[::-1]

    def set(self, name: str, **changed: Any) -> HostedState:
        """Let something of an event be different from now on."""
        self.events[name] = replace(self.state(name), **changed)
        return self.events[name]


class EventServer:
    """A server that tells of events."""

    def __init__(self, lobby: TokenLobby, edge: Edge, office: FakeOffice, folder: Path) -> None:
        self.lobby = lobby
        self.edge = edge
        self.office = office
        self.folder = folder
        self.address = f"127.0.0.1:{edge.port}"

    def token_file(self, scope: Scope, *, account: str = "ana") -> Path:
        """Make a token, and return the file that it is in."""
        path = self.folder / f"{account}-{scope.value}.token"
        path.write_text(self.lobby.token(account, scope=scope))
        return path

    async def ordago(self, *words: object) -> Any:
        """Return what a command says at the server."""
        return await in_thread(partial(ordago, "event", *words, "--server", self.address))

    async def ask(self, request: Message, answer: type[Any], *, token: str = "") -> Any:
        """Return the answer to a call, or the status and the sentence with which it ended."""
        return await in_thread(self._ask, request, answer, token)

    def _ask(self, request: Message, answer: type[Message], token: str) -> object:
        try:
            with EventClient.opened(self.address, token=token) as client:
                return client.ask(request, answer)
        except CallError as error:
            return error.status, str(error)

    def listen(self, request: Message, answer: type[Any], heard: list[Any] | None = None) -> list[Any]:
        """Return all answers of a stream, also while they come; the last may be the status and sentence at its end."""
        heard = [] if heard is None else heard
        try:
            with EventClient.opened(self.address) as client:
                for response in client.listen(request, answer):
                    heard.append(response)
        except CallError as error:
            heard.append((error.status, str(error)))
        return heard


@asynccontextmanager
async def open_event_server(folder: Path, *states: HostedState) -> AsyncIterator[EventServer]:
    """Serve events over real gRPC."""
    lobby, office = TokenLobby(folder), FakeOffice(folder, *states)
    service = EventService(HostedEventKeeper(office), lobby.accounts, now=lobby.calendar)
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, services=[service]) as edge:
            yield EventServer(lobby, edge, office, folder)
    lobby.accounts.close()
