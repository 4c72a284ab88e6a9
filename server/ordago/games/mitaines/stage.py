"""Mitaines shown to a person: the pile between the hands, the declaration that stands, and what each clear earned."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import sign
from ordago.game import LegalAction
from ordago.games.mitaines.combinations import OWN_CARDS, POINTS, Combination, named
from ordago.games.mitaines.pack import PACK, RANK_OF, RANKS_LOW_TO_HIGH
from ordago.games.mitaines.state import side_count
from ordago.games.mitaines.values import (
    HAND_CARDS,
    LAID_CARDS,
    Clear,
    Declaration,
    EventKind,
    MitainesEvent,
    MitainesOptions,
    PlayCard,
    Stolen,
)
from ordago.games.shown import present
from ordago.scene import (
    Figure,
    Group,
    Mark,
    Offer,
    Scene,
    SeatScene,
    Section,
    Sentence,
    Telling,
    kept,
    sentence,
    unseen,
    untranslated,
    without,
)

_CLEARED: Final = {
    Clear.MATCH: sentence("by the rank of the top card"),
    Clear.JACK: sentence("with a jack"),
    Clear.COMPLETION: sentence("by completing what was declared"),
    Clear.STEAL: sentence("by stealing the declaration"),
}


class MitainesStage:
    """A match of Mitaines as it is shown."""

    def __init__(self, players: Sequence[str], options: MitainesOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._target = options.target
        self._deal = 0
        self._totals = [0] * len(players)
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * len(self._players)
        self._stock = len(PACK)
        self._pile: tuple[int, ...] = ()
        self._standing: Declaration | None = None
        self._clears = 0
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
        mark = Mark(Section.DEAL, sentence("Deal {number}", number=event.deal + 1))
        return Telling(sentence("{player} deals.", player=self._name(event)), event.seat, mark)

    def table_laid(self, event: MitainesEvent) -> Telling:
        """Lay the first cards on the table."""
        self._pile = event.cards
        self._stock -= LAID_CARDS
        return Telling()

    def hand_dealt(self, event: MitainesEvent) -> Telling:
        """Give a seat its hand."""
        number = HAND_CARDS[len(self._players)]
        self._hands[present(event.seat)] = _strongest_first(event.cards) or unseen(number)
        self._stock -= number
        return Telling()

    def card_played(self, event: MitainesEvent) -> Telling:
        """Put a card on the pile, and hear what is declared with it."""
        seat, card = present(event.seat), event.card
        self._hands[seat] = without(self._hands[seat], [card])
        self._pile += (card,)
        self._last, self._said = seat, None
        if not event.combination:
            self._count_down(seat, card)
            return Telling(sentence("{player} plays {card}.", player=self._name(event), card=sign(card)), seat)
        combination = named(event.combination, RANK_OF[card])
        self._declare(seat, event.combination, RANK_OF[card])
        self._said = untranslated(combination)
        words = "{player} plays {card} and declares a {combination}."
        return Telling(sentence(words, player=self._name(event), card=sign(card), combination=combination), seat)

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
        """Hear that a declaration was stolen by a stronger one."""
        robbed = self._players[event.robbed_seat or 0]
        words = "{player} steals the declaration of {robbed}."
        return Telling(sentence(words, player=self._name(event), robbed=robbed), event.seat)

    def pile_cleared(self, event: MitainesEvent) -> Telling:
        """Take the pile away, and count what it earned."""
        self._pile, self._standing = (), None
        self._clears += 1
        self._score(present(event.seat), event.points)
        mark = Mark(Section.PART, sentence("Clear {number}", number=self._clears))
        how = _CLEARED[event.clear or Clear.MATCH]
        if not event.points:
            return Telling(
                sentence("{player} clears the pile {how}.", player=self._name(event), how=how), event.seat, mark
            )
        words = "{player} clears the pile {how}: {points} points."
        told = sentence(words, player=self._name(event), how=how, points=event.points)
        return Telling(told, event.seat, mark)

    def last_ten(self, event: MitainesEvent) -> Telling:
        """Count the ten of diamonds that lay in the pile."""
        self._score(present(event.seat), event.points)
        words = "{player} gets {points} points for the ten of diamonds in the pile."
        return Telling(sentence(words, player=self._name(event), points=event.points), event.seat)

    def deal_scored(self, event: MitainesEvent) -> Telling:
        """End a deal."""
        told = sentence("The deal is over: {scores}.", scores=self._each(event.scores))
        return Telling(told)

    def _score(self, seat: int, points: int) -> None:
        sides = side_count(len(self._players))
        for mate in range(seat % sides, len(self._players), sides):
            self._scores[mate] += points
            self._totals[mate] += points

    def _each(self, points: Sequence[int]) -> str:
        """Name each side and its points."""
        sides = side_count(len(self._players))
        return ", ".join(f"{' & '.join(self._players[side::sides])} {points[side]}" for side in range(sides))

    def _name(self, event: MitainesEvent) -> str:
        return self._players[present(event.seat)]

    def scene(self) -> Scene:
        """Return what lies on the table now."""
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
    words = "{combination} of {player}, {number} to play, {points} points"
    value = sentence(
        words,
        combination=untranslated(named(standing.combination, standing.rank)),
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


class MitainesStaging:
    """How Mitaines is shown."""

    faces = "french"
    """A pack of 52 cards."""

    def begin(self, *, players: Sequence[str], options: MitainesOptions) -> MitainesStage:
        """Return the stage of a match before its first event."""
        return MitainesStage(players, options)

    def offer(self, legal: LegalAction[PlayCard]) -> Offer:
        """Return how a legal action is offered to a person."""
        card, combination = legal.action
        if not combination:
            return Offer(sentence("Play {card}", card=sign(card)), (card,))
        declared = named(combination, RANK_OF[card])
        return Offer(sentence("Play {card}: {combination}", card=sign(card), combination=declared), (card,))


STAGING: Final = MitainesStaging()
"""How Mitaines is shown."""
