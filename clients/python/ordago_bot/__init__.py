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

from typing import TYPE_CHECKING

from ordago_bot.bot import Bot, BotFactory, Choosable, complete
from ordago_bot.match import Match

if TYPE_CHECKING:
    from ordago_bot.local import LocalMatch, play_locally
    from ordago_bot.main import run

__all__ = ["Bot", "BotFactory", "Choosable", "LocalMatch", "Match", "complete", "play_locally", "run"]


def __getattr__(name: str) -> object:
    """Import ``run`` or ``play_locally`` on first use: a bot needs only one of them, and starts faster so."""
    if name == "run":
        from ordago_bot.main import run

        return run
    if name in ("LocalMatch", "play_locally"):
        from ordago_bot import local

        return getattr(local, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
