"""Authors challenge bots: who may, how often, and when a match of a challenge is seated."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from ordago import v1
from ordago.arena.bot import Bot, Identity
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Account, Holder, Limits, Scope, Token
from ordago.store.errors import StoreError, StoreFailedError, StoreRefusedError, Why
from ordago_ladder.standing.seating import Kind
from ordago_ladder.standing.tables.challenges import Challenges, ChallengeTable

NOW: Final = 1_800_000_000
HOUSE: Final = ("solid", "random", "default")
KINDS: Final = (Kind("mitaines", (0, 1)), Kind("mus", (0, 1, 0, 1)))
GAMES: Final = frozenset({"mitaines", "mus"})


class Hall:
    """Challenges of three accounts: ana has two bots, ben and cleo one each."""

    def __init__(self, accounts: Accounts, *, a_day: int = 24) -> None:
        self.at = float(NOW)
        self.accounts = accounts
        self.begun: list[tuple[str, float]] = []
        """The matches of challenges that the ladder has: their accounts, and when they began."""
        self.challenges = Challenges(KINDS, houses=HOUSE, a_day=a_day, begun=self._begun, now=lambda: self.at)
        self.challenges.accounts = accounts
        self.bots = {name: bot(name) for name in ("ana", "ana 2", "ben", "cleo")}

    def _begun(self, account: str, since: float) -> int:
        return sum(one == account and at > since for one, at in self.begun)

    def challenge(self, name: str = "ana", chosen: str = "solid", **fields: Any) -> v1.Challenge:
        asked = v1.ChallengeBotRequest(**{"bot": name, "chosen": chosen, "game": "mitaines", **fields})
        return self.challenges.challenge(asked, by(name.split()[0])).challenge

    def refused(self, *names: str, **fields: Any) -> Why:
        with pytest.raises(StoreRefusedError) as refused:
            self.challenge(*names, **fields)
        return refused.value.why

    def let(self, name: str, *, allowed: bool = True) -> None:
        self.accounts.let_challenge(name, name, allowed=allowed, now=self.at)

    def seat(self, *names: str, house: tuple[str, ...] = HOUSE) -> ChallengeTable | None:
        return self.challenges.seat([self.bots[name] for name in names], house)

    def seated(self, *names: str, house: tuple[str, ...] = HOUSE) -> list[str] | None:
        """Seat a match, play it, and return who sat where; ``None`` if none could begin."""
        table = self.seat(*names, house=house)
        if table is None:
            return None
        assert self.challenges.may_begin(table.challenge)
        self.begun.append((table.challenge.account, self.at))
        self.challenges.began(table.challenge, f"match {len(table.challenge.shown.match_ids)}")
        self.challenges.over(table.challenge)
        return [one if isinstance(one, str) else one.identity.name for one in table.seats]

    def list(self, account: str = "ana", *, bot: str = "") -> Sequence[v1.Challenge]:
        return self.challenges.list_challenges(v1.ListChallengesRequest(), by(account, bot=bot)).challenges

    def withdraw(self, *, bot: str = "") -> None:
        self.challenges.withdraw(v1.WithdrawChallengeRequest(), by("ana", bot=bot))

    def last(self, account: str = "ana") -> v1.Challenge:
        return self.list(account)[0]


def by(account: str, *, bot: str = "") -> Holder:
    """Return the holder of a token, which may be bound to a bot."""
    token = Token("t", b"", account, frozenset({Scope.PLAY}), bot, NOW)
    return Holder(token, Account(account, frozenset({Scope.PLAY}), Limits(), NOW))


def bot(name: str, games: frozenset[str] = GAMES) -> Bot:
    identity = Identity(name, "1", "", b"n" * 16, games, 1, 1, account=name.split()[0])
    made: Any = SimpleNamespace(identity=identity)
    return made  # type: ignore[no-any-return]  # all that challenges look at


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with Accounts.open(tmp_path / "accounts.sqlite", create=True) as accounts:
        for account, names in {"ana": ("ana", "ana 2"), "ben": ("ben",), "cleo": ("cleo",)}.items():
            for name in names:
                accounts.create_token(account=account, scopes=[Scope.PLAY], now=NOW, bot=name)
        yield accounts


@pytest.fixture
def hall(accounts: Accounts) -> Hall:
    return Hall(accounts)


def test_a_house_bot_takes_every_challenge_and_the_two_exchange_seats(hall: Hall) -> None:
    assert hall.challenge().stage == v1.CHALLENGE_STAGE_WAITING
    assert [hall.seated("ana"), hall.seated("ana"), hall.seated("ana")] == [["ana", "solid"], ["solid", "ana"], None]
    done = hall.last()
    assert (done.stage, done.matches, list(done.match_ids)) == (v1.CHALLENGE_STAGE_OVER, 2, ["match 0", "match 1"])
    assert not done.reason


def test_house_bots_fill_the_table_and_their_partners_are_exchanged_too(hall: Hall) -> None:
    hall.challenge(game="mus")
    tables = [hall.seated("ana"), hall.seated("ana")]
    assert tables == [["ana", "solid", "random", "default"], ["solid", "ana", "random", "default"]]
    hall.challenge(game="mus")
    assert hall.seat("ana", house=("solid", "random")) is None, "two house bots are too few"


def test_a_bot_of_another_account_has_to_agree(hall: Hall) -> None:
    assert hall.refused("ana", "ben") is Why.NOT_PERMITTED
    assert not hall.challenges.takes("ben")
    hall.let("ben")
    assert hall.challenges.takes("ben")
    hall.challenge("ana", "ben")
    assert hall.seated("ana", "ben") == ["ana", "ben"]


def test_consent_that_is_taken_back_ends_the_challenge(hall: Hall) -> None:
    hall.let("ben")
    hall.challenge("ana", "ben")
    table = hall.seat("ana", "ben")
    assert table is not None
    hall.let("ben", allowed=False)
    assert not hall.challenges.may_begin(table.challenge)
    hall.challenges.over(table.challenge)
    assert (hall.last().stage, hall.last().reason != "") == (v1.CHALLENGE_STAGE_OVER, True)


def test_a_name_that_is_released_loses_its_consent(hall: Hall, accounts: Accounts) -> None:
    accounts.name_bot(accounts.accounts()[1], "ben 2", now=NOW)
    accounts.let_challenge("ben", "ben 2", allowed=True, now=NOW)
    accounts.release_bot("ben", "ben 2", now=NOW)
    assert hall.refused("ana", "ben 2") is Why.UNKNOWN
    accounts.name_bot(accounts.accounts()[2], "ben 2", now=NOW)
    assert hall.refused("ana", "ben 2") is Why.NOT_PERMITTED


def test_own_bots_may_meet_without_consent(hall: Hall) -> None:
    hall.challenge("ana", "ana 2")
    assert hall.seated("ana", "ana 2") == ["ana", "ana 2"]


def test_nobody_challenges_with_the_bot_of_another(hall: Hall) -> None:
    asked = v1.ChallengeBotRequest(bot="ben", chosen="solid", game="mitaines")
    with pytest.raises(StoreRefusedError) as refused:
        hall.challenges.challenge(asked, by("ana"))
    assert refused.value.why is Why.UNKNOWN


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "chess"}, Why.UNFIT),
        ({"matches": 11}, Why.UNFIT),
        ({"chosen": "ANA"}, Why.UNFIT),
        ({"chosen": "nobody"}, Why.UNKNOWN),
        ({"chosen": "x" * 65}, Why.UNKNOWN),
    ],
)
def test_what_cannot_be_is_refused(hall: Hall, fields: dict[str, Any], why: Why) -> None:
    assert hall.refused(**fields) is why


def test_the_bot_of_a_banned_account_takes_no_challenges(hall: Hall, accounts: Accounts) -> None:
    hall.let("ben")
    accounts.ban("ben", "cheats", now=NOW)
    assert not hall.challenges.takes("ben")
    assert hall.refused("ana", "ben") is Why.NOT_PERMITTED


def test_a_flood_is_refused_one_challenge_an_account_is_open(hall: Hall) -> None:
    hall.challenge()
    assert hall.refused() is Why.STATE
    assert hall.refused("ana 2", "solid") is Why.STATE
    hall.challenge("ben", "solid")
    hall.withdraw()
    assert hall.last().stage == v1.CHALLENGE_STAGE_OVER
    for _ in range(100):
        hall.challenge()
        hall.withdraw()
    assert len(hall.list()) == 20
    assert hall.seat("ana") is None


def test_an_account_learns_no_more_than_a_day_gives(accounts: Accounts) -> None:
    hall = Hall(accounts, a_day=4)
    for _ in range(2):
        hall.challenge()
        assert [hall.seated("ana"), hall.seated("ana")] != [None, None]
    assert hall.refused(matches=1) is Why.LIMIT
    hall.at += 24 * 3_600 + 1
    hall.challenge()


def test_matches_that_an_account_began_at_another_server_count_too(accounts: Accounts) -> None:
    hall = Hall(accounts, a_day=4)
    hall.challenge(matches=2)
    hall.begun += 4 * [("ana", hall.at)]
    table = hall.seat("ana")
    assert table is not None
    assert not hall.challenges.may_begin(table.challenge)
    hall.challenges.over(table.challenge)
    assert (hall.last().stage, "0 more of its 4" in hall.last().reason) == (v1.CHALLENGE_STAGE_OVER, True)
    assert hall.refused(matches=1) is Why.LIMIT
    assert hall.challenge("ben").matches == 2, "others are not concerned"


def test_many_accounts_leave_a_rival_time_for_its_rated_matches(hall: Hall) -> None:
    hall.let("ben")
    hall.challenge("ana", "ben")
    hall.challenge("cleo", "ben")
    assert hall.seated("ana", "cleo", "ben") == ["ana", "ben"]
    assert hall.seated("ana", "cleo", "ben") is None, "it rests"
    hall.at += 59
    assert hall.seated("ana", "cleo", "ben") is None
    hall.at += 1
    first = hall.seat("ana", "cleo", "ben")
    assert first is not None
    hall.challenges.began(first.challenge, "running")
    hall.at += 1_000
    assert hall.seat("ana", "cleo", "ben") is None, "it plays one at a time"


def test_bots_that_are_absent_or_pausing_or_play_other_games_are_waited_for_an_hour(hall: Hall) -> None:
    hall.let("ben")
    hall.challenge("ana", "ben")
    hall.bots["ben"] = bot("ben", frozenset({"mus"}))
    assert hall.seat("ana") is hall.seat("ben") is hall.seat("ana", "ben") is None
    hall.at += 3_601
    assert hall.seat("ana") is None
    assert (hall.last().stage, hall.last().reason != "") == (v1.CHALLENGE_STAGE_OVER, True)


def test_a_bot_under_the_same_name_of_another_account_is_not_seated(hall: Hall) -> None:
    """It may still be connected after its author gave up the name."""
    hall.let("ben")
    hall.challenge("ana", "ben")
    stranger: Any = SimpleNamespace(identity=Identity("ben", "1", "", b"n" * 16, GAMES, 1, 1, account="cleo"))
    hall.bots["ben"] = stranger
    assert hall.seat("ana", "ben") is None


def test_a_match_that_is_played_ends_before_its_withdrawn_challenge(hall: Hall) -> None:
    hall.challenge()
    table = hall.seat("ana")
    assert table is not None
    hall.challenges.began(table.challenge, "first")
    hall.withdraw()
    assert hall.refused() is Why.STATE, "so nobody plays several at once"
    hall.challenges.over(table.challenge)
    assert (hall.last().stage, hall.last().reason != "") == (v1.CHALLENGE_STAGE_OVER, True)
    with pytest.raises(StoreRefusedError):
        hall.withdraw()


def test_a_token_of_one_bot_sees_the_challenges_of_that_bot_alone(hall: Hall) -> None:
    hall.challenge()
    assert not hall.list(bot="ana 2")
    with pytest.raises(StoreRefusedError):
        hall.withdraw(bot="ana 2")
    hall.withdraw(bot="ana")


def test_accounts_that_are_away_end_a_challenge_and_tell_nothing(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.let("ben")
    hall.challenge("ana", "ben")
    table = hall.seat("ana", "ben")

    def away(_accounts: Accounts, _name: str, **_how: object) -> None:
        raise StoreFailedError("postgresql://secret")

    monkeypatch.setattr(Accounts, "bot_owner", away)
    assert table is not None
    assert not hall.challenges.may_begin(table.challenge)
    hall.challenges.over(table.challenge)
    assert not hall.challenges.takes("ben")
    assert hall.challenges.takes("solid")
    assert "secret" not in hall.last().reason
    with pytest.raises(StoreError):
        hall.challenge("cleo", "ben")


def test_a_ladder_may_have_no_challenges(accounts: Accounts) -> None:
    hall = Hall(accounts, a_day=0)
    assert hall.refused() is Why.STATE
    assert not hall.challenges.takes("solid")


def test_a_match_that_the_server_cannot_begin_ends_its_challenge(hall: Hall) -> None:
    """It would fail again and again, and each failure makes the game rest."""
    hall.challenge()
    table = hall.seat("ana")
    assert table is not None
    hall.challenges.began(table.challenge, None)
    hall.challenges.over(table.challenge)
    assert (hall.last().stage, hall.last().reason != "") == (v1.CHALLENGE_STAGE_OVER, True)
