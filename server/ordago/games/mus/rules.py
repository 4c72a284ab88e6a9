"""The rules of Mus: vying in four categories, for two against two.

Four players, partners opposite, hold four cards each of a Spanish pack of forty. They may exchange cards as long as all
agree, and then bet on four lances, one after another: the highest hand, the lowest, the best pairs, and the best count.
The first side to have 40 points wins. docs/rules/mus-for-bots.md has the rules in full, with every ruling.
"""

from collections.abc import Mapping
from typing import Final

from ordago.game import (
    FINISHED,
    LegalAction,
    OptionError,
    OptionKind,
    OptionSpec,
    Outcome,
    OutcomeReason,
    Parts,
    Standing,
    option_values,
    outcome_of,
)
from ordago.games.mus.betting import ENVIDO_OF
from ordago.games.mus.state import MusState
from ordago.games.mus.values import SEATS, SIDE_OF, MusAction, MusOptions, Ruleset, SignalsSeen
from ordago.scene import english

_DEFAULTS: Final = MusOptions()


def standing(state: MusState) -> Standing:
    """Return the points of each seat's side; of several games, with as many as win a game for each game won."""
    board, options = state.scoreboard, state.options
    if options.games == 1:
        return Standing(board.deal, board.points * 2)
    # The points of the last game are still on the board when it is won.
    points = (0, 0) if state.actor == FINISHED else board.points
    sides = [options.target * won + more for won, more in zip(board.games, points, strict=True)]
    return Standing(board.deal, tuple(sides * 2))


def conceded(state: MusState, side: int) -> Outcome:
    """Return the outcome where a side concedes: the other one has won with what a match takes, points or games."""
    board, options = state.scoreboard, state.options
    single = options.games == 1
    scores = [*(board.points if single else board.games)]
    scores[1 - side] = options.target if single else options.games // 2 + 1
    return outcome_of(OutcomeReason.CONCEDED, scores=scores * 2, sides=SIDE_OF)


class MusRules:
    """The rules of Mus."""

    name = "mus"
    title = english("Mus")
    version = 1
    seat_counts = (SEATS,)
    option_specs = (
        OptionSpec(
            "ruleset",
            OptionKind.WORD,
            default=str(_DEFAULTS.ruleset),
            sentence="The scoring: that of the source, or that of the federation, which pays for passed lances too.",
            choices=tuple(str(ruleset) for ruleset in Ruleset),
        ),
        OptionSpec(
            "kings",
            OptionKind.INTEGER,
            default=_DEFAULTS.kings,
            sentence="The number of kings: with 8, threes count as kings and twos as aces; with 4, they do not.",
            choices=(8, 4),
        ),
        OptionSpec(
            "target",
            OptionKind.INTEGER,
            default=_DEFAULTS.target,
            sentence="The points that win a game.",
            min=10,
            max=100,
        ),
        OptionSpec(
            "games",
            OptionKind.INTEGER,
            default=_DEFAULTS.games,
            sentence="The number of games, which is odd. A side has to win more than half of them.",
            min=1,
            max=99,
        ),
        OptionSpec(
            "max_mus",
            OptionKind.INTEGER,
            default=_DEFAULTS.max_mus,
            sentence="The number of exchanges in a deal after which nobody is asked for mus again; 0 for no cap.",
            min=0,
            max=40,
        ),
        OptionSpec(
            "max_deals",
            OptionKind.INTEGER,
            default=_DEFAULTS.max_deals,
            sentence="The number of deals after which the side with more points wins a game.",
            min=1,
            max=1000,
        ),
        OptionSpec(
            "signals",
            OptionKind.WORD,
            default=str(_DEFAULTS.signals),
            sentence="Whether signals may be made, and whether the partner alone sees them or everybody.",
            choices=tuple(str(seen) for seen in SignalsSeen),
        ),
        OptionSpec(
            "signals_from_deal",
            OptionKind.INTEGER,
            default=_DEFAULTS.signals_from_deal,
            sentence="The first deal of each game in which signals may be made, counted from 0.",
            choices=(0, 1),
        ),
        OptionSpec(
            "more_signals",
            OptionKind.INTEGER,
            default=_DEFAULTS.more_signals,
            sentence="1 to add the signals for three kings, three aces and solomillo to the federation's; 0 for the "
            "federation's alone.",
            choices=(0, 1),
        ),
    )

    def options(self, values: Mapping[str, object]) -> MusOptions:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a value that the option cannot take.
        """
        given = option_values(self.option_specs, values)
        games = int(given["games"])
        if games % 2 == 0:
            raise OptionError("games", f"option 'games' takes an odd number from 1 to 99, not {games}")
        return MusOptions(
            ruleset=Ruleset(str(given["ruleset"])),
            kings=int(given["kings"]),
            target=int(given["target"]),
            games=games,
            max_mus=int(given["max_mus"]),
            max_deals=int(given["max_deals"]),
            signals=SignalsSeen(str(given["signals"])),
            signals_from_deal=int(given["signals_from_deal"]),
            more_signals=int(given["more_signals"]),
        )

    def sides(self, seats: int) -> tuple[int, ...]:  # noqa: ARG002 - only four can play
        """Return the side that each seat plays for: partners sit opposite."""
        return SIDE_OF

    def new_match(self, *, seats: int, options: MusOptions) -> MusState:
        """Return a match before its first shuffle.

        Raises:
            ValueError: the game is not for so many players.
        """
        if seats != SEATS:
            raise ValueError(f"{self.title} is played by {SEATS}, not by {seats}")
        return MusState(options)

    def fill(self, legal: LegalAction[MusAction], parts: Parts[MusAction]) -> MusAction:
        """Return a legal action with its amount, its cards and its signal filled in."""
        amount, cards, extra = parts
        if legal.amount and amount is not None and not (cards or extra or legal.action.binding):
            return ENVIDO_OF[amount]
        said, signal = legal.action, None if extra is None else extra.signal
        return MusAction(said.kind, amount or 0, cards, said.binding, signal)


RULES: Final = MusRules()
"""The rules of Mus."""
