"""Write a bot for Ordago in Python: a class with one method, and ``run``.

::

    import ordago_bot

    class RandomBot(ordago_bot.Bot):
        def choose(self, decision):
            action = self.random.choice(decision.actions)
            return ordago_bot.complete(action, self.random)

    if __name__ == "__main__":
        ordago_bot.run(RandomBot)
"""

from ordago_bot.answers import Choosable, complete
from ordago_bot.bot import Bot
from ordago_bot.main import run

__all__ = ["Bot", "Choosable", "complete", "run"]
