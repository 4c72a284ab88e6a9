"""An event that went on after its end is proved part by part, and what was done to a part is found."""

import json

import pytest
from verification.conftest import Publish
from verification.going_on import IN_ENTRIES, GoingOn

from ordago.record.ledgers.chain import chained, ledger_text
from ordago.record.ledgers.event import read_ledger
from ordago.record.ledgers.receipts import parse_receipts, verify_receipts
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

BOTH = 18
"""Twelve matches of four, and six of the three that are not suspended."""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def honest_parts() -> GoingOn:
    """The organiser of an event of two parts. Copy it before it changes anything."""
    return GoingOn().play()


def found_in(organiser: GoingOn, publish: Publish) -> list[str]:
    verification = verify_folder(publish(organiser))
    assert verification.verdict is Verdict.NOT_CLEAN
    return [finding.sentence for finding in verification.findings]


def test_both_parts_are_proved(honest_parts: GoingOn, publish: Publish) -> None:
    found = verify_folder(publish(honest_parts))
    assert (found.verdict, found.records, found.findings) == (Verdict.CLEAN, BOTH, ())


@pytest.mark.parametrize("name", IN_ENTRIES)
def test_a_changed_ledger_is_found(honest_parts: GoingOn, publish: Publish, name: str) -> None:
    change, words = IN_ENTRIES[name]
    folder = publish(honest_parts)
    lines = chained(change(honest_parts.entries))
    (folder / "ledger.jsonl").write_text(ledger_text(lines), encoding="utf-8")
    found = verify_folder(folder)
    assert found.verdict is Verdict.NOT_CLEAN
    assert any(words in finding.sentence for finding in found.findings), found.findings


def test_a_part_dealt_by_the_secret_of_the_first_is_found(publish: Publish) -> None:
    """Whoever dealt so knew the cards."""
    assert found_in(GoingOn(dealt=bytes(range(32))).play(), publish)


def test_a_nonce_that_is_brought_again_is_found(publish: Publish) -> None:
    """The secret could have been chosen for it."""
    found = found_in(GoingOn(nonces={"ben": b"ben" * 8}).play(), publish)
    assert found == ["The nonce of 'ben' in part 2 is that of an earlier part."]


def test_a_part_that_ended_too_soon_is_found(publish: Publish) -> None:
    """An organiser who disliked the deals could play the same matches with others."""
    organiser = GoingOn()
    super(GoingOn, organiser).play()
    last = next(reversed(organiser.records))
    del organiser.records[last]
    organiser.entries = [one for one in organiser.entries if getattr(one, "match_id", "") != last]
    organiser.go_on()
    assert found_in(organiser, publish)


def test_another_result_of_the_first_part_is_found(honest_parts: GoingOn, publish: Publish) -> None:
    organiser = honest_parts.copy()
    record = next(record for record in organiser.records.values() if record.seats[0].name != "dan")
    record.outcome.scores[0] += 1
    assert found_in(organiser, publish)


def receipts_of_second(organiser: GoingOn, name: str) -> str:
    """Return what a bot kept that came for the second part only."""
    bot = organiser.copy()
    bot.entrants[name] = bot.entrants[name]._replace(nonce=name.encode() * 9)
    first = organiser.ledger.parts[1].first
    lines = bot.receipts_of(name).splitlines()
    return "\n".join(line for line in lines if json.loads(line).get("length", first + 1) > first)


def test_receipts_name_the_part_that_was_played(honest_parts: GoingOn) -> None:
    ledger, kept = honest_parts.ledger, parse_receipts(receipts_of_second(honest_parts, "ana"))
    assert {receipt.commitment for receipt in kept} == {ledger.parts[1].begin.commitment}
    assert list(verify_receipts(ledger, kept)) == []


def test_receipts_contradict_another_second_part(honest_parts: GoingOn) -> None:
    """Both parts agree with all that is published: only who was there knows of the other one."""
    other = GoingOn(second=b"\3" * 32, dealt=b"\3" * 32).play()
    kept = parse_receipts(receipts_of_second(other, "ana"))
    [sentence] = verify_receipts(honest_parts.ledger, kept)
    assert "under another commitment" in sentence
    dropped = read_ledger(honest_parts.ledger.lines[: honest_parts.ledger.parts[1].first])
    own = parse_receipts(receipts_of_second(honest_parts, "ana"))
    assert any("under another commitment" in sentence for sentence in verify_receipts(dropped, own))


def test_receipts_of_one_part_do_not_speak_of_another(honest_parts: GoingOn) -> None:
    kept = parse_receipts(honest_parts.receipts_of("ana"))
    contradictions = list(verify_receipts(honest_parts.ledger, kept))
    assert any("with the commitment of another part" in sentence for sentence in contradictions)
