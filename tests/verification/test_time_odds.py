"""An event in which entrants have time odds: what it publishes is proved, and other clocks than theirs are found."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.organiser import EVENT, Organiser
from verification.conftest import Publish

from ordago import v1
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

TEXT = EVENT.replace('"./ana"\n', '"./ana"\ntime_odds = 0.5\n').replace('"./cleo"\n', '"./cleo"\ntime_odds = 3\n')


@pytest.fixture(scope="module")
def played() -> Organiser:
    return Organiser(text=TEXT).play()


def clock_of(record: v1.MatchRecord, name: str) -> v1.ClockTerms | None:
    seat = next(seat for seat in record.seats if seat.name == name)
    return seat.clock if seat.HasField("clock") else None


def test_what_is_published_is_proved(played: Organiser, publish: Publish) -> None:
    clocks = {name: clock_of(record, name) for record in played.records.values() for name in record_names(record)}
    shown = {name: clock and clock.decision_ms for name, clock in clocks.items()}
    assert shown == {"ana": 500, "ben": None, "cleo": 3_000, "dan": None}
    folder = publish(played)
    assert verify_folder(folder).verdict is Verdict.CLEAN
    assert '"time_odds": 0.5' in (folder / "ladder.json").read_text(encoding="utf-8")
    assert "time × 0.5" in (folder / "index.html").read_text(encoding="utf-8")


def record_names(record: v1.MatchRecord) -> list[str]:
    return [seat.name for seat in record.seats]


def _seat(record: v1.MatchRecord, name: str) -> v1.RecordSeat:
    return next(seat for seat in record.seats if seat.name == name)


def _to_the_other(record: v1.MatchRecord) -> None:
    _seat(record, "ana").ClearField("clock")
    _seat(record, "ben").clock.CopyFrom(v1.ClockTerms(decision_ms=2_000, disconnect_bank_ms=5_000))


FORGERIES: dict[str, Callable[[v1.MatchRecord], object]] = {
    "a millisecond more": lambda record: setattr(_seat(record, "ana").clock, "decision_ms", 501),
    "odds forgotten": lambda record: _seat(record, "ana").ClearField("clock"),
    "odds for the other": _to_the_other,
    "a bank of its own": lambda record: setattr(_seat(record, "ana").clock, "bank_ms", 1),
    "the time of another for an entrant without odds": lambda record: _seat(record, "ben").clock.CopyFrom(
        v1.ClockTerms(decision_ms=2_000, disconnect_bank_ms=5_000)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_other_clocks_than_those_of_the_file_are_found(played: Organiser, publish: Publish, name: str) -> None:
    """The organiser makes digests, ledger and pages anew, so only the event file speaks against it."""
    organiser = played.copy()
    record = next(one for one in organiser.records.values() if set(record_names(one)) == {"ana", "ben"})
    FORGERIES[name](record)
    organiser.enter_anew()
    verification = verify_folder(publish(organiser))
    assert verification.verdict is Verdict.NOT_CLEAN
    sentences = [finding.sentence for finding in verification.findings]
    assert any("are not those that its odds" in sentence for sentence in sentences), sentences


@pytest.mark.slow
def test_odds_that_are_changed_afterwards_are_found(played: Organiser, publish: Publish) -> None:
    folder: Path = publish(played)
    file = folder / "event.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("time_odds = 0.5", "time_odds = 0.6"), encoding="utf-8")
    found = verify_folder(folder)
    assert found.verdict is Verdict.NOT_CLEAN
    assert any("The commitment is to another event file" in finding.sentence for finding in found.findings)
