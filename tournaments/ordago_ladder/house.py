"""Whether an event file asks for a house bot that there is."""

import difflib
from collections.abc import Collection, Mapping

from ordago_bot.house import HOUSE_BOTS


class UnfitValueError(ValueError):
    """A value in an event file that cannot stand there. The organiser erred."""


def check_house_bot(name: str, settings: Mapping[str, object]) -> None:
    """Check that there is a house bot of this name and that it can be set to this.

    Raises:
        UnfitValueError: there is none, or it has no such setting, or not with this value.
    """
    if name not in HOUSE_BOTS:
        raise UnfitValueError(f"there is no house bot {name!r}; {nearest(name, HOUSE_BOTS)}")
    known = HOUSE_BOTS[name].settings
    for key, value in settings.items():
        if key not in known:
            raise UnfitValueError(f"the house bot {name!r} has no setting {key!r}; {nearest(key, known)}")
        least, most = known[key].min, known[key].max
        if type(value) is not int or not least <= value <= most:
            raise UnfitValueError(f"{key!r} takes a whole number from {least} to {most}, not {value!r}")


def nearest(name: str, known: Collection[str]) -> str:
    """Say which known name is the nearest to an unknown one, or which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "it takes none"
