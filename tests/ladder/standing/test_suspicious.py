"""Pairs of accounts that lose to each other on purpose are found, and honest ladders are left alone."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.commands import assert_told, ordago
from support.ladders import BEGAN, Writer, ladder_row

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.backup import ACCOUNTS_FILE, ladder_file
from ordago.store.ladder.store import LadderStore
from ordago_ladder.rating.fit import ELO
from ordago_ladder.standing.ratings import (
    NO_RATINGS,
    CareerResult,
    Careers,
    Player,
    Scale,
    StandingRating,
    StandingRatings,
)
from ordago_ladder.standing.suspicious import Comparison, Suspicion, _at_least, suspicious_pairs

ACCOUNTS = {number: f"account {number}" for number in range(1, 11)}
RATE = 0.05
SEATS = {"mitigati": 2, "mittlere": 3}


class Field:
    """A field of ten accounts of one bot each, of known strengths."""

    def __init__(self, seed: int, *, cheat: Callable[[dict[int, float]], None] | None = None) -> None:
        self.random = np.random.RandomState(seed)
        self.elo = {player: 1500 + self.random.normal(0, 150) for player in ACCOUNTS}
        self.cheat = cheat

    def results(self, game: str, count: int) -> list[CareerResult]:
        """Play matches at tables that are drawn by chance."""
        return [self._match(game) for _ in range(count)]

    def _match(self, game: str) -> CareerResult:
        seated = [int(player) for player in self.random.choice(list(ACCOUNTS), SEATS[game], replace=False)]
        performed = {player: self.elo[player] / ELO + self.random.gumbel() for player in seated}
        if self.cheat is not None and {1, 2} <= performed.keys():
            self.cheat(performed)
        ahead = sorted(performed.values(), reverse=True)
        placings = tuple(ahead.index(performed[player]) + 1 for player in seated)
        return CareerResult(game, tuple(seated), placings, (), 0)

    def ratings(self) -> StandingRatings:
        """Return the true strengths, each as uncertain as after some hundred matches."""
        rows = [StandingRating(player, elo, elo - 40, elo + 40, 200, False, True) for player, elo in self.elo.items()]  # noqa: FBT003 - a row
        return StandingRatings(0, Scale((), ()), tuple((game, Scale(tuple(rows), ())) for game in SEATS))


def throw(performed: dict[int, float]) -> None:
    """Let the first account lose to everybody where the second sits."""
    performed[1] = -99


def gang_up(performed: dict[int, float]) -> None:
    """Let both beat the third."""
    for player in performed.keys() - {1, 2}:
        performed[player] = -99


@pytest.mark.slow
def test_honest_ladders_give_no_more_false_alarms_than_stated() -> None:
    alarms = 0
    for seed in range(20):
        field = Field(seed)
        results = [match for game in SEATS for match in field.results(game, 400)]
        alarms += bool(suspicious_pairs(results, ACCOUNTS, field.ratings(), rate=RATE, least=5))
    assert alarms <= RATE * 20


@pytest.mark.slow
def test_a_pair_that_always_loses_to_each_other_is_found_within_30_matches() -> None:
    """The ratings are made of the same matches, those of the pair too."""
    field = Field(3, cheat=throw)
    results = field.results("mitigati", 45 * 25)
    careers = Careers()
    careers.enter(Player(number, name) for number, name in ACCOUNTS.items())
    careers.add(results)
    met = [match for match in results if {1, 2} == set(match.players)]
    assert 20 <= len(met) <= 30
    found = suspicious_pairs(results, ACCOUNTS, careers.ratings(), rate=RATE)[0]
    assert (found.kind, found.first, found.second) == (Comparison.AGAINST, "account 1", "account 2")
    assert (found.meetings, found.observed) == (len(met), 0.0)


def test_a_pair_that_gangs_up_is_found_though_neither_loses_to_the_other() -> None:
    field = Field(1, cheat=gang_up)
    found = suspicious_pairs(field.results("mittlere", 600), ACCOUNTS, field.ratings(), rate=RATE)
    kinds = {(one.kind, one.first, one.second) for one in found}
    assert (Comparison.TOGETHER, "account 1", "account 2") in kinds
    assert not any(one.kind is Comparison.AGAINST and one.first == "account 1" for one in found[:1])


def forfeited(matches: int, gone: int, other: int) -> list[CareerResult]:
    """Return matches of the first account against another, of which it forfeits some."""
    return [CareerResult("mitigati", (1, other), (1, 2), (0,) if at < gone else (), 0) for at in range(matches)]


@pytest.mark.parametrize(("elsewhere", "is_found"), [(0, True), (30, False)])
def test_forfeits_where_one_sits_are_compared_with_those_elsewhere(elsewhere: int, *, is_found: bool) -> None:
    results = [*forfeited(30, 15, 2), *forfeited(60, elsewhere, 3)]
    found = suspicious_pairs(results, ACCOUNTS, NO_RATINGS, rate=RATE)
    assert [(one.kind, one.first, one.second) for one in found] == [
        (Comparison.FORFEITS, "account 1", "account 2")
    ] * is_found


def test_the_test_of_forfeits_is_that_of_fisher() -> None:
    """A tea that was poured first, four times of four: one of seventy ways."""
    assert math.isclose(_at_least(4, drawn=4, marked=4, total=8), 1 / 70)
    assert math.isclose(_at_least(3, drawn=4, marked=4, total=8), 17 / 70)
    assert math.isclose(_at_least(0, drawn=4, marked=4, total=8), 1.0)


def always(meetings: int, *, low: float = 1500, high: float = 1500, **owners: str) -> list[Suspicion]:
    """Let the first win all of some matches between equals, of which so much is known."""
    row = [StandingRating(player, 1500, low, high, 9, False, True) for player in (1, 2)]  # noqa: FBT003 - a row
    ratings = StandingRatings(0, Scale((), ()), (("mitigati", Scale(tuple(row), ())),))
    results = [CareerResult("mitigati", (1, 2), (1, 2), (), 0)] * meetings
    return suspicious_pairs(results, {1: "ana", 2: owners.get("second", "ben")}, ratings, rate=1.0)


def test_the_bound_is_that_of_hoeffding() -> None:
    """Between equals, all of 20 matches: twice 2 to the -20."""
    (found,) = always(20)
    assert math.isclose(found.probability, 2 * 2**-20)
    assert always(20, low=1300, high=1700)[0].probability > 10 * found.probability


def test_few_meetings_and_house_bots_are_no_pair() -> None:
    assert always(19) == []
    assert always(100, second="") == []


def test_many_tests_make_each_less_telling() -> None:
    """With all pairs of ten accounts tested, the least likely one counts as often."""
    results = [CareerResult("mitigati", (1, other), (1, 2), (), 0) for other in range(2, 11) for _ in range(20)]
    field = Field(0)
    found = suspicious_pairs(results, ACCOUNTS, field.ratings(), rate=1.0)
    assert len(found) == 9
    assert math.isclose(found[0].adjusted, 9 * found[0].probability)
    assert [one.adjusted for one in found] == sorted(one.adjusted for one in found)


def test_the_command_reads_a_ladder_and_names_what_is_missing(tmp_path: Path) -> None:
    command = "suspicious", "trial", "--data", tmp_path
    assert_told(ordago(*command), 3, "ladder 'trial'")
    place = tmp_path / ladder_file("trial")
    place.parent.mkdir(parents=True)
    with LadderStore.open(place, create=True) as store:
        store.create(ladder_row())
        store.begin_epoch(1, began=BEGAN)
        writer = Writer(store)
        assert_told(ordago(*command), 3, "there are no ratings in", "start the server of the ladder")
        standing = {"season": "-", "epochs": [[1, 0]], "players": {}, "ratings": NO_RATINGS.as_json()}
        archive = place.parent / "archive"
        archive.mkdir()
        (archive / "ladder.json").write_text(json.dumps(standing))
        assert_told(ordago(*command), 0, "no pair stands out")
        ana, ben, eve, gil = (writer.player(name) for name in ("ana", "ben", "eve", "gil"))
        for table in [(eve, ben, ana)] * 25 + [(ben, eve, gil)] * 60:
            # The second at the table forfeits.
            writer.play(*table)
    found = json.loads(ordago(*command, "--json").stdout)
    assert {(one["first"], one["second"], one["kind"], one["meetings"]) for one in found} == {
        ("ben", "ana", "forfeits", 25), ("eve", "gil", "forfeits", 60),
    }  # fmt: skip
    assert_told(ordago(*command), 0, "ben", "ana", "forfeits")
    with Accounts.open(tmp_path / ACCOUNTS_FILE, create=True) as accounts:
        accounts.create_token(account="ben", scopes=[Scope.PLAY], now=0)
        pseudonym = accounts.delete("ben", now=0)
    assert_told(ordago(*command), 0, pseudonym)
