"""Pages as tests read them."""

from html.parser import HTMLParser

_FIELDS = frozenset({"input", "select", "textarea"})
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


class _Outline(HTMLParser):
    """The elements of a page, each with the labels around it."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, list[tuple[str, str | None]], bool]] = []
        self._labels = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._labels += tag == "label"
        self.elements.append((tag, attrs, self._labels > 0))

    def handle_endtag(self, tag: str) -> None:
        self._labels -= tag == "label"


def faults(text: str) -> list[str]:
    """Return what a validator of HTML would say first: of ids, headings, languages, attributes, labels and texts."""
    outline = _Outline()
    outline.feed(text)
    elements = outline.elements
    ids = [value for _, attributes, _ in elements for name, value in attributes if name == "id"]
    labelled = {dict(attributes).get("for") for tag, attributes, _ in elements if tag == "label"} - {None}
    found = [f"id {one} twice" for one in set(ids) if ids.count(one) > 1]
    if [tag for tag, _, _ in elements].count("h1") != 1:
        found.append("not one h1")
    for tag, attributes, in_label in elements:
        given = dict(attributes)
        if len(given) < len(attributes):
            found.append(f"an attribute of {tag} twice")
        if tag == "html" and not given.get("lang"):
            found.append("no language")
        if tag == "img" and "alt" not in given:
            found.append("a picture without a text")
        named = in_label or "aria-label" in given or given.get("id") in labelled
        if tag in _FIELDS and given.get("type") != "hidden" and not named:
            found.append(f"{tag} {given.get('name')} without a label")
    return found
