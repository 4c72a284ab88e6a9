"""Trains the tables of the house's play of Mus, and writes them.

``python research/mus_training.py clients/python/ordago_bot/house/mus_tables.json`` plays deals of the tables against
themselves (in the first round nobody bets), and from them makes tables of hands, of points to win, and of bets by
counterfactual regret minimisation. Equal arguments make the same file; the defaults make that of the house, in two
minutes of a processor.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from ordago.games.mus.betting import ALL_SEATS, FIRST_FROM, SEATS_OF_SIDE, is_contested
from ordago.games.mus.hands import PACK, hand_table
from ordago.games.mus.values import SEATS, SIDE_OF
from ordago_bot.house.mus_bets import (
    ANSWERS,
    BETS,
    CHANCES,
    CLASSES,
    DIGITS,
    KINGS,
    RAISE,
    Situation,
    allowed,
    key_of,
    needs_class,
    row_of,
)

ACTIONS: Final = len(ANSWERS)
TABLE: Final = hand_table(KINGS)
TOTALS: Final = sorted(TABLE.worths)
INDEX: Final = {total: index for index, total in enumerate(TOTALS)}
WORTHS: Final = [TABLE.worths[total] for total in TOTALS]
RANK: Final = np.array([[worth[lance] for worth in WORTHS] for lance in range(5)])
PARES_BONUS: Final = np.array([worth.pares_bonus for worth in WORTHS])
JUEGO_BONUS: Final = np.array([(worth.juego > 0) * (1 + (worth.punto == 31)) for worth in WORTHS])
LANCES: Final = 5
GRANDE, CHICA, PARES, JUEGO, PUNTO = range(LANCES)
NONE, PASSED, CALLED, REFUSED, UNCONTESTED, WHOLE = range(6)
TARGET: Final = 40
CLIP: Final = 10
"""The points for which an órdago counts in the table of points to win, since how often it is bet depends on the score."""


# Deals


def seats_with(lance: int, hands: Sequence[int]) -> int:
    if lance in (PARES, JUEGO):
        return sum(1 << seat for seat, hand in enumerate(hands) if RANK[lance][hand])
    return ALL_SEATS


class Deals(NamedTuple):
    """Deals that were played, one a row; seats and sides from the mano on."""

    hands: Any
    needs: Any
    result: Any
    side: Any
    stake: Any


def winner_sides(hands: Any) -> Any:
    return np.stack([RANK[lance][hands].argmax(axis=1) % 2 for lance in range(LANCES)], axis=1)


def bonuses(hands: Any) -> Any:
    """Return the bonus of each lance for each side: deals × lances × sides."""
    found = np.zeros((len(hands), LANCES, 2), dtype=np.int64)
    for side in (0, 1):
        found[:, PARES, side] = PARES_BONUS[hands[:, side::2]].sum(axis=1)
        found[:, JUEGO, side] = JUEGO_BONUS[hands[:, side::2]].sum(axis=1)
    return found


class Scored:
    """The awards of deals, in order: those at once, then those of the showdown."""

    def __init__(self, deals: Deals) -> None:
        self.hands, self.needs = deals.hands, deals.needs
        self.winners, self.bonus = winner_sides(deals.hands), bonuses(deals.hands)
        self.result, self.side, self.stake = deals.result, deals.side, deals.stake

    def awards(self, lance: int, result: Any, side: Any, stake: Any) -> tuple[Any, Any, Any, Any]:
        """Return who scores at once and how much, and who scores at the showdown and how much."""
        at_once = np.where(result == REFUSED, stake, 0) + np.where(result == WHOLE, 99, 0)
        winner = np.where((result == REFUSED) | (result == UNCONTESTED), side, self.winners[:, lance])
        bonus = np.take_along_axis(self.bonus[:, lance], winner[:, None], axis=1)[:, 0]
        shown = np.where(result == NONE, 0, bonus) + np.where(result == CALLED, stake, 0)
        return winner, at_once, winner, shown

    def value(self, won: Any, *, changed: Mapping[int, tuple[Any, Any, Any]] | None = None, needs: Any = None) -> Any:
        """Return the chance of the mano's side to win, by the table of points to win."""
        steps = []
        for lance in range(LANCES):
            result, side, stake = (changed or {}).get(
                lance, (self.result[:, lance], self.side[:, lance], self.stake[:, lance])
            )
            steps.append(self.awards(lance, *(np.broadcast_to(x, len(self.hands)) for x in (result, side, stake))))
        needs = self.needs if needs is None else needs
        own, other = needs[:, 0].copy(), needs[:, 1].copy()
        known = np.full(len(own), -1.0)
        for side, points in [(s[0], s[1]) for s in steps] + [(s[2], s[3]) for s in steps]:
            own = own - np.where(side == 0, points, 0)
            other = other - np.where(side == 1, points, 0)
            known = np.where((known < 0) & (own <= 0), 1.0, known)
            known = np.where((known < 0) & (other <= 0), 0.0, known)
        after = 1 - won[np.maximum(other, 0), np.maximum(own, 0)]
        return np.where(known >= 0, known, after)


def points_to_win(scored: Scored, *, rng: Any, sample: int = 1500) -> Any:
    """Return the chance of the mano's side to win, by what it and the others need."""
    chosen = rng.choice(len(scored.hands), min(sample, len(scored.hands)), replace=False)
    some = Scored(
        Deals(
            scored.hands[chosen], scored.needs[chosen], scored.result[chosen], scored.side[chosen], scored.stake[chosen]
        )
    )
    some.stake = np.where(some.result == WHOLE, CLIP, some.stake)
    some.result = np.where(some.result == WHOLE, CALLED, some.result)
    own, other = np.mgrid[0 : TARGET + 1, 0 : TARGET + 1]
    won = np.where(own == 0, 1.0, np.where(other == 0, 0.0, other**1.5 / np.maximum(1, own**1.5 + other**1.5)))
    steps = [
        some.awards(lance, some.result[:, lance], some.side[:, lance], some.stake[:, lance]) for lance in range(LANCES)
    ]
    order = [(s[0], s[1]) for s in steps] + [(s[2], s[3]) for s in steps]
    gains = [(np.where(side == 0, points, 0), np.where(side == 1, points, 0)) for side, points in order if points.any()]
    for _ in range(2):
        for total in range(2, 2 * TARGET + 1):
            for a in range(max(1, total - TARGET), min(TARGET, total - 1) + 1):
                b = total - a
                mine, theirs, known = np.full(len(chosen), a), np.full(len(chosen), b), np.full(len(chosen), -1.0)
                for gain, loss in gains:
                    mine, theirs = mine - gain, theirs - loss
                    known[(known < 0) & (mine <= 0)] = 1.0
                    known[(known < 0) & (theirs <= 0)] = 0.0
                after = 1 - won[np.maximum(theirs, 0), np.maximum(mine, 0)]
                won[a, b] = np.where(known >= 0, known, after).mean()
    return won


# Chances of hands


def chance_tables(hands: Any) -> dict[str, Any]:
    """Return the chance of a hand to win a lance, by place: in pares and juego by the seats that have it too."""
    winners = winner_sides(hands)
    tables: dict[str, Any] = {}
    for lance in (GRANDE, CHICA, PUNTO):
        group = RANK[lance] if lance == PUNTO else np.arange(len(WORTHS))
        kept = np.ones(len(hands), dtype=bool) if lance != PUNTO else (RANK[JUEGO][hands].max(axis=1) == 0)
        for place in range(SEATS):
            tables[f"{lance}{place}"] = smoothed(
                group, hands[kept, place], winners[kept, lance] == place % 2, RANK[lance]
            )
    for lance in (PARES, JUEGO):
        masks = (RANK[lance][hands] > 0) @ (1 << np.arange(SEATS))
        for mask in range(ALL_SEATS + 1):
            if not is_contested(mask):
                continue
            kept = masks == mask
            for place in range(SEATS):
                if mask >> place & 1:
                    tables[f"{lance}{place}{mask}"] = smoothed(
                        RANK[lance], hands[kept, place], winners[kept, lance] == place % 2, RANK[lance]
                    )
    return tables


def smoothed(group: Any, hands: Any, won: Any, rank: Any) -> Any:
    """Return the share of wins of each hand by its group, rare groups drawn to their neighbours in rank."""
    groups = group[hands]
    counts = np.bincount(groups, minlength=group.max() + 1).astype(float)
    wins = np.bincount(groups, weights=won, minlength=group.max() + 1)
    by_rank = sorted(set(zip(rank.tolist(), group.tolist(), strict=True)))
    ordered = np.array([g for _, g in by_rank])
    n, w = counts[ordered], wins[ordered]
    near_n, near_w = np.zeros(len(n)), np.zeros(len(n))
    for shift in range(-4, 5):
        weight = 0.5 ** abs(shift)
        if abs(shift) >= len(n):
            continue
        source = slice(max(0, shift), len(n) + min(0, shift))
        goal = slice(max(0, -shift), len(n) + min(0, -shift))
        near_n[goal] += weight * n[source]
        near_w[goal] += weight * w[source]
    prior = (near_w + 1) / (near_n + 2)
    found = np.zeros(group.max() + 1)
    found[ordered] = (w + 30 * prior) / (n + 30)
    return found[group]


# Counterfactual regret


class Node:
    """A situation, by its key and its actions; each leads to another node or to an end."""

    def __init__(self, situation: Situation) -> None:
        self.situation, self.key, self.actions = situation, key_of(situation), allowed(situation)
        self.after: list[Any] = []


def after(situation: Situation, action: int) -> Situation | tuple[Any, ...]:
    """Return the situation after an action, or (result, side, stake)."""
    seats, seat, bettor, stake, agreed, ordago, answered = situation
    if bettor is None:
        if action == 0:
            later = seats >> seat + 1 << seat + 1
            return Situation(seats, FIRST_FROM[seat][later]) if later else (PASSED, 0, 0)
        return _bet(seats, seat, 0, 0 if action == 3 else BETS[action], ordago=action == 3)
    partner = (seat + 2) % SEATS
    if answered is None and seats >> partner & 1:
        return situation._replace(seat=partner, answered=action)
    best = max(action, answered or 0)
    maker = partner if answered is not None and answered >= action else seat
    if best == 0:
        return REFUSED, 1 - SIDE_OF[seat], agreed
    if best == 1:
        return (WHOLE, 0, 0) if ordago else (CALLED, 0, stake)
    return _bet(seats, maker, stake, RAISE if best == 2 else 0, ordago=best == 3)


def _bet(seats: int, bettor: int, stake: int, amount: int, *, ordago: bool) -> Situation:
    answerers = seats & SEATS_OF_SIDE[1 - SIDE_OF[bettor]]
    return Situation(seats, FIRST_FROM[bettor][answerers], bettor, stake + amount, stake or 1, ordago)


def tree(seats: int) -> list[Node]:
    """Return the nodes of a betting, each before those that follow it."""
    made: dict[Situation, Node] = {}
    ordered: list[Node] = []

    def visit(situation: Situation) -> Node:
        if situation in made:
            return made[situation]
        node = made[situation] = Node(situation)
        for action in node.actions:
            following = after(situation, action)
            node.after.append(visit(following) if isinstance(following, Situation) else following)
        ordered.append(node)
        return node

    visit(Situation(seats, FIRST_FROM[0][seats]))
    return ordered[::-1]


TREES: Final = {mask: tree(mask) for mask in range(ALL_SEATS + 1) if is_contested(mask)}


class Regrets:
    """Regrets and average strategies of one lance, by key of situation."""

    def __init__(self) -> None:
        self.regret: dict[str, Any] = {}
        self.total: dict[str, Any] = {}
        self.sigma: dict[str, Any] = {}

    def strategy(self, key: str, actions: Sequence[int]) -> Any:
        if key not in self.sigma:
            if key not in self.regret:
                self.regret[key] = np.zeros((CLASSES * CLASSES * CHANCES, ACTIONS))
                self.total[key] = np.zeros((CLASSES * CLASSES * CHANCES, ACTIONS))
            self.sigma[key] = matched(np.maximum(self.regret[key], 0), actions)
        return self.sigma[key]


def matched(weights: Any, actions: Sequence[int]) -> Any:
    """Return weights as chances; where there are none, all actions alike."""
    masked = np.zeros_like(weights)
    masked[:, actions] = weights[:, actions]
    total = masked.sum(axis=1, keepdims=True)
    even = np.zeros(ACTIONS)
    even[list(actions)] = 1 / len(actions)
    return np.where(total > 1e-12, masked / np.maximum(total, 1e-12), even)


def iterate(regrets: Regrets, nodes: list[Node], rows: Any, utilities: Mapping[Any, Any], weight: float) -> None:
    """Pass once over all situations of a batch."""
    size = len(rows[0])
    reach = {id(nodes[0]): [np.ones(size) for _ in range(SEATS)]}
    own = {id(nodes[0]): [np.ones(size) for _ in range(SEATS)]}
    chosen = {}
    for node in nodes:
        seat = node.situation.seat
        sigma = regrets.strategy(node.key, node.actions)[rows[seat]]
        chosen[id(node)] = sigma
        counter, mine = reach[id(node)], own[id(node)]
        for action, following in zip(node.actions, node.after, strict=True):
            total = regrets.total[node.key]
            total[:, action] += weight * np.bincount(rows[seat], mine[seat] * sigma[:, action], len(total))
            if isinstance(following, Node):
                flow = [each if other == seat else each * sigma[:, action] for other, each in enumerate(counter)]
                mine_too = [each * sigma[:, action] if other == seat else each for other, each in enumerate(mine)]
                if id(following) in reach:
                    flow = [one + other for one, other in zip(reach[id(following)], flow, strict=True)]
                    mine_too = [one + other for one, other in zip(own[id(following)], mine_too, strict=True)]
                reach[id(following)], own[id(following)] = flow, mine_too
    values: dict[int, Any] = {}
    for node in reversed(nodes):
        seat, sigma = node.situation.seat, chosen[id(node)]
        found = [values[id(x)] if isinstance(x, Node) else utilities[x] for x in node.after]
        value = sum(sigma[:, action] * each for action, each in zip(node.actions, found, strict=True))
        values[id(node)] = value
        sign = -1 if SIDE_OF[seat] else 1
        regret, counter = regrets.regret[node.key], sign * weight * reach[id(node)][seat]
        for action, each in zip(node.actions, found, strict=True):
            regret[:, action] += np.bincount(rows[seat], counter * (each - value), len(regret))


def ends_of(nodes: list[Node]) -> set[tuple[Any, ...]]:
    return {each for node in nodes for each in node.after if not isinstance(each, Node)}


def minimise(
    lance: int, deals: Deals, chances: Mapping[str, Any], won: Any, *, rng: Any, iterations: int, batch: int
) -> Regrets:
    """Return the regrets of a lance after some iterations, each over a batch of deals."""
    regrets = Regrets()
    masks = np.full(len(deals.hands), ALL_SEATS)
    if lance in (PARES, JUEGO):
        masks = (RANK[lance][deals.hands] > 0) @ (1 << np.arange(SEATS))
    usable = deals.result[:, lance] != NONE
    if lance == PUNTO:
        usable |= RANK[JUEGO][deals.hands].max(axis=1) == 0
        usable &= deals.result[:, CHICA] != NONE
    groups = {mask: np.flatnonzero(usable & (masks == mask)) for mask in TREES}
    groups = {mask: rows for mask, rows in groups.items() if len(rows) > 50}
    total = sum(map(len, groups.values()))
    for number in range(1, iterations + 1):
        regrets.sigma.clear()
        for mask, members in groups.items():
            size = max(64, round(batch * len(members) / total))
            drawn = rng.choice(members, size)
            part = Deals(*(x[drawn] for x in deals))
            scored = Scored(part)
            needs = part.needs.copy()
            other = rng.random(size) < 0.5
            top = np.where(rng.random((size, 2)) < 0.5, 12, TARGET)
            needs[other] = (1 + (rng.random((size, 2)) * top).astype(int))[other]
            now = needs - at_once_before(scored, lance)
            now = np.where(now < 1, needs, now)
            classes = np.array([[needs_class(a, b) for b in range(TARGET + 1)] for a in range(TARGET + 1)])
            rows = []
            for seat in range(SEATS):
                if not mask >> seat & 1:
                    rows.append(np.zeros(size, dtype=int))
                    continue
                name = f"{lance}{seat}" + (f"{mask}" if lance in (PARES, JUEGO) else "")
                chance = chances[name][part.hands[:, seat]]
                own = seat % 2
                group = classes[now[:, own], now[:, 1 - own]]
                rows.append(CHANCES * group + np.minimum((chance * CHANCES).astype(int), CHANCES - 1))
            ends = ends_of(TREES[mask])
            utilities = {end: scored.value(won, changed={lance: end}, needs=needs) for end in ends}
            iterate(regrets, TREES[mask], rows, utilities, number)
    return regrets


def at_once_before(scored: Scored, lance: int) -> Any:
    gone = np.zeros_like(scored.needs)
    for earlier in range(lance):
        result, side, stake = scored.result[:, earlier], scored.side[:, earlier], scored.stake[:, earlier]
        for who in (0, 1):
            gone[:, who] += np.where((result == REFUSED) & (side == who), stake, 0)
    return gone


# Play of the tables against themselves


class Tables:
    """All that is trained."""

    def __init__(self) -> None:
        self.chances: dict[str, Any] = {}
        self.bets: dict[int, dict[str, list[list[float]]]] = {}
        self.won: Any = None


def simulate(tables: Tables, *, deals: int, rng: Random) -> Deals:
    """Play games until so many deals are over."""
    found: list[tuple[Any, ...]] = []
    heights = [TABLE.weights[card] for card in PACK]
    needs = [TARGET, TARGET]
    while len(found) < deals:
        pack = heights[:]
        rng.shuffle(pack)
        indexed = [INDEX[sum(pack[4 * seat : 4 * seat + 4])] for seat in range(SEATS)]
        result, side, stake = [NONE] * LANCES, [0] * LANCES, [0] * LANCES
        begun = tuple(needs)
        over = False
        for lance in (GRANDE, CHICA, PARES, JUEGO, PUNTO):
            if over or (lance == PUNTO and result[JUEGO] != NONE):
                break
            mask = seats_with(lance, indexed)
            if not mask:
                continue
            if not is_contested(mask):
                result[lance], side[lance] = UNCONTESTED, 0 if mask & SEATS_OF_SIDE[0] else 1
                continue
            result[lance], side[lance], stake[lance] = bet(tables, lance, mask, indexed, needs, rng)
            if result[lance] == REFUSED:
                needs[side[lance]] -= stake[lance]
                over = needs[side[lance]] <= 0
            over = over or result[lance] == WHOLE
        found.append((indexed, begun, result, side, stake))
        needs = score(needs, indexed, result, side, stake)
    columns = [np.array(column) for column in zip(*found, strict=True)]
    return Deals(*columns)


def score(needs: list[int], hands: list[int], result: list[int], side: list[int], stake: list[int]) -> list[int]:
    """Return what the sides need before the next deal, the next mano's first."""
    if min(needs) <= 0 or WHOLE in result:
        return [TARGET, TARGET]
    ranks = RANK[:, hands]
    for lance in range(LANCES):
        if result[lance] == NONE:
            continue
        winner = side[lance] if result[lance] in (REFUSED, UNCONTESTED) else int(ranks[lance].argmax()) % 2
        points = stake[lance] if result[lance] == CALLED else 0
        if lance in (PARES, JUEGO):
            points += int((PARES_BONUS if lance == PARES else JUEGO_BONUS)[hands[winner::2]].sum())
        needs[winner] -= points
        if needs[winner] <= 0:
            return [TARGET, TARGET]
    return [needs[1], needs[0]]


def bet(tables: Tables, lance: int, mask: int, hands: list[int], needs: list[int], rng: Random) -> tuple[int, int, int]:
    situation: Any = Situation(mask, FIRST_FROM[0][mask])
    strategies = tables.bets.get(lance)
    while isinstance(situation, Situation):
        action = 0
        if strategies is not None and key_of(situation) in strategies:
            seat = situation.seat
            own = seat % 2
            name = f"{lance}{seat}" + (f"{mask}" if lance in (PARES, JUEGO) else "")
            chance = tables.chances[name][hands[seat]]
            row = row_of(needs_class(needs[own], needs[1 - own]), chance)
            weights = strategies[key_of(situation)][row]
            draw = rng.random()
            for action in allowed(situation):
                draw -= weights[action]
                if draw < 0:
                    break
        situation = after(situation, action)
    return situation


def main() -> None:
    """Train, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--deals", type=int, default=20000)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--batch", type=int, default=2500)
    parsed = parser.parse_args()
    rng, chance = Random(1), np.random.default_rng(1)
    tables = Tables()
    for number in range(parsed.rounds + 1):
        begun = time.process_time()
        deals = simulate(tables, deals=parsed.deals, rng=rng)
        scored = Scored(deals)
        print(f"round {number}: simulated {time.process_time() - begun:.0f} s")
        tables.chances = chance_tables(deals.hands)
        tables.won = points_to_win(scored, rng=chance)
        print("   won", np.round(tables.won[[40, 20, 10, 5, 2, 1]][:, [40, 20, 10, 5, 2, 1]], 3).tolist())
        if number == parsed.rounds:
            break
        for lance in range(LANCES):
            regrets = minimise(
                lance, deals, tables.chances, tables.won, rng=chance, iterations=parsed.iterations, batch=parsed.batch
            )
            tables.bets[lance] = {key: matched(total, ACTIONS_OF[key]).tolist() for key, total in regrets.total.items()}
            print(f"   lance {lance}: {len(regrets.total)} keys, {time.process_time() - begun:.0f} s", flush=True)
    write(tables, parsed.file)


ACTIONS_OF: Final = {node.key: node.actions for nodes in TREES.values() for node in nodes}


def write(tables: Tables, path: Path) -> None:
    """Write what play needs."""
    written = {
        "chances": {name: digits(chances) for name, chances in tables.chances.items()},
        "bets": {
            str(lance): {
                key: digits(np.array(rows)[:, list(ACTIONS_OF[key][1:])].ravel()) for key, rows in sorted(bets.items())
            }
            for lance, bets in tables.bets.items()
        },
    }
    path.write_text(json.dumps(written, indent=1) + "\n")


def digits(chances: Any) -> str:
    return "".join(DIGITS[round(float(chance) * (len(DIGITS) - 1))] for chance in chances)


if __name__ == "__main__":
    main()
