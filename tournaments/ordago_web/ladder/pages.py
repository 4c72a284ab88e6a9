"""The routes of all pages of a standing ladder."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking
from ordago_web.ladder.bot_pages import BotPages
from ordago_web.ladder.feeds import Feeds
from ordago_web.ladder.match_pages import MatchPages
from ordago_web.ladder.standing_pages import StandingPages


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of the ladder pages; none if the site has no ladder."""
    if context.ladder is None:
        return ()
    asking = Asking(context)
    parts = (Feeds, StandingPages, BotPages, MatchPages)
    return [route for part in parts for route in part(context, asking).routes()]
