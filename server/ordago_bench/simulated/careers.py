"""Simulated careers whose strengths are known, to try ratings on.

Everybody performs by his strength and by Gumbel's chance, and who performs better is placed better, so that each two
are ordered as the model says. Time goes by weeks. In each field there are house bots, six of steady strength whose
versions stay, and six who are as the field is called.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings.values import CareerResult, Player

WEEKS: Final = 26
WEEK_SECONDS: Final = 7 * 24 * 60 * 60
BEGAN: Final = 2_800 * WEEK_SECONDS
"""When the first week begins."""
HOUSE: Final = {"solid": 1600.0, "default": 1400.0}
"""The anchors."""
SPREAD: Final = 200.0
"""The standard deviation of strengths."""
_OTHERS: Final = 6


class Career(NamedTuple):
    """A player, and how strong he is in each week in which he plays, in Elo."""

    player: Player
    strengths: Mapping[int, float]


Field: TypeAlias = Sequence[Career]
Kind: TypeAlias = Callable[[np.random.RandomState], list[Mapping[int, float]]]
"""Draws the versions of a bot: for each its strengths by weeks."""


def _constant(random: np.random.RandomState) -> list[Mapping[int, float]]:
    return [dict.fromkeys(range(WEEKS), _drawn(random))]


def _learning(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """It becomes 300 points stronger in ten weeks, and stays so."""
    begin, first = _drawn(random) - 150, int(random.randint(0, WEEKS - 12))
    return [{week: begin + 30 * min(max(week - first, 0), 10) for week in range(WEEKS)}]


def _jumping(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """Every four weeks or so there is a new version: mostly much like the one before, at times far from it."""
    versions: list[Mapping[int, float]] = []
    strength, begin = _drawn(random), 0
    while begin < WEEKS:
        end = min(WEEKS, begin + int(random.randint(2, 7)))
        versions.append(dict.fromkeys(range(begin, end), strength))
        strength += random.normal(0, 200 if random.random_sample() < 0.25 else 40)
        begin = end
    return versions


def _rare(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """It comes for a week of six, and was worked on meanwhile without a new version."""
    strength = _drawn(random)
    return [{week: strength + 5 * week for week in range(int(random.randint(0, 6)), WEEKS, 6)}]


def _newcomer(random: np.random.RandomState) -> list[Mapping[int, float]]:
    return [dict.fromkeys(range(int(random.randint(4, WEEKS - 1)), WEEKS), _drawn(random, 1.5))]


def _drifting(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """It goes its way, by ten points a week or so, mostly upwards."""
    steps = random.normal(6, 10, size=WEEKS)
    return [dict(enumerate((_drawn(random) - 75 + steps.cumsum()).tolist()))]


def _drawn(random: np.random.RandomState, spreads: float = 1.0) -> float:
    return float(ANCHOR + random.normal(0, spreads * SPREAD))


KINDS: Final[Mapping[str, Kind]] = {
    "constant": _constant,
    "learning": _learning,
    "jumping": _jumping,
    "rare": _rare,
    "newcomers": _newcomer,
    "drifting": _drifting,
}
"""What a field may be like. In one that drifts, nobody but the house is steady."""


def simulated_field(kind: str, *, seed: int) -> Field:
    """Return the careers of a field."""
    random = np.random.RandomState(seed)
    kinds = [KINDS[kind]] * _OTHERS + [_drifting if kind == "drifting" else _constant] * _OTHERS
    careers = [Career(Player(0, name, house=True), dict.fromkeys(range(WEEKS), elo)) for name, elo in HOUSE.items()]
    for number, draw in enumerate(kinds):
        careers += [Career(Player(0, f"bot {number}"), strengths) for strengths in draw(random)]
    careers.sort(key=lambda career: (min(career.strengths), not career.player.house))
    newest: dict[str, int] = {}
    numbered = []
    for player, career in enumerate(careers, start=1):
        name = career.player.name
        numbered.append(career._replace(player=career.player._replace(player=player, predecessor=newest.get(name))))
        newest[name] = player
    return numbered


def simulated_week(field: Field, week: int, *, matches: int, seed: int) -> Iterator[CareerResult]:
    """Yield the matches of a week, half of them at tables of three, whose players meet by chance."""
    random = np.random.RandomState((seed, week))
    there = [career for career in field if week in career.strengths]
    for match in range(matches):
        game, seats = (("mitigati", 2), ("mittlere", 3))[match % 2]
        table = [there[place] for place in random.choice(len(there), seats, replace=False)]
        performed = np.array([career.strengths[week] for career in table]) / ELO + random.gumbel(size=seats)
        placings = tuple((1 + (-performed).argsort().argsort()).tolist())
        ended = BEGAN + week * WEEK_SECONDS + match * WEEK_SECONDS // matches
        yield CareerResult(game, tuple(career.player.player for career in table), placings, (), ended)
