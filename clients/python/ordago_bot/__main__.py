"""Command line of the house bots: ``python -m ordago_bot solid --worlds 8``."""

import argparse
import sys
from collections.abc import Callable
from inspect import isawaitable
from typing import Final

from ordago import v1
from ordago.version import __version__
from ordago_bot.bot import Bot, BotFactory, Choosable
from ordago_bot.house import HOUSE_BOTS, PAUSE, Setting
from ordago_bot.main import argument_parser, parse, serve
from ordago_bot.match import Match
from ordago_bot.standard_streams import lossy_output, open_descriptors


def paced(factory: BotFactory, *, pause_seconds: float) -> BotFactory:
    """Return a factory of the same bots, which wait before each answer."""

    def begin(match: Match) -> Bot:
        return _PacedBot(match, factory(match), pause_seconds)

    return begin


class _PacedBot(Bot):
    """Another bot with a pause before each answer. It passes on decisions only, since house bots ignore the rest."""

    def __init__(self, match: Match, bot: Bot, pause_seconds: float) -> None:
        """Begin a match."""
        super().__init__(match)
        self._bot = bot
        # Only the random numbers of this bot are seeded anew at each decision, so the other bot shares them.
        bot.random = self.random
        self._pause_seconds = pause_seconds

    async def choose(self, decision: v1.Decision) -> Choosable:
        """Wait, then answer."""
        import trio

        await trio.sleep(self._pause_seconds)
        self._bot.countdown = self.countdown
        chosen = self._bot.choose(decision)
        return await chosen if isawaitable(chosen) else chosen


_MS_A_SECOND: Final = 1000
_PAUSE: Final = Setting(
    default=0,
    min=0,
    max=60_000,
    sentence="How many milliseconds it waits before each answer, so that people can follow.",
)


def main() -> int:
    """Play with the house bot that the command line names, and return the exit code."""
    open_descriptors()
    with lossy_output():
        return _main()


def _main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in HOUSE_BOTS:
        print(_usage(), file=sys.stderr if name else sys.stdout)
        return 2 if name not in ("-h", "--help") else 0
    house_bot = HOUSE_BOTS[name]
    parser = argument_parser(prog=f"python -m ordago_bot {name}", version=f"{name} {__version__}")
    for key, setting in house_bot.settings.items():
        parser.add_argument(f"--{key}", type=_within(setting), default=setting.default, help=setting.sentence)
    parser.add_argument(f"--{PAUSE}", type=_within(_PAUSE), default=0, help=_PAUSE.sentence)
    parsed = parse(parser, sys.argv[2:])
    settings = {key: getattr(parsed, key) for key in house_bot.settings}
    factory = house_bot.load(settings)
    if parsed.pause:
        factory = paced(factory, pause_seconds=parsed.pause / _MS_A_SECOND)
    return serve(factory, name=name, version=__version__, parsed=parsed)


def _within(setting: Setting) -> Callable[[str], int]:
    def whole_number(text: str) -> int:
        value = int(text)
        if not setting.min <= value <= setting.max:
            raise argparse.ArgumentTypeError(f"{value} is not from {setting.min} to {setting.max}")
        return value

    return whole_number


def _usage() -> str:
    lines = [f"  {name:10} {house_bot.sentence}" for name, house_bot in HOUSE_BOTS.items()]
    return "\n".join(["usage: python -m ordago_bot NAME [--help]", "", "The house bots:", *lines])


if __name__ == "__main__":
    sys.exit(main())
