"""Formats of numbers and times on pages."""

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from ordago.games import UnknownGameError, find_game
from ordago.scene import Sentence, sentence
from ordago_ladder.rating.known import Known, Note

if TYPE_CHECKING:  # workers import this module without the rating code
    from ordago_ladder.rating.intervals import Interval

NONE: Final = "–"
"""The text for a missing figure."""


def whole(value: float) -> str:
    """Write a value without decimals."""
    return f"{round(value):d}"


def signed(value: float, *, decimals: int = 0) -> str:
    """Write a value with its sign, zero without one."""
    rounded = round(value, decimals) + 0.0
    if rounded == 0:
        return f"{0:.{decimals}f}"
    return f"{rounded:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def score(value: float, game: str, *, decimals: int = 0) -> str:
    """Write a score of a game, by its short name: with a sign if its rules know scores below zero."""
    try:
        has_sign = find_game(game).signed_scores
    except UnknownGameError:
        has_sign = True
    return signed(value, decimals=decimals) if has_sign else f"{value:.{decimals}f}"


def trimmed(value: float | Fraction) -> str:
    """Write a value with at most two decimals, and no needless ones."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def percent(share: float | None) -> str:
    """Write a share from 0 to 1 in percent."""
    return NONE if share is None else f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def likelihood(share: float | None) -> str:
    """Write a likelihood in percent, never as 0 or 100: resampling cannot prove certainty."""
    if share is None or 0.001 <= share <= 0.999:
        return percent(share)
    return ">\N{NO-BREAK SPACE}99.9\N{NO-BREAK SPACE}%" if share > 0.5 else "<\N{NO-BREAK SPACE}0.1\N{NO-BREAK SPACE}%"


def seconds(milliseconds: int) -> str:
    """Write a time given in milliseconds, in seconds."""
    return f"{milliseconds / 1000:g}\N{NO-BREAK SPACE}s"


def duration(milliseconds: float | None) -> str:
    """Write a duration given in milliseconds, in milliseconds or seconds."""
    if milliseconds is None:
        return NONE
    if milliseconds < 1000:
        return f"{milliseconds:.0f}\N{NO-BREAK SPACE}ms"
    return f"{milliseconds / 1000:.1f}\N{NO-BREAK SPACE}s"


def points(interval: "Interval | None") -> str:
    """Write points with a sign and two decimals."""
    return NONE if interval is None else signed(interval.value, decimals=2)


_NOTES: Final = {
    Note.WON_ALL: sentence("above all, too few matches"),
    Note.LOST_ALL: sentence("below all, too few matches"),
    Note.TOO_FEW: sentence("too few matches"),
    Note.APART: sentence("not compared with the others"),
    Note.FORFEITED: sentence("only forfeits"),
}


def rating(known: Known) -> Sentence | str:
    """Write a rating without its interval: a number, a bound, or why there is none."""
    if known.elo is not None:
        return whole(known.elo)
    if known.low is not None:
        return f"≥\N{NO-BREAK SPACE}{whole(known.low)}"
    if known.high is not None:
        return f"≤\N{NO-BREAK SPACE}{whole(known.high)}"
    return _NOTES[known.note]


def rating_cells(known: Known) -> tuple[str, str]:
    """Write a rating, and half its interval, for two columns of a terminal."""
    return _plain(rating(known)), NONE if known.half_length is None else whole(known.half_length)


def _plain(text: Sentence | str) -> str:
    return text.written() if isinstance(text, Sentence) else text


def rating_text(known: Known) -> str:
    """Write a rating in one cell or sentence: ``1663 ± 15``, ``≥ 1700`` or ``too few matches``."""
    written = _plain(rating(known))
    return written if known.half_length is None else f"{written} ± {whole(known.half_length)}"


_ORDINALS: Final = (
    *(sentence("1st"), sentence("2nd"), sentence("3rd"), sentence("4th"), sentence("5th"), sentence("6th")),
)


def ordinal(number: int) -> Sentence:
    """Return a placing as an ordinal, such as ``1st``."""
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else sentence("{number}th", number=number)
