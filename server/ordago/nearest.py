"""A hint for whoever wrote a name that is not known."""

import difflib
from collections.abc import Collection


def nearest(name: str, known: Collection[str]) -> str:
    """Say which known name is the nearest to an unknown one, or which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "there are none"
