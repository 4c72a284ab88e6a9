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

# The long form takes as long as ``--minutes`` says, and longer where others use the machine.
Day = Iterator[None]

pytestmark = [pytest.mark.alone, pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture
def house(tmp_path: Path, size: Size) -> Iterator[House]:
    """A server with a site."""
    if chromium_path() is None:
        pytest.skip("there is no chromium: apt-get install chromium-headless-shell")
    # All browsers of the long form have a turn before the next author enters.
    opened = House(tmp_path, entry_seconds=size(60, 240))
    yield opened
    opened.close()


def test_a_day_of_visitors(house: House, size: Size, note: Note, pytestconfig: pytest.Config) -> None:
    with opened_chromium() as browser:
        least_seconds = 60 * size(0, int(pytestconfig.getoption("--minutes")))
        visitors, days, must = cast(house, browser, size=size)
        turns(house, visitors, days, must, kill_at=size(3, 6), least_seconds=least_seconds)
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

    # Entry to the event is open for a minute or some.
    come("organiser", organiser)
    for name, invitation in zip(AUTHORS[: size(2, 3)], house.invitations, strict=False):
        come("author", author, name, invitation)
    for number in range(size(3, 10)):
        come("spectator", spectator, 4 * number, size(4, 10_000), **looks[number])
    # In the long form spectators look around until the end.
    must = days[: size(len(days), 1 + len(AUTHORS))]
    for game, width in (("mittlere", 1280), ("mus", 390))[: size(1, 2)]:
        come("player", player, game, width=width)
    return visitors, days, must


def turns(
    house: House,
    visitors: Sequence[Visitor],
    days: Sequence[Day],
    must: Sequence[Day],
    *,
    kill_at: int,
    least_seconds: float,
) -> None:
    """Let each visitor do something in its turn, until the time is up, all who have to are done, and a match is played.

    How many turns that takes depends on the machine: an event begins by the clock, and a turn takes a second or thirty.
    """
    least, left = time.monotonic() + least_seconds, set(map(id, must))
    turn = 0
    while left or time.monotonic() < least or not any(visitor.done["match played"] for visitor in visitors):
        assert time.monotonic() < least + LONGEST_SECONDS, [visitor.done for visitor in visitors]
        if turn == kill_at:
            for visitor in visitors:
                visitor.collect()
            house.kill()
        for day in days:
            if (id(day) in left or day not in must) and next(day, left) is left:
                left.discard(id(day))
        turn += 1
