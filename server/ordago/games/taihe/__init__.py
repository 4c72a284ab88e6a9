"""Taihe A Bao, a climbing game in which one declarer plays against all others.

From the lowest to the highest::

    pack          the cards, and which ranks a set of them has
    combinations  what can be played, and what beats what
    values        options, actions, events and views
    offers        the legal actions as they are put before a player
    refusals      why an action is not legal
    knowledge     what a seat can know of the hands and exchanges of the others
    state         a match in progress
    rules         what the game is called, its options, and how matches begin and are drawn
    words         what happened and what may be done, as people say it
    stage         what lies where on the table, as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.rules import RULES, possible_states
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
    staging=Staging(begin=TaiheStage, offer=offer, faces="french"),
    duplicates_tell_more=False,
)
"""Taihe A Bao."""
