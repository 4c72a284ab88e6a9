"""Pages as tests read them."""

from html.parser import HTMLParser

_VOID = frozenset({"meta", "link", "img", "input", "line", "circle", "polygon", "polyline"})


class Page(HTMLParser):
    """Reads a page, and fails where a tag is closed that is not open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    @property
    def inline(self) -> list[str]:
        """Styles and scripts that stand in the page itself."""
        attributes = [name for _, found in self.tags for name in found if name == "style" or name.startswith("on")]
        tags = [tag for tag, found in self.tags if tag == "style" or (tag == "script" and "src" not in found)]
        return [*attributes, *tags]

    @property
    def loaded(self) -> list[str]:
        """What a browser loads with the page."""
        linked = [found["href"] or "" for tag, found in self.tags if tag == "link"]
        return linked + [found["src"] or "" for _, found in self.tags if "src" in found]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
