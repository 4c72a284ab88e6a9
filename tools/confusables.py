"""Write the table of letters that look alike, server/ordago/confusables.py, from Unicode's data.

It reads the copy of Unicode's confusables.txt in the package confusable-homoglyphs: ``pip install
confusable-homoglyphs``, then ``python tools/confusables.py``. The package itself is no use on a server: its file has
900 KB, and it computes no skeletons. The table has only letters and digits that NFKC leaves unchanged, since names are
normalized before they are looked up.
"""

import json
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).parents[1] / "server" / "ordago" / "confusables.py"
_WIDTH: Final = 112
_HEAD: Final = '''"""Letters that look alike, by Unicode's data (UTS 39). Made by tools/confusables.py: do not edit.

Copyright © 1991-2024 Unicode, Inc., under the Unicode License v3, https://www.unicode.org/license.txt
"""

from typing import Final

# Each word is a set of letters that look alike, with their representative first.
_SETS: Final = (
'''
_TAIL: Final = ''')

CONFUSABLES: Final = {ord(letter): letters[0] for letters in _SETS.split() for letter in letters[1:]}
"""The representative of each letter that looks like another one, as a table for ``str.translate``."""
'''


def sets_of_alike() -> list[str]:
    """Return the sets of letters that look alike, each with its representative first."""
    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8"))
    parents: dict[str, str] = {}

    def found(letter: str) -> str:
        while (other := parents.get(letter, letter)) != letter:
            letter = other
        return letter

    # Case is not folded yet, since I and l look alike, but i and L do not.
    for letter, alike in data.items():
        for other in (entry["c"] for entry in alike):
            if len(letter) == len(other) == 1 and found(letter) != found(other):
                first, second = sorted((found(letter), found(other)))
                parents[second] = first
    sets: dict[str, set[str]] = {}
    for letter in parents:
        sets.setdefault(found(letter), {found(letter)}).add(letter)
    return _in_small_letters(list(filter(None, map(_set_of, sets.values()))))


def _in_small_letters(sets: list[str]) -> list[str]:
    """Return the sets after case folding. A lower-case letter keeps its own look-alikes.

    One without look-alikes gets those of its capital, so that names in capitals are recognised as well.
    """
    looks_like = {letter: letters[0] for letters in sets for letter in letters[1:]}
    small = {_folded(letter): _folded(first) for letter, first in looks_like.items() if _folded(letter) != letter}
    small |= {letter: _folded(first) for letter, first in looks_like.items() if _folded(letter) == letter}
    alike: dict[str, str] = {}
    for letter in sorted(small):
        way = [letter]
        while (other := small.get(way[-1], letter)) not in way:
            way.append(other)
        # In a cycle of look-alikes, the smallest letter is the representative.
        first = min(way[way.index(other) :]) if way[-1] in small else way[-1]
        if len(letter) == len(first) == 1 and letter != first and not letter.isascii():
            alike[first] = alike.get(first, first) + letter
    return sorted(alike.values())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())


def _set_of(letters: set[str]) -> str:
    """Return the representative of some letters, followed by those that a name may contain; empty for a lone sign."""
    plain = sorted(one for one in letters if unicodedata.category(one)[0] in "LN" and _stays(one))
    ascii_ones = [one for one in plain if one.isascii()]
    if any(one.isascii() for one in letters) and not ascii_ones:
        # These letters look like a punctuation sign, which names fold in another way.
        return ""
    first = (ascii_ones[-1] if ascii_ones else plain[0]).lower() if plain else ""
    others = [one for one in plain if not one.isascii()]
    return first + "".join(one for one in others if one != first)


def _stays(letter: str) -> bool:
    return unicodedata.normalize("NFKC", letter) == letter


def escaped(text: str) -> str:
    """Return a text in ASCII with escapes, for a string literal."""
    return text.encode("unicode_escape").decode().replace('"', '\\"')


def main() -> None:
    """Write the table."""
    lines, line = [], ""
    for word in (piece for letters in sets_of_alike() if len(letters) > 1 for piece in (*map(escaped, letters), " ")):
        if len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line += word
    lines.append(line)
    _TABLE.write_text(_HEAD + "".join(f'    "{line}"\n' for line in lines) + _TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
