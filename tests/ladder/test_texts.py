"""Texts of pages: all of them can be translated, and stand in the catalogue."""

import re
import string
from collections.abc import Callable

import pytest
from babel.messages.pofile import read_po
from support.command_line import ROOT
from support.ledgers import beginning
from support.pseudo import Pseudo, Untranslated
from support.times import times_of

from ordago.chance import commitment
from ordago.record import FaultCount, SeatForfeit
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import ChangedKey, ChangeEntry, ClosingEntry, VoidEntry, read_ledger
from ordago.store import MatchResult
from ordago_ladder.pages.claims import claims_of
from ordago_ladder.pages.page import ladder_pages
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.settings.settings import Settings

SECRET = bytes(32)
TERMS = 'title = "4711"\nbank_ms = 100\nincrement_ms = 10\nlag_credit_ms = 5\nlag_bank_ms = 50\nsuspend_after = 1\n'
# Names, the games' own titles, files, and a unit that has no translation.
PLAIN = {"a", "b", "c", "d", "Trio", "Pairs", "Elo", "Rust", "Ana", "Ordago", "ms", "s"}
FILES = {"ladder.json", "ladder.csv", "ladder.pgn", "ledger.jsonl", "event.toml"}


@pytest.fixture
def played(make_event: Callable[..., Settings], make_results: Callable[..., list[MatchResult]]):
    """An event in which a bit of everything happened, and its results."""
    settings = make_event(
        [("trio", 3), ("pairs", 4)],
        entrants=4,
        terms=f"{TERMS}[anchors]\nd = 1400\n",
        of_entrants={"a": 'author = "Ana"\nlanguage = "Rust"\nprocesses = 2', "b": 'language = "4"'},
    )
    results = make_results(settings, {"a": 1700.0, "b": 1600.0, "c": 1500.0, "d": 1400.0})
    seats = len(results[0].planned.entrants)
    none = ((),) * (seats - 1)
    result = results[0].result._replace(
        faults=((FaultCount("illegal", 1), FaultCount("too_late", 2)), *none),
        forfeits=(SeatForfeit(0, "too_late"),),
        strikes=((("follow_suit", 2),), *none),
    )
    results[0] = results[0]._replace(result=result, match=results[0].match._replace(attempt=1))
    return settings, results


def pages_in(translations: Pseudo, settings: Settings, results: list[MatchResult]) -> dict[str, str]:
    digest = "0" * 64
    ledger = read_ledger(
        chained(
            [
                beginning(secret=SECRET, entrants="abcd"),
                ChangeEntry(
                    time="2027-01-31T18:00:00Z",
                    settings_digest=digest,
                    issued=7,
                    joined=("d",),
                    withdrawn=("a",),
                    keys=(ChangedKey(section="event", key="repetitions", was=2, now=3),),
                ),
                VoidEntry(match_id=results[0].match.match_id if results else "1" * 32, attempt=0, reason="17"),
                ClosingEntry(issued=9),
            ]
        )
    )
    ladder = build_ladder(settings, results, secret_digest=commitment(SECRET), secret=SECRET)
    times = {one.match.match_id: times_of(len(one.planned.entrants), decisions=40) for one in results}
    return dict(ladder_pages(ladder, ledger, claims_of(settings, ledger), times, translations=translations))


@pytest.mark.slow
@pytest.mark.parametrize("part", [None, 5, 0])
def test_every_text_of_a_page_is_translated_and_stands_in_the_catalogue(played, part: int | None) -> None:
    settings, results = played
    pseudo = Pseudo()
    pages = pages_in(pseudo, settings, results[:part])
    left = {
        (name, word)
        for name, text in pages.items()
        for word in Untranslated(text).found
        if set(word) & set(string.ascii_letters) and not ({word.strip("(),.:"), word} & (PLAIN | FILES))
    }
    assert left == set()
    with (ROOT / "tournaments" / "ordago_ladder" / "locale" / "ordago.pot").open("rb") as file:
        known = {one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file)}
    assert pseudo.asked - known == {"The number of deals."}, (
        "what games of tests say of their options does not stand there"
    )


def test_a_text_that_is_not_translated_is_found() -> None:
    page = '<p title="⟦b⟧">⟦a <b>c</b> ⟦d⟧⟧ e</p><p aria-label="f">⟦g⟧</p><code>h</code>'
    assert Untranslated(page).found == ["e", "f"]


LANGUAGES = sorted(path.name for path in (ROOT / "tournaments/ordago_ladder/locale").iterdir() if path.is_dir())
PLACES = re.compile(r"%\(\w+\)s|\{\w+\}|</?\w[^>]*>|&(?!nbsp)\w+;|%%")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_the_placeholders_that_it_has(language: str) -> None:
    with (ROOT / f"tournaments/ordago_ladder/locale/{language}/LC_MESSAGES/ordago.po").open("rb") as file:
        known = read_po(file, locale=language)
    with (ROOT / "tournaments/ordago_ladder/locale/ordago.pot").open("rb") as file:
        texts = {message.id for message in read_po(file) if message.id}
    assert {message.id for message in known if message.id} == texts
    assert [message.id for message in known if message.fuzzy and message.id] == []
    for message in known:
        english = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id:
            assert len(forms) == (known.num_plurals if message.pluralizable else 1), message.id
            for form in forms:
                assert form, f"{message.id} has no translation"
                # A singular may say the number in words.
                found = set(PLACES.findall(form))
                assert found in [set(PLACES.findall(text)) for text in english], (message.id, form)
