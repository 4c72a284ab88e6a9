"""The cards of a hand in a browser: a click on a card takes the one whose face is seen there."""

from importlib.resources import files
from pathlib import Path

import pytest

ASSETS = Path(str(files("ordago_ladder") / "assets"))
STYLES = ("site", "table", "play")
SCRIPTS = ("cards", "scene", "table", "offers", "hand")
WIDTHS = (360, 390, 1280)
MOST_CARDS = 26
"""More than any game deals: a hand of Mitigati has 25 cards before its holder lays some away."""
LEAST_TARGET = 24 - 2
"""The least width of what is touched, in CSS pixels, after WCAG 2.2 (2.5.8), less the pixels of both edges."""

BEGIN = """([faces, confirms]) => {
    const [nothing, element] = [{ cards: [] }, document.getElementById("play-table")];
    const seat = { hand: nothing, front: nothing, piles: {}, said: "", roles: [], figures: [] };
    const players = ["Guest", "Ada", "Bela"].map((name) => ({ name }));
    const table = ordago.table(element, { faces: "tarot", root: "", pictures: faces, seats: players, perspective: 0 });
    window.played = [];
    window.hand = ordago.hand(element, 0, {
        changed: () => {},
        play: () => window.played.push([...window.hand.chosen]) > 0,
        enter: () => {},
        confirms: () => confirms,
    });
    window.deal = (count) => {
        const cards = Array.from({ length: count }, (_, place) => place + 1);
        table.show({ seats: { 0: { ...seat, hand: { cards } }, 1: seat, 2: seat }, table: {}, figures: [] });
        const offers = cards.map((card) => ({ action: card, words: `${card}`, cards: [card] }));
        window.hand.offer(ordago.offers({ offers }));
    };
}"""
COLUMNS = """() => {
    const cards = [...document.querySelectorAll('[data-place="0"] [data-zone="hand"] img.card')];
    const boxes = cards.map((card) => card.getBoundingClientRect());
    const within = (box, x, y) => box.left <= x && x < box.right && box.top <= y && y < box.bottom;
    return cards.map((card, at) => {
        const found = { own: [], wrong: [] };
        // Where its corners are not round, and no further row lies upon it.
        const y = boxes[at].top + boxes[at].height * 0.4;
        for (let x = Math.ceil(boxes[at].left + 1); x < boxes[at].right - 1; x += 1) {
            const seen = boxes.findLastIndex((box) => within(box, x, y));
            const hit = cards.indexOf(document.elementFromPoint(x, y));
            // A pixel that an edge goes through belongs to two cards.
            const edge = boxes.some((box) => Math.abs(box.left - x) < 1 || Math.abs(box.right - x) < 1);
            if (hit !== seen && !edge) found.wrong.push([x, y, hit, seen]);
            if (hit === at) found.own.push([x, y]);
        }
        return found;
    });
}"""


@pytest.fixture
def table(visit, tmp_path):
    """Opens a page that has a table and nothing else."""

    def opened(width, *, confirms=False):
        styles = [f'<link rel="stylesheet" href="{ASSETS.as_uri()}/{name}.css">' for name in STYLES]
        scripts = [f'<script src="{ASSETS.as_uri()}/{name}.js"></script>' for name in SCRIPTS]
        board = '<body class="playing"><main class="play"><div class="board"><div id="play-table"></div></div></main>'
        page = tmp_path / "table.html"
        page.write_text(f"<!doctype html>{''.join(styles)}{board}{''.join(scripts)}", encoding="utf-8")
        window = visit(page.as_uri(), width=width)
        window.evaluate(BEGIN, [f"{ASSETS.as_uri()}/faces/tarot/", confirms])
        return window

    return opened


def deal(page, count):
    page.evaluate("count => deal(count)", count)


def columns(page):
    """Return for each card the pixels of a line at which it is hit; each is where its face is seen."""
    found = page.evaluate(COLUMNS)
    assert [card["wrong"] for card in found] == [[]] * len(found)
    return [card["own"] for card in found]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_card_that_is_hit_is_the_one_that_is_seen_in_hands_of_every_size(table, width):
    page = table(width)
    for count in range(1, MOST_CARDS + 1):
        deal(page, count)
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.matches('img.card:focus-visible')")
        for card in {1, count // 2 + 1, count}:
            page.evaluate("card => { hand.at = card; hand.choose(new Set([card])); hand.focus(); }", card)
            assert min(map(len, columns(page))) >= LEAST_TARGET, (count, card)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_click_at_either_edge_of_what_is_seen_plays_that_card(table, width):
    page = table(width)
    for count in (4, 13, 25):
        deal(page, count)
        page.keyboard.press("ArrowRight")
        for card in (1, 2, count):
            page.evaluate("hand.choose(new Set()); played.length = 0")
            for edge in (0, -1):
                page.mouse.click(*columns(page)[card - 1][edge])
            assert page.evaluate("played") == [[card], []], "it is chosen, and left"


def test_no_card_covers_more_of_its_neighbours_where_the_keys_are(table):
    page = table(390)
    deal(page, 13)
    before = [len(own) for own in columns(page)]
    page.keyboard.press("ArrowRight")
    assert [len(own) for own in columns(page)] == before


def test_where_plays_are_confirmed_a_first_click_chooses_and_a_second_plays(table):
    page = table(1280, confirms=True)
    deal(page, 4)
    first, second, *_ = (own[0] for own in columns(page))
    page.mouse.click(*first)
    page.mouse.click(*second)
    assert page.evaluate("[played, [...hand.chosen]]") == [[], [2]], "another card is another choice"
    page.mouse.click(second[0], second[1])
    assert page.evaluate("played") == [[2]]
