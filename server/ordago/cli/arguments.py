"""What people write on the command line: bots, options, seeds."""

import shlex
import shutil
from collections.abc import Iterable
from typing import Final

from ordago.chance import SECRET_BYTES
from ordago.cli.errors import EXIT_USAGE, CommandError
from ordago.game import OptionError
from ordago.games import UnknownGameError, find_game
from ordago.games.folder import AnyGame
from ordago_bot.house import HouseBotError, house_command

_HOUSE: Final = "house:"
_COMMAND: Final = "cmd:"


def known_game(name: str) -> AnyGame:
    """Return the game of a name, or refuse it and name the nearest."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None


def option_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Return the options of some texts ``KEY=VALUE``."""
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise CommandError(f"an option is written KEY=VALUE, not {text!r}", exit_code=EXIT_USAGE)
        pairs[key] = value
    return pairs


def check_options(game: AnyGame, values: dict[str, str]) -> None:
    """Refuse to go on if a game cannot be played with these options."""
    try:
        game.rules.options(values)
    except OptionError as error:
        raise CommandError(f"{game.name}: {error}", exit_code=EXIT_USAGE) from None


def secret_of(seed: str) -> bytes:
    """Return the secret that a seed in hexadecimal stands for, filled up with zeros from the left."""
    try:
        given = bytes.fromhex(seed.rjust(len(seed) + len(seed) % 2, "0"))
    except ValueError:
        raise CommandError(
            f"a seed is written in hexadecimal, for instance 2a, not {seed!r}", exit_code=EXIT_USAGE
        ) from None
    if len(given) > SECRET_BYTES:
        raise CommandError(f"a seed has at most {2 * SECRET_BYTES} hexadecimal digits", exit_code=EXIT_USAGE)
    return given.rjust(SECRET_BYTES, b"\0")


def bot_command(spec: str) -> tuple[str, ...]:
    """Return the command that starts the bot of a specification.

    It is ``house:NAME``, with settings ``house:NAME:KEY=VALUE,KEY=VALUE``, or ``cmd:COMMAND``.
    """
    if spec.startswith(_HOUSE):
        return _house_command(spec.removeprefix(_HOUSE))
    if spec.startswith(_COMMAND):
        return _own_command(spec.removeprefix(_COMMAND))
    raise CommandError(f"a bot is written house:NAME or cmd:COMMAND, not {spec!r}", exit_code=EXIT_USAGE)


def bot_name(spec: str) -> str:
    """Return what the bot of a specification is called at the table."""
    if spec.startswith(_HOUSE):
        return spec.removeprefix(_HOUSE)
    return shlex.split(spec.removeprefix(_COMMAND))[0].rpartition("/")[2]


def _house_command(text: str) -> tuple[str, ...]:
    name, _, settings = text.partition(":")
    pairs = option_pairs(settings.split(",") if settings else ())
    try:
        return house_command(name, {key: int(value) if value.isdecimal() else value for key, value in pairs.items()})
    except HouseBotError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None


def _own_command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise CommandError(f"the command {text!r} cannot be read: {error}", exit_code=EXIT_USAGE) from None
    if not command:
        raise CommandError("after cmd: a command is due", exit_code=EXIT_USAGE)
    if shutil.which(command[0]) is None:
        raise CommandError(f"there is no program {command[0]!r}; give its path", exit_code=EXIT_USAGE)
    return command
