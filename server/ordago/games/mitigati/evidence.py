"""The evidence about a seat's hand from the play and the declarations of a deal."""

from typing import NamedTuple

from ordago.cards import card_set, count
from ordago.games.mitigati.following import ruled_out
from ordago.games.mitigati.pack import ALL_TRUMPS, KINGS, LED, MITIGATI_CARDS, TAROCCHI_CARDS
from ordago.games.mitigati.scoring import TAROCCHI_FROM, honours_holding
from ordago.games.mitigati.values import SEATS, TRICKS, Holding, MitigatiView


class Evidence(NamedTuple):
    """The known facts about the cards that a seat holds now."""

    left: int
    """The number of cards that it holds."""
    played: int
    """The cards that it played, as a set."""
    shown: int
    """The cards that it showed for tarocchi and did not play yet, as a set."""
    excluded: int
    """The cards that it cannot hold, as a set."""
    declared: tuple[Holding, int] | None
    """The holding that it declared besides tarocchi, with its number."""
    most_tarocchi: int
    """The most cards of ``TAROCCHI_CARDS`` that it may hold."""

    @property
    def has_shown_a_trump(self) -> bool:
        """True if it has certainly held a trump since the discard."""
        return bool((self.played | self.shown) & ALL_TRUMPS)

    def allows_honours(self, honours: int) -> bool:
        """Return True if these can be all its kings, trump I, trump XXI and Fool, as a set."""
        ever = honours | self.played
        return honours_holding(count(ever & KINGS), count(ever & MITIGATI_CARDS)) == self.declared


def evidence_of(view: MitigatiView) -> list[Evidence]:
    """Return the evidence about each seat during the play."""
    played, excluded = _from_play(view)
    return [_of_seat(view, seat, played=played[seat], excluded=excluded[seat]) for seat in range(SEATS)]


def _of_seat(view: MitigatiView, seat: int, *, played: int, excluded: int) -> Evidence:
    declared = {each.holding: each for each in view.declarations if each.seat == seat}
    tarocchi = declared.pop(Holding.TAROCCHI, None)
    other = next(((each.holding, each.number) for each in declared.values()), None)
    if tarocchi is None:
        most = TAROCCHI_FROM - 1 - count(played & TAROCCHI_CARDS)
        return Evidence(TRICKS - count(played), played, 0, excluded, other, most)
    shown = card_set(tarocchi.cards) & ~played
    return Evidence(TRICKS - count(played), played, shown, excluded, other, count(shown))


def _from_play(view: MitigatiView) -> tuple[list[int], list[int]]:
    """Return the cards that each seat played, and those that it thereby showed not to hold, as sets."""
    played, excluded = [0] * SEATS, [0] * SEATS
    leaders = ((view.dealer + 1) % SEATS, *view.takers)
    seat = led = 0
    for position, card in enumerate(view.played + view.trick):
        if position % SEATS == 0:
            seat, led = leaders[position // SEATS], 0
        played[seat] |= 1 << card
        excluded[seat] |= ruled_out(card, led=led)
        led = led or LED[card]
        seat = (seat + 1) % SEATS
    return played, excluded
