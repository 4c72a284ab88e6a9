"""An event whose matches may be conceded: what it publishes is proved, and every forged word is found."""

from collections.abc import Callable, Sequence

import pytest
from support.organiser import EVENT, Organiser
from support.players import by_number
from verification.conftest import Publish

from ordago import v1
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

TEXT = EVENT.replace('name = "small"\n', 'name = "small"\nconceding = true\n')


def yielding(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> v1.Answer:
    """Give up at the tenth decision."""
    answer = by_number(decision, refusals)
    answer.concede = decision.number == 10 and decision.may_concede
    return answer


def test_the_commitment_says_if_matches_can_be_conceded() -> None:
    assert settings_digest(parse_event(TEXT)) != settings_digest(parse_event(EVENT))
    assert settings_digest(parse_event(TEXT.replace("true", "false"))) == settings_digest(parse_event(EVENT))


@pytest.fixture(scope="module")
def played() -> Organiser:
    organiser = Organiser(text=TEXT)
    organiser.plays["ana"] = yielding
    return organiser.play()


def conceded(organiser: Organiser) -> v1.MatchRecord:
    """Return the record of a match that ana conceded to ben."""
    pairs = (one for one in organiser.records.values() if {seat.name for seat in one.seats} == {"ana", "ben"})
    return next(one for one in pairs if one.outcome.reason == v1.OUTCOME_REASON_CONCEDED)


def words(record: v1.MatchRecord) -> list[v1.RecordedChoice]:
    return [entry.choice for entry in record.entries if entry.choice.concede]


def test_what_is_published_is_proved(played: Organiser, publish: Publish) -> None:
    folder = publish(played)
    record = conceded(played)
    assert len(words(record)) == 1
    assert verify_folder(folder).verdict is Verdict.CLEAN
    assert "ana conceded." in (folder / "told" / f"{record.match_id}.html").read_text(encoding="utf-8")
    assert "sides may concede" in (folder / "index.html").read_text(encoding="utf-8")


def _concede_earlier(record: v1.MatchRecord) -> None:
    """End the match by a choice in its midst, with nothing after it."""
    seat = next(seat for seat, player in enumerate(record.seats) if player.name == "ben")
    at = next(at for at, entry in enumerate(record.entries) if entry.HasField("choice") and entry.choice.seat == seat)
    record.entries[at].choice.concede = True


FORGERIES: dict[str, Callable[[v1.MatchRecord], object]] = {
    "a word taken away": lambda record: setattr(words(record)[0], "concede", False),
    "a word of the other": _concede_earlier,
    "a score that was not reached": lambda record: record.outcome.scores.__setitem__(0, record.outcome.scores[0] + 1),
    "the other lost": lambda record: record.outcome.placings.__setitem__(slice(2), record.outcome.placings[::-1]),
    "conceding denied": lambda record: setattr(record, "conceding", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_concession_is_found(played: Organiser, publish: Publish, name: str) -> None:
    """The organiser makes digests, ledger and pages anew."""
    organiser = played.copy()
    FORGERIES[name](conceded(organiser))
    organiser.enter_anew()
    assert verify_folder(publish(organiser)).verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
def test_a_concession_that_the_event_file_does_not_allow_is_found(played: Organiser, publish: Publish) -> None:
    """Only the event file speaks against a record that is whole in itself."""
    organiser = played.copy()
    organiser.text = EVENT
    organiser.begin()
    organiser.records = played.copy().records
    organiser.entries = [*organiser.opening(), *played.entries[2:]]
    verification = verify_folder(publish(organiser))
    sentences = [finding.sentence for finding in verification.findings]
    assert any("says otherwise if the match could be conceded" in sentence for sentence in sentences), sentences
