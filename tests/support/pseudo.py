"""A language that there is not: every text is itself between marks, so that texts without a translation can be seen."""

import json
import re
import string
from collections.abc import Collection
from gettext import NullTranslations
from html.parser import HTMLParser

OPEN, CLOSE = "⟦⟧"
_SHOWN = ("alt", "title", "aria-label", "placeholder", "content", "data-told", "data-done", "data-refused")
_DATA = ("bdi", "code", "kbd", "script", "style", "time")
"""Elements of names, commands, keys and times, which are the same in all languages."""
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
_WRITTEN = ("told", "mark", "title", "said", "words", "void", "sentence")
"""The keys of JSON for scripts whose values people read."""


class Pseudo(NullTranslations):
    """Puts every text between marks, and remembers it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return f"{OPEN}{message}{CLOSE}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(msgid1)
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{CLOSE}"


class Untranslated(HTMLParser):
    """Collects the words that a page shows, in texts, attributes and JSON, and that stand between no marks.

    What is data is left out by its markup: the elements of ``_DATA``, and those with ``translate="no"`` or ``lang``.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._depth = 0
        self.feed(page)
        for text in re.findall(r'type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL):
            self._json(json.loads(text or "{}"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_data = tag in _DATA or given.get("translate") == "no" or ("lang" in given and tag != "html")
        if not is_data and (tag != "meta" or given.get("name") == "description"):
            for name in _SHOWN:
                self.found += outside(given.get(name) or "")[0].split()
        if tag not in _VOID:
            self._open.append((tag, is_data))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text, self._depth = outside(data, self._depth)
        if not any(is_data for _, is_data in self._open):
            self.found += text.split()

    def _json(self, value: object, key: str = "") -> None:
        if isinstance(value, dict):
            for name, one in value.items():
                self._json(one, name)
        elif isinstance(value, list):
            for one in value:
                self._json(one, key)
        elif isinstance(value, str) and key in _WRITTEN:
            self.found += outside(value)[0].split()

    def left(self, plain: Collection[str]) -> set[str]:
        """Return the words with letters that are none of these: names, and the words of the fixtures."""
        words = {word.strip("(),.:;…–“”·") for word in self.found}
        known = {*plain, *(word for word in words if re.fullmatch("[0-9a-f]{16,}", word))}
        return {word for word in words - known if set(word) & set(string.ascii_letters)}


def outside(text: str, depth: int = 0) -> tuple[str, int]:
    """Return what stands between no marks, and how many marks are open at the end."""
    found = ""
    for sign in text:
        depth -= sign == CLOSE
        found += sign if not depth and sign not in (OPEN, CLOSE) else " "
        depth += sign == OPEN
    return found, depth
