"""The text of a small event file, and of files that differ from it in one thing."""

from typing import Final

MINIMAL: Final = """
[event]
name = "small"
[[game]]
name = "trio"
[[entrant]]
name = "alpha"
house = "random"
[[entrant]]
name = "beta"
command = "./bot --level 'very high'"
[[entrant]]
name = "gamma"
command = ["./bot", "two words"]
"""


def with_terms(terms: str) -> str:
    """Return the file with more lines under ``[event]``."""
    return MINIMAL.replace('name = "small"', f'name = "small"\n{terms}')


def with_game(lines: str) -> str:
    """Return the file with other lines under ``[[game]]``."""
    return MINIMAL.replace('name = "trio"', lines)


def with_entrant(lines: str) -> str:
    """Return the file with one more entrant."""
    return f"{MINIMAL}\n[[entrant]]\n{lines}\n"
