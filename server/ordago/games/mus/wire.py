"""The values of Mus as messages, and back: an action without a kind is an extra, which is a signal alone."""

from typing import Final

from ordago import v1
from ordago.games.mus.hands import PACK
from ordago.games.mus.rules import RULES
from ordago.games.mus.values import LEAST_BET, ActionKind, MusAction, MusEvent, MusOptions, MusView
from ordago.wire.codec import NoSuchActionError
from ordago.wire.mirror_codec import MirrorCodec


class MusCodec(MirrorCodec[MusAction, MusEvent, MusView, MusOptions]):
    """Turns the values of Mus into messages and back."""

    def action_of(self, said: v1.MusAction) -> MusAction:
        """Return the action of a message. Envido without a number is the least bet, as at a table.

        Raises:
            NoSuchActionError: it names no action: it has neither kind nor signal.
        """
        if not said.kind and not said.signal:
            raise NoSuchActionError(f"0 is no kind of action in {RULES.title}.", field="kind")
        action = super().action_of(said)
        if action.kind is ActionKind.ENVIDO and not action.amount:
            return action._replace(amount=LEAST_BET)
        return action


CODEC: Final = MusCodec(
    RULES,
    options=MusOptions,
    view=MusView,
    action=MusAction,
    event=MusEvent,
    pack=PACK,
    unknown={"kind": "{found} is no kind of action in Mus.", "signal": "{found} is no signal of Mus."},
)
"""The codec of Mus."""
