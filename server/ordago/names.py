"""Names for people: the characters allowed in one, and the comparison of names that look alike.

A **plain name** is safe in seed texts, file names, tables, pages and terminals: it has no separators, quotes or
invisible characters.
"""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ordago.confusables import CONFUSABLES

PLAIN_NAME: Final = "letters, digits, spaces and . _ + -, 64 at most"
"""The characters of a plain name, as error messages list them."""
MAX_NAME_LENGTH: Final = 64
"""The greatest length of a name, in characters."""
MAX_NAME_BYTES: Final = 192
"""A file for the output of a bot has the bot's name, and no file name may have more than 255 bytes."""
_SIGNS: Final = frozenset(" ._+-")
_INVISIBLE: Final = frozenset(
    {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0xFFFD}
    | {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)
"""Characters that are invisible or stand for nothing, although they count as letters, marks or signs."""
_UNSHOWN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""The categories of characters that are invisible, or vary between readers, such as private and unassigned ones."""
_SEPARATORS: Final = re.compile(r"(?<![0-9])[\s._\-\u2010-\u2015\u2212]+|[\s._\-\u2010-\u2015\u2212]+(?![0-9])")
"""Separators, except between two digits: 1.2 and 12 are two versions."""
_DIGITS_ALIKE: Final = str.maketrans("01i|", "olll")
"""Digits that look like letters. 5 differs from s, and 3 from e: Unicode does not count them as alike either."""
_ALIKE: Final = ("LATIN", "GREEK", "CYRILLIC", "CHEROKEE", "COPTIC")
"""Alphabets whose letters look like those of another."""


def composed(text: str) -> str:
    """Return a name in the composed form that Unicode defines (NFC). A name that is too long stays as it is."""
    return unicodedata.normalize("NFC", text) if len(text) <= MAX_NAME_BYTES else text


def name_key(name: str) -> str:
    """Return a key that is equal for names that look the same: it ignores case, width and extra spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@lru_cache(maxsize=1 << 14)
def skeleton(name: str) -> str:
    """Return a key that is equal for names that a reader could confuse.

    It ignores case, spaces, dashes, dots and underscores, and takes for equal letters that look alike by Unicode's data
    (UTS 39), digits and letters, and ``rn`` and ``m``. Accents count. Names of one ``name_key`` have one skeleton.
    """
    joined = _SEPARATORS.sub("", name_key(name).translate(CONFUSABLES)).translate(_DIGITS_ALIKE)
    return joined.replace("rn", "m").replace("vv", "w") or name_key(name)


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Return True if a reader could confuse a name with one of some others."""
    own = skeleton(name)
    return any(skeleton(other) == own for other in others)


def is_plain_name(name: str) -> bool:
    """Return True if a composed name is plain: made as ``PLAIN_NAME`` says, with a letter or a digit first."""
    kinds = [_kind(character) for character in name]
    return (
        0 < len(name) <= MAX_NAME_LENGTH
        and len(name.encode(errors="replace")) <= MAX_NAME_BYTES
        and None not in kinds
        and kinds[0] == "letter"
        and name[-1] != " "
        and not any(kind == "mark" and before == "sign" for before, kind in pairwise(kinds))
        and not any(kinds[at : at + 3] == ["mark"] * 3 for at in range(len(kinds)))
    )


def is_shown_name(name: str) -> bool:
    """Return True if a name can be displayed: up to 64 characters, not spaces alone, and no control characters."""
    return bool(name_key(name)) and len(name) <= MAX_NAME_LENGTH and name.isprintable()


def mixed_alphabets(name: str) -> list[str]:
    """Return the alphabets of a name whose letters look like each other's; empty if all its letters are of one."""
    alphabets = {alphabet for alphabet in map(_alphabet, name) if alphabet in _ALIKE}
    return sorted(alphabet.capitalize() for alphabet in alphabets) if len(alphabets) > 1 else []


def misleads(name: str) -> bool:
    """Return True if a name is misleading: it mixes alphabets, or has invisible characters."""
    return bool(mixed_alphabets(name)) or any(
        ord(character) in _INVISIBLE or unicodedata.category(character) in _UNSHOWN for character in name
    )


def visible(text: str) -> str:
    """Return a text from outside with its invisible characters escaped, so that a terminal only displays it."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def quoted(text: str) -> str:
    """Return a text quoted for a sentence: invisible characters are escaped, and a long text is cut off."""
    shown = text if len(text) <= MAX_NAME_LENGTH else f"{text[:MAX_NAME_LENGTH]}…"
    return repr(shown) if shown.isprintable() else ascii(shown)


def _kind(character: str) -> str | None:
    """Return ``letter`` (a digit too), ``mark`` (one on a letter) or ``sign``; ``None`` for any other character."""
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


def nearest(name: str, known: Collection[str]) -> str:
    """Suggest the known name nearest to an unknown one, or list the known names."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "there are none"
