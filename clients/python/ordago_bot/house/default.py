"""A bot that leaves everything to the server."""

from ordago import v1
from ordago_bot.answers import Choosable
from ordago_bot.bot import Bot


class DefaultBot(Bot):
    """Always takes the default answer."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take the default."""
        return decision.default_answer
