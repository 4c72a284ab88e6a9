"""Which house bots there are, and what they can be set to."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Final

HOUSE_BOTS: Final[Mapping[str, tuple[str, ...]]] = {"random": (), "default": (), "solid": ("worlds",)}
"""The house bots by name, with the names of their settings."""


class UnfitValueError(ValueError):
    """A value in an event file that cannot stand there. The organiser erred."""


def check_house_bot(name: str, settings: Sequence[str]) -> None:
    """Check that there is a house bot of this name and that it has these settings.

    Raises:
        UnfitValueError: there is none, or it has no such setting; the message names the nearest.
    """
    if name not in HOUSE_BOTS:
        raise UnfitValueError(f"there is no house bot {name!r}; {nearest(name, HOUSE_BOTS)}")
    for setting in settings:
        if setting not in HOUSE_BOTS[name]:
            raise UnfitValueError(
                f"the house bot {name!r} has no setting {setting!r}; {nearest(setting, HOUSE_BOTS[name])}"
            )


def nearest(name: str, known: Collection[str]) -> str:
    """Say which known name is the nearest to an unknown one, or which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "it takes none"
