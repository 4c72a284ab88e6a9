"""The rules of Mitigati: the options, the start of a match, and the drawing of one that fits a view.

Three players, each alone, are dealt the 78 cards of a tarot pack by and by. In between they bargain over stopping. If
they do not agree, the dealer lays three cards away, honours are declared, and 25 tricks are played for card points.
docs/rules/mitigati-for-bots.md has the rules in full, with every ruling.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from ordago.game import LegalAction, OptionKind, OptionSpec, Parts, Standing, option_values
from ordago.games.mitigati.knowledge import Layout, possible_layouts
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    SEATS,
    MitigatiAction,
    MitigatiOptions,
    MitigatiView,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)
from ordago.scene import english

_DEFAULTS: Final = MitigatiOptions()


def state_of(view: MitigatiView, layout: Layout) -> MitigatiState:
    """Return the state in the middle of a deal behind a seat's view, with the other cards in these places."""
    state = MitigatiState(view.options)
    state.chips = view.chips
    state.deals_played, state.turn, state.struck = view.deals_played, view.turn, view.struck
    state.begin_deal(view.deal)
    state.phase = view.phase
    state.hands = list(layout.hands)
    state.stock, state.discard = layout.stock, layout.discard
    state.bargains = tuple(bargain for bargain in view.bargains if bargain.end is not None)
    state.declarations = view.declarations
    state.cards, state.takers = list(view.played), list(view.takers)
    state.leader = view.leader
    state.actor = view.seat
    if view.phase is Phase.BARGAIN:
        state.statements = view.bargains[-1].statements
    if view.trick:
        _put_on_table(state, view.trick)
    return state


def _put_on_table(state: MitigatiState, trick: tuple[int, ...]) -> None:
    state.actor = state.leader
    for card in trick:
        state.hands[state.actor] |= 1 << card
        state.apply(CARD[card])


def possible_states(view: MitigatiView, *, rng: Random) -> Iterator[MitigatiState]:
    """Draw states without end, uniformly from all that fit the knowledge of a seat that is to act."""
    for layout in possible_layouts(view, rng=rng):
        yield state_of(view, layout)


def standing(state: MitigatiState) -> Standing:
    """Return the score so far."""
    return Standing(state.deal, state.chips)


class MitigatiRules:
    """The rules of Mitigati."""

    name = "mitigati"
    title = english("Mitigati")
    version = 1
    seat_counts = (SEATS,)
    option_specs = (
        OptionSpec(
            "rounds",
            OptionKind.INTEGER,
            default=_DEFAULTS.rounds,
            sentence="The number of turns of dealing for each seat.",
            min=1,
            max=100,
        ),
        OptionSpec(
            "max_bid",
            OptionKind.INTEGER,
            default=_DEFAULTS.max_bid,
            sentence="The most chips that a statement in a bargain may receive or pay.",
            min=1,
            max=1000,
        ),
        OptionSpec(
            "max_struck",
            OptionKind.INTEGER,
            default=_DEFAULTS.max_struck,
            sentence="The number of struck bargains that end a turn of dealing; 0 for no cap.",
            min=0,
            max=100,
        ),
        OptionSpec(
            "ranking",
            OptionKind.WORD,
            default=str(_DEFAULTS.ranking),
            sentence="The order of the cards: the source's, or that of Piedmont, where the XX is the highest trump.",
            choices=tuple(str(ranking) for ranking in Ranking),
        ),
        OptionSpec(
            "chips",
            OptionKind.INTEGER,
            default=_DEFAULTS.chips,
            sentence="The chips that each player starts with.",
            min=0,
            max=1000,
        ),
    )

    def options(self, values: Mapping[str, object]) -> MitigatiOptions:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a value that the option cannot take.
        """
        given = option_values(self.option_specs, values)
        return MitigatiOptions(
            rounds=int(given["rounds"]),
            max_bid=int(given["max_bid"]),
            max_struck=int(given["max_struck"]),
            ranking=Ranking(str(given["ranking"])),
            chips=int(given["chips"]),
        )

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for: each its own."""
        return tuple(range(seats))

    def new_match(self, *, seats: int, options: MitigatiOptions) -> MitigatiState:
        """Return a match before its first shuffle.

        Raises:
            ValueError: the game is not for so many players.
        """
        if seats != SEATS:
            raise ValueError(f"{self.title} is played by {SEATS}, not by {seats}")
        return MitigatiState(options)

    def fill(self, legal: LegalAction[MitigatiAction], parts: Parts[MitigatiAction]) -> MitigatiAction:
        """Return a legal action with its open parts filled in: the amount of a statement, or the cards laid away."""
        if legal.amount is not None and parts.amount is not None:
            return statement_of(parts.amount)
        return discard_of(parts.cards) if legal.picks else legal.action


RULES: Final = MitigatiRules()
"""The rules of Mitigati."""
