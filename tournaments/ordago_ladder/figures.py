"""How figures are written for people."""

from typing import Final

NONE: Final = "–"
"""What stands for a figure that there is not."""


def whole(value: float) -> str:
    """Write a value without decimals."""
    return f"{round(value):d}"


def signed(value: float, *, decimals: int = 0) -> str:
    """Write a value with its sign, zero without one."""
    rounded = round(value, decimals) + 0.0
    if rounded == 0:
        return f"{0:.{decimals}f}"
    return f"{rounded:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float | None) -> str:
    """Write a share from 0 to 1 in percent."""
    return NONE if share is None else f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def likelihood(share: float | None) -> str:
    """Write a likelihood in percent. No resampling makes it a certainty."""
    if share is None or 0.001 <= share <= 0.999:
        return percent(share)
    return ">\N{NO-BREAK SPACE}99.9\N{NO-BREAK SPACE}%" if share > 0.5 else "<\N{NO-BREAK SPACE}0.1\N{NO-BREAK SPACE}%"


def seconds(milliseconds: int) -> str:
    """Write a time in milliseconds in seconds."""
    return f"{milliseconds / 1000:g}\N{NO-BREAK SPACE}s"


def ordinal(number: int) -> str:
    """Write a placing, as ``1st``."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"
