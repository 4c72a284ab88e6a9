"""The hosted events of ``ordago serve``. Their imports are made only if there are any."""

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ordago.arena.admission.authenticator import Authenticator
from ordago.arena.event_router import EventRouter
from ordago.edge import Edge
from ordago.edge.call_gate import Service
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.serve.entrance import account_tokens

if TYPE_CHECKING:
    from ordago.arena.admission.account_tokens import AccountTokens
    from ordago_cli.serve.settings import ServeSettings
    from ordago_ladder.hosted.hosting import Hosting

_logger = logging.getLogger("ordago.event")


@dataclass(frozen=True, slots=True)
class EventsHost:
    """The parts of a server that host events."""

    settings: "ServeSettings"
    accounts: "AccountTokens"
    hosting: "Hosting"
    """The events."""

    @property
    def services(self) -> Sequence[Service]:
        """The services for events."""
        from ordago.edge.services.events import EventService
        from ordago_ladder.hosted.keeper import HostedEventKeeper

        keeper = HostedEventKeeper(self.hosting, shown_account=self.accounts.shown_account)
        return (EventService(keeper, self.accounts.accounts),)

    @asynccontextmanager
    async def running(self, router: EventRouter, edge: Edge) -> AsyncIterator[None]:
        """Play events on an open server inside the context."""
        from ordago_ladder.hosted.hosted_event import HostContext

        context = HostContext(
            accounts=self.accounts,
            router=router,
            address=f"{self.settings.address.rpartition(':')[0]}:{edge.port}",
            edge=edge,
            bounds=self.settings.entrance.bounds,
            hidden=tuple(path.absolute() for path in self.settings.entrance.secret_files),
            announce_to=tuple(host.lower() for host in self.settings.announce_to),
        )
        async with self.hosting.running(context):
            yield


@contextmanager
def opened_events_host(settings: "ServeSettings", authenticator: Authenticator) -> Iterator[EventsHost | None]:
    """Open the event hosting; ``None`` without tokens or data folder, or if another server hosts these events.

    Raises:
        CommandError: the folder of the events is unusable.
    """
    tokens = account_tokens(authenticator)
    if tokens is None or not settings.uses_data:
        yield None
        return
    from ordago.store.backup import EVENTS_FOLDER
    from ordago_ladder.hosted.folders import opened_folder
    from ordago_ladder.hosted.hosting import Hosting

    path = settings.entrance.data / EVENTS_FOLDER
    try:
        with opened_folder(path) as is_free:
            if not is_free:
                what = f"another server plays the events in {path}, so this one plays none"
                _logger.warning("worth a look", extra={"subject": "events", "what": what})
            yield EventsHost(settings, tokens, Hosting(path, tokens.accounts)) if is_free else None
    except OSError as error:
        sentence = f"cannot use the folder {path}: {error.strerror}; fix it, or choose another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
