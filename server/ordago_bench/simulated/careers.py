"""Simulated careers of known strengths, to test ratings on.

A performance is a strength plus Gumbel noise, and the better performance gets the better placing, so that any two are
ordered with the probability of the rating model. Time is in weeks. Each field has the house bots, six bots of constant
strength without new versions, and six bots of the kind that names the field.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings.values import CareerResult, Player

WEEKS: Final = 26
"""The duration of a career."""
WEEK_SECONDS: Final = 7 * 24 * 60 * 60
BEGAN: Final = 2_800 * WEEK_SECONDS
"""The begin of the first week, in seconds since 1970."""
HOUSE: Final = {"solid": 1600.0, "default": 1400.0}
"""The anchors, with their strengths in Elo."""
SPREAD: Final = 200.0
"""The standard deviation of strengths, in Elo."""
_OTHERS: Final = 6
"""The number of bots of the field's kind, and of constant ones next to them."""


class Career(NamedTuple):
    """A player and its strength in Elo in each week in which it plays."""

    player: Player
    strengths: Mapping[int, float]


Field: TypeAlias = Sequence[Career]
Kind: TypeAlias = Callable[[np.random.RandomState], list[Mapping[int, float]]]
"""A function that draws the versions of a bot: for each its strengths by week."""


def _constant(random: np.random.RandomState) -> list[Mapping[int, float]]:
    return [dict.fromkeys(range(WEEKS), _drawn(random))]


def _learning(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """Draw a bot that becomes 300 points stronger in ten weeks, and stays so."""
    begin, first = _drawn(random) - 150, int(random.randint(0, WEEKS - 12))
    return [{week: begin + 30 * min(max(week - first, 0), 10) for week in range(WEEKS)}]


def _jumping(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """Draw a bot with a new version about every four weeks: mostly similar to the one before, at times far from it."""
    versions: list[Mapping[int, float]] = []
    strength, begin = _drawn(random), 0
    while begin < WEEKS:
        end = min(WEEKS, begin + int(random.randint(2, 7)))
        versions.append(dict.fromkeys(range(begin, end), strength))
        strength += random.normal(0, 200 if random.random_sample() < 0.25 else 40)
        begin = end
    return versions


def _rare(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """Draw a bot that plays in one week of six, and improves in between without a new version."""
    strength = _drawn(random)
    return [{week: strength + 5 * week for week in range(int(random.randint(0, 6)), WEEKS, 6)}]


def _newcomer(random: np.random.RandomState) -> list[Mapping[int, float]]:
    return [dict.fromkeys(range(int(random.randint(4, WEEKS - 1)), WEEKS), _drawn(random, 1.5))]


def _drifting(random: np.random.RandomState) -> list[Mapping[int, float]]:
    """Draw a bot whose strength is a random walk, of about ten points a week and mostly upwards."""
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
"""The kinds of fields. In a drifting one, only the house bots are steady."""


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
    """Yield the matches of a week between random players, half of them at tables of three."""
    random = np.random.RandomState((seed, week))
    there = [career for career in field if week in career.strengths]
    for match in range(matches):
        game, seats = (("mitigati", 2), ("mittlere", 3))[match % 2]
        table = [there[place] for place in random.choice(len(there), seats, replace=False)]
        performed = np.array([career.strengths[week] for career in table]) / ELO + random.gumbel(size=seats)
        placings = tuple((1 + (-performed).argsort().argsort()).tolist())
        ended = BEGAN + week * WEEK_SECONDS + match * WEEK_SECONDS // matches
        yield CareerResult(game, tuple(career.player.player for career in table), placings, (), ended)
