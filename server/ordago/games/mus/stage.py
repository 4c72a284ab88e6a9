"""Mus shown to a person: four hands of four, what was said, how the lances stand, and the stones of both sides."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, spanish_rank
from ordago.game import LegalAction
from ordago.games.mus.hands import PACK
from ordago.games.mus.lances import LancesShown, lance_title
from ordago.games.mus.refusals import SIGNAL_WORDS
from ordago.games.mus.values import (
    HAND,
    SEATS,
    SIDES,
    ActionKind,
    EventKind,
    Lance,
    MusAction,
    MusEvent,
    MusOptions,
    Reason,
)
from ordago.games.shown import present
from ordago.scene import (
    Figure,
    FigureKind,
    Group,
    Mark,
    Offer,
    Scene,
    SeatScene,
    Section,
    Sentence,
    Telling,
    cards_words,
    sentence,
    unseen,
    untranslated,
    without,
)

# What players say has no other words in any language.
_SAID: Final = {
    ActionKind.MUS: sentence("Mus"),
    ActionKind.NO_MUS: sentence("No mus"),
    ActionKind.PASO: sentence("Paso"),
    ActionKind.ORDAGO: sentence("Órdago"),
    ActionKind.QUIERO: sentence("Quiero"),
    ActionKind.NO_QUIERO: sentence("No quiero"),
}
_REASONS: Final = {
    Reason.CALLED: sentence("the stake"),
    Reason.BONUS: sentence("what it is worth"),
    Reason.ORDAGO: sentence("the órdago"),
    Reason.REFUSED: sentence("the bet that was refused"),
}


class MusStage:
    """A match of Mus as it is shown."""

    def __init__(self, players: Sequence[str], options: MusOptions) -> None:
        """Begin before the first deal."""
        self._players = players
        self._sides = [f"{players[side]} & {players[side + 2]}" for side in SIDES]
        self._several = options.games > 1
        self._points: Sequence[int] = (0, 0)
        self._games: Sequence[int] = (0, 0)
        self._begin_deal(dealer=None)

    def _begin_deal(self, *, dealer: int | None) -> None:
        self._dealer = dealer
        self._hands: list[tuple[int, ...]] = [()] * SEATS
        self._discards: list[tuple[int, ...]] = [()] * SEATS
        self._stock = len(PACK)
        self._lances = LancesShown(self._sides)
        self._shown = False
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
        title = sentence("Deal {number}", number=event.deal + 1)
        if self._several:
            title = sentence("Game {game}, deal {number}", game=event.game + 1, number=event.deal + 1)
        return Telling(sentence("{player} deals.", player=self._name(event)), event.seat, Mark(Section.DEAL, title))

    def hand_dealt(self, event: MusEvent) -> Telling:
        """Give a seat its hand."""
        self._hands[present(event.seat)] = _held(event.cards or unseen(HAND))
        self._stock -= HAND
        return Telling()

    def said(self, event: MusEvent) -> Telling:
        """Hear what a player says."""
        mark = None
        if event.lance is None and not self._asking:
            self._asking = True
            self._silence()
            mark = Mark(Section.PART, sentence("Mus"))
        said = _said(event)
        self._said[present(event.seat)] = said
        self._lances.hear(event)
        return Telling(sentence("{player}: {said}.", player=self._name(event), said=said), event.seat, mark)

    def signalled(self, event: MusEvent) -> Telling:
        """See a signal."""
        signal = SIGNAL_WORDS[event.signal] if event.signal else "?"
        return Telling(sentence("{player} signals: {signal}.", player=self._name(event), signal=signal), event.seat)

    def discarded(self, event: MusEvent) -> Telling:
        """Lay cards of a seat away."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.amount)
        self._hands[seat] = without(self._hands[seat], cards)
        self._discards[seat] += cards
        self._last_discard = (seat, len(cards))
        self._asking = False
        told = sentence("{player} discards {cards}.", player=self._name(event), cards=cards_words(cards))
        return Telling(told, seat)

    def reshuffled(self, event: MusEvent) -> Telling:
        """Make the discards the stock. Where one player alone still needs cards, those he just laid away stay out."""
        seat, number = self._last_discard
        stay = sum(map(len, self._discards)) - event.amount
        kept = self._discards[seat][-number:] if stay else ()
        self._discards = [kept if other == seat else () for other in range(SEATS)]
        self._stock += event.amount
        return Telling(sentence("The stock runs out: {number} discards are shuffled.", number=event.amount))

    def drawn(self, event: MusEvent) -> Telling:
        """Give a seat cards for those that it laid away."""
        seat = present(event.seat)
        cards = event.cards or unseen(event.amount)
        self._hands[seat] = _held((*self._hands[seat], *cards))
        self._stock -= event.amount
        return Telling(sentence("{player} draws {cards}.", player=self._name(event), cards=cards_words(cards)), seat)

    def lance_started(self, event: MusEvent) -> Telling:
        """Begin a lance."""
        lance = present(event.lance)
        self._silence()
        self._lances.begin(lance)
        title = lance_title(lance)
        mark = Mark(Section.PART, title)
        if lance not in (Lance.PARES, Lance.JUEGO):
            return Telling(sentence("{lance}.", lance=title), None, mark)
        have_it = ", ".join(self._players[seat] for seat in event.seats)
        if not have_it:
            return Telling(sentence("{lance}: nobody has it.", lance=title), None, mark)
        return Telling(sentence("{lance}: {players} have it.", lance=title, players=have_it), None, mark)

    def lance_settled(self, event: MusEvent) -> Telling:
        """End the betting on a lance."""
        ended = self._lances.settle(event)
        return Telling(sentence("{lance}: {ended}.", lance=lance_title(present(event.lance)), ended=ended))

    def hand_shown(self, event: MusEvent) -> Telling:
        """Turn up a hand."""
        seat, cards = present(event.seat), _held(event.cards)
        mark = None if self._shown else Mark(Section.PART, sentence("Showdown"))
        self._hands[seat], self._shown = cards, True
        self._silence()
        return Telling(
            sentence("{player} shows {cards}.", player=self._name(event), cards=cards_words(cards)), seat, mark
        )

    def points_scored(self, event: MusEvent) -> Telling:
        """Count points."""
        self._points = event.points
        told = sentence(
            "{lance}, {reason}: {points} to {side}.",
            lance=lance_title(present(event.lance)),
            reason=_REASONS[event.reason or Reason.CALLED],
            points=event.amount,
            side=self._side(event),
        )
        return Telling(told)

    def dentro(self, event: MusEvent) -> Telling:
        """Hear that a side is near the target."""
        return Telling(sentence("{side} are dentro.", side=self._side(event)))

    def deal_ended(self, event: MusEvent) -> Telling:
        """End a deal."""
        self._points = event.points
        points = ", ".join(f"{side} {points}" for side, points in zip(self._sides, event.points, strict=True))
        return Telling(sentence("The deal is over: {points}.", points=points))

    def game_won(self, event: MusEvent) -> Telling:
        """End a game."""
        self._points, self._games = event.points, event.games
        if event.reason is Reason.DEAL_CAP:
            return Telling(sentence("No more deals are played: {side} win the game.", side=self._side(event)))
        return Telling(sentence("{side} win the game.", side=self._side(event)))

    def _name(self, event: MusEvent) -> str:
        return self._players[present(event.seat)]

    def _side(self, event: MusEvent) -> str:
        if event.side is None:
            raise ValueError(f"an event of kind {event.kind.name} names a side here")
        return self._sides[event.side]

    def scene(self) -> Scene:
        """Return what lies on the table now."""
        return Scene(
            tuple(map(self._seat_scene, range(SEATS))),
            table=(Group(unseen(self._stock), title=sentence("stock"), spread=False),),
            figures=(*self._lances.figures(), *map(self._stones, SIDES), *self._games_won()),
        )

    def _stones(self, side: int) -> Figure:
        value = untranslated(self._points[side])
        return Figure(untranslated(self._sides[side]), value, kind=FigureKind.STONES)

    def _games_won(self) -> tuple[Figure, ...]:
        value = sentence("{first} : {second}", first=self._games[0], second=self._games[1])
        return (Figure(sentence("games"), value),) if self._several else ()

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


def _said(event: MusEvent) -> Sentence:
    """Return what a player said, as he says it."""
    if event.said is ActionKind.ENVIDO:
        return sentence("Envido {amount}", amount=event.amount)
    if event.said is None:
        raise ValueError("something is said")
    return _binding(_SAID[event.said]) if event.binding else _SAID[event.said]


def _binding(said: Sentence) -> Sentence:
    return sentence("{said}, for both", said=said)


def _held(cards: Sequence[int]) -> tuple[int, ...]:
    """Return a hand as a player holds it: the highest first, the cards that are not seen last."""
    return tuple(sorted(cards, key=lambda card: (card == NO_CARD, -spanish_rank(card), card)))


class MusStaging:
    """How Mus is shown."""

    faces = "spanish"
    """40 Spanish cards."""

    def begin(self, *, players: Sequence[str], options: MusOptions) -> MusStage:
        """Return the stage of a match before its first event."""
        return MusStage(players, options)

    def offer(self, legal: LegalAction[MusAction]) -> Offer:
        """Return how a legal action, or a signal as one, is offered to a person."""
        action = legal.action
        match action.kind:
            case None:
                return Offer(sentence("Signal: {signal}", signal=SIGNAL_WORDS[action.signal] if action.signal else "?"))
            case ActionKind.DISCARD:
                return Offer(sentence("Discard…"))
            case ActionKind.ENVIDO:
                return Offer(sentence("Envido…"))
            case _:
                said = _SAID[action.kind]
                return Offer(_binding(said) if action.binding else said)


STAGING: Final = MusStaging()
"""How Mus is shown."""
