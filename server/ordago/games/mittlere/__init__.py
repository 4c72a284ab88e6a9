"""Mittlere Jass, a trick-taking game for three in which the trump suit is found in play.

From the lowest to the highest::

    pack        how high the cards stand and what they count
    values      options, actions, events and views
    following   what may be played to a trick, and why anything else is refused
    scoring     what a deal is worth
    knowledge   what a seat can know of the hands of the others
    rules       the match
    wire        values <-> messages, views by hand
    words       how a match reads to a person
    stage       how a match looks to a person
"""

from typing import Final

from ordago.games.folder import Game
from ordago.games.mittlere.rules import RULES, possible_states
from ordago.games.mittlere.stage import STAGING
from ordago.games.mittlere.wire import CODEC
from ordago.games.mittlere.words import WORDS

GAME: Final = Game(
    rules=RULES,
    codec=CODEC,
    words=WORDS,
    possible_states=possible_states,
    staging=STAGING,
    duplicates_tell_more=False,
)
"""Mittlere Jass."""
