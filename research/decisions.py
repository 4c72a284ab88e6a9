"""Errors and lengths of events with ``until_decided``, and the bounds by which they decide.

.venv/bin/python research/decisions.py bounds
.venv/bin/python research/decisions.py errors --events 4000
"""

import argparse
import itertools
import math

import numpy as np

from ordago_ladder.event_file.file import parse_event
from ordago_ladder.schedule.decisions import Leads, points_variance
from ordago_ladder.settings.settings import Settings


def crossing(bound: float, looks: int) -> float:
    """Return how often sums of standard normals leave ±bound, in standard deviations, at one of equal looks."""
    density = points = weights = np.array([])
    for look in range(1, looks + 1):
        limit = bound * math.sqrt(look)
        at = np.linspace(-limit, limit, 2 * int(limit / 0.02) + 1)
        simpson = np.where(np.arange(len(at)) % 2, 4.0, 2.0) * (at[1] - at[0]) / 3
        simpson[[0, -1]] /= 2
        steps = at[:, np.newaxis] - (points if look > 1 else np.zeros(1))
        normal = np.exp(-(steps**2) / 2) / math.sqrt(2 * math.pi)
        density = normal @ (density * weights) if look > 1 else normal[:, 0]
        points, weights = at, simpson
    return float(1 - density @ weights)


def pocock(looks: int) -> float:
    """Return the bound that equals cross in 9 of 100 events."""
    low, high = 1.6, 2.6
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if crossing(middle, looks) > 0.09 else (low, middle)
    return high


def drawn(elos: np.ndarray, *, size: int, repetitions: int, random: np.random.RandomState) -> np.ndarray:
    """Return the points of entrants by repetition, if each table of this size plays a match for each seating."""
    points = np.zeros((len(elos), repetitions), dtype=np.int64)
    rates = 10 ** (elos / 400)
    seatings = 6 if size == 3 else size
    for table in map(list, itertools.combinations(range(len(elos)), size)):
        # The one whose clock rings first wins, and so on: every two are ordered as if they were alone.
        rings = random.exponential(size=(repetitions, seatings, size)) / rates[table]
        beaten = size - 1 - rings.argsort(axis=2).argsort(axis=2)
        points[table] += 2 * beaten.sum(axis=1).T
    return points


def event(entrants: int, *, size: int, repetitions: int, at_most: int) -> Settings:
    """Return the settings of an event that goes on until the first place is decided."""
    terms = f"until_decided = 1\nrepetitions = {repetitions}\nat_most = {at_most}"
    text = f'[event]\nname = "e"\n{terms}\n[[game]]\nname = "mitaines"\nseats = {size}\n'
    return parse_event(text + "".join(f'[[entrant]]\nname = "e{n:02}"\nhouse = "random"\n' for n in range(entrants)))


def figures(settings: Settings, elos: np.ndarray, *, size: int, events: int, looking: bool = True) -> str:
    """Return how often the first place is decided and how often wrongly, and the mean number of repetitions."""
    random, of = np.random.RandomState(1), settings.event
    wrong = decided = played = 0
    variance = points_variance(settings, len(elos))
    for _ in range(events):
        points = drawn(elos, size=size, repetitions=of.most_repetitions, random=random)
        for now in range(of.repetitions, of.most_repetitions + 1, of.repetitions):
            order = sorted(range(len(elos)), key=lambda one: -int(points[one, :now].sum()))
            leads = Leads(points[order, :now].tolist(), variance=variance, looks=of.looks if looking else 1)
            if all(leads.is_above(0, other) for other in range(1, len(elos))):
                decided, wrong = decided + 1, wrong + (order[0] != 0)
                break
        played += now
    return f"{100 * decided / events:.1f} | {100 * wrong / events:.1f} | {played / events:.1f}"


def errors(events: int) -> None:
    """Print a line for each kind of event. The first entrant is the best, by as little as you like."""
    print("| entrants, table | repetitions | strengths | decided % | wrong % | mean repetitions |")
    cases = [("2 equal", (0, 0)), ("4 equal", (0, 0, 0, 0)), ("2 equal, 4 weaker by 200", (0, 0, *[-200] * 4))]
    cases += [(f"1 ahead by {lead}, 3 equal", (lead, 0, 0, 0)) for lead in (50, 100, 200)]
    for size, (name, elos) in itertools.product((2, 3), cases):
        for step, most in ((1, 20), (5, 50)):
            if len(elos) >= size:
                settings = event(len(elos), size=size, repetitions=step, at_most=most)
                shown = figures(settings, np.array(elos, dtype=float), size=size, events=events)
                print(f"| {len(elos)}, {size} | {step} to {most} | {name} | {shown} |", flush=True)
    settings = event(2, size=2, repetitions=1, at_most=20)
    at_95 = figures(settings, np.zeros(2), size=2, events=events, looking=False)
    print(f"| 2, 2 | 1 to 20, each look at 95 % | 2 equal | {at_95} |")


def main() -> None:
    """Print the figures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["bounds", "errors"])
    parser.add_argument("--events", type=int, default=4000)
    given = parser.parse_args()
    if given.what == "errors":
        errors(given.events)
        return
    for looks in range(1, 21):
        print(looks, f"{pocock(looks):.4f}", flush=True)


if __name__ == "__main__":
    main()
