"""Names that people read: what may stand in one, and what two of them have in common that a reader takes for alike.

A **plain name** stands in seed texts, file names, tables, pages and terminals: it is without separators, quotes and
anything that cannot be seen.
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
"""What a plain name is made of, as a sentence about it says."""
MAX_NAME_LENGTH: Final = 64
"""How many characters a name may have."""
MAX_NAME_BYTES: Final = 192
"""A file for the output of a bot has its name, and no name of a file has more than 255."""
_SIGNS: Final = frozenset(" ._+-")
_INVISIBLE: Final = frozenset(
    {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0xFFFD}
    | {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)
"""Letters, marks and signs by their categories that nobody sees, or that stand for something that is not there."""
_UNSHOWN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""The categories of what nobody sees, or each reader sees otherwise: private and unassigned ones among them."""
_SEPARATORS: Final = re.compile(r"(?<![0-9])[\s._\-\u2010-\u2015\u2212]+|[\s._\-\u2010-\u2015\u2212]+(?![0-9])")
"""Separators, but for those between two digits: 1.2 and 12 are two versions."""
_DIGITS_ALIKE: Final = str.maketrans("01i|", "olll")
"""Digits that look like letters. 5 is told from s, and 3 from e: Unicode does not count them as alike either."""
_ALIKE: Final = ("LATIN", "GREEK", "CYRILLIC", "CHEROKEE", "COPTIC")
"""Alphabets whose letters look like those of another."""


def composed(text: str) -> str:
    """Return a name as it is known from here on: composed, as Unicode says (NFC). What is too long stays as it is."""
    return unicodedata.normalize("NFC", text) if len(text) <= MAX_NAME_BYTES else text


def name_key(name: str) -> str:
    """Return what a name has in common with all that look the same: case, width and spaces do not tell names apart."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@lru_cache(maxsize=1 << 14)
def skeleton(name: str) -> str:
    """Return what a name has in common with all that a reader could take for it.

    Letters that look alike by Unicode's data (UTS 39), case, spaces, dashes, dots, underscores, digits that look like
    letters, and ``rn`` and ``m``, do not tell names apart. Accents do. Names of one ``name_key`` have one skeleton.
    """
    joined = _SEPARATORS.sub("", name_key(name).translate(CONFUSABLES)).translate(_DIGITS_ALIKE)
    return joined.replace("rn", "m").replace("vv", "w") or name_key(name)


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Say whether a reader could take a name for one of some others."""
    own = skeleton(name)
    return any(skeleton(other) == own for other in others)


def is_plain_name(name: str) -> bool:
    """Say whether a composed name is a plain one: see ``PLAIN_NAME``; it begins with a letter or a digit."""
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
    """Say whether a name can be shown: up to 64 characters, not spaces alone, none that controls anything."""
    return bool(name_key(name)) and len(name) <= MAX_NAME_LENGTH and name.isprintable()


def mixed_alphabets(name: str) -> list[str]:
    """Return the alphabets of a name whose letters look like each other's; none where all its letters are of one."""
    alphabets = {alphabet for alphabet in map(_alphabet, name) if alphabet in _ALIKE}
    return sorted(alphabet.capitalize() for alphabet in alphabets) if len(alphabets) > 1 else []


def misleads(name: str) -> bool:
    """Say whether a name is made to be taken for another: it mixes alphabets, or holds what nobody sees."""
    return bool(mixed_alphabets(name)) or any(
        ord(character) in _INVISIBLE or unicodedata.category(character) in _UNSHOWN for character in name
    )


def visible(text: str) -> str:
    """Return a text of somebody else so that a terminal does nothing but show it: what cannot be seen, as an escape."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def quoted(text: str) -> str:
    """Return a text as a sentence quotes it: what cannot be seen is written out, and a long one is cut off."""
    shown = text if len(text) <= MAX_NAME_LENGTH else f"{text[:MAX_NAME_LENGTH]}…"
    return repr(shown) if shown.isprintable() else ascii(shown)


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


def nearest(name: str, known: Collection[str]) -> str:
    """Say which known name is the nearest to an unknown one, or which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are: {', '.join(known)}" if known else "there are none"
