"""Mus, a vying game for two against two: four lances, the partner across the table, and the órdago.

From the lowest to the highest::

    values      options, actions, events and views
    members     members of enumerations under names of their own
    hands       the worth of hands
    holdings    the places of the cards of a deal
    betting     the betting on one lance
    scoring     the points for the lances at the showdown
    refusals    the reasons for refusing an action
    views       the view of a seat
    state       a match in progress
    knowledge   the knowledge of a seat about the cards of the others
    redealing   the drawing of deals that fit it
    rules       the options, and the start of a match
    wire        values <-> messages, an extra among them
    words       events and legal actions in words
    stage       the table as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mus.redealing import possible_states
from ordago.games.mus.rules import RULES, conceded, standing
from ordago.games.mus.stage import MusStage
from ordago.games.mus.wire import CODEC
from ordago.games.mus.words import offer
from ordago.scene import Staging

GAME: Final = Game(
    rules=RULES,
    codec=CODEC,
    possible_states=possible_states,
    standing=standing,
    conceded=conceded,
    signed_scores=False,
    staging=Staging(begin=MusStage, offer=offer, faces="spanish"),
)
"""Mus."""
