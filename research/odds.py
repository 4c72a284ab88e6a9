"""Counts the odds that the likelihoods of the house rest on: how often ``solid`` with 8 worlds does what, by its hand.

``python research/odds.py taihe --matches 40`` prints a line for each number of ``taihe_likelihood.py``, and so for
Mitaines: the share, and of how many decisions. Forced cards do not count.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from in_process import Table, play, player_of

from ordago.cards import JACK, count
from ordago.game import FINISHED
from ordago.games.mitaines.pack import CARDS_OF_RANK, JACKS, RANK_OF
from ordago.games.taihe.combinations import NOTHING, STRONGER, combination_of, combinations_in
from ordago.games.taihe.values import ActionKind, Phase
from ordago_bot.house.taihe_likelihood import _ACES, _BOMBS, _LOWER


def of_taihe(state: Any, action: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - of the game
    """Yield what is counted at a decision of Taihe A Bao, and what was done."""
    hand = state.hands[state.actor]
    if state.phase is Phase.DECLARING:
        yield f"declares with {count(hand & _ACES)} aces", str(action.kind is ActionKind.DECLARE)
    if state.phase is not Phase.PLAYING:
        return
    able = combinations_in(hand) & STRONGER[state.to_beat]
    played = NOTHING if action.kind is ActionKind.PASS else combination_of(sum(1 << card for card in action.cards))
    if played != NOTHING:
        yield "plays a combination, a lower one of its kind and size was there", str(bool(able & _LOWER[played]))
    if state.to_beat != NOTHING and able:
        friend = state.declarer not in (state.actor, (state.actor - 1 - state.passes) % state.seats)
        what = "pass" if played == NOTHING else "bomb" if _BOMBS >> played & 1 else "plain"
        yield f"follows, friendly {friend}, plain {bool(able & ~_BOMBS)}, bomb {bool(able & _BOMBS)}", what


def of_mitaines(state: Any, action: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - of the game
    """Yield what is counted at a decision of Mitaines, and what was done."""
    hand, rank, standing = state.hands[state.actor], RANK_OF[action.card], state.declaration
    top = RANK_OF[state.pile[-1]] if state.pile else 0
    if standing is not None and standing.seat == state.actor:
        return
    if standing is not None:
        better = rank == standing.rank
        if hand & CARDS_OF_RANK[standing.rank]:
            yield "leaves a steal", str(not action.combination and not better)
    else:
        better = bool(top) and rank in (top, JACK)
        if top and hand & CARDS_OF_RANK[top]:
            yield "leaves a clear", str(not action.combination and not better)
        elif top and hand & JACKS:
            yield "keeps a jack", str(not action.combination and not better)
    pairs = [cards for cards in CARDS_OF_RANK if count(hand & cards) > 1]
    if pairs and not better:
        held = count(hand & CARDS_OF_RANK[rank])
        yield "has a pair", "declares" if action.combination else "breaks it" if held > 1 else "keeps it"


COUNTED = {"mitaines": of_mitaines, "taihe": of_taihe}


def main() -> None:
    """Count, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(COUNTED))
    parser.add_argument("--matches", type=int, default=40)
    parsed = parser.parse_args()
    table, found = Table.of(parsed.game), Counter[tuple[str, str]]()
    solid = player_of("solid-8", table.game)

    def observed(state: Any, rng: Random) -> Any:  # noqa: ANN401 - of the game
        action = solid(state, rng)
        if state.actor != FINISHED and len(state.legal_actions()) > 1:
            found.update(COUNTED[parsed.game](state, action))
        return action

    for number in range(parsed.matches):
        play(table, [observed] * table.seats, deals=f"odds {number}", chance=f"{number}")
    totals = Counter[str]()
    for (where, _), times in found.items():
        totals[where] += times
    for (where, what), times in sorted(found.items()):
        print(f"{where}: {what} {times / totals[where]:.2f} of {totals[where]}")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
