"""Mitaines, a game of fishing for two, three or four in which combinations are declared and stolen.

From the lowest to the highest::

    pack          the cards and how high their ranks stand
    combinations  mittens, gloves and socks: what they need, what they beat, what they count; what a cleared pile counts
    values        options, actions, events and views
    declaring     what may be played and declared, and why anything else is refused
    knowledge     what a seat can know of the cards that it does not see
    state         a match in progress
    rules         how a match begins, what it can be played with, and states that fit a view
    words         what happened and what may be done, as people say it
    stage         what lies where on the table, as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.rules import RULES, possible_states
from ordago.games.mitaines.stage import MitainesStage
from ordago.games.mitaines.values import MitainesEvent, MitainesOptions, MitainesView, PlayCard
from ordago.games.mitaines.words import offer
from ordago.scene import Staging
from ordago.wire.mirror_codec import MirrorCodec

GAME: Final = Game(
    rules=RULES,
    codec=MirrorCodec(
        RULES,
        options=MitainesOptions,
        view=MitainesView,
        action=PlayCard,
        event=MitainesEvent,
        pack=PACK,
        unknown={
            "card": "{found} is no card of Mitaines: "
            "its 52 cards are A, 2 to 10, J, Q and K of clubs, diamonds, hearts and spades.",
            "combination": "There is no combination {found}: they are mitten, glove, sock, added glove and added sock, "
            "1 to 5, or 0 for none.",
        },
    ),
    possible_states=possible_states,
    staging=Staging(begin=MitainesStage, offer=offer, faces="french"),
)
"""Mitaines."""
