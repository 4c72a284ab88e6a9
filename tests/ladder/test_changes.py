"""Event files that are changed: mended before anybody has checked in, and refused afterwards, key by key."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ordago.record.ledgers.chain import ledger_text
from ordago.record.ledgers.event import ChangedKey, ChangeEntry, PartEntry, RestorationEntry, read_ledger
from ordago.record.ledgers.receipts import parse_receipts, verify_receipts
from ordago.store import Entrant, StoreError
from ordago.store.event.store import Store
from ordago_bot.receipts import Receipts
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.parts import part_entry
from ordago_ladder.matches.stages import ChangeError, stages_of
from ordago_ladder.run.changes import ChangedEventError, change_of, changes_between, check_same_event
from ordago_ladder.run.kept_event import KeptEvent, description_of
from ordago_ladder.run.store_check import checked_state
from ordago_ladder.settings.identity import settings_digest

EVENT = """
[event]
name = "cup"
decision_ms = 1000
[limits]
memory_mib = 512
[[game]]
name = "duel"
options = { deals = 12 }
[[entrant]]
name = "ana"
command = "./ana"
env = { KEY = "sesame" }
[[entrant]]
name = "ben"
command = "./ben"
[[entrant]]
name = "cleo"
command = "./cleo"
"""
ZOE = '[[entrant]]\nname = "zoe"\ncommand = "./zoe"\n'
CHANGES = {
    "another command": ('"./ben"', '"./better"', "[[entrant]] 'ben' 'command' was './ben' and is './better'"),
    "another time": ("decision_ms = 1000", "decision_ms = 2000", "[event] 'decision_ms' was 1000 and is 2000"),
    "another format": ("decision_ms", 'format = "swiss"\nrounds = 2\ndecision_ms', "'format' was 'round-robin' and is"),
    "a secret": ("decision_ms", f'secret = "{"5e" * 32}"\ndecision_ms', "[event] 'secret' has another value"),
    "a beacon": (
        "decision_ms",
        'beacon = { source = "moon", round = 7 }\ndecision_ms',
        "'beacon' was not given",
    ),
    "other options": ("deals = 12", "deals = 6", "[[game]] 'duel' 'options' was 'deals', 12 and is 'deals', 6"),
    "another game": ('"duel"', '"crowd"', "[[game]] 'crowd' is new; [[game]] 'duel' is missing"),
    "other limits": ("memory_mib = 512", "memory_mib = 256", "[limits] 'memory_mib' was 512 and is 256"),
    "another name": ('"ben"', '"bob"', "[[entrant]] 'ben' is missing"),
    "one less": (ZOE.replace("zoe", "cleo"), "", "[[entrant]] 'cleo' is missing"),
    "another variable": ("KEY =", "WORD =", "[[entrant]] 'ana': 'KEY' of 'env' has another value"),
    "another value": ("sesame", "tahini", "[[entrant]] 'ana': 'KEY' of 'env' has another value (it is not shown)"),
    "another event": ('"cup"', '"league"', "The folder contains another event, 'cup' and not 'league'"),
}

NOW = datetime(2027, 1, 31, 18, tzinfo=UTC)
Open = Callable[[str], KeptEvent]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Open an event by its file in one store."""
    (tmp_path / "private").mkdir()
    place = tmp_path / "private" / "event.db"
    url = request.getfixturevalue("postgresql").place() if request.param == "postgresql" else None
    with Store.open(url or place, create=True) as store:
        yield lambda text: KeptEvent(parse_event(text), text, store, EventFolder(tmp_path), url)


def begin(event: KeptEvent, *, published: bool = True) -> None:
    """Begin an event, or go on with it, and publish its ledger."""
    event.begin_or_change()
    checked_state(event.settings, event.store, event.folder)
    if published:
        event.folder.ledger.write_text(ledger_text(event.store.state().lines), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_everything_may_be_mended_before_anybody_has_checked_in(kept: Open, change: str) -> None:
    old, new, _ = CHANGES[change]
    begin(kept(EVENT))
    mended = kept(EVENT.replace(old, new))
    assert mended.text != EVENT
    begin(mended)
    state = mended.store.state()
    assert (state.event.settings, state.event.name) == (mended.text, mended.settings.event.name)
    assert [entrant.name for entrant in state.entrants] == [entrant.name for entrant in mended.settings.entrants]
    assert len(state.lines) == 1
    begin(kept(EVENT))


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_after_check_in_is_named(kept: Open, change: str) -> None:
    old, new, words = CHANGES[change]
    event = kept(EVENT)
    begin(event)
    event.store.check_in(Entrant(name, name.encode() * 16) for name in ("ana", "ben", "cleo"))
    changed = kept(EVENT.replace(old, new))
    with pytest.raises(ChangedEventError) as error:
        begin(changed)
    told = str(error.value)
    assert words in told
    assert "You can always change" in told
    assert not any(secret in told for secret in ("sesame", "tahini", "5e5e"))
    with pytest.raises(ChangedEventError, match="You can always change"):
        check_same_event(changed.settings, event.store.state())
    begin(event)


def test_nothing_is_mended_after_a_restoration_since_deals_may_have_been_seen_after_the_backup(kept: Open) -> None:
    event = kept(EVENT)
    begin(event)
    event.store.restore_event(RestorationEntry(time="2027-01-31T18:00:00Z", value="5a" * 16))
    before = event.store.state().lines
    with pytest.raises(ChangedEventError):
        begin(kept(EVENT.replace("deals = 12", "deals = 9")))
    assert event.store.state().lines == before


MORE = {
    "an entrant in between": ('[[entrant]]\nname = "ben"', f'{ZOE}[[entrant]]\nname = "ben"', {"joined": ("zoe",)}),
    "an entrant that leaves": ('"./ben"', '"./ben"\nwithdrawn = true', {"withdrawn": ("ben",)}),
    "a new version in place of an old one": (
        *('"./ben"', f'"./ben"\nwithdrawn = true\n{ZOE}'),
        {"joined": ("zoe",), "withdrawn": ("ben",)},
    ),
    "more repetitions": (
        *("repetitions = 2", "repetitions = 3"),
        {"keys": (ChangedKey(section="event", key="repetitions", was=2, now=3),)},
    ),
    "more sets": ("sets = 4", "sets = 7", {"keys": (ChangedKey(section="duel", key="sets", was=4, now=7),)}),
}
"""Changes that an event takes while it is played, with what its ledger says of them."""
LESS = {
    "fewer repetitions": (
        "repetitions = 2",
        "repetitions = 1",
        "[event] 'repetitions' was 2 and is 1: it may only ask",
    ),
    "fewer sets": ("sets = 4", "sets = 3", "[[game]] 'duel' 'sets' was 4 and is 3: it may only ask"),
    "no sets": ("sets = 4\n", "", "[[game]] 'duel' 'sets' was 4 and is not given"),
    "a newcomer that leaves": ('"./ben"', f'"./ben"\n{ZOE}withdrawn = true', "'zoe' is new and has withdrawn = true"),
}
PARTIAL = EVENT.replace("[limits]", "repetitions = 2\n[limits]").replace('"duel"', '"duel"\nsets = 4')


def checked_in(kept: Open) -> KeptEvent:
    """Begin an event in which everybody has checked in."""
    event = kept(PARTIAL)
    begin(event)
    event.store.check_in(Entrant(name, name.encode() * 16) for name in ("ana", "ben", "cleo"))
    return event


@pytest.mark.parametrize("change", MORE)
def test_what_asks_for_more_is_a_line_of_the_ledger(kept: Open, change: str) -> None:
    old, new, words = MORE[change]
    event = checked_in(kept)
    lines = event.store.state().lines
    changed = kept(PARTIAL.replace(old, new))
    begin(changed)
    begin(kept(changed.text))
    ledger = read_ledger(event.store.state().lines)
    [entry] = ledger.changes
    said = {"joined": (), "withdrawn": (), "keys": ()} | words
    assert {key: getattr(entry, key) for key in said} == said
    assert entry.settings_digest == settings_digest(changed.settings).hex()
    assert (list(ledger.lines[:-1]), ledger.entries[-1]) == (lines, entry)
    assert stages_of(changed.settings, ledger)[0].settings == event.settings
    with pytest.raises(ChangeError if "keys" in words else ChangedEventError):
        begin(kept(PARTIAL))


@pytest.mark.parametrize("change", LESS)
def test_what_asks_for_less_is_refused_by_its_key(kept: Open, change: str) -> None:
    old, new, words = LESS[change]
    event = checked_in(kept)
    with pytest.raises(ChangeError) as error:
        begin(kept(PARTIAL.replace(old, new)))
    assert words in str(error.value)
    assert read_ledger(event.store.state().lines).changes == ()


def test_an_event_that_is_over_goes_on_with_another_secret_and_other_nonces(kept: Open) -> None:
    event = checked_in(kept)
    event.store.finish_event()
    first, lines = event.store.event(), event.store.state().lines
    more = kept(PARTIAL.replace("repetitions = 2", "repetitions = 3"))
    begin(more)
    now = more.store.event()
    assert (first.finished, now.finished, len(now.secret)) == (True, False, 32)
    assert now.secret != first.secret
    assert more.store.entrants() == [Entrant(name) for name in ("ana", "ben", "cleo")]
    begin(kept(more.text))
    assert more.store.event() == now, "a run that was killed by then goes on with the same secret"
    begin(kept(more.text + ZOE))
    state = more.store.state()
    ledger = read_ledger(state.lines)
    assert (state.event.secret, list(ledger.lines[: len(lines)])) == (now.secret, lines)
    assert [type(entry) for entry in ledger.entries[len(lines) :]] == [PartEntry, ChangeEntry]
    described = description_of(ledger)
    assert described.commitment.hex() == ledger.parts[1].begin.commitment


def test_a_secret_that_is_not_revealed_is_not_replaced(kept: Open) -> None:
    event = checked_in(kept)
    changed = kept(PARTIAL.replace("repetitions = 2", "repetitions = 3"))
    before = event.store.state()
    change = change_of(changed.settings, before, read_ledger(before.lines), time=NOW)
    assert change is not None
    entry = part_entry(change, secret=bytes(32))
    with pytest.raises(StoreError, match="its secret stays until it is revealed"):
        event.store.change_event(
            entry, before=before.event.identity, settings=changed.text, identity="", secret=bytes(32)
        )
    assert event.store.state() == before


def test_who_withdrew_does_not_come_back(kept: Open) -> None:
    checked_in(kept)
    gone = PARTIAL.replace('"./ben"', '"./ben"\nwithdrawn = true')
    begin(kept(gone))
    with pytest.raises(ChangedEventError, match="'ben' 'withdrawn' was true and is false"):
        begin(kept(PARTIAL + ZOE))


def test_the_order_of_entrants_means_nothing(kept: Open) -> None:
    event = checked_in(kept)
    ben = EVENT.index('[[entrant]]\nname = "ben"')
    begin(kept(PARTIAL.replace(EVENT[ben:], "".join(ZOE.replace("zoe", name) for name in ("cleo", "ben")))))
    assert len(event.store.state().lines) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decision_ms", 'title = "The cup"\nparallel = 2\nabsentees_forfeit = true\ndecision_ms'),
        ('"./ana"', '"./ana"\nauthor = "Ana"\nlanguage = "Go"'),
        ("[limits]", "# Nothing else is said.\n[limits]"),
        ("[limits]", "[anchors]\nana = 0\n[limits]"),
    ],
)
def test_what_decides_no_match_may_be_changed_at_any_time(kept: Open, old: str, new: str) -> None:
    event = kept(EVENT)
    begin(event)
    event.store.check_in(Entrant(name, name.encode() * 16) for name in ("ana", "ben", "cleo"))
    begin(kept(EVENT.replace(old, new)))
    grown = kept(EVENT.replace(old, new) + ZOE)
    begin(grown)
    assert [entrant.name for entrant in grown.store.entrants()] == ["ana", "ben", "cleo", "zoe"]


def test_a_change_that_is_none_is_not_told() -> None:
    settings = parse_event(EVENT)
    assert list(changes_between(settings, settings)) == []


def test_an_event_that_is_mended_keeps_its_secret_and_no_receipt_speaks_against_it(kept: Open) -> None:
    """Else an organiser could hear nonces, and begin anew with a secret chosen for them."""
    event, receipts = kept(EVENT), list[str]()
    begin(event)
    before = event.store.event().secret
    keep = Receipts(lambda receipt: receipts.append(json.dumps(receipt)))
    keep.describe(description_of(read_ledger(event.store.state().lines)), nonce=b"n" * 16)
    begin(kept(EVENT.replace("decision_ms = 1000", "decision_ms = 2000")))
    assert event.store.event().secret == before
    ledger = read_ledger(event.store.state().lines)
    assert list(verify_receipts(ledger, parse_receipts("\n".join(receipts)))) == []
    begin(kept(EVENT.replace('"cup"', '"league"')))
    assert event.store.event().secret != before


def test_a_store_does_not_let_go_of_who_has_checked_in(kept: Open) -> None:
    event = kept(EVENT)
    begin(event)
    event.store.check_in([Entrant("ana", b"")])
    with pytest.raises(StoreError, match="checked in"):
        event._begin(event.store.begin_event_anew, bytes(32))
    assert len(event.store.state().lines) == 2


def test_a_ledger_of_another_run_is_kept_when_an_event_is_mended(kept: Open) -> None:
    begin(kept(EVENT))
    mended = kept(EVENT.replace("decision_ms = 1000", "decision_ms = 2000"))
    mended.folder.ledger.write_text("of another run", encoding="utf-8")
    with pytest.raises(StoreError, match="is of another run"):
        begin(mended)
    assert mended.folder.ledger.read_text(encoding="utf-8") == "of another run"
