"""Matches of challenges at the tables of a ladder: after rated ones, unrated in the ledger, and on after a restart."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
import trio
from support.connections import FakeConnection, silent
from support.ladder_halls import LadderHall, ladder_hall, without_threads

from ordago import v1
from ordago.arena.admission.authenticator import Admission, AllowEverybody
from ordago.games import find_game
from ordago.record.ledgers.ladder import EpochLedger, read_epoch
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Account, Holder, Limits, Scope, Token
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.publisher import Published, Publisher
from ordago_ladder.standing.tables.rated_tables import sitter_of

pytestmark = pytest.mark.virtual_time
LADDER: Final = """
[ladder]
name = "trial"
epoch_hours = 1
decision_ms = 1_000

[[game]]
name = "mitaines"
options = { target = 10 }
"""
NOW: Final = 1_800_000_000
ANA: Final = Holder(
    Token("t", b"", "ana", frozenset({Scope.PLAY}), "", NOW), Account("ana", frozenset({Scope.PLAY}), Limits(), NOW)
)


class OfAccounts(AllowEverybody):
    """Admits every bot for the account of its first word."""

    def admit(self, token: str | None, bot: v1.Software) -> Admission:  # noqa: ARG002 - nothing is asked for
        return Admission(self.arrived, account=bot.name.split()[0])


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


@contextmanager
def challenging(path: Path) -> Iterator[LadderHall]:
    """Open a hall in which ana, who has two bots, may challenge ben."""
    with (
        ladder_hall(path, LADDER, admitting=OfAccounts) as hall,
        Accounts.open(path / "accounts.sqlite", create=True) as accounts,
    ):
        for name in ("ana", "ana 2", "ben"):
            accounts.create_token(account=name.split()[0], scopes=[Scope.PLAY], now=NOW, bot=name)
        accounts.let_challenge("ben", "ben", allowed=True, now=NOW)
        hall.ladder.challenges.accounts = accounts
        yield hall


def challenge(hall: LadderHall, chosen: str, matches: int = 1) -> None:
    asked = v1.ChallengeBotRequest(bot="ana", chosen=chosen, game="mitaines", matches=matches)
    hall.ladder.challenges.challenge(asked, ANA)


def challenges(hall: LadderHall) -> Sequence[v1.Challenge]:
    return hall.ladder.challenges.list_challenges(v1.ListChallengesRequest(), ANA).challenges


def last(hall: LadderHall) -> v1.Challenge:
    return challenges(hall)[0]


def ledger(hall: LadderHall, epoch: int = 1) -> EpochLedger:
    return read_epoch(list(hall.queries.ledger(epoch)))


async def test_a_challenge_is_played_unrated_and_all_of_it_is_proved(tmp_path: Path) -> None:
    """Two bots of one account, which never meet in rated matches."""
    with challenging(tmp_path) as hall:
        async with hall.open():
            challenge(hall, "ana 2", matches=2)
            connections = [hall.enter("ana"), hall.enter("ana 2")]
            await hall.until(lambda: last(hall).stage == v1.CHALLENGE_STAGE_OVER)
            await hall.until(lambda: hall.queries.epochs()[0].revealed)
        seatings = ledger(hall).seatings
        assert list(last(hall).match_ids) == list(seatings)
        assert [one.kind for one in seatings.values()] == ["unrated", "unrated"]
        first, second = (tuple(seat.player for seat in one.seats) for one in seatings.values())
        assert first == second[::-1]
        published = Published(str(tmp_path / "ladder.sqlite"), tmp_path / "archive", LADDER.encode())
        answer = Publisher(published, hall.queries).answer()
        assert (answer.problem, answer.ratings.results, dict(answer.tallies)) == ("", 0, {})
        found = verify_ladder(tmp_path / "archive")
        assert (found.findings, found.records) == ((), 2)
        starts = [connection.of(v1.MatchStart) for connection in connections]
        assert [len(one) for one in starts] == [2, 2]
        assert not hall.queries.meetings([1], [2], epochs=(1, 1), most=9)
        assert len(hall.queries.newest([1], epochs=(1, 1), most=9)) == 2, "its author may see its faults"


async def test_rated_matches_go_first(tmp_path: Path) -> None:
    with challenging(tmp_path) as hall:
        async with hall.open():
            hall.tables._resting.add("mitaines")
            hall.enter("ana"), hall.enter("ben")
            await trio.sleep(3)
            challenge(hall, "ben")
            assert not hall.tables.running
            # Both may begin now: they wait for a rated table for so long that one is due.
            hall.tables._resting.clear()
            hall.tables._changed.set()
            await hall.until(lambda: last(hall).stage == v1.CHALLENGE_STAGE_OVER)
        assert [one.kind for one in ledger(hall).seatings.values()][:2] == ["seating", "unrated"]


async def test_a_challenge_of_a_bot_that_does_not_take_it_any_more_stops_no_rated_match(tmp_path: Path) -> None:
    """An author who consents and takes that back again and again must not make any game rest."""
    with challenging(tmp_path) as hall:
        async with hall.open():
            challenge(hall, "ben")
            accounts = hall.ladder.challenges.accounts
            assert accounts is not None
            accounts.let_challenge("ben", "ben", allowed=False, now=NOW)
            bots = [hall.enter("ana"), hall.enter("ben")]
            await hall.until(lambda: last(hall).stage == v1.CHALLENGE_STAGE_OVER)
            assert not hall.tables._resting
            await hall.until(lambda: hall.tables.finished >= 1)
        assert not last(hall).match_ids
        assert {one.kind for one in ledger(hall).seatings.values()} == {"seating"}
        assert all(bot.of(v1.MatchEnd) for bot in bots)


async def test_a_match_of_a_challenge_goes_on_after_a_kill_and_stays_unrated(tmp_path: Path) -> None:
    with challenging(tmp_path) as hall:
        async with hall.open():
            challenge(hall, "ana 2")
            before = [hall.enter(name, answering=silent) for name in ("ana", "ana 2")]
            await hall.until(lambda: bool(hall.journal.matches and hall.journal.matches[0].record.entries))
    with challenging(tmp_path) as hall:
        async with hall.open():
            for connection in before:
                FakeConnection(hall.server, answering=lambda decision: decision.default_answer).say(
                    v1.Hello(min_version=1, max_version=1, resume=connection.resume)
                )
            await hall.until(lambda: hall.tables.finished == 1)
        [result] = hall.queries.results_since()
        assert result.seating.unrated
        assert not challenges(hall), "forgotten"


async def test_the_pool_does_not_remember_unrated_matches(tmp_path: Path) -> None:
    with challenging(tmp_path) as hall:
        async with hall.open():
            challenge(hall, "ana 2")
            hall.enter("ana"), hall.enter("ana 2")
            await hall.until(lambda: hall.tables.finished == 1)
            assert len(hall.tables.guests()) == 2
            assert {sitter_of(bot).account for bot, _ in hall.tables.guests()} == {"ana"}
            await trio.sleep(1)
        assert not hall.ladder._repository.recent(10)
