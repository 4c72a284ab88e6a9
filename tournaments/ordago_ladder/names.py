"""What may stand as a name in an event, and as another text that is shown.

Names stand in seed texts, set keys, PGN tags, tables, the names of log files, pages and terminals: they are without
separators, quotes and anything that cannot be seen.
"""

import unicodedata
from itertools import pairwise
from typing import Final

from pydantic import ValidationInfo

_MOST_CHARACTERS: Final = 64
_MOST_BYTES: Final = 192
"""A file for the output of a bot has its name, and no name of a file has more than 255."""
_MOST_SHOWN: Final = 128
_SIGNS: Final = frozenset(" ._+-")
_INVISIBLE: Final = frozenset(
    {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0}
    | {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)
"""Letters and marks by their categories that nobody sees."""
_ALIKE: Final = ("LATIN", "GREEK", "CYRILLIC", "CHEROKEE", "COPTIC")
"""Alphabets whose letters look like those of another."""


class UnfitValueError(ValueError):
    """A value in an event file that cannot stand there. The organiser erred."""


def entrant_name(text: str) -> str:
    """Return the name of an entrant as it is known from here on: composed, as Unicode says (NFC).

    Raises:
        UnfitValueError: it cannot be a name.
    """
    name = unicodedata.normalize("NFC", text) if len(text) <= _MOST_BYTES else text
    if not _is_name(name):
        wanted = "letters, digits, spaces and . _ + -, 64 at most"
        raise UnfitValueError(f"'name' takes {wanted}, beginning with a letter or a digit, not {_quoted(text)}")
    alphabets = {alphabet for alphabet in map(_alphabet, name) if alphabet in _ALIKE}
    if len(alphabets) > 1:
        mixed = " and ".join(sorted(alphabet.capitalize() for alphabet in alphabets))
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


def _is_name(name: str) -> bool:
    kinds = [_kind(character) for character in name]
    return (
        0 < len(name) <= _MOST_CHARACTERS
        and len(name.encode(errors="replace")) <= _MOST_BYTES
        and None not in kinds
        and kinds[0] == "letter"
        and name[-1] != " "
        and not any(kind == "mark" and before == "sign" for before, kind in pairwise(kinds))
        and not any(kinds[at : at + 3] == ["mark"] * 3 for at in range(len(kinds)))
    )


def _kind(character: str) -> str | None:
    """Return whether a character is a letter (or a digit), a mark on one, or a sign; ``None``: none of them."""
    category = unicodedata.category(character)
    if character in _SIGNS:
        return "sign"
    if ord(character) in _INVISIBLE:
        return None
    if category in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd"):
        return "letter"
    return "mark" if category in ("Mn", "Mc") else None


def _alphabet(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _quoted(text: str) -> str:
    return ascii(text) if not text.isprintable() else repr(text)
