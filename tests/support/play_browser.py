"""A person who plays in a browser in tests: clicks on anything that is offered."""

from playwright.sync_api import Page
from support.browser import picture, too_wide, violations

SHORT = {
    "mitaines": {"max_deals": "1"},
    "mitigati": {"max_struck": "1", "max_bid": "1"},
    "mittlere": {"deals": "3"},
    "mus": {"target": "10", "signals": "partner"},
    "taihe": {"deals": "1"},
}
"""Options of short matches; a game that is not here is played with its defaults."""
DUE = "#play-turn[data-own]:not([data-waits]), #play-end:not([hidden])"
WHAT_CAN_BE_CLICKED = "#play-chosen button, #play-plain button, img.card[data-fits]"

CLICKS = """async ([what, due, seed, lines]) => {
    let state = seed;
    const chance = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    for (let clicks = 0; clicks < 5000; clicks += 1) {
        while (document.querySelector(due) === null) await wait(5);
        const over = document.querySelector('#play-end:not([hidden])') !== null;
        if (over || document.querySelectorAll('#play-told li').length > lines) return true;
        const things = document.querySelectorAll(what);
        things[Math.floor(chance() * things.length)]?.click();
        await wait(0);
    }
    return false;
}"""


def click_on(page: Page, seed: int, *, lines: int = 100_000) -> None:
    """Click anything that is offered, again and again, until so many lines are told, or the match is over."""
    assert page.evaluate(CLICKS, [WHAT_CAN_BE_CLICKED, DUE, seed, lines])


def looks(page: Page, name: str) -> list[tuple[list[str], int]]:
    """Return what is wrong with a page small and dark, and wide and light; keep pictures of it."""
    found = []
    for width, scheme in ((360, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found.append((violations(page), too_wide(page)))
        picture(page, f"{name}-{width}-{scheme}")
    return found


HEARS = """
    window.heard = [];
    window.contexts = 0;
    AudioContext = class extends AudioContext { constructor() { super(); window.contexts += 1; } };
    OscillatorNode = class extends OscillatorNode {
        constructor(to, given) { super(to, given); window.heard.push(given.frequency); }
    };
"""
"""Notes the tones that a page makes; for a page that is loaded afterwards."""
HIDES = """([value]) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Hides a page, as another window in front of it does, or shows it again."""
