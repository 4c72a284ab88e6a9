"""The simplest bots, which play every game: one at random, the other always with the default answer."""

from ordago import v1
from ordago_bot.bot import Bot, Choosable, complete


class RandomBot(Bot):
    """A bot that draws a legal action with equal chances, and its open parts too."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take a random action."""
        return complete(self.random.choice(decision.actions), self.random)


class DefaultBot(Bot):
    """A bot that always takes the default answer."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take the default."""
        return decision.default_answer
