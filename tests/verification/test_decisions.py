"""Events that go on until a place is decided: an organiser who ends one early, or plays on, is found."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from support.players import by_default, by_number
from verification.conftest import Publish
from verification.rounds import RoundsOrganiser, by_rounds

from ordago.record.ledgers.event import EndEntry
from ordago.store import PlannedMatch
from ordago_ladder.matches.stages import change_between
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

DECIDED = by_rounds("until_decided = 1\nat_most = 6").replace("suspend_after = 2", "suspend_after = 0")
REPETITION = 12
"""The matches of a repetition of four entrants at tables of two."""


def plain(settings: Settings) -> Settings:
    """Return the event as a round robin of ``at_most`` repetitions."""
    terms = {"repetitions": settings.event.at_most, "until_decided": None, "at_most": None}
    return settings.model_copy(update={"event": settings.event.model_copy(update=terms)})


@dataclass
class Stopping(RoundsOrganiser):
    """Plays this many matches, whatever is decided."""

    text: str = DECIDED
    ends_after: int | None = None

    def due(self) -> list[PlannedMatch]:
        """Return the matches that come due next."""
        if self.ends_after is None:
            return super().due()
        return [*plan(plain(self.settings)).matches[: self.ends_after]][len(self.issued) :]


def organiser(**changes: int) -> Stopping:
    """Return an organiser of an event in which one plays otherwise than three."""
    made = Stopping(**changes)  # type: ignore[arg-type]  # all of them are numbers
    made.plays = dict.fromkeys(("ben", "cleo", "dan"), by_default) | {"ana": by_number}
    return made


@pytest.fixture(scope="module")
def length() -> int:
    """The number of matches of the honest event, which ends before ``at_most``."""
    matches = len(organiser().play().records)
    assert REPETITION < matches < 6 * REPETITION
    return matches


@pytest.mark.slow
def test_what_is_honest_is_clean(publish: Publish, length: int) -> None:
    folder = publish(organiser().play())
    found = verify_folder(folder)
    assert (found.verdict, found.findings, found.records) == (Verdict.CLEAN, (), length)
    prizes = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["prizes"]
    assert (prizes[0]["first"], prizes[0]["last"]) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("more", [-REPETITION, -1, 1, REPETITION])
def test_who_ends_it_early_or_plays_on_is_found(publish: Publish, length: int, more: int) -> None:
    found = verify_folder(publish(organiser(ends_after=length + more).play()))
    assert found.verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
def test_who_closes_it_by_time_is_found(publish: Publish, length: int) -> None:
    """A closing is for events that end at a time."""
    found = verify_folder(publish(organiser(most=length - REPETITION).play()))
    assert found.verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
def test_who_asks_for_more_before_each_look_is_found(publish: Publish) -> None:
    """Fewer looks allow a lower bound, and by then the organiser knows the results."""
    cheat = organiser()
    cheat.begin()
    before, suspensions = cheat.settings, Suspensions(suspend_after=0)
    cheat._play(plan(before).matches, suspensions)
    cheat.text = cheat.text.replace("until_decided", "repetitions = 6\nuntil_decided")
    change = change_between(before, cheat.settings, issued=REPETITION, time=datetime(2027, 1, 31, tzinfo=UTC))
    cheat.entries.append(change)
    while due := cheat._due_by_ledger():
        cheat._play(due, suspensions)
    cheat.entries.append(EndEntry(secret=cheat.secret.hex()))
    found = verify_folder(publish(cheat))
    assert found.verdict is Verdict.NOT_CLEAN
    assert any("until_decided" in finding.sentence for finding in found.findings)


@pytest.mark.slow
def test_who_gives_a_shared_place_to_a_friend_is_found(publish: Publish) -> None:
    folder = publish(organiser().play())
    path = folder / "ladder.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["prizes"] = [{"entrants": ["dan"], "first": 1, "last": 1}, *content["prizes"][1:]]
    text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    found = verify_folder(folder)
    assert [finding.file for finding in found.findings] == ["ladder.json"]
