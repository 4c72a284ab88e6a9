"""Taihe A Bao, a climbing game in which one declarer plays against all others.

From the lowest to the highest::

    pack          the cards, and which ranks a set of them has
    combinations  the combinations and their order
    values        options, actions, events and views
    offers        the legal actions as they are offered to a player
    refusals      the reasons for refusing an action
    knowledge     the knowledge of a seat about the hands and exchanges of the others
    state         a match in progress
    rules         the names, the options, and the start and drawing of matches
    words         events and legal actions in words
    stage         the table as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.rules import RULES, possible_states, standing
from ordago.games.taihe.stage import TaiheStage
from ordago.games.taihe.values import TaiheAction, TaiheEvent, TaiheOptions, TaiheView
from ordago.games.taihe.words import offer
from ordago.scene import Staging
from ordago.wire.mirror_codec import MirrorCodec

_NO_CARD: Final = (
    "{found} is no card of Taihe A Bao: "
    "its 40 cards are 4 to 7, 9, 10, J, Q, K and A of clubs, diamonds, hearts and spades."
)

GAME: Final = Game(
    rules=RULES,
    codec=MirrorCodec(
        RULES,
        options=TaiheOptions,
        view=TaiheView,
        action=TaiheAction,
        event=TaiheEvent,
        pack=PACK,
        unknown={
            "card": _NO_CARD,
            "kind": "{found} is no kind of action of Taihe A Bao: the kinds are PASS, DECLARE, ASK, GIVE_BACK, PLAY.",
            "cards": _NO_CARD,
        },
    ),
    possible_states=possible_states,
    standing=standing,
    staging=Staging(begin=TaiheStage, offer=offer, faces="french"),
    duplicates_tell_more=False,
)
"""Taihe A Bao."""
