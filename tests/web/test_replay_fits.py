"""A replay fits the window: the table with its hands, what was said, what it cost, and what leads to other moments."""

import pytest
from support.browser import MOST_SHIFTED, WINDOWS, shifted
from support.fitting import SIZES, ZOOMED, resize, span, wrong
from web.replays import CORPUS, record_of, written

RECORDS = sorted(path.stem for path in CORPUS.glob("*-[2-5].record"))
ANALYSED = """() => {
    document.body.dataset.analysis = "/analysis";
    const verdict = (unit) => ({ best: "Play 10♥", cost: 0.1, unit, dear: true, better: [{}] });
    const choices = [...ordago.replay.course.choices.keys()].map((entry) => [entry, verdict("chance to win the game")]);
    const place = document.querySelector('[data-part="costs"]');
    ordago.costs(place, ordago.replay, Object.fromEntries(choices), { unitName: (unit) => unit, amount: () => "10 %" });
    const told = document.querySelector('[data-part="verdict"]');
    told.hidden = false;
    told.textContent = "The house: Play 10♥, better by 0.13 ± 0.05 points.";
}"""
"""What the analysis of a match adds to its page: costs over the slider, and a verdict on the choice that is shown."""


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


@pytest.mark.parametrize("name", RECORDS)
def test_so_does_that_of_an_analysed_match(visit, tmp_path, name):
    page = visit(written(tmp_path, record_of(name)) + "#d1s14")
    page.evaluate(ANALYSED)
    for size in SIZES:
        resize(page, size)
        assert wrong(page, ".steer", ".now", ".plot a", ".costs bdi") == [], size
    assert page.locator(".plot a").count() == min(12, page.evaluate("ordago.replay.course.choices.size"))


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("name", ["mitaines-4", "mus-4"])
def test_nothing_moves_while_a_replay_is_loaded(visit, tmp_path, name, size):
    page = visit(written(tmp_path, record_of(name)), width=size[0], height=size[1])
    assert shifted(page, ".replay:not([hidden])") < MOST_SHIFTED
