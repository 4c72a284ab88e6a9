"""What an author makes by a token of his own can do no more than that token, and there are only so many."""

from collections.abc import Iterator
from typing import Any

import pytest

from ordago.fingerprint import fingerprint
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.bot_names import NAME_HELD_SECONDS
from ordago.store.accounts.rows import Holder, Scope
from ordago.store.errors import StoreRefusedError, Why

NOW = 1_800_000_000
DAY = 24 * 60 * 60
PLAY, OBSERVE, ADMIN = Scope.PLAY, Scope.OBSERVE, Scope.ADMIN


@pytest.fixture
def accounts() -> Iterator[Accounts]:
    with Accounts.open("sqlite://", create=True) as opened:
        yield opened


def holder_of(accounts: Accounts, secret: str) -> Holder:
    found = accounts.holder(fingerprint(secret))
    assert found is not None
    return found


def given(accounts: Accounts, *scopes: Scope, account: str = "ana", **more: Any) -> Holder:
    """Make a token as the organiser does."""
    return holder_of(accounts, accounts.create_token(account=account, scopes=scopes or [PLAY], now=NOW, **more)[0])


def made(accounts: Accounts, by: Holder, *scopes: Scope, **more: Any) -> Holder:
    """Make a token as an author does."""
    return holder_of(accounts, accounts.create_own_token(by, scopes=scopes or [PLAY], now=NOW, **more)[0])


@pytest.mark.parametrize(
    ("own", "wanted", "sentence"),
    [
        ({"scopes": [PLAY]}, {"scopes": [ADMIN]}, "this one lacks: admin"),
        ({"scopes": [PLAY]}, {"scopes": [PLAY, OBSERVE]}, "this one lacks: observe"),
        ({"bot": "deep"}, {}, "bound to the bot 'deep'"),
        ({"bot": "deep"}, {"bot": "shallow"}, "bound to the bot 'deep'"),
        ({"expires_at": NOW + DAY}, {}, "outlive"),
        ({"expires_at": NOW + DAY}, {"expires_at": NOW + DAY + 1}, "outlive"),
    ],
)
def test_a_token_makes_none_that_can_do_more(
    accounts: Accounts, own: dict[str, Any], wanted: dict[str, Any], sentence: str
):
    """The account has all roles; it is the token that counts."""
    given(accounts, *Scope)
    weak = given(accounts, *own.pop("scopes", [PLAY]), **own)
    with pytest.raises(StoreRefusedError, match=sentence) as refused:
        made(accounts, weak, *wanted.pop("scopes", [PLAY]), **wanted)
    assert refused.value.why is Why.NOT_PERMITTED
    assert len(accounts.tokens()) == 2


def test_a_token_makes_others_that_can_do_as_much_or_less(accounts: Accounts):
    full = given(accounts, PLAY, OBSERVE, expires_at=NOW + DAY)
    same = made(accounts, full, PLAY, OBSERVE, expires_at=NOW + DAY)
    less = made(accounts, same, PLAY, bot="deep", expires_at=NOW + 1)
    assert made(accounts, less, PLAY, bot="deep", expires_at=NOW + 1).token.bot == "deep"


def test_a_role_that_was_taken_away_is_in_no_new_token(accounts: Accounts):
    given(accounts, PLAY, ADMIN)
    accounts.set_roles("ana", [PLAY], now=NOW)
    again = accounts.holders()[0]
    with pytest.raises(StoreRefusedError, match="this one lacks: admin"):
        made(accounts, again, ADMIN)


def test_a_token_that_was_revoked_meanwhile_makes_nothing(accounts: Accounts):
    stolen = given(accounts)
    accounts.revoke(stolen.token.id, now=NOW)
    with pytest.raises(StoreRefusedError, match="no longer valid"):
        made(accounts, stolen)


def test_nobody_revokes_the_token_of_somebody_else(accounts: Accounts):
    ana, ben = given(accounts), given(accounts, *Scope, account="ben")
    for unknown in (ana.token.id, "nothing"):
        with pytest.raises(StoreRefusedError, match=f"There is no token '{unknown}'") as refused:
            accounts.revoke_own(ben, unknown, now=NOW)
        assert refused.value.why is Why.UNKNOWN
    assert accounts.tokens(account="ana")[0].revoked_at is None


def test_a_lesser_token_revokes_no_greater_one(accounts: Accounts):
    """A token that lies in many places could else lock its author out."""
    full, bound = given(accounts, PLAY, OBSERVE), given(accounts, bot="deep")
    plain = given(accounts)
    for lesser, greater in ((plain, full), (bound, full), (bound, plain)):
        with pytest.raises(StoreRefusedError, match="can do more than yours"):
            accounts.revoke_own(lesser, greater.token.id, now=NOW)
    for token in (plain, bound, full):
        assert accounts.revoke_own(full, token.token.id, now=NOW).revoked_at == NOW


def test_there_are_only_so_many_tokens_good_or_not(accounts: Accounts):
    """Whoever makes and revokes tokens again and again fills up nothing."""
    first = given(accounts)._replace(account=accounts.set_limits("ana", now=NOW, tokens=3))
    for _ in range(20):
        accounts.revoke_own(first, made(accounts, first).token.id, now=NOW)
    assert len(accounts.tokens()) <= 2 * 3
    for _ in range(2):
        made(accounts, first)
    with pytest.raises(StoreRefusedError, match="has 3 valid tokens, its maximum") as refused:
        made(accounts, first)
    assert refused.value.why is Why.LIMIT
    assert sum(token.revoked_at is None for token in accounts.tokens()) == 3
    assert given(accounts).token.revoked_at is None, "the organiser may make more"


def test_an_account_without_any_tokens_of_its_own_makes_none(accounts: Accounts):
    first = given(accounts)._replace(account=accounts.set_limits("ana", now=NOW, tokens=0))
    with pytest.raises(StoreRefusedError, match="its maximum"):
        made(accounts, first)


def test_an_account_has_so_many_names_however_it_takes_them(accounts: Accounts):
    ana = given(accounts)._replace(account=accounts.set_limits("ana", now=NOW, names=2))
    accounts.name_bot(ana.account, "one", now=NOW)
    made(accounts, ana, bot="two")
    for take in (lambda: accounts.name_bot(ana.account, "three", now=NOW), lambda: made(accounts, ana, bot="three")):
        with pytest.raises(StoreRefusedError, match="has 2 bot names, its maximum"):
            take()
    accounts.name_bot(ana.account, "ONE", now=NOW)
    made(accounts, ana, bot="one")


def test_a_name_is_given_up_once_no_token_is_bound_to_it(accounts: Accounts):
    ana = given(accounts, bot="deep")
    with pytest.raises(StoreRefusedError, match="A token is bound to the bot name 'Deep'"):
        accounts.release_bot("ana", "Deep", now=NOW)
    accounts.revoke(ana.token.id, now=NOW)
    for owner in ("ben", ""):
        with pytest.raises(StoreRefusedError, match="The account has no bot"):
            accounts.release_bot(owner, "deep", now=NOW)
    accounts.release_bot("ana", "Deep", now=NOW)
    assert accounts.bots() == []
    with pytest.raises(StoreRefusedError, match="The account has no bot"):
        accounts.release_bot("ana", "deep", now=NOW)
    given(accounts, account="ben", bot="deep")


def test_a_name_that_was_named_is_held_like_one_that_was_seen(accounts: Accounts):
    account = given(accounts).account
    accounts.name_bot(account, "deep", now=NOW)
    assert accounts.owners(now=NOW + NAME_HELD_SECONDS - 1) == {"deep": "ana"}
    assert accounts.owners(now=NOW + NAME_HELD_SECONDS) == {}


@pytest.mark.parametrize("name", ["dееp", "deep\ufe0f", "deep\u3164", "ΑΒBA"])
def test_a_name_that_misleads_is_nobodys(accounts: Accounts, name: str):
    """Letters of two alphabets that look alike, and letters that nobody sees."""
    account = given(accounts).account
    for take in (lambda: accounts.name_bot(account, name, now=NOW), lambda: given(accounts, bot=name)):
        with pytest.raises(StoreError, match="mixes letters that look alike, or contains invisible ones"):
            take()
    assert accounts.bots() == []
