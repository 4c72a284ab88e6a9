"""Authors who want a rating that their bots do not have, and what it brings them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from ordago_ladder.rating.fit import ELO
from ordago_ladder.standing.ratings import CareerResult, Careers, Player, StandingRating, StandingRatings

DAY = 24 * 60 * 60
HOUSE = {"solid": 1700.0, "default": 1500.0, "random": 1100.0}
STEADY = {f"steady {number}": 1350.0 + 50 * number for number in range(6)}


class Ladder:
    """A standing ladder with house bots, six steady bots and whoever joins."""

    def __init__(self, *, seed: int = 0) -> None:
        self.random = np.random.RandomState(seed)
        self.careers = Careers(anchors=HOUSE)
        self.clock = 2_800 * 7 * DAY
        self.strengths: dict[int, float] = {}
        self.newest: dict[str, int] = {}
        for name, strength in (HOUSE | STEADY).items():
            self.enter(name, strength, house=name in HOUSE)
        self.field = list(self.strengths)
        self.house = self.field[: len(HOUSE)]

    def enter(self, name: str, strength: float, *, house: bool = False) -> int:
        """Enter a version of a bot that is so strong, in Elo."""
        player = len(self.strengths) + 1
        self.careers.enter([Player(player, name, self.newest.get(name), house)])
        self.newest[name], self.strengths[player] = player, strength
        return player

    def meet(self, *players: int, forfeits: Sequence[int] = (), loses: Sequence[int] = ()) -> CareerResult:
        """Play a match. Who loses does so on purpose."""
        game = {2: "mitigati", 3: "mittlere"}[len(players)]
        performed = np.array([self.strengths[player] for player in players]) / ELO
        performed += self.random.gumbel(size=len(players))
        performed[[player in loses for player in players]] -= 1000
        placings = tuple((1 + (-performed).argsort().argsort()).tolist())
        self.clock += 60
        seats = tuple(seat for seat, player in enumerate(players) if player in forfeits)
        return CareerResult(game, tuple(players), placings, seats, self.clock)

    def play(self, *players: int, **manners: Sequence[int]) -> None:
        """Play a match and rate it."""
        self.careers.add([self.meet(*players, **manners)])

    def day(self, *guests: int, matches: int = 8) -> None:
        """Let guests, and then the field, play matches with who is there by chance."""
        for guest in guests:
            for _ in range(matches):
                self.play(guest, *self.some_of(self.field, 1))
        for _ in range(10):
            self.play(*self.some_of(self.field, 2))
        self.clock = (self.clock // DAY + 1) * DAY

    def some_of(self, players: Sequence[int], count: int) -> list[int]:
        """Return as many of some players by chance."""
        return [players[place] for place in self.random.choice(len(players), count, replace=False)]

    def ratings(self) -> dict[int, StandingRating]:
        """Return the ratings by now."""
        return by_player(self.careers.ratings())


def by_player(ratings: StandingRatings) -> dict[int, StandingRating]:
    return {rating.player: rating for rating in ratings.overall.ratings}


def error_of_others(ladder: Ladder, ratings: Mapping[int, StandingRating]) -> float:
    """Return how far the steady bots are off in the mean."""
    steady = [player for player in ladder.field if player not in ladder.house]
    return float(np.mean([abs(ratings[player].elo - ladder.strengths[player]) for player in steady]))


@pytest.mark.slow
def test_renaming_the_version_every_day_sheds_no_bad_results() -> None:
    """In eight careers a weak bot is not rated above its strength, nor ever more than provisionally."""
    found = []
    for seed in range(8):
        ladder = Ladder(seed=seed)
        for _ in range(14):
            version = ladder.enter("bot", 1300)
            ladder.day(version)
            found.append(ladder.ratings()[version])
    assert np.mean([rating.low > 1300 for rating in found]) < 0.05
    assert np.mean([rating.elo for day, rating in enumerate(found) if day % 14 >= 5]) < 1300 + 30
    assert all(rating.provisional for rating in found)


def test_a_flood_of_versions_is_counted_for_few() -> None:
    """A bot that comes with a version for each match has seven players a week, the last of which is current."""
    ladder = Ladder(seed=9)
    for _ in range(2):
        for _ in range(60):
            ladder.play(ladder.enter("bot", 1300), *ladder.some_of(ladder.field, 1))
        ladder.clock += 7 * DAY
    versions = {player: rating for player, rating in ladder.ratings().items() if player not in ladder.field}
    assert len(versions) == 14
    assert [player for player, rating in versions.items() if rating.current] == [max(versions)]
    assert sum(rating.matches for rating in versions.values()) == 120
    assert versions[max(versions)].elo == pytest.approx(1300, abs=120)


def test_only_the_version_that_played_last_is_current() -> None:
    ladder = Ladder()
    first, second = ladder.enter("bot", 1500), ladder.enter("bot", 1500)
    ladder.day(first)
    ladder.day(second)
    assert (ladder.ratings()[first].current, ladder.ratings()[second].current) == (False, True)
    ladder.day(first)
    assert (ladder.ratings()[first].current, ladder.ratings()[second].current) == (True, False)


def test_forfeiting_what_is_lost_brings_nothing() -> None:
    """At tables of three, somebody leaves whenever he would not be first. He loses to the third, too."""
    leaving, staying = Ladder(seed=3), Ladder(seed=3)
    for ladder, leaves in ((leaving, True), (staying, False)):
        bot = ladder.enter("bot", 1500)
        for _ in range(28):
            for _ in range(8):
                result = ladder.meet(bot, *ladder.some_of(ladder.field, 2))
                gone = (0,) if leaves and result.placings[0] > 1 else ()
                ladder.careers.add([result._replace(forfeits=gone)])
            for _ in range(14):
                ladder.play(*ladder.some_of(ladder.field, 3))
            ladder.clock += DAY // 2
    assert leaving.ratings()[bot].elo < staying.ratings()[bot].elo - 50
    assert error_of_others(leaving, leaving.ratings()) < error_of_others(staying, staying.ratings()) + 10


def test_who_plays_only_the_weak_is_not_rated_above_his_strength() -> None:
    """Hardly anything is learnt from it, and his interval says so."""
    picking, meeting = Ladder(seed=4), Ladder(seed=4)
    for ladder, opponents in ((picking, picking.house[-1:]), (meeting, meeting.field)):
        bot = ladder.enter("bot", 1600)
        for _ in range(20):
            for _ in range(5):
                ladder.play(bot, *ladder.some_of(opponents, 1))
            ladder.day()
    picked, met = picking.ratings()[bot], meeting.ratings()[bot]
    assert picked.low <= 1600 <= picked.high
    assert picked.half_length > 1.2 * met.half_length


@pytest.mark.slow
def test_two_accounts_cannot_lift_one_of_them_by_gifts() -> None:
    """Two equals play honestly with others, and fifty times as often with each other, which one always loses."""
    ladder = Ladder(seed=5)
    taker, giver = ladder.enter("taker", 1500), ladder.enter("giver", 1500)
    for _ in range(28):
        ladder.day(taker, giver, matches=6)
        for _ in range(100):
            ladder.play(taker, giver, loses=[giver])
    ratings = ladder.ratings()
    assert ratings[taker].elo < 1500 + 100
    assert ratings[giver].elo > 1200
    assert error_of_others(ladder, ratings) < 50


@pytest.mark.slow
def test_an_account_that_does_nothing_but_give_is_soon_worth_nothing() -> None:
    ladder = Ladder(seed=6)
    taker, giver = ladder.enter("taker", 1500), ladder.enter("giver", 1500)
    for _ in range(28):
        ladder.day(taker, matches=6)
        for _ in range(100):
            ladder.play(taker, giver, loses=[giver])
    assert ladder.ratings()[taker].elo < 1500 + 100


def test_another_program_under_a_version_that_is_known_is_found_out() -> None:
    """It is 300 points stronger: after four weeks most of that is in its rating, and others have not paid for it."""
    ladder = Ladder(seed=7)
    bot = ladder.enter("bot", 1400)
    for _ in range(28):
        ladder.day(bot)
    before = ladder.ratings()[bot].elo
    ladder.strengths[bot] = 1700
    for _ in range(28):
        ladder.day(bot)
    ratings = ladder.ratings()
    assert before == pytest.approx(1400, abs=60)
    assert ratings[bot].elo > before + 150
    assert error_of_others(ladder, ratings) < 50


def test_a_hopeless_bot_falsifies_nobody_elses_interval() -> None:
    beside, without = Ladder(seed=8), Ladder(seed=8)
    hopeless = beside.enter("hopeless", -1000)
    for ladder, guests in ((beside, [hopeless]), (without, [])):
        for _ in range(14):
            ladder.day(*guests)
    found, alone = beside.ratings(), without.ratings()
    for player in without.field:
        assert found[player].half_length <= 1.1 * alone[player].half_length
    assert error_of_others(beside, found) < error_of_others(without, alone) + 20
    assert found[hopeless].half_length > 100
    assert found[hopeless].high < 1100
