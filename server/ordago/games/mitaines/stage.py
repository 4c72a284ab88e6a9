"""Mitaines shown to people: the pile between the hands, the standing declaration, and the points of each clear."""

from collections.abc import Sequence
from typing import Final

from ordago.games.mitaines.combinations import OWN_CARDS, POINTS, Combination
from ordago.games.mitaines.names import combination_words
from ordago.games.mitaines.pack import PACK, RANK_OF, RANKS_LOW_TO_HIGH
from ordago.games.mitaines.state import side_count
from ordago.games.mitaines.values import (
    HAND_CARDS,
    LAID_CARDS,
    Declaration,
    EventKind,
    MitainesEvent,
    MitainesOptions,
    Stolen,
)
from ordago.games.mitaines.words import MitainesWords
from ordago.games.shown import DEALT, present
from ordago.scene import (
    Figure,
    Group,
    Scene,
    SeatScene,
    Sentence,
    Telling,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)


class MitainesStage:
    """A match of Mitaines as it is shown."""

    def __init__(self, players: Sequence[str], options: MitainesOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._words = MitainesWords(players)
        self._target = options.target
        self._deal = 0
        self._totals = [0] * len(players)
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * len(self._players)
        self._stock = len(PACK)
        self._pile: tuple[int, ...] = ()
        self._piles = 0
        self._standing: Declaration | None = None
        self._last: int | None = None
        self._said: Sentence | None = None
        self._scores = [0] * len(self._players)

    def apply(self, event: MitainesEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        return _APPLY[event.kind](self, event)

    def deal_started(self, event: MitainesEvent) -> Telling:
        """Clear the table."""
        self._deal = event.deal
        self._begin_deal(dealer=event.seat)
        return self._words.deals(event.seat, event.deal)

    def table_laid(self, event: MitainesEvent) -> Telling:
        """Lay the first cards on the table."""
        self._pile = event.cards
        self._stock -= LAID_CARDS
        return DEALT

    def hand_dealt(self, event: MitainesEvent) -> Telling:
        """Deal a seat its hand."""
        number = HAND_CARDS[len(self._players)]
        self._hands[present(event.seat)] = _strongest_first(event.cards) or unseen(number)
        self._stock -= number
        return DEALT

    def card_played(self, event: MitainesEvent) -> Telling:
        """Put a card on the pile, and note the declaration made with it."""
        seat, card = present(event.seat), event.card
        begins = not self._pile or not self._piles
        self._piles += begins
        self._hands[seat] = without(self._hands[seat], [card])
        self._pile += (card,)
        self._last, self._said = seat, None
        if event.combination:
            self._declare(seat, event.combination, RANK_OF[card])
            self._said = combination_words(event.combination, RANK_OF[card])
        else:
            self._count_down(seat, card)
        return self._words.card(event, pile=self._piles if begins else None)

    def _declare(self, seat: int, combination: Combination, rank: int) -> None:
        robbed = self._standing
        own = Declaration(seat, combination, rank, OWN_CARDS[combination] - 1, POINTS[combination][rank])
        if robbed is not None:
            stolen = (*robbed.stolen, Stolen(robbed.seat, robbed.combination, robbed.rank))
            own = own._replace(points=own.points + robbed.points, stolen=stolen)
        self._standing = own

    def _count_down(self, seat: int, card: int) -> None:
        standing = self._standing
        if standing is not None and standing.seat == seat and RANK_OF[card] == standing.rank:
            self._standing = standing._replace(cards_left=standing.cards_left - 1)

    def declaration_stolen(self, event: MitainesEvent) -> Telling:
        """Note that a stronger declaration stole the standing one."""
        return self._words.steals(event, present(self._standing).stolen[-1])

    def pile_cleared(self, event: MitainesEvent) -> Telling:
        """Take the pile away, and add its points."""
        standing, self._pile, self._standing = self._standing, (), None
        return self._words.clears(event, standing, self._score(event))

    def last_ten(self, event: MitainesEvent) -> Telling:
        """Count the ten of diamonds that lay in the pile."""
        return self._words.last_ten(event, self._score(event))

    def deal_scored(self, event: MitainesEvent) -> Telling:
        """End a deal."""
        return self._words.scored(event)

    def _score(self, event: MitainesEvent) -> int:
        """Count what a seat scored, and return the total of its side."""
        seat, sides = present(event.seat), side_count(len(self._players))
        for mate in range(seat % sides, len(self._players), sides):
            self._scores[mate] += event.points
            self._totals[mate] += event.points
        return self._totals[seat]

    def scene(self) -> Scene:
        """Return the scene now."""
        return Scene(
            tuple(map(self._seat_scene, range(len(self._players)))),
            table=(Group(self._pile, title=sentence("pile")), _stock(self._stock)),
            figures=(*_figures(self._deal, self._target), self._declaration()),
        )

    def _declaration(self) -> Figure:
        standing = self._standing
        return _NO_DECLARATION if standing is None else _declaration(standing, self._players[standing.seat])

    def _seat_scene(self, seat: int) -> SeatScene:
        said = self._said if seat == self._last else None
        return _seat_scene(seat, self._hands[seat], said, self._dealer, self._totals[seat], self._scores[seat])


_NO_DECLARATION: Final = Figure(sentence("declaration"), sentence("none"))


@kept
def _stock(cards: int) -> Group:
    return Group(unseen(cards), title=sentence("stock"), spread=False)


@kept
def _figures(deal: int, target: int) -> tuple[Figure, ...]:
    return (Figure(sentence("deal"), untranslated(deal + 1)), Figure(sentence("target"), untranslated(target)))


@kept
def _declaration(standing: Declaration, player: str) -> Figure:
    value = sentence(
        "{combination} of {player}, {number} to play, {points} points",
        combination=combination_words(standing.combination, standing.rank),
        player=player,
        number=standing.cards_left,
        points=standing.points,
    )
    return Figure(sentence("declaration"), value, stressed=True)


@kept
def _seat_scene(
    seat: int, hand: tuple[int, ...], said: Sentence | None, dealer: int | None, total: int, score: int
) -> SeatScene:
    return SeatScene(
        hand=Group(hand, seen_by=1 << seat),
        said=said,
        roles=(sentence("dealer"),) if seat == dealer else (),
        figures=(
            Figure(sentence("score"), untranslated(total)),
            Figure(sentence("this deal"), untranslated(score)),
        ),
    )


_APPLY: Final = {
    EventKind.DEAL_STARTED: MitainesStage.deal_started,
    EventKind.TABLE_LAID: MitainesStage.table_laid,
    EventKind.HAND_DEALT: MitainesStage.hand_dealt,
    EventKind.CARD_PLAYED: MitainesStage.card_played,
    EventKind.DECLARATION_STOLEN: MitainesStage.declaration_stolen,
    EventKind.PILE_CLEARED: MitainesStage.pile_cleared,
    EventKind.LAST_TEN: MitainesStage.last_ten,
    EventKind.DEAL_SCORED: MitainesStage.deal_scored,
}


def _strongest_first(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(cards, key=lambda card: (-RANKS_LOW_TO_HIGH.index(RANK_OF[card]), card)))
