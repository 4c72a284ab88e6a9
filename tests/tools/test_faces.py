"""Every card has a face that can be shown and read anywhere, and the files are what tools/faces draws."""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ordago.games import find_game, game_names

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from faces import ASSETS, FOUR_COLOURS, GAMES_OF, cards_of, colours, french_suits, rule_pictures, spanish_suits, written
from faces.__main__ import differing
from faces.stamps import Layer, Place, shifted, stamped
from faces.svg import number
from facts import read_facts

FACTS = read_facts()
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "g", "path", "rect", "circle"}
ATTRIBUTES = {
    *("viewBox", "transform", "d", "x", "y", "width", "height", "rx", "cx", "cy", "r"),
    *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity"),
}
COURTS_AND_TRUMPS = {
    f"{pack}/{card.card}"
    for pack in GAMES_OF
    for card in cards_of(pack, FACTS)
    if card.suit in (0, 5) or card.rank > (7 if pack == "spanish" else 10)
}


@cache
def files() -> dict[Path, str]:
    """Return all that is drawn. Whoever only collects tests does not wait for it."""
    return dict(written(FACTS))


@cache
def drawn() -> dict[str, str]:
    return {path.relative_to(ASSETS).as_posix(): text for path, text in files().items() if path.suffix == ".svg"}


@cache
def of_packs() -> dict[str, dict[str, str]]:
    return {
        pack: {Path(name).stem: text for name, text in drawn().items() if name.startswith(f"faces/{pack}/")}
        for pack in GAMES_OF
    }


def elements(text: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(text).iter()  # noqa: S314 - drawn by ourselves


@pytest.mark.parametrize("game", game_names())
def test_every_card_of_every_game_has_a_face_in_the_pack_that_it_is_shown_with(game):
    [pack] = [pack for pack, games in GAMES_OF.items() if game in games]
    [told] = [told for told in FACTS.games if told.game == game]
    assert {str(card) for card in told.pack} <= set(of_packs()[pack])
    staging = find_game(game).staging
    assert staging.faces in ("", pack)


def test_packs_have_as_many_cards_as_they_should_and_one_back():
    counts = {pack: len(faces) for pack, faces in of_packs().items()}
    assert counts == {"french": 53, "jass": 37, "spanish": 41, "tarot": 79}


@pytest.mark.parametrize("pack", GAMES_OF)
def test_all_faces_of_a_pack_differ(pack):
    assert len(set(of_packs()[pack].values())) == len(of_packs()[pack])


def test_the_pictures_of_trumps_differ_by_more_than_their_numbers():
    faces = [of_packs()["tarot"][str(card)] for card in range(57, 79)]
    assert len({face.partition('<rect x="13"')[2] for face in faces} - {""}) == 22


def test_backs_of_packs_differ():
    assert len({faces["back"] for faces in of_packs().values()}) == len(of_packs())


def test_what_is_drawn_is_plain_svg_that_refers_to_nothing():
    """No script, style, text or link: nothing but shapes, their places and their colours."""
    assert len(drawn()) > 200
    assert not [name for name, text in drawn().items() if not is_plain(text)]


def is_plain(text: str) -> bool:
    return "<!" not in text and "<?" not in text and all(is_shape(element) for element in elements(text))


def is_shape(element: ElementTree.Element) -> bool:
    return (
        element.tag.removeprefix(SVG) in SHAPES
        and set(element.attrib) <= ATTRIBUTES
        and "url" not in "".join(element.attrib.values())
        and not (element.text or "").strip()
    )


@pytest.mark.parametrize(
    "drawn",
    [
        "<script/>",
        '<path onload="alert(1)"/>',
        '<path fill="url(#x)"/>',
        "<path>text</path>",
        "<!-- a comment --><path/>",
        "<?a instruction?><path/>",
    ],
)
def test_what_is_no_plain_svg_is_found(drawn):
    assert not is_plain(f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 32 32">{drawn}</svg>')


def test_the_view_is_that_of_a_card_or_of_a_sign():
    views = {name: next(elements(text)).get("viewBox") for name, text in drawn().items()}
    of_cards = {name for name in views if name.startswith("faces/")}
    views = {name: view for name, view in views.items() if not name.startswith("rules/")}
    assert views == {name: "0 0 100 150" if name in of_cards else "0 0 32 32" for name in views}


def test_faces_are_small():
    sizes = {
        name.removeprefix("faces/").removesuffix(".svg"): len(text.encode())
        for name, text in drawn().items()
        if not name.startswith("rules/")
    }
    large = [size for name, size in sizes.items() if name.replace("-four", "") in COURTS_AND_TRUMPS]
    small = [size for name, size in sizes.items() if name.replace("-four", "") not in COURTS_AND_TRUMPS]
    assert sum(large) / len(large) < 6_000
    assert sum(small) / len(small) < 3_000
    assert max(large) < 8_000
    assert max(small) < 4_500
    assert sum(size for name, size in sizes.items() if "-four/" not in name) < 700_000
    assert sum(sizes.values()) < 1_200_000


def test_rule_pictures_are_small():
    sizes = [len(text.encode()) for name, text in drawn().items() if name.startswith("rules/")]
    assert max(sizes) <= 60_000


def pictured_cards(name: str) -> list[list[list[str]]]:
    """Return the signs of the cards of a rule picture: rows of groups."""
    return [[[card.sign for card in group] for group in row] for row in dict(rule_pictures.pictured(FACTS))[name]]


def test_a_picture_of_an_order_shows_equal_cards_together_and_the_highest_first():
    assert pictured_cards("mus-order")[0][:3] == [["Ro", "3o"], ["Co"], ["So"]]
    assert pictured_cards("mittlere-trump")[0] == [["J♥"], ["9♥"], ["A♥"], ["K♥"], ["Q♥"]]
    assert pictured_cards("mittlere-plain")[0] == [["A♥"], ["K♥"], ["Q♥"], ["J♥"], ["10♥"]]
    assert pictured_cards("mitigati-trumps")[-1][-1] == ["I"]
    assert pictured_cards("taihe-order")[-1][-1] == ["4♠"]


def test_a_picture_of_a_hand_shows_the_first_hand_of_the_deal_on_the_page():
    assert pictured_cards("mus-alice") == [[["Ro", "7b", "5e", "3c"]]]
    assert pictured_cards("mitaines-pile") == [[["8♠", "4♥", "5♣", "4♠"]]]
    assert [len(row[0]) for row in pictured_cards("mittlere-bob")] == [6, 6]


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def four_colours(pack) -> dict[int, str]:
    """Return the colour of each suit in four clear colours."""
    return {suit: FOUR_COLOURS.get(suit, ("", usual))[1] for suit, usual in pack.COLOUR_OF.items()}


PACKS = (french_suits, spanish_suits)
INDICES = {colour for pack in PACKS for colour in (*pack.COLOUR_OF.values(), *four_colours(pack).values())}


@pytest.mark.parametrize("colour", sorted(INDICES))
def test_indices_can_be_read_on_the_paper(colour):
    assert (luminance(colours.PAPER) + 0.05) / (luminance(colour) + 0.05) >= 4.5


@pytest.mark.parametrize(("suit", "breaks"), [("oros", 0), ("copas", 1), ("espadas", 2), ("bastos", 3)])
def test_the_frame_of_a_spanish_card_is_broken_as_often_as_its_suit_says(suit, breaks):
    for card in cards_of("spanish", FACTS):
        if card.name.endswith(suit):
            drawn = elements(of_packs()["spanish"][str(card.card)])
            assert next(element.get("d") for element in drawn if element.get("d")).count("m") == breaks


def test_the_script_knows_sign_and_name_of_every_card():
    script = files()[ASSETS / "cards.js"]
    told = {int(card): json.loads(names) for card, names in re.findall(r"^    (\d+): (\[.*\]),$", script, re.MULTILINE)}
    assert told == {card.card: [card.sign, card.name] for card in FACTS.cards}
    assert '"use strict";' in script
    assert "const ordago = (globalThis.ordago ??= " in script


def test_what_is_checked_in_is_what_is_drawn():
    assert differing(files()) == []


def test_a_face_that_was_changed_that_is_missing_or_that_belongs_to_no_card_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("faces.__main__.ASSETS", tmp_path)
    files = {tmp_path / "faces" / "jass" / f"{card}.svg": "<svg/>" for card in (1, 2, 3)}
    (tmp_path / "faces" / "jass").mkdir(parents=True)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    assert differing(files) == []
    changed, missing, _ = files
    stranger = tmp_path / "faces" / "jass" / "119.svg"
    changed.write_text("<svg onload='alert(1)'/>", encoding="utf-8")
    missing.unlink()
    stranger.write_text("<svg/>", encoding="utf-8")
    assert differing(files) == [changed, missing, stranger]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.001, "0"), (0.5, ".5"), (-0.5, "-.5"), (10, "10"), (10.126, "10.13"), (100, "100")],
)
def test_numbers_take_as_few_characters_as_they_can(value, text):
    assert number(value) == text


def test_outlines_come_out_relative_at_every_place_turned_and_scaled():
    drawn = stamped([Layer("M1 0 3 2H5V-1C5 0 6 1 7 1Z", fill="#000")], [Place(10, 20), Place(50, 60, turned=True)], 2)
    first, second = "M12 20l4 4l4 0l0-6c0 2 2 4 4 4Z", "M48 60l-4-4l-4 0l0 6c0-2-2-4-4-4Z"
    assert drawn == f'<path d="{first}{second}" fill="#000"/>'


def test_a_letter_is_moved_to_the_right_alone():
    assert shifted("M0 4H2V-1", 3) == "M3 4L5 4L5-1"
