"""What a bot of the gallery does wrong."""

import sys

WRONG = sys.argv[1] if len(sys.argv) > 1 else ""


def wrong(*cases: str) -> bool:
    """Say whether it is to do wrong what one of these cases is about."""
    return WRONG in cases
