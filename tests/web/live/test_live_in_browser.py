"""A table that is watched in a browser: it advances, and everybody can follow it."""

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import picture, too_wide, violations

SECONDS = 60.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a ladder is shown at which bots of the house play among themselves."""
    folder: Path = tmp_path_factory.mktemp("live")
    command = [sys.executable, "-m", "ordago", "serve", "--ladder", "demo", "--data", str(folder / "data")]
    listening = ["--address", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([*command, *listening], stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603
    assert server.stdout is not None
    try:
        yield next(found[1] for line in server.stdout if (found := re.search(r"the site is at (\S+?)/?$", line)))
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=SECONDS)


@pytest.fixture(scope="module")
def table(site: str) -> str:
    """Where one of the tables is watched."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{site}/live", timeout=10) as answer:  # noqa: S310 - it is http
            if found := re.search(r'href="(/matches/\w+/watch)"', answer.read().decode()):
                return site + found[1]
        time.sleep(0.2)
    raise AssertionError("nobody plays")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_a_table_advances_by_itself_and_can_be_read_by_everybody(visit, table: str, width: int, scheme: str):
    page = visit(table, width=width, scheme=scheme)
    told = page.locator("#live-told li")
    told.first.wait_for(timeout=SECONDS * 1000)
    before = told.count()
    end = time.monotonic() + SECONDS
    while told.count() <= before and not page.locator("#live-after").is_visible():
        assert time.monotonic() < end, "nothing happened"
        page.wait_for_timeout(200)
    assert page.locator("#live-table .card").count() > 0
    assert violations(page) == []
    assert too_wide(page) == 0
    picture(page, f"live-{width}-{scheme}")


def test_no_hand_is_open_while_a_match_is_played(visit, table: str):
    page = visit(table)
    page.locator("#live-table .card").first.wait_for(timeout=SECONDS * 1000)
    hands = page.locator('#live-table [data-zone="hand"] .card')
    assert hands.count() > 0
    assert set(hands.evaluate_all("cards => cards.map(card => card.dataset.card)")) == {"0"}
