"""The longest replay keeps up with 60 steps a second, in a browser that is busy with nothing else."""

import pytest
from support.browser import Visits, chromium_path, opened_chromium
from support.command_line import ordago
from support.figures import Note, Size
from web.replays import at, part, written

from ordago.record import read_record

pytestmark = pytest.mark.alone

_FRAME_MS = 16
_MOST_MS = 120_000
_LONGEST_SECONDS = 600
_WATCH = """() => {
    const frame = requestAnimationFrame, slider = document.querySelector("[data-part=slider]");
    globalThis.work = [];
    globalThis.requestAnimationFrame = (draw) => frame((now) => {
        const [begin, before] = [performance.now(), slider.value];
        draw(now);
        if (slider.value !== before) work.push(performance.now() - begin);
    });
}"""


@pytest.mark.skipif(chromium_path() is None, reason="there is no chromium: apt-get install chromium-headless-shell")
def test_the_longest_replay_plays_at_sixty_steps_a_second(tmp_path, size: Size, note: Note) -> None:
    path = tmp_path / "long.record"
    bots = ["--bot", "house:default"] * 4
    terms = ["--option", f"games={size(1, 99)}", "--record", str(path)]
    ordago("play", "mus", *bots, *terms, longest_seconds=_LONGEST_SECONDS)
    address = written(tmp_path / "event", read_record(path.read_bytes()))
    with opened_chromium() as chromium:
        visits = Visits(chromium)
        page = visits(address)
        steps = int(part(page, "slider").get_attribute("max") or 0) + 1
        page.evaluate(_WATCH)
        part(page, "speed").select_option("60")
        page.keyboard.press("Space")
        page.wait_for_function(f"work.length >= {size(120, 1_200)}", timeout=_MOST_MS)
        page.keyboard.press("Space")
        work, shown = sorted(page.evaluate("work")), at(page)
        visits.close()
    note("steps of the match", steps)
    note("page", next((tmp_path / "event" / "told").iterdir()).stat().st_size, "bytes")
    note("script for a frame, median", work[len(work) // 2], "ms", bound=f"below {_FRAME_MS}")
    note("script for a frame, 99 of 100", work[len(work) * 99 // 100], "ms")
    note("steps that were left out", max(0, shown - len(work)), f"of {shown}")
    assert visits.problems == []
    assert work[len(work) // 2] < _FRAME_MS
    assert shown >= len(work) // 2, "it went on all the time"
