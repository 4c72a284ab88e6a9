"""How the bots of entrants are started."""

import sys

from ordago_ladder.settings import EntrantSettings, Value


def launch_command(entrant: EntrantSettings) -> tuple[str, ...]:
    """Return the command that starts a bot of an entrant, and its arguments."""
    if entrant.command is not None:
        return entrant.command
    arguments = [word for name, value in entrant.settings for word in (f"--{name}", _written(value))]
    return (sys.executable, "-m", "ordago_bot", str(entrant.house), *arguments)


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
