"""What may stand as a name in an event, and as another text that is shown.

Names stand in seed texts, set keys, PGN tags, tables, the names of log files, pages and terminals: they are plain.
"""

import unicodedata
from typing import Final

from pydantic import ValidationInfo

from ordago.names import PLAIN_NAME, composed, is_plain_name, mixed_alphabets

_MOST_SHOWN: Final = 128


class UnfitValueError(ValueError):
    """A value in an event file that cannot stand there. The organiser erred."""


def entrant_name(text: str) -> str:
    """Return the name of an entrant as it is known from here on: composed, as Unicode says (NFC).

    Raises:
        UnfitValueError: it cannot be a name.
    """
    name = composed(text)
    if not is_plain_name(name):
        raise UnfitValueError(f"'name' takes {PLAIN_NAME}, beginning with a letter or a digit, not {_quoted(text)}")
    mixed = " and ".join(mixed_alphabets(name))
    if mixed:
        raise UnfitValueError(f"'name' mixes {mixed} letters, which look alike; take those of one: {_quoted(text)}")
    return name


def name_key(name: str) -> str:
    """Return what two names have in common that a reader could take for each other: case and forms of letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def shown_text(text: str, info: ValidationInfo) -> str:
    """Return a text that is only shown.

    Raises:
        UnfitValueError: it is too long, or could do more on a page, a terminal or in a table than stand there.
    """
    if len(text) > _MOST_SHOWN or not text.isprintable():
        raise UnfitValueError(
            f"{info.field_name!r} takes {_MOST_SHOWN} characters at most, all visible, not {_quoted(text)}"
        )
    return text


def _quoted(text: str) -> str:
    return ascii(text) if not text.isprintable() else repr(text)
