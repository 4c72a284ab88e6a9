"""The simplest bots, which play every game: one takes any legal action, the other leaves everything to the server."""

from ordago import v1
from ordago_bot.bot import Bot, Choosable, complete


class RandomBot(Bot):
    """Takes each legal action with the same chance, and fills its open parts by chance."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take any."""
        return complete(self.random.choice(decision.actions), self.random)


class DefaultBot(Bot):
    """Always takes the default answer."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take the default."""
        return decision.default_answer
