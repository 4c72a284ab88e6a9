"""Mitaines, a game of fishing for two, three or four in which combinations are declared and stolen.

From the lowest to the highest::

    pack          the cards and how high their ranks stand
    combinations  mittens, gloves and socks: what they need, what they beat, what they count
    values        options, actions, events and views
    declaring     what may be played and declared, and why anything else is refused
    clearing      what a cleared pile counts
    knowledge     what a seat can know of the cards that it does not see
    state         a match in progress
    rules         how a match begins, what it can be played with, and states that fit a view
    wire          values <-> messages
    words         how a match reads to a person
"""

from typing import Final

from ordago.games.folder import Game
from ordago.games.mitaines.rules import RULES
from ordago.games.mitaines.values import MitainesEvent, MitainesOptions, MitainesView, PlayCard
from ordago.games.mitaines.wire import CODEC
from ordago.games.mitaines.words import WORDS

GAME: Final[Game[PlayCard, MitainesEvent, MitainesView, MitainesOptions]] = Game(rules=RULES, codec=CODEC, words=WORDS)
"""Mitaines."""
