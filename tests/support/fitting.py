"""Measures whether a table fits the window of a browser, with all that is needed beside it."""

from playwright.sync_api import Page

SIZES = ((390, 844), (390, 664), (768, 1024), (1280, 720), (1280, 800))
"""The windows in which nothing has to be scrolled: phones, a tablet, small laptops."""
ZOOMED = (640, 400)
"""A window of 1280 by 800 pixels at 200 %."""
LEAST_CARD = 20
"""The least width of a card in a hand or a trick, in CSS pixels: its number can still be read. They are so
small only where Mus offers nine actions on a small phone."""

_WRONG = """([beside, leastCard]) => {
    const wrong = [];
    const own = '[data-place="0"] [data-zone="hand"] .card';
    const within = (name, box) => {
        if (box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
            wrong.push([name, box.left, box.top, box.right, box.bottom]);
        }
    };
    for (const card of document.querySelectorAll(`${own}, .laid .card, .middle .card`)) {
        const box = card.getBoundingClientRect();
        within(card.alt, box);
        if (box.width < leastCard) wrong.push([card.alt, "is too small", box.width]);
        const seen = document.elementsFromPoint(box.left + 4, box.top + box.height / 4);
        if (!card.closest("ul").contains(seen[0] ?? null)) wrong.push([card.alt, "is covered by", seen[0]?.outerHTML]);
    }
    for (const name of [".felt", ...beside]) {
        const shown = [...document.querySelectorAll(name)].filter((each) => each.checkVisibility());
        if (shown.length === 0) wrong.push([name, "is missing"]);
        for (const each of shown) within(name, each.getBoundingClientRect());
    }
    const table = document.querySelector(".table");
    if (table.scrollHeight > table.clientHeight) wrong.push(["the table is scrolled", table.scrollHeight]);
    return wrong;
}"""
_SPAN = """() => {
    const boxes = [...document.querySelectorAll('.felt, [data-place="0"] [data-zone="hand"] .card')].map((each) =>
        each.getBoundingClientRect(),
    );
    return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
}"""


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give a page a window of this size, and let the table be drawn anew in it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("scrollTo(0, 0); new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def wrong(page: Page, *beside: str) -> list[object]:
    """Return what of the cards, of the felt and of these parts of a page is not in the window, or is covered."""
    return page.evaluate(_WRONG, [beside, LEAST_CARD])


def span(page: Page) -> float:
    """Return how much of the height of a page the felt and the hand below it take, in CSS pixels."""
    return page.evaluate(_SPAN)
