"""Announcements in either kind of database: they stand for their time, few at once, and each act is logged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.announcements import MOST_STANDING
from ordago.store.accounts.rows import Act, Actor
from ordago.store.errors import StoreRefusedError, Why

NOW = 1_800_000_000
ROOT = Actor("root")


@pytest.fixture
def accounts(place: Path | str) -> Iterator[Accounts]:
    with Accounts.open(place, create=True) as opened:
        yield opened


def standing(accounts: Accounts, *, now: float = NOW) -> list[int]:
    return [one.number for one in accounts.announcements(now=now)]


def test_an_announcement_stands_until_it_ends_or_is_withdrawn(accounts: Accounts, place: Path | str) -> None:
    first = accounts.announce("maintenance at 20:00 UTC", now=NOW, ends_at=NOW + 60, by=ROOT)
    second = accounts.announce("all is well", now=NOW + 1, by=ROOT)
    assert (first.number, first.made_at, first.ends_at, first.pauses_seating) == (1, NOW, NOW + 60, False)
    assert accounts.announcements(now=NOW + 59) == [first, second]
    assert standing(accounts, now=NOW + 60) == [2]
    with Accounts.open(place) as after_a_restart:
        assert after_a_restart.announcements(now=NOW + 59) == [first, second]
    assert accounts.withdraw(2, now=NOW + 60, by=ROOT) == second
    assert standing(accounts, now=NOW + 61) == []


def test_every_act_is_logged_with_who_and_why(accounts: Accounts) -> None:
    accounts.announce("soon", now=NOW, by=ROOT, why="a new disk")
    accounts.announce("paused", now=NOW, pauses_seating=True, by=ROOT)
    accounts.withdraw(1, now=NOW, by=ROOT, why="not needed")
    accounts.withdraw(2, now=NOW)
    told = [(one.actor, one.at_folder, one.act, one.subject, one.detail, one.why) for one in accounts.log(most=10)]
    assert told[:0:-1] == [
        ("root", False, Act.ANNOUNCE, "1", "soon", "a new disk"),
        ("root", False, Act.PAUSE_SEATING, "2", "paused", ""),
        ("root", False, Act.WITHDRAW_ANNOUNCEMENT, "1", "soon", "not needed"),
    ]
    assert told[0][1:] == (True, Act.RESUME_SEATING, "2", "paused", "")


def test_ten_thousand_announcements_are_five_and_no_row_stays_of_the_others(accounts: Accounts) -> None:
    for number in range(MOST_STANDING):
        accounts.announce(f"number {number}", now=NOW, ends_at=NOW + 10)
    with pytest.raises(StoreRefusedError, match="withdraw one first") as refused:
        accounts.announce("one too many", now=NOW)
    assert refused.value.why is Why.LIMIT
    assert len(accounts.log(most=100)) == MOST_STANDING, "what is refused is not logged"
    assert accounts.announce("later", now=NOW + 10).number == MOST_STANDING + 1
    assert standing(accounts, now=0) == [MOST_STANDING + 1], "those that are over were dropped"


def test_a_number_never_returns(accounts: Accounts) -> None:
    for number in (1, 2, 3):
        assert accounts.announce("again", now=NOW).number == number
        accounts.withdraw(number, now=NOW)


def test_seating_is_paused_once_and_what_does_not_stand_cannot_be_withdrawn(accounts: Accounts) -> None:
    accounts.announce("paused", now=NOW, pauses_seating=True)
    with pytest.raises(StoreRefusedError, match="paused already, by announcement 1") as refused:
        accounts.announce("paused", now=NOW, pauses_seating=True)
    assert refused.value.why is Why.STATE
    accounts.withdraw(1, now=NOW)
    for number in (0, 1, 2):
        with pytest.raises(StoreRefusedError) as refused:
            accounts.withdraw(number, now=NOW)
        assert refused.value.why is Why.UNKNOWN
