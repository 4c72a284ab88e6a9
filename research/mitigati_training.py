"""Learns what statements in a bargain of Mitigati tell of the deal, and prints the figures that the house uses.

``python research/mitigati_training.py --deals 1500`` plays deals to the end, after three bargains in which each player
makes one statement: the worth of its cards and a margin drawn anew for each deal, since other bots have other margins.
It fits the chips that playing brings to the own worth and to what the others said, by stage of the deal and by the
number of statements heard.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import numpy as np
from in_process import Table

from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED
from ordago.games.mitigati.values import PLAY, SEATS, Phase, statement_of
from ordago_bot.house import mitigati

MARGINS: Final = (4, 12, 12, 20, 30)
"""The margins of the mixture; 12 is that of ``solid``."""


def deals_of(number: int, *, worlds: int) -> Iterator[tuple[list[Any], tuple[int, ...]]]:
    """Yield for each deal what each seat knew in each bargain, (seat, stage, worth, heard), and the chips of the deal."""
    table = Table.of("mitigati")
    source, rng = SecretDeals(bytes(32), "bargain"), Random(1)
    state = table.game.rules.new_match(seats=SEATS, options=table.game.rules.options({"rounds": 100}))
    deal, chips, margins, seen = 0, state.chips, [0] * SEATS, []
    while deal < number and state.actor != FINISHED:
        if state.deal != deal or not (seen or state.actor != CHANCE):
            if state.deal != deal:
                yield seen, tuple(now - before for now, before in zip(state.chips, chips, strict=True))
            deal, chips, seen = state.deal, state.chips, []
            margins = [rng.choice(MARGINS) for _ in range(SEATS)]
        if state.actor == CHANCE:
            state.supply(source.shuffled(state.shuffle_due()))
            continue
        view = state.view(state.actor)
        if view.phase is not Phase.BARGAIN:
            state.apply(mitigati.choose(view, legal=state.legal_actions(), rng=rng, worlds=worlds))
        elif len(state.statements) == SEATS:
            for seat in range(SEATS):
                order = [(seat - view.seat) % SEATS, seat]
                heard = [state.statements[(other - view.seat) % SEATS] for other in range(SEATS) if other != seat]
                seen.append(
                    (
                        seat,
                        len(state.bargains),
                        round(mitigati.expected_chips(state.view(seat))),
                        heard,
                        seat == view.dealer,
                    )
                )
            state.apply(PLAY)
        else:
            worth = round(mitigati.expected_chips(view)) + margins[view.seat]
            # One more than nothing, so that no bargain is struck.
            total = sum(state.statements)
            if len(state.statements) == SEATS - 1 and total + worth <= 0:
                worth = 1 - total
            state.apply(statement_of(max(-100, min(100, worth))))


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1500)
    parser.add_argument("--worlds", type=int, default=1)
    parsed = parser.parse_args()
    known: dict[int, list[Any]] = defaultdict(list)
    for seen, chips in deals_of(parsed.deals, worlds=parsed.worlds):
        for seat, stage, worth, heard, dealing in seen:
            known[stage].append((worth, sum(heard), heard[0], dealing, chips[seat]))
    for stage, rows in sorted(known.items()):
        worth, both, one, dealing, chips = np.array(rows, dtype=float).T
        for name, columns in (
            ("none", [worth]),
            ("one", [worth, one]),
            ("both", [worth, both]),
            ("both, dealing", [worth, both, dealing]),
        ):
            design = np.stack([np.ones(len(worth)), *columns], axis=1)
            found, *_ = np.linalg.lstsq(design, chips, rcond=None)
            left = chips - design @ found
            error = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * left.var())
            print(
                stage,
                name,
                np.round(found, 3),
                "±",
                np.round(error, 3),
                f"left {left.std():.1f} of {chips.std():.1f}, {len(rows)} rows; solid {np.std(chips - worth):.1f}",
            )


if __name__ == "__main__":
    main()
