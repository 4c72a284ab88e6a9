"""What tests of play in a browser share: a site, and somebody who sits down there."""

from itertools import count

import pytest
from support.people import ThinkingHere
from support.play_browser import DUE, SHORT
from support.play_site import played_at

from ordago_web.play.sessions import PlayBounds


@pytest.fixture(scope="module")
def site():
    numbers = count()
    bounds = PlayBounds(of_origin=60)
    with played_at(ThinkingHere(), bounds=bounds, secret=lambda: next(numbers).to_bytes(32)) as address:
        yield address


@pytest.fixture
def sit(visit, site):
    """Sits down at a short match against bots that take anything."""

    def begin(game, *, pace="none", seats=None, **looks):
        page = visit(f"{site}/play?game={game}", **looks)
        page.evaluate(f"localStorage.setItem('ordago.pace', '{pace}')")
        if seats is not None and page.locator("#players").count():
            page.locator("#players").select_option(str(seats))
        page.get_by_text("All options").click()
        for name, value in SHORT.get(game, {}).items():
            option = page.locator(f"#option-{name}")
            option.select_option(value) if option.evaluate("each => each.tagName") == "SELECT" else option.fill(value)
        for opponent in page.locator("select[data-opponent]:visible").all():
            opponent.select_option("chance")
        page.locator("#seat").select_option("1")
        page.get_by_role("button", name="Deal the cards").click()
        page.wait_for_selector(DUE)
        return page

    return begin
