"""Names that a reader could take for each other, and names that only have letters in common."""

import unicodedata
from itertools import combinations

import pytest

from ordago.confusables import CONFUSABLES
from ordago.names import is_plain_name, looks_like_one_of, misleads, name_key, skeleton

ALIKE = {
    "house-random": [
        "House Random",
        "house-rand0m",
        "house_random",
        "houserandom",
        "h0use.rand\u03bfm",
        "house-randorn",
    ],
    "anabot": ["ana-bot", "anab0t", "\u0251nabot", "ANABOT", "\uff41nabot", "an\u0430bot", "a n a b o t"],
    "solid": ["so1id", "sol1d", "SOLlD", "s\u043elid", "sol\u0131d", "sol\u2013id"],
    "modern": ["modem", "rnodern"],
    "vvolf": ["wolf"],
    "\u0430\u043d\u043d\u0430": ["\u0410\u041d\u041d\u0410"],
}
HONEST = (
    *("東京 bot", "大阪 bot", "Ñandú", "Nandu", "Zürich", "Zurich", "Søren", "Jürg Müller", "L'été".replace("'", " ")),
    *(
        "山田太郎",
        "ビット",
        "ノート",
        "王伟",
        "第一",
        "第二",
        "أحمد",
        "नितिन",
        "Ирина",
        "Ελένη",
        "s5",
        "ss",
        "v1.2",
        "v12",
        "bot 1",
        "bot 11",
    ),
)


@pytest.mark.parametrize(("name", "other"), [(name, other) for name, others in ALIKE.items() for other in others])
def test_a_name_that_a_reader_could_take_for_another_looks_like_it(name: str, other: str) -> None:
    assert looks_like_one_of(other, ["someone", name])
    assert looks_like_one_of(name, [other])


def test_honest_names_are_told_apart() -> None:
    assert [pair for pair in combinations(HONEST, 2) if looks_like_one_of(pair[0], [pair[1]])] == []


@pytest.mark.parametrize("name", HONEST)
def test_honest_names_are_plain_and_mislead_nobody(name: str) -> None:
    assert is_plain_name(unicodedata.normalize("NFC", name))
    assert not misleads(name)


@pytest.mark.parametrize(
    "sign", ["\ufffd", "\ufffc", "\ue000", "\U000f0000", "\u0378", "\u200b", "\u202e", "\u2800", "\u3164"]
)
def test_what_nobody_sees_or_each_reader_sees_otherwise_misleads(sign: str) -> None:
    assert misleads(f"ana{sign}bot")
    assert not is_plain_name(f"ana{sign}bot")


@pytest.mark.parametrize("name", [*HONEST, *ALIKE, "-", "..", "", " ", "ß", "İ", "1.2.3", "+"])
def test_names_of_one_key_have_one_skeleton(name: str) -> None:
    assert skeleton(name_key(name)) == skeleton(name)


def test_the_table_maps_no_ascii_letter_and_leads_nowhere_further() -> None:
    assert not [key for key in CONFUSABLES if key < 128]
    assert not [value for value in CONFUSABLES.values() if ord(value) in CONFUSABLES]
