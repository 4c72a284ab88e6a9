"""The rules of Taihe A Bao: climbing for three to five, one declarer against the rest.

The players bid to be declarer, by declaring or by exchanging a card. Then combinations are played, each stronger than
the one before, and the first player without cards ends the deal: if it is the declarer, the declarer gains, else the
others gain. docs/rules/taihe-for-bots.md has the rules in full, with every ruling.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from ordago.cards import card_set
from ordago.game import LegalAction, OptionKind, OptionSpec, Parts, Standing, option_values
from ordago.games.taihe.combinations import combination_of
from ordago.games.taihe.knowledge import Drawn, actor_of, draw, knowledge_of, turns_of
from ordago.games.taihe.members import TO_PLAY
from ordago.games.taihe.offers import play_of
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import SEAT_COUNTS, TaiheAction, TaiheOptions, TaiheView
from ordago.scene import english


def state_of(view: TaiheView, drawn: Drawn) -> TaiheState:
    """Return the state in the middle of a deal behind a seat's view, with these hands and exchanges."""
    options = TaiheOptions(view.deals, view.max_passes)
    state = TaiheState(options, totals=view.totals, deal=view.deal, taker=view.taker)
    state.passed_out, state.phase = view.passed_out, view.phase
    state.first_bidder, state.bids = view.first_bidder, list(view.bids)
    state.exchanges, state.hands = list(drawn.exchanges), list(drawn.hands)
    state.declarer, state.value = view.declarer, view.value
    state.turns, state.played = list(turns_of(view)), view.played
    state.actor = actor_of(view)
    state.to_beat = combination_of(card_set(view.to_beat))
    if view.to_beat:
        state.passes = next(passes for passes, turn in enumerate(reversed(state.turns)) if turn)
    return state


def possible_states(view: TaiheView, *, rng: Random) -> Iterator[TaiheState]:
    """Draw states without end, uniformly from all that fit a seat's knowledge."""
    knowledge = knowledge_of(view)
    while True:
        yield state_of(view, draw(knowledge, rng=rng))


def standing(state: TaiheState) -> Standing:
    """Return the score so far."""
    return Standing(state.deal, state.totals)


class TaiheRules:
    """The rules of Taihe A Bao."""

    name = "taihe"
    title = english("Taihe A Bao")
    version = 1
    seat_counts = SEAT_COUNTS
    option_specs = (
        OptionSpec(
            "deals",
            OptionKind.INTEGER,
            default=TaiheOptions().deals,
            sentence="The number of played deals.",
            min=1,
            max=300,
        ),
        OptionSpec(
            "max_passes",
            OptionKind.INTEGER,
            default=TaiheOptions().max_passes,
            sentence="How often everybody can pass twice in a deal before it counts as played for 0; 0 for no cap.",
            min=0,
            max=100,
        ),
    )

    def options(self, values: Mapping[str, object]) -> TaiheOptions:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a value that the option cannot take.
        """
        complete = option_values(self.option_specs, values)
        return TaiheOptions(deals=int(complete["deals"]), max_passes=int(complete["max_passes"]))

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for: each its own."""
        return tuple(range(seats))

    def new_match(self, *, seats: int, options: TaiheOptions) -> TaiheState:
        """Return a match before its first shuffle.

        Raises:
            ValueError: the game is not for so many players.
        """
        if seats not in self.seat_counts:
            raise ValueError(f"{self.title} is played by 3, 4 or 5, not by {seats}")
        return TaiheState(options, totals=(0,) * seats)

    def fill(self, legal: LegalAction[TaiheAction], parts: Parts[TaiheAction]) -> TaiheAction:
        """Return a legal action with the cards that were picked."""
        if not legal.picks:
            return legal.action
        if legal.action.kind is TO_PLAY:
            return play_of(card_set(parts.cards))
        return legal.action._replace(card=parts.cards[0])


RULES: Final = TaiheRules()
"""The rules of Taihe A Bao."""
