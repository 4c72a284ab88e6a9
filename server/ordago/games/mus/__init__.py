"""Mus, a vying game for two against two: four lances, the partner across the table, and the órdago.

From the lowest to the highest::

    values      options, actions, events and views
    members     members of enumerations under names of their own
    hands       what hands are worth
    holdings    where the cards of a deal are
    betting     the betting on one lance
    scoring     what the lances are worth at the showdown
    refusals    why an action is refused
    views       what a seat sees
    state       a match in progress
    knowledge   what a seat can know of the cards of the others
    redealing   how a deal that fits it is drawn
    rules       options, and how a match begins
    wire        values <-> messages, an extra among them
    words       what happened and what may be done, as people say it
    stage       what lies where on the table, as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mus.redealing import possible_states
from ordago.games.mus.rules import RULES
from ordago.games.mus.stage import MusStage
from ordago.games.mus.wire import CODEC
from ordago.games.mus.words import offer
from ordago.scene import Staging

GAME: Final = Game(
    rules=RULES,
    codec=CODEC,
    possible_states=possible_states,
    staging=Staging(begin=MusStage, offer=offer, faces="spanish"),
)
"""Mus."""
