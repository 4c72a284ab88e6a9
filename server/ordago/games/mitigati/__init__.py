"""Mitigati, a tarot game for three: bargaining over stopping while the cards are dealt, then trick taking.

From the lowest to the highest::

    pack         how high the cards stand, what they count, and how they are dealt
    values       options, actions, events and views
    following    what may be played to a trick, and the actions of playing a card of a hand
    scoring      what declarations and tricks are worth
    refusals     what may be said in a bargain and laid away, and why an action is refused, whatever it is
    events       the events, with their audiences
    state        a match in progress
    sampling     in how many ways cards can be parted among hands and discard, and one drawn
    knowledge    what has been shown of a hand, what a seat can know, and how a deal that fits it is drawn
    rules        what it is played with, and how a match begins
    words        what happened and what may be done, as people say it
    stage        what lies where on the table, as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.rules import RULES, possible_states
from ordago.games.mitigati.stage import MitigatiStage
from ordago.games.mitigati.values import MitigatiAction, MitigatiEvent, MitigatiOptions, MitigatiView
from ordago.games.mitigati.words import offer
from ordago.scene import Staging
from ordago.wire.mirror_codec import MirrorCodec

_NO_CARD: Final = (
    "{found} is no card of Mitigati: its 78 cards are the suits from the ace to the king, the trumps and the Fool."
)

GAME: Final = Game(
    rules=RULES,
    codec=MirrorCodec(
        RULES,
        options=MitigatiOptions,
        view=MitigatiView,
        action=MitigatiAction,
        event=MitigatiEvent,
        pack=PACK,
        unknown={
            "kind": "Kind {found} is no kind of action; they are STATEMENT, PLAY, DISCARD, CARD.",
            "cards": _NO_CARD,
            "card": _NO_CARD,
        },
    ),
    possible_states=possible_states,
    staging=Staging(begin=MitigatiStage, offer=offer, faces="tarot"),
)
"""Mitigati."""
