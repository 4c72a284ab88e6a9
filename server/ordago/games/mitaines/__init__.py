"""Mitaines, a game of fishing for two, three or four in which combinations are declared and stolen.

From the lowest to the highest::

    pack          the cards and the order of their ranks
    combinations  mittens, gloves and socks: their cards, order and points; the points for clearing a pile
    values        options, actions, events and views
    declaring     the legal plays and declarations, and the reasons for refusing others
    knowledge     the knowledge of a seat about the cards that it does not see
    state         a match in progress
    rules         the start of a match, the options, and states that fit a view
    words         events and legal actions in words
    stage         the table as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.rules import RULES, conceded, possible_states, standing
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
    standing=standing,
    conceded=conceded,
    signed_scores=False,
    staging=Staging(begin=MitainesStage, offer=offer, faces="french"),
)
"""Mitaines."""
