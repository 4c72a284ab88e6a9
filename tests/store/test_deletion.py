"""An account that is deleted: what goes, what stays taken for ever, and who tries to gain by it."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from ordago.fingerprint import fingerprint
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.bot_names import NAME_HELD_SECONDS
from ordago.store.accounts.rows import Act, Actor, Holder, Scope, Sighting
from ordago.store.errors import StoreRefusedError, Why

NOW = 1_800_000_000
LATER = NOW + 10 * NAME_HELD_SECONDS
PLAY, ORGANISE = Scope.PLAY, Scope.ORGANISE


@pytest.fixture
def accounts() -> Iterator[Accounts]:
    with Accounts.open("sqlite://", create=True) as opened:
        yield opened


def holder(accounts: Accounts, account: str = "ana", *scopes: Scope, bot: str = "") -> Holder:
    secret, _ = accounts.create_token(account=account, scopes=scopes or [PLAY], now=NOW, bot=bot)
    found = accounts.holder(fingerprint(secret))
    assert found is not None
    return found


def came(accounts: Accounts, by: Holder, bot: str) -> None:
    accounts.enter([Sighting(by.token.id, by.account.name, bot, "1", "b", at=NOW)])


def why_not(accounts: Accounts, name: str, *, code: str | None = None) -> Why:
    code = code or accounts.invite(roles=[PLAY], now=LATER, expires_at=LATER + 1)[0]
    with pytest.raises(StoreRefusedError) as refused:
        accounts.register(code, name=name, now=LATER)
    return refused.value.why


def test_tokens_builds_and_reservations_go(accounts: Accounts) -> None:
    ana, ben = holder(accounts), holder(accounts, "ben")
    came(accounts, ana, "deep")
    accounts.name_bot(ana.account, "planned", now=NOW)
    accounts.let_challenge("ana", "deep", allowed=True, now=NOW)
    accounts.delete("ana", now=NOW)
    assert accounts.holder(ana.token.fingerprint) is None
    assert [known.account.name for known in accounts.holders()] == ["ben"]
    assert [account.name for account in accounts.accounts()] == ["ben"]
    bots = accounts.bots()
    assert [(bot.name, bot.version, bot.first_seen_at, bot.takes_challenges) for bot in bots] == [
        ("deep", "", None, False)
    ]
    accounts.name_bot(ben.account, "planned", now=NOW)


@pytest.mark.parametrize("name", ["ana", "ANA", "a n a", "a-n-a"])
def test_nobody_opens_an_account_under_its_name_to_inherit_its_rating(accounts: Accounts, name: str) -> None:
    holder(accounts)
    accounts.delete("ana", now=NOW)
    assert why_not(accounts, name) is Why.TAKEN
    with pytest.raises(StoreRefusedError):
        accounts.create_token(account=name, scopes=[PLAY], now=LATER)
    with pytest.raises(StoreRefusedError):
        accounts.invite(roles=[PLAY], now=LATER, expires_at=LATER + 1, account=name)


@pytest.mark.parametrize("name", ["deep", "DEEP", "d-e-e-p"])
def test_nobody_takes_the_name_of_a_bot_that_came_in_however_late(accounts: Accounts, name: str) -> None:
    came(accounts, holder(accounts), "deep")
    accounts.delete("ana", now=NOW)
    ben = holder(accounts, "ben")
    with pytest.raises(StoreRefusedError):
        accounts.name_bot(ben.account, name, now=LATER)
    assert accounts.owners(now=LATER)["deep"] == "ana"


def test_an_account_cannot_be_named_like_a_pseudonym(accounts: Accounts) -> None:
    holder(accounts)
    pseudonym = accounts.delete("ana", now=NOW)
    assert accounts.pseudonyms() == {"ana": pseudonym}
    assert why_not(accounts, pseudonym) is Why.UNFIT


def test_a_ban_outlives_the_account(accounts: Accounts) -> None:
    """The invitation was used, the name stays taken, and the log has the ban under the pseudonym."""
    code, _ = accounts.invite(roles=[PLAY], now=NOW, expires_at=LATER + 1)
    accounts.register(code, name="ana", now=NOW)
    accounts.ban("ana", "two bots at one table", now=NOW, by=Actor("root"))
    pseudonym = accounts.delete("ana", now=NOW, why="it asked for it")
    assert why_not(accounts, "ana") is Why.TAKEN
    assert why_not(accounts, "other", code=code) is Why.NOT_PERMITTED
    log = accounts.log(account=pseudonym, most=10)
    assert [(entry.act, entry.why) for entry in log] == [
        (Act.DELETE, "it asked for it"), (Act.BAN, "two bots at one table"), (Act.REGISTER, ""),
    ]  # fmt: skip
    for change in (accounts.unban, accounts.delete):
        with pytest.raises(StoreRefusedError):
            change("ana", now=LATER)


def test_the_log_names_the_pseudonym_alone(accounts: Accounts) -> None:
    ana = holder(accounts)
    accounts.revoke_own(ana, ana.token.id, now=NOW)
    pseudonym = accounts.delete("ana", now=NOW, by=Actor("ana"))
    entries = accounts.log(most=10)
    assert [(entry.act, entry.account) for entry in entries] == [
        (act, pseudonym) for act in (Act.DELETE, Act.REVOKE_TOKEN, Act.CREATE_TOKEN)
    ]
    assert [entry.actor for entry in entries[:2]] == [pseudonym, pseudonym]
    assert accounts.log(account="ana", most=10) == []


def test_a_user_of_the_machine_with_the_same_name_stays_in_the_log(accounts: Accounts) -> None:
    holder(accounts, "ana"), holder(accounts, "ben")
    accounts.ban("ben", "spam", now=NOW, by=Actor("ana", at_folder=True))
    accounts.delete("ana", now=NOW)
    assert [entry.actor for entry in accounts.log(account="ben", most=1)] == ["ana"]


def test_a_bot_that_came_in_just_before_leaves_nothing_behind(accounts: Accounts) -> None:
    """The server writes sightings two seconds late."""
    ana = holder(accounts)
    accounts.delete("ana", now=NOW)
    came(accounts, ana, "late")
    assert accounts.bots() == []
    with pytest.raises(StoreRefusedError):
        accounts.create_own_token(ana, scopes=[PLAY], now=NOW)


@pytest.mark.parametrize(("scopes", "bot"), [([PLAY], ""), ([PLAY, ORGANISE], "deep")])
def test_the_token_of_a_machine_does_not_delete_the_account(accounts: Accounts, scopes: list[Scope], bot: str) -> None:
    """A thief has a token for playing, or for one bot; the author keeps the full one at home."""
    full = holder(accounts, "ana", PLAY, ORGANISE)
    stolen = holder(accounts, "ana", *scopes, bot=bot)
    with pytest.raises(StoreRefusedError) as refused:
        accounts.check_may_delete(stolen, now=NOW)
    assert refused.value.why is Why.NOT_PERMITTED
    accounts.check_may_delete(full, now=NOW)


def test_a_deletion_that_fails_changes_nothing(accounts: Accounts) -> None:
    ana = holder(accounts)
    with suppress(StoreError):
        accounts.delete("nobody", now=NOW)
    assert accounts.holder(ana.token.fingerprint) == ana
    assert accounts.pseudonyms() == {}
