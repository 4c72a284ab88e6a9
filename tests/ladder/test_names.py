"""Which names an entrant may have: those of people, and none by which somebody could pass for another, or do harm."""

import csv
import io
import unicodedata
from collections.abc import Callable

import pytest

from ordago.chance import commitment
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.publication.exports import ladder_csv, ladder_pgn
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import UnfitValueError, entrant_name, name_key

GOOD = (
    "a",
    "7",
    "Jürg",
    "Jürg Müller",
    "Søren-2",
    "Ирина",
    "Ελένη",
    "山田太郎",
    "أحمد",
    "नितिन",
    "v1.2_b+c",
    "ß",
    "Đặng",
)
OVERRIDE = "\N{RIGHT-TO-LEFT OVERRIDE}"


@pytest.mark.parametrize("name", GOOD)
def test_people_have_their_names(name: str) -> None:
    assert entrant_name(name) == unicodedata.normalize("NFC", name)


def test_one_name_is_one_name_however_it_was_typed() -> None:
    assert entrant_name("Ju\N{COMBINING DIAERESIS}rg") == "J\N{LATIN SMALL LETTER U WITH DIAERESIS}rg"


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", " a", "a ", ".a", "-rf", "=1+1", "+1", "@SUM(A1)", "\N{COMBINING DIAERESIS}", "a" * 65, "𞤀" * 49),
        *("<b>x</b>", 'a"b', "a'b", "a&b", "a,b", "a|b", "a:b", "a*", "../x", "a/b", "a\\b", "a%b", "{a}", "a\nb"),
        *("a\0b", "a\x1b[2J", "a\tb", "a\x7f", "a\N{NO-BREAK SPACE}b", "a\N{IDEOGRAPHIC SPACE}b", "a\N{SOFT HYPHEN}b"),
        *("a\N{ZERO WIDTH SPACE}b", "a\N{ZERO WIDTH JOINER}b", "a\N{WORD JOINER}b", "\N{ZERO WIDTH NO-BREAK SPACE}a"),
        *(f"a{OVERRIDE}b", "a\N{LEFT-TO-RIGHT ISOLATE}b", "a\N{LINE SEPARATOR}b", "\N{HANGUL FILLER}", "a\ufe0f"),
        *("a\N{HANGUL CHOSEONG FILLER}", "a\N{COMBINING GRAPHEME JOINER}", "a" + "\N{COMBINING ACUTE ACCENT}" * 9),
        *("a\N{TAG LATIN SMALL LETTER A}", "a\ud800", "a\ue000", "\N{GRINNING FACE}", "a\N{FRACTION SLASH}b"),
        *("a.\N{COMBINING LONG SOLIDUS OVERLAY}", "\N{ROMAN NUMERAL ONE}", "a\N{FULLWIDTH SOLIDUS}b"),
    ],
    ids=ascii,
)
def test_what_is_no_name_is_none(name: str) -> None:
    with pytest.raises(UnfitValueError, match="'name' takes letters, digits"):
        entrant_name(name)


@pytest.mark.parametrize("name", ["s\N{CYRILLIC SMALL LETTER O}lid", "\N{GREEK CAPITAL LETTER ALPHA}nna"], ids=ascii)
def test_letters_of_alphabets_that_look_alike_are_not_mixed(name: str) -> None:
    with pytest.raises(UnfitValueError, match="look alike"):
        entrant_name(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("alpha", "Alpha"),
        ("Straße", "STRASSE"),
        ("solid", "\N{FULLWIDTH LATIN SMALL LETTER S}olid"),
        ("solid", "so\N{MATHEMATICAL BOLD SMALL L}id"),
        ("file", "\N{LATIN SMALL LIGATURE FI}le"),
    ],
    ids=ascii,
)
def test_nobody_is_called_nearly_like_another(make_event: Callable[..., Settings], name: str, other: str) -> None:
    assert name_key(name) == name_key(other)
    with pytest.raises(EventFileError, match="cannot be told from"):
        make_event(entrants=[name, other, "c"])


def test_a_name_that_is_taken_is_told_so(make_event: Callable[..., Settings]) -> None:
    with pytest.raises(EventFileError, match="the name 'Jürg' is taken by"):
        make_event(entrants=["Jürg", "Ju\N{COMBINING DIAERESIS}rg", "c"])


def test_names_of_people_stand_in_tables_and_pairings(make_event: Callable[..., Settings]) -> None:
    names = ["Jürg", "Ирина", "山田太郎"]
    ladder = build_ladder(make_event(entrants=names), [], secret_digest=commitment(b"x"))
    assert {row["entrant"] for row in csv.DictReader(io.StringIO(ladder_csv(ladder)))} == set(names)
    assert ladder_pgn(ladder) == ""


@pytest.mark.parametrize("key", ["author", "language"])
@pytest.mark.parametrize("text", ["a\\u0000", "\\u001b[2J", "a\\u202eb", "x" * 129])
def test_what_is_shown_of_an_entrant_can_be_seen(key: str, text: str) -> None:
    file = '[event]\nname = "x"\n[[game]]\nname = "trio"\n[[entrant]]\nname = "a"\ncommand = "x"\n'
    with pytest.raises(EventFileError, match=f"{key!r} takes at most 128 characters"):
        parse_event(f'{file}{key} = "{text}"\n')
