"""Mittlere Jass, a trick-taking game for three in which the trump suit is found in play.

From the lowest to the highest::

    pack        the order and points of the cards
    values      options, actions, events and views
    following   the legal cards for a trick, and the reasons for refusing others
    scoring     the value of a deal
    knowledge   the knowledge of a seat about the hands of the others
    rules       the match
    words       events and legal actions in words
    stage       the table as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mittlere.pack import PACK
from ordago.games.mittlere.rules import RULES, possible_states, standing
from ordago.games.mittlere.stage import MittlereStage
from ordago.games.mittlere.values import MittlereEvent, MittlereOptions, MittlereView, PlayCard
from ordago.games.mittlere.words import offer
from ordago.scene import Staging
from ordago.wire.mirror_codec import MirrorCodec

GAME: Final = Game(
    rules=RULES,
    codec=MirrorCodec(
        RULES,
        options=MittlereOptions,
        view=MittlereView,
        action=PlayCard,
        event=MittlereEvent,
        pack=PACK,
        unknown={
            "card": "{found} is no card of Mittlere Jass: "
            "its 36 cards are 6 to 10, J, Q, K and A of clubs, diamonds, hearts and spades."
        },
    ),
    possible_states=possible_states,
    standing=standing,
    staging=Staging(begin=MittlereStage, offer=offer, faces="jass"),
    duplicates_tell_more=False,
)
"""Mittlere Jass."""
