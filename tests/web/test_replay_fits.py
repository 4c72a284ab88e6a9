"""A replay fits the window: the table with its hands, what was said, and what leads to other moments."""

import pytest
from support.fitting import SIZES, ZOOMED, resize, span, wrong
from web.replays import CORPUS, record_of, written

RECORDS = sorted(path.stem for path in CORPUS.glob("*-[2-5].record"))


@pytest.mark.parametrize("name", RECORDS)
def test_one_screen_holds_the_table_and_what_moves_it(visit, tmp_path, name):
    page = visit(written(tmp_path, record_of(name)))
    for moment in ("d1s1", "d1s14", "d1s14p2"):
        page.evaluate("moment => { location.hash = moment; }", moment)
        for size in SIZES:
            resize(page, size)
            assert wrong(page, ".steer", ".now") == [], (moment, size)
        resize(page, ZOOMED)
        assert span(page) <= ZOOMED[1], moment
