"""What is kept of accounts, tokens and bots, and what is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgresql import execute
from support.stores import until_the_end

from ordago.fingerprint import fingerprint
from ordago.names import name_key
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.issuing import TOKEN_PREFIX
from ordago.store.accounts.rows import Holder, KnownBot, Scope, Sighting, TokenState
from ordago.store.accounts.schema import ACCOUNTS_SCHEMA
from ordago.store.event.store import Store

NOW = 1_800_000_000
DAY = 24 * 60 * 60


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "accounts.sqlite"


@pytest.fixture
def accounts(place: Path | str) -> Iterator[Accounts]:
    with Accounts.open(place, create=True) as opened:
        yield opened


def token_of(accounts: Accounts, account: str = "ana", *, bot: str = "") -> str:
    return accounts.create_token(account=account, scopes=[Scope.PLAY], now=NOW, bot=bot)[0]


def seen(
    accounts: Accounts, account: str, name: str, *, version: str = "1", build: str = "", at: int = NOW
) -> Sighting:
    token = next(token for token in accounts.tokens() if token.account == account)
    return Sighting(token.id, account, name, version, build, at)


def test_a_token_is_found_again_by_what_is_kept_of_it(accounts: Accounts, place: Path | str):
    secret, made = accounts.create_token(
        account="ana", scopes=[Scope.PLAY, Scope.OBSERVE], now=NOW + 0.7, bot="deep", expires_at=NOW + DAY
    )
    assert accounts.holder(fingerprint(secret)) == Holder(made, accounts.accounts()[0])
    assert accounts.tokens() == [made]
    assert (made.account, made.scopes, made.bot) == ("ana", {Scope.PLAY, Scope.OBSERVE}, "deep")
    assert (made.created_at, made.expires_at, made.last_used_at, made.revoked_at) == (NOW, NOW + DAY, None, None)
    with Accounts.open(place) as again:
        assert again.tokens() == [made]


def test_a_token_is_nowhere_in_the_files(tmp_path: Path):
    accounts = until_the_end(Accounts.open(tmp_path / "accounts.sqlite", create=True))
    secret = token_of(accounts)
    assert secret.startswith(TOKEN_PREFIX)
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert fingerprint(secret) in written, "this is where it would stand"
    assert secret.encode() not in written
    assert secret.removeprefix(TOKEN_PREFIX).encode() not in written
    accounts.close()


def test_a_token_has_256_bits_and_is_never_the_same():
    with Accounts.open("sqlite://", create=True) as accounts:
        secrets = {token_of(accounts) for _ in range(100)}
        assert len({token.id for token in accounts.tokens()}) == len(secrets) == 100
    assert {len(secret) for secret in secrets} == {len(TOKEN_PREFIX) + 43}


def test_what_is_shown_of_a_token_does_not_hold_its_fingerprint(accounts: Accounts):
    _, made = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW)
    assert "fingerprint" not in repr(made)
    assert made.id in repr(made)


def test_an_unknown_token_is_not_found(accounts: Accounts):
    secret = token_of(accounts)
    for other in ("", "x", secret[:-1], secret + "x", secret.swapcase()):
        assert accounts.holder(fingerprint(other)) is None


def test_a_token_is_good_until_it_expires(accounts: Accounts):
    _, made = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW, expires_at=NOW + DAY)
    assert made.state(NOW + DAY - 0.1) is TokenState.ACTIVE
    assert made.state(NOW + DAY) is TokenState.EXPIRED
    _, lasting = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW)
    assert lasting.state(NOW * 9) is TokenState.ACTIVE


def test_a_revoked_token_stays_revoked(accounts: Accounts):
    secret, made = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW, expires_at=NOW + DAY)
    assert accounts.revoke(made.id, now=NOW + 5).revoked_at == NOW + 5
    assert accounts.revoke(made.id, now=NOW + 9).revoked_at == NOW + 5, "the first time counts"
    found = accounts.holder(fingerprint(secret))
    assert found is not None
    assert found.state(NOW + 2 * DAY) is TokenState.REVOKED


def test_only_the_one_token_is_revoked(accounts: Accounts):
    kept = token_of(accounts)
    _, made = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=NOW)
    accounts.revoke(made.id, now=NOW)
    found = accounts.holder(fingerprint(kept))
    assert found is not None
    assert found.state(NOW) is TokenState.ACTIVE


def test_a_token_that_is_not_there_cannot_be_revoked(accounts: Accounts):
    with pytest.raises(StoreError, match="There is no token 'nobody'"):
        accounts.revoke("nobody", now=NOW)


def test_a_bound_name_belongs_to_the_account_of_the_token(accounts: Accounts):
    token_of(accounts, "ana", bot="Deep")
    token_of(accounts, "ana", bot="deep")
    with pytest.raises(StoreError, match="'DEEP' belongs to another account"):
        token_of(accounts, "ben", bot="DEEP")
    assert len(accounts.tokens()) == 2, "nothing of it is left"
    assert accounts.owners(now=NOW) == {"deep": "ana"}


@pytest.mark.parametrize("name", ["Deep Ana", "deep ana", " DEEP  ANA ", "ｄｅｅｐ ａｎａ"])
def test_names_that_look_the_same_are_the_same(name: str):
    assert name_key(name) == "deep ana"


def test_a_name_belongs_to_whom_it_was_first_seen_with(accounts: Accounts):
    for account in ("ana", "ben"):
        token_of(accounts, account)
    accounts.enter([seen(accounts, "ben", "Deep"), seen(accounts, "ana", "deep", version="9")])
    accounts.enter([seen(accounts, "ana", "DEEP", version="9")])
    assert accounts.owners(now=NOW) == {"deep": "ben"}
    assert accounts.bots() == [KnownBot("Deep", "ben", "1", "", NOW)], "the builds of others are not entered"


def test_each_build_of_a_bot_is_noted_once(accounts: Accounts):
    token_of(accounts)
    for at, (version, build) in enumerate([("1", "a"), ("1", "b"), ("2", "a"), ("1", "a")]):
        accounts.enter([seen(accounts, "ana", "deep", version=version, build=build, at=NOW + at)])
    assert [(bot.version, bot.build, bot.first_seen_at) for bot in accounts.bots()] == [
        ("1", "a", NOW),
        ("1", "b", NOW + 1),
        ("2", "a", NOW + 2),
    ]


def test_bots_stand_in_the_order_of_their_names_wherever_they_are_kept(accounts: Accounts):
    names = ["Zed", "élan", "a-c", "ab", "a c", "B"]
    for name in names:
        token_of(accounts, bot=name)
    assert [bot.name for bot in accounts.bots()] == ["a c", "a-c", "ab", "B", "Zed", "élan"]


def test_when_a_token_was_last_used_is_noted(accounts: Accounts):
    token_of(accounts, "ana")
    token_of(accounts, "ben")
    accounts.enter([seen(accounts, "ana", "deep", at=NOW + 3), seen(accounts, "ana", "deep", at=NOW + 7)])
    assert {token.account: token.last_used_at for token in accounts.tokens()} == {"ana": NOW + 7, "ben": None}


def test_a_name_that_is_only_bound_is_listed_without_a_build(accounts: Accounts):
    token_of(accounts, bot="deep")
    assert accounts.bots() == [KnownBot("deep", "ana", "", "", None)]


def test_the_databases_of_events_and_of_accounts_are_told_apart(place: Path | str, tmp_path: Path):
    Accounts.open(place, create=True).close()
    Store.open(tmp_path / "event.sqlite", create=True).close()
    with pytest.raises(StoreError, match="not that of an event"):
        Store.open(place)
    with pytest.raises(StoreError, match="not that of the accounts of a server"):
        Accounts.open(tmp_path / "event.sqlite")


def test_tables_of_a_newer_version_are_refused(place: Path | str):
    Accounts.open(place, create=True).close()
    execute(place, "UPDATE accounts_version SET version = version + 1")
    with pytest.raises(StoreError, match=f"and this version of Ordago knows version {ACCOUNTS_SCHEMA.version}"):
        Accounts.open(place)
