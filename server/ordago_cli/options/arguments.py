"""Parsers of arguments that several commands take: games, bots, options, seeds."""

import itertools
import shutil
from collections.abc import Iterable
from typing import Final, NamedTuple

from ordago.chance import SECRET_BYTES
from ordago.game import OptionError
from ordago.games import UnknownGameError, find_game
from ordago.games.definition import AnyGame
from ordago.names import quoted
from ordago.shell_words import NoCommandError, command_words
from ordago_bot.house import HouseBotError, house_command
from ordago_cli.errors import EXIT_USAGE, CommandError

_HOUSE: Final = "house:"
_COMMAND: Final = "cmd:"


def known_game(name: str) -> AnyGame:
    """Return the game of this name, or raise an error that suggests the nearest."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None


def option_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Parse texts of the form ``KEY=VALUE``."""
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise CommandError(f"an option is written KEY=VALUE, not {text!r}", exit_code=EXIT_USAGE)
        pairs[key] = value
    return pairs


def check_options(game: AnyGame, values: dict[str, str]) -> None:
    """Refuse options with which the game cannot be played."""
    try:
        game.rules.options(values)
    except OptionError as error:
        raise CommandError(f"{game.name}: {error}", exit_code=EXIT_USAGE) from None


def secret_of(seed: str) -> bytes:
    """Return the secret for a hexadecimal seed, padded with zeros on the left."""
    try:
        given = bytes.fromhex(seed.rjust(len(seed) + len(seed) % 2, "0"))
    except ValueError:
        raise CommandError(
            f"a seed is written in hexadecimal, for instance 2a, not {seed!r}", exit_code=EXIT_USAGE
        ) from None
    if len(given) > SECRET_BYTES:
        raise CommandError(f"a seed has at most {2 * SECRET_BYTES} hexadecimal digits", exit_code=EXIT_USAGE)
    return given.rjust(SECRET_BYTES, b"\0")


class BotSpec(NamedTuple):
    """A bot on the command line."""

    name: str
    """The name at the table."""
    command: tuple[str, ...]
    """The command that starts it."""
    own_name: bool
    """True if the name that the bot gives itself, if any, takes precedence."""


def bot_spec(text: str) -> BotSpec:
    """Parse a bot.

    It is ``house:NAME``, with settings ``house:NAME:KEY=VALUE,KEY=VALUE``, or ``cmd:COMMAND``.
    """
    if text.startswith(_HOUSE):
        name = text.removeprefix(_HOUSE)
        return BotSpec(name, _house_command(name), own_name=False)
    if text.startswith(_COMMAND):
        command = _own_command(text.removeprefix(_COMMAND))
        return BotSpec(command[0].rpartition("/")[2], command, own_name=True)
    raise CommandError(f"a bot is written house:NAME or cmd:COMMAND, not {text!r}", exit_code=EXIT_USAGE)


def distinct(names: Iterable[str]) -> list[str]:
    """Make names distinct: number the repeated ones, from 2."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in itertools.count(2))
        found.append(next(each for each in itertools.chain([name], numbered) if each not in found))
    return found


def _house_command(text: str) -> tuple[str, ...]:
    name, _, settings = text.partition(":")
    pairs = option_pairs(settings.split(",") if settings else ())
    try:
        return house_command(name, {key: int(value) if value.isdecimal() else value for key, value in pairs.items()})
    except HouseBotError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None


def words_of(text: str) -> tuple[str, ...]:
    """Split the command of a bot into words.

    Raises:
        CommandError: it needs a shell, or has an unclosed quote.
    """
    try:
        return command_words(text)
    except NoCommandError as error:
        raise CommandError(f"the command {quoted(text)} {error}", exit_code=EXIT_USAGE) from None


def _own_command(text: str) -> tuple[str, ...]:
    command = words_of(text)
    if not command:
        raise CommandError("cmd: needs a command after it, for instance cmd:./my-bot", exit_code=EXIT_USAGE)
    if shutil.which(command[0]) is None:
        raise CommandError(f"there is no program {command[0]!r}; give its path", exit_code=EXIT_USAGE)
    return command
