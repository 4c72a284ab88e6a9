"""Mitigati, a tarot game for three: bargaining over stopping while the cards are dealt, then trick taking.

From the lowest to the highest::

    pack         the order and points of the cards, and the dealing
    values       options, actions, events and views
    following    the legal cards for a trick, and the actions that play them
    scoring      the points for declarations and tricks
    refusals     the legal statements in a bargain, the legal discards, and the reasons for refusing actions
    events       the events, with their audiences
    state        a match in progress
    sampling     the ways to distribute cards among hands and discard, and one drawn
    knowledge    the evidence about a hand, the knowledge of a seat, and a deal drawn to fit it
    rules        the start of a match, the options, and states that fit a view
    words        events and legal actions in words
    stage        the table as people see it
"""

from typing import Final

from ordago.games.definition import Game
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.rules import RULES, possible_states, standing
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
    standing=standing,
    staging=Staging(begin=MitigatiStage, offer=offer, faces="tarot"),
)
"""Mitigati."""
