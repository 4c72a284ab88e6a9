"""The page that says whether the match server works."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ordago import v1
from ordago.names import visible
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking, errors_as_pages
from ordago_web.ladder.places import time_of


class StatusPage:
    """The status of the server, as far as everybody may know it. ``/api/v1/status`` has the same as JSON."""

    def __init__(self, context: AppContext, asking: Asking) -> None:
        """Show the answers of the ladder's server."""
        self._context = context
        self._asking = asking

    def routes(self) -> Sequence[Route]:
        """Return the route of the page."""
        return [Route("/status", self.status)]

    async def status(self, request: Request) -> Response:
        """Show the status; an error page with status 503 once the server has not answered for two minutes."""
        with errors_as_pages():
            status = await self._asking.ask(v1.GetStatusRequest(), v1.GetStatusResponse)
        return self._context.pages.render(
            request,
            "ladder/status.html.jinja",
            troubles=[visible(trouble) for trouble in status.troubles],
            is_paused=any(one.pauses_seating for one in status.announcements),
            server=status,
            published=time_of(status.published_at),
        )
