"""What tests of pages share: a browser."""

from collections.abc import Iterator

import pytest
from support.browser import Visits, chromium_path, opened_chromium


@pytest.fixture(scope="module")
def chromium():
    """The browser. It is not kept for longer: as long as it is there an event loop of asyncio runs in this thread."""
    if chromium_path() is None:
        pytest.skip("there is no chromium: apt-get install chromium-headless-shell")
    with opened_chromium() as browser:
        yield browser


@pytest.fixture
def visit(chromium) -> Iterator[Visits]:
    """Opens pages: ``visit(url, width=360, scheme="dark")``. What goes wrong in them fails the test at its end."""
    visits = Visits(chromium)
    yield visits
    visits.close()
    assert visits.problems == []
