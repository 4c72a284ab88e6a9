"""The log of what is done to accounts, in either kind of database: every act leaves an entry, and none goes away."""

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordago.fingerprint import fingerprint
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.log import user_of_folder
from ordago.store.accounts.rows import Act, Actor, Scope

NOW = 1_800_000_000
DAY = 24 * 60 * 60
ROOT = Actor("root")
PLAY = [Scope.PLAY]


@pytest.fixture
def accounts(place: Path | str) -> Iterator[Accounts]:
    with Accounts.open(place, create=True) as opened:
        yield opened


def told(accounts: Accounts, account: str = "") -> list[tuple[object, ...]]:
    """Return the log, the oldest first, without numbers and times."""
    return [entry[2:] for entry in reversed(accounts.log(account=account, most=1000))]


def test_every_act_on_an_account_is_kept_with_who_did_it_when_and_why(accounts: Accounts):
    user = user_of_folder().name
    code, _ = accounts.invite(roles=PLAY, now=NOW, expires_at=NOW + DAY, by=ROOT, why="a friend")
    secret, holder = accounts.register(code, name="ana", now=NOW + 1)
    _, bound = accounts.create_token(account="ana", scopes=[Scope.ORGANISE], now=NOW + 2, bot="deep")
    accounts.set_roles("ana", [Scope.PLAY, Scope.OBSERVE], now=NOW + 3, by=ROOT, why="asked for it")
    accounts.set_roles("ana", [], now=NOW + 4, by=ROOT)
    accounts.set_limits("ana", now=NOW + 5, by=ROOT, bots=4, names=2)
    accounts.ban("ana", "spam", now=NOW + 6, by=ROOT)
    accounts.unban("ana", now=NOW + 7, why="a mistake")
    accounts.revoke(bound.id, now=NOW + 8, why="leaked")
    accounts.revoke_own(holder, holder.token.id, now=NOW + 9)
    accounts.note(Act.STOP_EVENT, "ana", by=ROOT, now=NOW + 10, subject="friday", why="too long")
    assert told(accounts) == [
        ("root", False, Act.INVITE, "", "", "play", "a friend"),
        ("ana", False, Act.REGISTER, "ana", "", "play", ""),
        (user, True, Act.CREATE_TOKEN, "ana", bound.id, "organise as the bot deep", ""),
        ("root", False, Act.SET_ROLES, "ana", "", "observe play", "asked for it"),
        ("root", False, Act.SET_ROLES, "ana", "", "no roles", ""),
        ("root", False, Act.SET_LIMITS, "ana", "", "bots 4, names 2", ""),
        ("root", False, Act.BAN, "ana", "", "", "spam"),
        (user, True, Act.UNBAN, "ana", "", "", "a mistake"),
        (user, True, Act.REVOKE_TOKEN, "ana", bound.id, "", "leaked"),
        ("ana", False, Act.REVOKE_TOKEN, "ana", holder.token.id, "", ""),
        ("root", False, Act.STOP_EVENT, "ana", "friday", "", "too long"),
    ]
    entries = accounts.log(most=1000)
    assert [(entry.number, entry.at) for entry in entries] == [(11 - at, NOW + 10 - at) for at in range(11)]
    kept = repr(entries)
    assert not any(one in kept for one in (code, secret, repr(fingerprint(secret)))), "nothing secret is in it"


def test_what_is_refused_or_changes_nothing_leaves_no_entry(accounts: Accounts):
    """Nobody fills the log by revoking one token again and again."""
    _, token = accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    for _ in range(3):
        accounts.revoke(token.id, now=NOW)
    for refused in (
        lambda: accounts.ban("ben", "spam", now=NOW),
        lambda: accounts.set_roles("ben", PLAY, now=NOW),
        lambda: accounts.revoke("nobody", now=NOW),
        lambda: accounts.create_token(account="ANA", scopes=PLAY, now=NOW),
    ):
        with pytest.raises(StoreError):
            refused()
    assert [entry.act for entry in accounts.log(most=9)] == [Act.REVOKE_TOKEN, Act.CREATE_TOKEN]


def test_the_log_is_read_in_pages_and_by_account(accounts: Accounts):
    for number, name in enumerate(["ana", "ben", "root"]):
        accounts.create_token(account=name, scopes=PLAY, now=NOW + number)
    for number in range(4):
        accounts.ban("ana", f"reason {number}", now=NOW, by=ROOT)
    accounts.ban("ben", "his too", now=NOW, by=Actor("ana"))
    # A user of the machine who happens to be called as an account is none.
    accounts.ban("ben", "by a user", now=NOW, by=Actor("root", at_folder=True))
    first = accounts.log(most=2)
    rest = accounts.log(most=99, before=first[-1].number)
    assert [entry.number for entry in (*first, *rest)] == list(range(9, 0, -1))
    assert [entry.why for entry in accounts.log(account="ana", most=9)] == [
        "his too", "reason 3", "reason 2", "reason 1", "reason 0", "",
    ]  # fmt: skip
    assert {entry.why for entry in accounts.log(account="root", most=9)} == {"", *(f"reason {n}" for n in range(4))}
    assert accounts.log(account="nobody", most=9) == []


def test_entries_stay_whatever_becomes_of_what_they_tell_of(accounts: Accounts):
    """Tokens and invitations are forgotten in time; the log is not."""
    code, _ = accounts.invite(roles=PLAY, now=NOW, expires_at=NOW + DAY)
    _, holder = accounts.register(code, name="ana", now=NOW)
    account = accounts.set_limits("ana", now=NOW, tokens=1)
    for _ in range(3):
        accounts.revoke_own(holder, holder.token.id, now=NOW)
        # A token that was just revoked makes nothing new: the organiser gives another one.
        secret, _ = accounts.create_token(account="ana", scopes=PLAY, now=NOW)
        found = accounts.holder(fingerprint(secret))
        assert found is not None
        holder = found._replace(account=account)
    before = accounts.log(most=99)
    much_later = NOW + 400 * DAY
    accounts.invite(roles=PLAY, now=much_later, expires_at=much_later + DAY)
    assert accounts.log(most=99)[1:] == before


def test_the_user_at_the_folder_is_who_the_system_says(monkeypatch: pytest.MonkeyPatch):
    """The attacker names another user in its environment."""
    monkeypatch.setenv("LOGNAME", "somebody-else")
    monkeypatch.setenv("USER", "somebody-else")
    assert user_of_folder() == Actor(pwd.getpwuid(os.getuid()).pw_name, at_folder=True)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    assert user_of_folder() == Actor("uid 2147483641", at_folder=True)
