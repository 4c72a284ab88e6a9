"""A bot that takes any legal action of any game."""

from ordago import v1
from ordago_bot.answers import Choosable, complete
from ordago_bot.bot import Bot


class RandomBot(Bot):
    """Takes each legal action with the same chance, and fills its open parts by chance."""

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take any."""
        return complete(self.random.choice(decision.actions), self.random)
