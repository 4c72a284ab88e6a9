"""A day of visitors: spectators, authors, an organiser and people who play use one site in real browsers.

The server is killed in the middle. No page may be without its heading, no console may have an error, and no status may
be one of an error, but while the server is away; each kind of page passes axe-core and fits its window.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.browser import chromium_path, opened_chromium
from support.figures import Note, Size
from torture.visitors import AUTHORS, House, Visitor, author, organiser, player, spectator

LONGEST_SECONDS = 1800.0

# The long form takes some minutes, and an hour where others use the machine.
Day = Iterator[None]

pytestmark = [pytest.mark.alone, pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server with a site."""
    if chromium_path() is None:
        pytest.skip("there is no chromium: apt-get install chromium-headless-shell")
    opened = House(tmp_path)
    yield opened
    opened.close()


def test_a_day_of_visitors(house: House, size: Size, note: Note) -> None:
    with opened_chromium() as browser:
        visitors, days, must = cast(house, browser, size=size)
        turns(house, visitors, days, must, kill_at=size(3, 20))
        for visitor in visitors:
            visitor.close()
    done = Counter[tuple[str, str]]()
    for visitor in visitors:
        done.update({(visitor.role, what): times for what, times in visitor.done.items()})
    for (role, what), times in sorted(done.items()):
        note(f"{role}: {what}", times)
    assert house.kills == 1
    assert [problem for visitor in visitors for problem in visitor.problems] == []
    for expected in (
        ("spectator", "live tables"),
        ("spectator", "replay"),
        ("author", "own bot"),
        ("organiser", "results"),
    ):
        assert done[expected], expected
    assert done["player", "match played"]


def cast(house: House, browser: Browser, *, size: Size) -> tuple[list[Visitor], list[Day], list[Day]]:
    """Return all visitors, what each does, and those whose day has to come to its end."""
    checked: set[tuple[str, int]] = set()
    looks = [
        {"width": 390 if number % 3 == 0 else 1280, "scheme": ("light", "dark")[number % 2]} for number in range(10)
    ]
    looks[7]["scripts"] = False
    visitors, days = [], []

    def come(role: str, day: Callable[..., Iterator[None]], *about: object, **window: Any) -> None:
        visitors.append(Visitor(house, browser, role, checked=checked, **window))
        days.append(day(visitors[-1], *about))

    # Entry to the event is open for a minute.
    come("organiser", organiser)
    for name, invitation in zip(AUTHORS[: size(2, 3)], house.invitations, strict=False):
        come("author", author, name, invitation)
    for number in range(size(3, 10)):
        come("spectator", spectator, 4 * number, size(4, 40), **looks[number])
    must = [*days]
    for game, width in (("mittlere", 1280), ("mus", 390))[: size(1, 2)]:
        come("player", player, game, width=width)
    return visitors, days, must


def turns(house: House, visitors: Sequence[Visitor], days: Sequence[Day], must: Sequence[Day], *, kill_at: int) -> None:
    """Let each visitor do something in its turn, until all who have to are done."""
    end, left = time.monotonic() + LONGEST_SECONDS, set(map(id, must))
    turn = 0
    while left:
        assert time.monotonic() < end, [visitor.done for visitor in visitors]
        if turn == kill_at:
            for visitor in visitors:
                visitor.collect()
            house.kill()
        for day in days:
            if (id(day) in left or day not in must) and next(day, left) is left:
                left.discard(id(day))
        turn += 1
