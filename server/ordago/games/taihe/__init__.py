"""Taihe A Bao, a climbing game in which one declarer plays against all others.

From the lowest to the highest::

    pack          the cards, and which ranks a set of them has
    combinations  what can be played, and what beats what
    values        options, actions, events and views
    offers        the legal actions as they are put before a player
    refusals      why an action is not legal
    knowledge     what a seat can know of the hands and exchanges of the others
    scoring       what a deal is worth
    state         a match in progress
    rules         what the game is called, its options, and how matches begin and are drawn
    wire          values <-> messages
    words         how a match reads to a person
"""

from typing import Final

from ordago.games.folder import Game
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.values import TaiheAction, TaiheEvent, TaiheOptions, TaiheView
from ordago.games.taihe.wire import CODEC
from ordago.games.taihe.words import WORDS

GAME: Final[Game[TaiheAction, TaiheEvent, TaiheView, TaiheOptions]] = Game(rules=RULES, codec=CODEC, words=WORDS)
"""Taihe A Bao."""
