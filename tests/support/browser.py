"""A real browser for tests: Debian's chromium, driven by Playwright."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route, expect, sync_playwright

PICTURES = Path(__file__).parents[2] / "out" / "pictures"
WIDTHS = (360, 1280)
SCHEMES = ("light", "dark")
WINDOWS = ((1280, 800), (390, 844))
"""A small laptop and a phone."""
MOST_SHIFTED = 0.1
"""What browsers call good."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
_HEIGHT = 900
_PATIENCE_MS = 60_000
"""How long a page is waited for: no test is about it, and on a busy machine a page has taken ten seconds."""
_LEFT_OUT = (
    # Processes that each new window would start beside that of its page.
    *("SpareRendererForSitePerProcess", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # What Playwright leaves out, too: of two lists the browser takes the last.
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "OptimizationHints"),
    *(
        "AimEnabled",
        "PaintHolding",
        "PreconnectToSearch",
        "NetworkTimeServiceQuerying",
        "ThirdPartyStoragePartitioning",
    ),
)
_QUIET = (
    f"--disable-features={','.join(_LEFT_OUT)}",
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
_OF_NO_HOST = {"", "about", "blob", "data", "file"}
_AXE = Path(axe_playwright_python.__path__[0]) / "axe.min.js"


def chromium_path() -> str | None:
    """Return where the browser is, if it is there: that without windows first, which begins in half of the time."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def opened_chromium() -> Iterator[Browser]:
    """Start the browser, without a window."""
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=_QUIET, handle_sigint=False)
        yield browser
        browser.close()


class Visits:
    """The pages that a test looks at. Whatever goes wrong in them is a problem of the test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.problems: list[str] = []
        """What no page may do: errors in the console or of a script, and requests to hosts other than its own."""

    def __call__(
        self, url: str, *, width: int = 1280, height: int = _HEIGHT, scheme: str = "light", scripts: bool = True
    ) -> Page:
        """Open a page in a window of its own, with cookies of its own."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.set_default_timeout(_PATIENCE_MS)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"a script failed: {error}"))
        page.on("request", lambda request: self._requested(request, url))
        page.goto(url)
        return page

    def _console(self, message: ConsoleMessage) -> None:
        # A page cannot know that a test is about to cut its network, so it may ask for something just then.
        if message.type in ("error", "warning") and "ERR_INTERNET_DISCONNECTED" not in message.text:
            self.problems.append(f"the console says: {message.text}")

    def _requested(self, request: Request, url: str) -> None:
        asked = urlsplit(request.url)
        if asked.scheme not in _OF_NO_HOST and asked.netloc != urlsplit(url).netloc:
            self.problems.append(f"another host was asked: {request.url}")

    def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            context.close()


_WELL_AHEAD = timedelta(minutes=1)


def stop_clock(page: Page) -> None:
    """Let no time pass in a page, as it is and as it is loaded later, but by `page.clock.run_for`.

    `page.clock.install` alone lets the time of the machine go on: on a slow one, what a page does later is then done.
    """
    now = datetime.now(UTC)
    # A clock can only be stopped ahead of where it is.
    page.clock.install(time=now - _WELL_AHEAD)
    page.clock.pause_at(now)


def violations(page: Page) -> list[str]:
    """Return what axe-core finds against accessibility: each rule with the elements that break it."""
    page.evaluate(_AXE.read_text(encoding="utf-8"))
    # What it would load again it may not, in pages that are opened from the disk.
    options = "{resultTypes: ['violations'], preload: false, rules: {'target-size': {enabled: true}}}"
    found = page.evaluate(f"axe.run(document, {options}).then(found => found.violations)")
    return [
        f"{rule['id']} ({rule['help']}): {json.dumps([node['html'][:200] for node in rule['nodes'][:3]])}"
        for rule in found
    ]


_SETTLED_MS = 300
_SHIFTED = """milliseconds => new Promise(done => {
    let shifted = 0;
    const add = list => list.getEntries().forEach(entry => (shifted += entry.hadRecentInput ? 0 : entry.value));
    const observer = new PerformanceObserver(add);
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done((add({ getEntries: () => observer.takeRecords() }), shifted)), milliseconds);
})"""


def shifted(page: Page, ready: str) -> float:
    """Load a page anew, and return how much of it moves until it is ready, as browsers score it.

    Its scripts come when it was painted without them, as over a slow network: else nobody would see it move.
    """
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    for route in held:
        route.continue_()
    page.unroute("**/*.js")
    page.wait_for_selector(ready)
    return page.evaluate(_SHIFTED, _SETTLED_MS)


def too_wide(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def picture(page: Page, name: str, *, whole: bool = True) -> Path:
    """Keep a picture of a page, to be looked at."""
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path, full_page=whole)
    return path
