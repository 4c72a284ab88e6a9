"""The values of Mittlere Jass as messages, and back. Views are put together by hand, since they are quick like this."""

from functools import lru_cache
from typing import Final

from ordago import v1
from ordago.fields import delimited, list_heads, number, tag
from ordago.games.codec import MirrorCodec
from ordago.games.mirror import Mirror
from ordago.games.mittlere.pack import PACK
from ordago.games.mittlere.rules import RULES
from ordago.games.mittlere.values import (
    SEATS,
    MittlereEvent,
    MittlereOptions,
    MittlereTrump,
    MittlereView,
    PlayCard,
)

_MITTLERE: Final = tag(v1.View, "mittlere")
_HAND, _TRICK, _PLAYED, _TAKERS = (
    list_heads(tag(v1.MittlereView, name), len(PACK)) for name in ("hand", "trick", "played", "takers")
)
_LEADER: Final = tuple(number(tag(v1.MittlereView, "leader"), seat) for seat in range(SEATS))
_DEALS_AT_ONCE: Final = 4096
"""For how many deals that are played at the same time the fields that stay the same for long are kept."""
_TRUMP: Final = Mirror(MittlereTrump, v1.MittlereTrump)


class MittlereCodec(MirrorCodec[PlayCard, MittlereEvent, MittlereView, MittlereOptions]):
    """Turns the values of Mittlere Jass into messages and back."""

    def view(self, view: MittlereView) -> bytes:
        """Return the message of a view, serialized. Its fields stand in the order of their numbers."""
        _, deal, deals, dealer, hand, trick, leader, played, takers, trump, totals = view
        fields = (
            _deal_fields(deal, deals, dealer),
            *(_HAND[len(hand)], bytes(hand)),
            *(_TRICK[len(trick)], bytes(trick)),
            _LEADER[leader],
            *(_PLAYED[len(played)], bytes(played)),
            *(_TAKERS[len(takers)], bytes(takers)),
            _trump_and_totals_fields(trump, totals),
        )
        return delimited(_MITTLERE, b"".join(fields))


@lru_cache
def _deal_fields(deal: int, deals: int, dealer: int) -> bytes:
    return v1.MittlereView(deal=deal, deals=deals, dealer=dealer).SerializeToString()


@lru_cache(maxsize=_DEALS_AT_ONCE)
def _trump_and_totals_fields(trump: MittlereTrump | None, totals: tuple[int, ...]) -> bytes:
    message = None if trump is None else _TRUMP.write(trump)
    return v1.MittlereView(trump=message, totals=totals).SerializeToString()


CODEC: Final = MittlereCodec(
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
)
"""The codec of Mittlere Jass."""
