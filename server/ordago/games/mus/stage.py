"""Mus shown to people: four hands of four, the statements, the lances, and the stones of both sides."""

from collections.abc import Iterator, Sequence
from typing import Final

from ordago.cards import NO_CARD, card_set, spanish_rank
from ordago.games.mus.betting import Betting, is_contested
from ordago.games.mus.hands import PACK, best_seat, hand_table
from ordago.games.mus.values import HAND, SEATS, SIDES, EventKind, Lance, MusAction, MusEvent, MusOptions
from ordago.games.mus.words import ASKING, TITLES, MusWords, lance_mark, said
from ordago.games.shown import DEALT, SCORE, present
from ordago.scene import (
    Figure,
    FigureKind,
    Group,
    Mark,
    Scene,
    SeatScene,
    Sentence,
    Telling,
    sentence,
    unseen,
    untranslated,
    without,
)


class MusStage:
    """A match of Mus as it is shown."""

    def __init__(self, players: Sequence[str], options: MusOptions) -> None:
        """Begin before the first deal."""
        self._words = MusWords(players, several=options.games > 1)
        self._several = options.games > 1
        self._kings = options.kings
        self._points: Sequence[int] = (0, 0)
        self._games: Sequence[int] = (0, 0)
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._discards: list[tuple[int, ...]] = [()] * SEATS
        self._last_discard = (0, 0)
        self._stock = len(PACK)
        self._lances = _Lances(self._words)
        self._shown = False
        self._next: Mark | None = None
        self._asking = False
        self._silence()

    def _silence(self) -> None:
        self._said: list[Sentence | None] = [None] * SEATS

    def apply(self, event: MusEvent, /) -> Telling:
        """Take in what happened, and say it in words."""
        return _APPLY[event.kind](self, event)

    def deal_started(self, event: MusEvent) -> Telling:
        """Clear the table."""
        self._begin_deal(dealer=event.seat)
        self._points, self._games = event.points, event.games
        return self._words.begins(event)

    def hand_dealt(self, event: MusEvent) -> Telling:
        """Deal a seat its hand."""
        self._hands[present(event.seat)] = _held(event.cards or unseen(HAND))
        self._stock -= HAND
        return DEALT

    def said(self, event: MusEvent) -> Telling:
        """Note a statement of a player."""
        if event.lance is None and not self._asking:
            self._asking = True
            self._silence()
            self._next = ASKING
        seat = present(event.seat)
        self._said[seat] = heard = said(event, raises=self._lances.is_bet_on)
        self._lances.hear(event)
        return self._words.speaks(seat, heard, self._begun())

    def signalled(self, event: MusEvent) -> Telling:
        """See a signal."""
        return self._words.signals(event)

    def discarded(self, event: MusEvent) -> Telling:
        """Lay cards of a seat away."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.amount)
        self._hands[seat] = without(self._hands[seat], cards)
        self._discards[seat] += cards
        self._last_discard = (seat, len(cards))
        self._asking = False
        return self._words.discards(event, cards)

    def reshuffled(self, event: MusEvent) -> Telling:
        """Make the discards the stock. Where one player alone still needs cards, those just laid away stay out."""
        seat, number = self._last_discard
        stay = sum(map(len, self._discards)) - event.amount
        kept = self._discards[seat][-number:] if stay else ()
        self._discards = [kept if other == seat else () for other in range(SEATS)]
        self._stock += event.amount
        return self._words.reshuffles(event)

    def drawn(self, event: MusEvent) -> Telling:
        """Deal a seat cards for its discards."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.amount)
        self._hands[seat] = _held((*self._hands[seat], *cards))
        self._stock -= event.amount
        return self._words.draws(event, cards)

    def lance_started(self, event: MusEvent) -> Telling:
        """Begin a lance."""
        self._silence()
        lance = present(event.lance)
        self._lances.begin(event, mano=self._mano)
        if lance in (Lance.PARES, Lance.JUEGO):
            return self._words.announces(lance, event.seats)
        self._next = lance_mark(lance)
        return Telling()

    def lance_settled(self, event: MusEvent) -> Telling:
        """End the betting on a lance."""
        self._lances.settle(event)
        return self._words.ends_lance(event)

    def hand_shown(self, event: MusEvent) -> Telling:
        """Turn up a hand."""
        seat, first = present(event.seat), not self._shown
        self._hands[seat], self._shown = _held(event.cards), True
        self._next = SCORE
        self._silence()
        return self._words.shows(event, self._hands[seat], first=first)

    def points_scored(self, event: MusEvent) -> Telling:
        """Count points."""
        self._points = event.points
        best = self._best(present(event.lance)) if self._shown else 0
        return self._words.scores(event, best=best, hand=self._hands[best], mark=self._begun())

    def _best(self, lance: Lance) -> int:
        """Return the seat whose hand, of those shown, wins a lance."""
        worth = hand_table(self._kings).worth
        return best_seat([worth(card_set(hand)) for hand in self._hands], lance, mano=self._mano)

    def dentro(self, event: MusEvent) -> Telling:
        """Note that a side is near the target."""
        return self._words.dentro(event)

    def deal_ended(self, event: MusEvent) -> Telling:
        """End a deal."""
        self._points = event.points
        return self._words.ends(event, self._begun())

    def game_won(self, event: MusEvent) -> Telling:
        """End a game."""
        self._points, self._games = event.points, event.games
        return self._words.wins(event, self._begun())

    def _begun(self) -> Mark | None:
        """Return the section that begins now, once."""
        begun, self._next = self._next, None
        return begun

    @property
    def _mano(self) -> int:
        return ((self._dealer or 0) + 1) % SEATS

    def scene(self) -> Scene:
        """Return the scene now."""
        return Scene(
            tuple(map(self._seat_scene, range(SEATS))),
            table=(Group(unseen(self._stock), title=sentence("stock"), spread=False),),
            figures=(*self._lances.figures(), *map(self._stones, SIDES), *self._games_won()),
        )

    def _stones(self, side: int) -> Figure:
        value = untranslated(self._points[side])
        return Figure(self._words.sides[side], value, kind=FigureKind.STONES)

    def _games_won(self) -> tuple[Figure, ...]:
        value = sentence("{first} : {second}", first=self._games[0], second=self._games[1])
        return (Figure(sentence("games won"), value),) if self._several else ()

    def _seat_scene(self, seat: int) -> SeatScene:
        discards = Group(self._discards[seat], title=sentence("discards"), seen_by=1 << seat, spread=False)
        return SeatScene(
            hand=Group(self._hands[seat], seen_by=None if self._shown else 1 << seat),
            piles=(discards,) if self._discards[seat] else (),
            said=self._said[seat],
            roles=self._roles(seat),
        )

    def _roles(self, seat: int) -> tuple[Sentence, ...]:
        if self._dealer is None:
            return ()
        roles = {self._dealer: sentence("dealer"), (self._dealer + 1) % SEATS: sentence("mano")}
        return (roles[seat],) if seat in roles else ()


_APPLY: Final = {
    EventKind.DEAL_STARTED: MusStage.deal_started,
    EventKind.HAND_DEALT: MusStage.hand_dealt,
    EventKind.SAID: MusStage.said,
    EventKind.SIGNALLED: MusStage.signalled,
    EventKind.DISCARDED: MusStage.discarded,
    EventKind.RESHUFFLED: MusStage.reshuffled,
    EventKind.DRAWN: MusStage.drawn,
    EventKind.LANCE_STARTED: MusStage.lance_started,
    EventKind.LANCE_SETTLED: MusStage.lance_settled,
    EventKind.HAND_SHOWN: MusStage.hand_shown,
    EventKind.POINTS_SCORED: MusStage.points_scored,
    EventKind.DENTRO: MusStage.dentro,
    EventKind.DEAL_ENDED: MusStage.deal_ended,
    EventKind.GAME_WON: MusStage.game_won,
}


def _held(cards: Sequence[int]) -> tuple[int, ...]:
    """Return a hand as a player holds it: the highest first, the cards that are not seen last."""
    return tuple(sorted(cards, key=lambda card: (card == NO_CARD, -spanish_rank(card), card)))


class _Lances:
    """The state of the lances of one deal."""

    def __init__(self, words: MusWords) -> None:
        self._words = words
        self._running: Lance | None = None
        self._betting: Betting | None = None
        self._ended: dict[Lance, Sentence] = {}

    def begin(self, event: MusEvent, *, mano: int) -> None:
        self._running, seats = event.lance, card_set(event.seats)
        is_bet_on = event.lance is not None and is_contested(seats)
        self._betting = Betting(present(event.lance), seats, mano=mano) if is_bet_on else None

    @property
    def is_bet_on(self) -> bool:
        """True if somebody has bet, so that all that follows are answers."""
        return self._betting is not None and self._betting.bettor is not None

    def hear(self, event: MusEvent) -> None:
        """Note a statement about the lance."""
        if self._betting is not None:
            self._betting.say(MusAction(event.said, event.amount, (), event.binding))

    def settle(self, event: MusEvent) -> None:
        self._ended[present(event.lance)] = self._words.ended(event)
        self._running = None

    def figures(self) -> Iterator[Figure]:
        """Yield the state of the lances: punto is one of them once nobody has juego."""
        punto = Lance.PUNTO in (self._running, *self._ended)
        for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.PUNTO if punto else Lance.JUEGO):
            yield Figure(TITLES[lance], self._standing(lance), stressed=lance is self._running)

    def _standing(self, lance: Lance) -> Sentence:
        if lance is not self._running:
            return self._ended.get(lance, untranslated("–"))
        if self._betting is None or not self.is_bet_on:
            return sentence("open")
        if self._betting.ordago:
            return untranslated("órdago")
        return sentence("{stake} bet", stake=self._betting.stake)
