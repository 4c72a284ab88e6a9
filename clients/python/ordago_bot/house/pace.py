"""A bot that takes its time, so that people can follow what is played."""

from inspect import isawaitable

from ordago import v1
from ordago_bot.answers import Choosable
from ordago_bot.bot import Bot, BotFactory
from ordago_bot.match import Match


def paced(factory: BotFactory, *, pause_seconds: float) -> BotFactory:
    """Return what makes the same bots, but that they wait before each answer."""

    def begin(match: Match) -> Bot:
        return _PacedBot(match, factory(match), pause_seconds)

    return begin


class _PacedBot(Bot):
    """Answers as another bot does, later. It hands on what house bots listen to: decisions."""

    def __init__(self, match: Match, bot: Bot, pause_seconds: float) -> None:
        """Begin a match."""
        super().__init__(match)
        self._bot = bot
        # What begins anew with each decision is the chance of this bot, which is the other's too.
        bot.random = self.random
        self._pause_seconds = pause_seconds

    async def choose(self, decision: v1.Decision) -> Choosable:
        """Wait, and answer."""
        import trio

        await trio.sleep(self._pause_seconds)
        chosen = self._bot.choose(decision)
        return await chosen if isawaitable(chosen) else chosen
