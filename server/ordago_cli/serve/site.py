"""The site of ``ordago serve --web``. Its imports are made only if there is one."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import trio

from ordago.arena.event_router import EventRouter
from ordago.edge import Edge
from ordago.edge.call_gate import Service
from ordago.edge.sockets import UNIX
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.watching import check_address

if TYPE_CHECKING:
    from ordago_cli.serve.settings import ServeSettings
    from ordago_web.settings import SiteSettings

_SOCKET: Final = "s"


def site_settings(settings: "ServeSettings") -> "SiteSettings | None":
    """Return the settings of a server's site, without the address of the server; ``None`` without a site.

    Raises:
        CommandError: the options are invalid, or the extra 'web' is missing.
    """
    if settings.web is None:
        if settings.web_origin or settings.web_contact or settings.web_forwarded or settings.web_no_play:
            sentence = "--web-origin, --web-contact, --web-forwarded and --web-no-play are for a site: --web HOST:PORT"
            raise CommandError(sentence, exit_code=EXIT_USAGE)
        return None
    from ordago.store.backup import EVENTS_FOLDER
    from ordago_cli.serve.web import ANALYSES, check_extra, contact_of, origin_of, place_of
    from ordago_web.settings import SiteSettings

    check_extra("--web")
    check_address(settings.web, option="--web")
    # A proxy in front of the site has a certificate of its own.
    own = None if settings.web_forwarded else settings.entrance.tls(settings.web)
    certificate, key = (None, None) if own is None else (own.certificate, own.key)
    place = place_of(settings.web, certificate, key, option="--web")
    origin = origin_of(settings.web_origin, option="--web-origin")
    analyses = settings.entrance.data / ANALYSES
    return SiteSettings(
        place=place,
        origin=origin,
        contact=contact_of(settings.web_contact, option="--web-contact"),
        forwarded=settings.web_forwarded,
        plays=not settings.web_no_play,
        analyses=analyses.absolute(),
        log_format=settings.log_format,
        hosted=(settings.entrance.data / EVENTS_FOLDER).absolute() if settings.entrance.asks_for_tokens else None,
    )


@asynccontextmanager
async def serving_site(
    settings: "ServeSettings", router: EventRouter, services: Sequence[Service], edge: Edge, telemetry: Telemetry
) -> AsyncIterator[list[str]]:
    """Serve the site of an open server, if there is one, in a process that connects by a private socket.

    Yields:
        The line that tells where it is; none without a site.
    """
    site = site_settings(settings)
    if site is None:
        yield []
        return
    from ordago_cli.serve.web import connecting_to, opened_listener
    from ordago_web.serving.listener import address_of
    from ordago_web.settings import ServerPlace
    from ordago_web.site_process import SiteProcess

    with opened_listener(site.place, option="--web") as listener, TemporaryDirectory(prefix="ordago-") as folder:
        address = f"{UNIX}{folder}/{_SOCKET}"
        # The folder is private to this user, so that nobody else can connect.
        async with (
            Edge.open(address, router, services=services, for_one=True, on_loop_of=edge),
            trio.open_nursery() as nursery,
        ):
            ladder, accounts = settings.ladder is not None, settings.entrance.asks_for_tokens
            bots = f"{settings.address.rpartition(':')[0]}:{edge.port}"
            connecting = connecting_to(bots, secure=settings.entrance.tls(settings.address) is not None)
            server = ServerPlace(address=address, ladder=ladder, accounts=accounts, connecting=connecting)
            away, there = partial(telemetry.begins, Trouble.SITE), partial(telemetry.is_over, Trouble.SITE)
            nursery.start_soon(SiteProcess(site.at(server), listener, away=away, there=there).run)
            yield [f"the site is at {address_of(listener, site.place)}"]
            nursery.cancel_scope.cancel()
