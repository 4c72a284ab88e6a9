"""A language that there is not: every text is itself between marks, so that texts without a translation can be seen."""

from gettext import NullTranslations
from html.parser import HTMLParser

OPEN, CLOSE = "⟦⟧"
_SHOWN = ("alt", "title", "aria-label", "placeholder", "data-told")
_NOT_TOLD = ("code", "pre", "script")


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
    """Collects what a page shows, in texts and attributes, that stands between no marks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._not_told = 0
        self._depth = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _SHOWN and value and not value.startswith(OPEN):
                self.found.append(value)
        self._not_told += tag in _NOT_TOLD

    def handle_endtag(self, tag: str) -> None:
        self._not_told -= tag in _NOT_TOLD

    def handle_data(self, data: str) -> None:
        outside = ""
        for sign in data:
            self._depth -= sign == CLOSE
            outside += sign if not self._depth and sign not in (OPEN, CLOSE) else " "
            self._depth += sign == OPEN
        if not self._not_told:
            self.found += outside.split()
