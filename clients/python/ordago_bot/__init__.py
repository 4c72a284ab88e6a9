"""Write a bot for Ordago in Python: a class with one method, and ``run``.

::

    import ordago_bot
    from ordago import v1

    class RandomBot(ordago_bot.Bot):
        def choose(self, decision: v1.Decision) -> ordago_bot.Choosable:
            action = self.random.choice(decision.actions)
            return ordago_bot.complete(action, self.random)

    if __name__ == "__main__":
        ordago_bot.run(RandomBot)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from ordago.version import __version__
from ordago_bot.bot import Bot, BotFactory, Choosable, Countdown, complete
from ordago_bot.match import Match

if TYPE_CHECKING:
    from ordago_bot.local import LocalMatch, RefusedError, play_locally
    from ordago_bot.main import run
    from ordago_bot.policies import policy
    from ordago_bot.session import Outcome, play_at
    from ordago_bot.summary import Summary
    from ordago_bot.tls import Tls
    from ordago_bot.transport import SessionEndedError, Stop

__all__ = [
    "__version__",
    "Bot",
    "BotFactory",
    "Choosable",
    "Countdown",
    "LocalMatch",
    "Match",
    "Outcome",
    "RefusedError",
    "SessionEndedError",
    "Stop",
    "Summary",
    "Tls",
    "complete",
    "play_at",
    "play_locally",
    "policy",
    "run",
]

# Imported on first use: a bot needs only one of ``run``, ``play_at`` and ``play_locally``, and starts faster so.
_LATER: Final = {
    "LocalMatch": "local",
    "Outcome": "session",
    "RefusedError": "local",
    "SessionEndedError": "transport",
    "Stop": "transport",
    "Summary": "summary",
    "Tls": "tls",
    "play_at": "session",
    "play_locally": "local",
    "policy": "policies",
    "run": "main",
}


def __dir__() -> list[str]:
    """Return the public names, so that a Python shell completes them."""
    return list(__all__)


def __getattr__(name: str) -> object:
    """Import a name on first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
