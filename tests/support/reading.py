"""What somebody notices of a page who cannot see it, or has only keys."""

from playwright.sync_api import Page

_HEAR = """() => {
    globalThis.said = [];
    const observer = new MutationObserver(changes =>
        changes.forEach(change => change.addedNodes.forEach(line => globalThis.said.push(line.textContent))));
    observer.observe(document.querySelector('.heard[aria-live=polite]'), { childList: true });
}"""
_UNREACHED = """() => [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
    .filter(each => each.type !== 'hidden' && each.tabIndex >= 0 && !each.disabled && each.checkVisibility())
    .filter(each => !each.reached)
    // Arrows lead to the others of a group.
    .filter(each => each.type !== 'radio' || ![...document.getElementsByName(each.name)].some(other => other.reached))
    .map(each => each.outerHTML.slice(0, 120))"""
_FOCUSED = """() => {
    const each = document.activeElement;
    if (each === document.body || each.reached) return null;
    each.reached = true;
    const [box, style] = [each.getBoundingClientRect(), getComputedStyle(each)];
    const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
    return seen && outlined ? '' : each.outerHTML.slice(0, 120);
}"""
_MOST_STOPS = 600


def hear(page: Page) -> None:
    """Begin to listen to the live region of a table."""
    page.evaluate(_HEAR)


def said(page: Page) -> list[str]:
    """Return what the live region said since then, as a screen reader gets it."""
    return page.evaluate("() => globalThis.said")


def wrong_for_keys(page: Page) -> list[str]:
    """Press Tab through a page; return the controls that are not reached, or not seen to be in focus."""
    found = []
    for _ in range(_MOST_STOPS):
        page.keyboard.press("Tab")
        if (unseen := page.evaluate(_FOCUSED)) is None:
            break
        found += [unseen] if unseen else []
    return found + page.evaluate(_UNREACHED)
