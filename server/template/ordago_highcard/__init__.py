"""High Card, a game of tricks for two to four in which the highest card takes."""

from pathlib import Path
from typing import Final

from ordago.games.definition import Game
from ordago.scene import Staging
from ordago.wire.mirror_codec import MirrorCodec
from ordago.wire.slots import Messages

from .highcard_pb2 import HighcardAction as ActionMessage
from .highcard_pb2 import HighcardEvent as EventMessage
from .highcard_pb2 import HighcardOptions as OptionsMessage
from .highcard_pb2 import HighcardView as ViewMessage
from .rules import PACK, RULES, possible_states, standing
from .stage import HighcardStage, offer
from .values import HighcardEvent, HighcardOptions, HighcardView, PlayCard

GAME: Final = Game(
    rules=RULES,
    codec=MirrorCodec(
        RULES,
        options=HighcardOptions,
        view=HighcardView,
        action=PlayCard,
        event=HighcardEvent,
        pack=PACK,
        messages=Messages(OptionsMessage, ViewMessage, ActionMessage, EventMessage),
    ),
    possible_states=possible_states,
    standing=standing,
    staging=Staging(begin=HighcardStage, offer=offer, faces="french"),
    rule_page=Path(__file__).with_name("highcard.md").read_text(encoding="utf-8"),
)
"""High Card."""
