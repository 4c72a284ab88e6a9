"""Pages of what is sorted. A token names the last row of a page: what comes or goes before it shifts nothing."""

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, NamedTuple, TypeAlias, TypeVar

from ordago.store.errors import PageTokenError

RowT = TypeVar("RowT")
Place: TypeAlias = tuple[float, float]
"""What a row stands by, and its number: a row with a higher one comes later."""

MOST_ROWS: Final = 500
_USUAL_ROWS: Final = 100
_LONGEST_TOKEN: Final = 200


class PageAsked(NamedTuple):
    """The page that is asked for."""

    size: int
    """The most rows; 0 for as many as usual."""
    token: str
    """From the page before; empty for the first page."""

    @property
    def rows(self) -> int:
        """The most rows, within the bounds."""
        return min(self.size or _USUAL_ROWS, MOST_ROWS)


def page_of(rows: Iterable[RowT], asked: PageAsked, *, place_of: Callable[[RowT], Place]) -> tuple[list[RowT], str]:
    """Return a page of rows that come in the order of their places, and the token of the next; empty if there is none.

    Raises:
        PageTokenError: no page gave this token.
    """
    after = _place(asked.token) if asked.token else None
    behind = (row for row in rows if after is None or place_of(row) > after)
    page = list(islice(behind, asked.rows + 1))
    more = len(page) > asked.rows
    page = page[: asked.rows]
    return page, _token(place_of(page[-1])) if more else ""


def _token(place: Place) -> str:
    return base64.urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode()


def _place(token: str) -> Place:
    try:
        by, number = map(float, json.loads(base64.urlsafe_b64decode(token[:_LONGEST_TOKEN])))
    except (binascii.Error, TypeError, ValueError):
        by = number = math.nan
    if not (math.isfinite(by) and math.isfinite(number)):
        raise PageTokenError("This page token was not given for this listing: begin with the first page.")
    return by, number
