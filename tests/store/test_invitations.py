"""Invitations and the accounts that they open, in either kind of database: each code is good once, for who is first."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordago.fingerprint import fingerprint
from ordago.store import StoreError
from ordago.store.accounts.accounts import INVITATION_PREFIX, Accounts
from ordago.store.accounts.entries import _KEPT_SECONDS
from ordago.store.accounts.rows import Limits, Scope
from ordago.store.errors import StoreRefusedError, Why

NOW = 1_800_000_000
DAY = 24 * 60 * 60
PLAY = frozenset({Scope.PLAY})


@pytest.fixture
def accounts(place: Path | str) -> Iterator[Accounts]:
    with Accounts.open(place, create=True) as opened:
        yield opened


def invited(accounts: Accounts, account: str = "", *, days: int = 7) -> str:
    return accounts.invite(roles=PLAY, now=NOW, expires_at=NOW + days * DAY, account=account)[0]


def test_an_account_has_the_roles_of_its_invitation(accounts: Accounts):
    roles = frozenset({Scope.PLAY, Scope.ORGANISE})
    code, made = accounts.invite(roles=roles, now=NOW + 0.5, expires_at=NOW + DAY)
    assert (made.roles, made.account, made.created_at, made.expires_at) == (roles, "", NOW, NOW + DAY)
    secret, holder = accounts.register(code, name="ana", now=NOW + 5)
    assert accounts.holder(fingerprint(secret)) == holder
    assert (holder.scopes, holder.account.limits, holder.account.created_at) == (roles, Limits(), NOW + 5)
    assert accounts.accounts() == [holder.account]


def test_a_code_has_192_bits_and_is_kept_nowhere(tmp_path: Path):
    with Accounts.open(tmp_path / "accounts.sqlite", create=True) as accounts:
        codes = {invited(accounts) for _ in range(100)}
        written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert {len(code) for code in codes} == {len(INVITATION_PREFIX) + 32}
    assert len(codes) == 100
    for code in codes:
        assert fingerprint(code) in written, "this is where it would stand"
        assert code.removeprefix(INVITATION_PREFIX).encode() not in written


def test_a_code_is_good_once_and_in_time(accounts: Accounts):
    code, late = invited(accounts), invited(accounts, days=1)
    accounts.register(code, name="ana", now=NOW)
    with pytest.raises(StoreRefusedError, match="was used"):
        accounts.register(code, name="ben", now=NOW)
    with pytest.raises(StoreRefusedError, match="has expired"):
        accounts.register(late, name="ben", now=NOW + DAY)
    for guess in ("", "guessed", code[:-1], code.swapcase()):
        with pytest.raises(StoreRefusedError, match="is unknown") as refused:
            accounts.register(guess, name="ben", now=NOW)
        assert refused.value.why is Why.NOT_PERMITTED
    assert [account.name for account in accounts.accounts()] == ["ana"]


def test_a_code_is_still_good_after_a_name_that_cannot_be(accounts: Accounts):
    invited(accounts, "eve")
    code = invited(accounts)
    accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    taken = dict.fromkeys(("Ana", "EVE", "A-na", "an\u0251", "e.v.e", "e_ve"), Why.TAKEN)
    for name, why in {**taken, "": Why.UNFIT, "a/b": Why.UNFIT, "аna": Why.UNFIT, "ana\ufffd": Why.UNFIT}.items():
        with pytest.raises(StoreRefusedError) as refused:
            accounts.register(code, name=name, now=NOW)
        assert refused.value.why is why, name
    accounts.register(code, name="ben", now=NOW)


@pytest.mark.parametrize("same_name", [True, False])
def test_of_many_who_use_a_code_at_once_exactly_one_wins(accounts: Accounts, same_name: bool):  # noqa: FBT001
    code, many = invited(accounts), 12
    together, outcomes = threading.Barrier(many), list[str]()

    def join(number: int) -> None:
        together.wait()
        try:
            outcomes.append(accounts.register(code, name="ana" if same_name else f"a{number}", now=NOW)[1].account.name)
        except StoreRefusedError as error:
            outcomes.append(error.why.name)

    threads = [threading.Thread(target=join, args=(number,)) for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [winner] = accounts.accounts()
    assert sorted(outcomes) == sorted([winner.name] + [Why.NOT_PERMITTED.name] * (many - 1))
    assert len(accounts.tokens()) == 1


def test_whoever_guesses_waits_for_nobody_who_writes(accounts: Accounts):
    """And so holds up nobody either."""
    with accounts._database.writing(), pytest.raises(StoreRefusedError, match="is unknown"):
        accounts.register("guessed", name="eve", now=NOW)


def test_a_name_is_kept_for_who_is_invited_until_the_invitation_expires(accounts: Accounts):
    invited(accounts, "ana", days=1)
    with pytest.raises(StoreRefusedError, match="reserved by an invitation"):
        invited(accounts, "Ana")
    with pytest.raises(StoreRefusedError, match="reserved by an invitation"):
        accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    accounts.create_token(account="ana", scopes=PLAY, now=NOW + DAY)
    with pytest.raises(StoreRefusedError, match="is taken"):
        invited(accounts, "ANA")


def test_old_invitations_are_forgotten(accounts: Accounts):
    code = invited(accounts, days=1)
    later = NOW + DAY + _KEPT_SECONDS
    accounts.invite(roles=PLAY, now=later, expires_at=later + DAY)
    with pytest.raises(StoreRefusedError, match="has expired"):
        accounts.register(code, name="ana", now=later)
    accounts.invite(roles=PLAY, now=later + 1, expires_at=later + DAY)
    with pytest.raises(StoreRefusedError, match="is unknown"):
        accounts.register(code, name="ana", now=later)


def test_roles_limits_and_bans_of_an_account_change(accounts: Accounts):
    accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    assert accounts.set_roles("ana", [Scope.ADMIN], now=NOW).roles == {Scope.ADMIN}
    assert accounts.set_limits("ana", now=NOW, bots=1, names=2).limits == Limits(bots=1, names=2)
    assert accounts.ban("ana", "spam", now=NOW + 1).banned_at == NOW + 1
    banned = accounts.ban("ana", "more spam", now=NOW + 9)
    assert (banned.banned_at, banned.ban_reason) == (NOW + 1, "more spam"), "since the first time"
    [holder] = accounts.holders()
    assert (holder.state(NOW).value, holder.scopes) == ("banned", frozenset())
    assert accounts.unban("ana", now=NOW).banned_at is None
    assert accounts.accounts() == [accounts.unban("ana", now=NOW)]


@pytest.mark.parametrize("name", ["ben", "Ana", "ana ", "a\0b"])
def test_an_account_that_is_not_there_is_told(accounts: Accounts, name: str):
    accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    with pytest.raises(StoreError):
        accounts.ban(name, "spam", now=NOW)


def test_the_organiser_gives_roles_along_with_tokens(accounts: Accounts):
    accounts.create_token(account="ana", scopes=PLAY, now=NOW)
    accounts.create_token(account="ana", scopes=[Scope.OBSERVE], now=NOW)
    assert accounts.accounts()[0].roles == {Scope.PLAY, Scope.OBSERVE}
