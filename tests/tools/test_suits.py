"""In four clear colours, suits differ for people who see no red or no green light."""

import sys
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from faces import ASSETS, FOUR_COLOURS, GAMES_OF, cards_of, french_suits, spanish_suits, written
from facts import read_facts

SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
"""Machado, Oliveira and Fernandes (2009), in linear light."""
LEAST = 25
"""About ten times the smallest difference that is noticed (CIE 1976), since indices are small."""


def times(matrix, vector):
    return [sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: str, eyes) -> list[float]:
    """Return a colour as some eyes see it, in CIELAB under D65."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [min(1, max(0, part)) for part in times(eyes, linear)]
    xyz = times(((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728)), seen)
    x, y, z = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz]
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def nearest(colours, eyes) -> float:
    return min(dist(lab(one, eyes), lab(other, eyes)) for one, other in combinations(colours, 2))


def four(pack) -> list[str]:
    return [FOUR_COLOURS.get(suit, ("", usual))[1] for suit, usual in pack.COLOUR_OF.items()]


@pytest.mark.parametrize("eyes", SEEN.values(), ids=SEEN)
@pytest.mark.parametrize("pack", [french_suits, spanish_suits], ids=["french", "spanish"])
def test_four_clear_colours_differ_for_all_eyes(pack, eyes):
    assert nearest(four(pack), eyes) >= LEAST


def test_the_usual_colours_of_the_spanish_suits_do_not():
    assert nearest(spanish_suits.COLOUR_OF.values(), SEEN["no green"]) < LEAST


def test_each_card_of_a_changed_suit_has_a_face_in_its_new_colour_and_no_other_card_has_one():
    facts = read_facts()
    files = {
        path.relative_to(ASSETS / "faces").as_posix(): text for path, text in written(facts) if "faces" in path.parts
    }
    for pack in GAMES_OF:
        there = {name for name in files if name.startswith(f"{pack}-four/")}
        changed = [card for card in cards_of(pack, facts) if card.suit in FOUR_COLOURS]
        assert there == {f"{pack}-four/{card.card}.svg" for card in changed}
        for card in changed:
            before, after = FOUR_COLOURS[card.suit]
            drawn = files[f"{pack}-four/{card.card}.svg"]
            assert before not in drawn
            assert after in drawn
            assert card.sign[-1] in "♣♦♥ceb", "table.js finds it by its sign"
