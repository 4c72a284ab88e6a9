"""The rules of Mitaines: fishing for a pile, with combinations that are declared, completed and stolen.

Each player in turn plays a card on the pile. A card of the rank of the top card, or a jack, clears it. A player with
several cards of a rank may declare them as a mitten, a glove or a sock, and scores after playing them all; the others
may steal the declaration before that. docs/rules/mitaines-for-bots.md has the rules in full, with every ruling.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from ordago.game import (
    LegalAction,
    OptionKind,
    OptionSpec,
    Outcome,
    OutcomeReason,
    Parts,
    Standing,
    option_values,
    outcome_of,
)
from ordago.games.mitaines.knowledge import draw_unseen, knowledge_of
from ordago.games.mitaines.state import MitainesState, side_count
from ordago.games.mitaines.values import SEAT_COUNTS, MitainesOptions, MitainesView, PlayCard
from ordago.scene import english


def state_of(view: MitainesView, hands: Sequence[int], stock: Sequence[int]) -> MitainesState:
    """Return the state behind the view of the acting seat, with these hands as sets and this order of the stock."""
    options = MitainesOptions(view.target, view.max_deals)
    state = MitainesState(options, seats=view.seats, deal=view.deal, totals=view.totals)
    state.actor = (view.deal + len(view.played)) % view.seats
    state.scores = view.scores
    state.hands = list(hands)
    state.stock, state.laid = tuple(stock), view.laid
    state.pile, state.declaration = list(view.pile), view.declaration
    state.played, state.declared, state.clears = list(view.played), list(view.declared), view.clears
    return state


def possible_states(view: MitainesView, *, rng: Random) -> Iterator[MitainesState]:
    """Draw states without end, uniformly from all that fit the knowledge of a seat that is to act."""
    knowledge = knowledge_of(view)
    while True:
        hands, stock = draw_unseen(knowledge, rng=rng)
        yield state_of(view, hands, stock)


def standing(state: MitainesState) -> Standing:
    """Return the score so far."""
    return Standing(state.deal, state.totals)


def conceded(state: MitainesState, side: int) -> Outcome:
    """Return the outcome where a side concedes: the other one has the target, or the total that puts it ahead."""
    totals, loser = state.totals, state.totals[side]
    won = max(state.options.target, totals[1 - side], loser + 1)
    sides = RULES.sides(state.seats)
    scores = [loser if of_side == side else won for of_side in sides]
    return outcome_of(OutcomeReason.CONCEDED, scores=scores, sides=sides)


class MitainesRules:
    """The rules of Mitaines."""

    name = "mitaines"
    title = english("Mitaines")
    version = 1
    seat_counts = SEAT_COUNTS
    option_specs = (
        OptionSpec(
            "target",
            OptionKind.INTEGER,
            default=MitainesOptions().target,
            sentence="The total that ends the match after the deal, unless two sides are tied for first place.",
            min=10,
            max=10_000,
        ),
        OptionSpec(
            "max_deals",
            OptionKind.INTEGER,
            default=MitainesOptions().max_deals,
            sentence="The number of deals after which the match ends in any case.",
            min=1,
            max=1_000,
        ),
    )

    def options(self, values: Mapping[str, object]) -> MitainesOptions:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a number out of range.
        """
        known = option_values(self.option_specs, values)
        return MitainesOptions(target=int(known["target"]), max_deals=int(known["max_deals"]))

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for: four are partners with the seat opposite, fewer play alone."""
        return tuple(seat % side_count(seats) for seat in range(seats))

    def new_match(self, *, seats: int, options: MitainesOptions) -> MitainesState:
        """Return a match before its first shuffle.

        Raises:
            ValueError: the game is not for so many players.
        """
        if seats not in SEAT_COUNTS:
            raise ValueError(f"{self.title} is played by 2, 3 or 4, not by {seats}")
        return MitainesState(options, seats=seats)

    def fill(self, legal: LegalAction[PlayCard], parts: Parts[PlayCard]) -> PlayCard:  # noqa: ARG002 - nothing is open
        """Return the action itself: no action of this game has open parts."""
        return legal.action


RULES: Final = MitainesRules()
"""The rules of Mitaines."""
