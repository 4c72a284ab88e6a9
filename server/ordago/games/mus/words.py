"""Mus told to a person, the way the card column of a newspaper would tell it.

For each deal: the hands; a paragraph for the exchanges and one for each lance, with what was said and how it ended; the
hands at the showdown; then what was scored, and the points.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import sign, spanish_rank
from ordago.games.mus.refusals import KIND_WORDS, LANCE_WORDS, SIGNAL_WORDS
from ordago.games.mus.values import SEATS, SIDES, ActionKind, EventKind, Lance, MusEvent, Reason, Result
from ordago.games.shown import present

_WIDTH: Final = 118
_INDENT: Final = "  "
_LABEL_WIDTH: Final = len("showdown") + 2
_ANNOUNCED: Final = (Lance.PARES, Lance.JUEGO)
_RESULTS: Final = {
    Result.PASSED: "All pass",
    Result.REFUSED: "Refused",
    Result.NOBODY: "Nobody has it",
    Result.ORDAGO: "The órdago is called",
}
_REASONS: Final = {
    Reason.CALLED: "the stake",
    Reason.BONUS: "what it is worth",
    Reason.ORDAGO: "the órdago",
}


class _Teller:
    """What has to be remembered between two events to tell the second."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._sides = [f"{players[side]} and {players[side + 2]}" for side in SIDES]
        self._name_width = max(len(player) for player in players)
        self._shown = 0
        self._any_deal = False
        self._begin_paragraph("")

    def _begin_paragraph(self, label: str) -> None:
        self._label = label
        self._sentences: list[str] = []
        self._clauses: list[str] = []
        self._last_kind: EventKind | None = None

    def _end_paragraph(self) -> Iterator[str]:
        """Tell what was gathered, with the label before its first line."""
        self._end_sentence()
        if self._sentences:
            first = f"{_INDENT}{self._label:{_LABEL_WIDTH}}"
            yield from textwrap.wrap(
                " ".join(self._sentences), _WIDTH, initial_indent=first, subsequent_indent=" " * len(first)
            )
        self._begin_paragraph("")

    def _end_sentence(self) -> None:
        if self._clauses:
            self._sentences.append(f"{', '.join(self._clauses)}.")
            self._clauses = []

    def _add_sentence(self, sentence: str) -> None:
        self._end_sentence()
        self._sentences.append(f"{sentence}.")

    def _add_clause(self, event: MusEvent, clause: str) -> None:
        """Add to a sentence in which only events of the same kind are told."""
        if event.kind is not self._last_kind:
            self._end_sentence()
        self._last_kind = event.kind
        self._clauses.append(clause)

    def tell(self, event: MusEvent) -> Iterator[str]:
        """Tell an event, as far as it completes a line."""
        match event.kind:
            case EventKind.DEAL_STARTED:
                yield from self._deal_started(event)
            case EventKind.HAND_DEALT:
                yield self._hand(event)
            case EventKind.LANCE_STARTED:
                yield from self._lance_started(event)
            case EventKind.HAND_SHOWN:
                yield from self._hand_shown(event)
            case EventKind.DEAL_ENDED:
                yield from self._end_paragraph()
                yield f"{_INDENT}{self._points(event.points)}."
            case EventKind.GAME_WON:
                yield from self._game_won(event)
            case _:
                self._gather(event)

    def _gather(self, event: MusEvent) -> None:
        """Put an event into the paragraph at hand."""
        match event.kind:
            case EventKind.SAID:
                self._add_clause(event, f"{self._name(event)} {_said(event)}")
            case EventKind.SIGNALLED:
                self._signalled(event)
            case EventKind.DISCARDED:
                self._add_clause(event, f"{self._name(event)} discards {_cards(event)}")
            case EventKind.RESHUFFLED:
                self._add_sentence(f"The stock runs out: {event.amount} discards are shuffled")
            case EventKind.DRAWN:
                self._add_clause(event, f"{self._name(event)} draws {_cards(event)}")
            case EventKind.LANCE_SETTLED:
                self._add_sentence(self._result(event))
            case EventKind.POINTS_SCORED:
                self._points_scored(event)
            case EventKind.DENTRO:
                self._add_sentence(f"{self._side(event)} are dentro")

    def tell_rest(self) -> Iterator[str]:
        """Tell what was gathered and not told yet."""
        yield from self._end_paragraph()

    def _name(self, event: MusEvent) -> str:
        return self._players[present(event.seat)]

    def _side(self, event: MusEvent) -> str:
        if event.side is None:
            raise ValueError(f"an event of kind {event.kind.name} names a side here")
        return self._sides[event.side]

    def _points(self, points: Sequence[int]) -> str:
        return ", ".join(f"{side} {number}" for side, number in zip(self._sides, points, strict=True))

    def _deal_started(self, event: MusEvent) -> Iterator[str]:
        if self._any_deal:
            yield ""
        self._any_deal = True
        self._shown = 0
        game = f"Game {event.game + 1}, deal" if event.game else "Deal"
        yield f"{game} {event.deal + 1}, dealt by {self._name(event)}. {self._points(event.points)}."
        yield ""
        self._begin_paragraph("mus")

    def _hand(self, event: MusEvent) -> str:
        hand = _high_to_low(event.cards) or "(not shown)"
        return f"{_INDENT}{self._name(event):{self._name_width}}  {hand}"

    def _lance_started(self, event: MusEvent) -> Iterator[str]:
        lance = present(event.lance)
        if lance is Lance.GRANDE:
            yield ""
        yield from self._end_paragraph()
        self._label = LANCE_WORDS[lance]
        if lance in _ANNOUNCED:
            have_it = ", ".join(self._players[seat] for seat in event.seats) or "nobody"
            self._add_sentence(f"Announced by {have_it}")

    def _result(self, event: MusEvent) -> str:
        if event.result is Result.CALLED:
            return f"Called at {event.amount}"
        if event.result is Result.UNCONTESTED:
            return f"No betting: only {self._side(event)} have it"
        if event.result is None:
            raise ValueError("a lance is settled by a result")
        return _RESULTS[event.result]

    def _signalled(self, event: MusEvent) -> None:
        signal = SIGNAL_WORDS[event.signal] if event.signal else "something"
        if self._clauses:
            self._clauses[-1] += f" (and signals {signal})"
        else:
            self._add_sentence(f"{self._name(event)} signals {signal}")

    def _hand_shown(self, event: MusEvent) -> Iterator[str]:
        if not self._shown:
            yield from self._end_paragraph()
            yield ""
            self._label = "score"
        self._shown += 1
        yield self._hand(event)
        if self._shown == SEATS:
            yield ""

    def _points_scored(self, event: MusEvent) -> None:
        gain = f"{event.amount} to {self._side(event)}"
        if event.reason is None or event.reason is Reason.REFUSED:
            self._add_sentence(gain)
        else:
            self._add_sentence(f"{LANCE_WORDS[present(event.lance)].capitalize()}, {_REASONS[event.reason]}: {gain}")

    def _game_won(self, event: MusEvent) -> Iterator[str]:
        yield from self._end_paragraph()
        capped = "No more deals are played: " if event.reason is Reason.DEAL_CAP else ""
        games = f" Games: {self._points(event.games)}." if sum(event.games) > 1 else ""
        yield f"{_INDENT}{self._points(event.points)}. {capped}{self._side(event)} win the game.{games}"


def _said(event: MusEvent) -> str:
    if event.said is None:
        raise ValueError("something is said")
    amount = f" {event.amount}" if event.said is ActionKind.ENVIDO else ""
    binding = " for both" if event.binding else ""
    return f"{KIND_WORDS[event.said]}{amount}{binding}"


def _cards(event: MusEvent) -> str:
    return " ".join(map(sign, event.cards)) or str(event.amount)


def _high_to_low(cards: Iterable[int]) -> str:
    return " ".join(sign(card) for card in sorted(cards, key=lambda card: (-spanish_rank(card), card)))


class MusWords:
    """How Mus reads to a person."""

    def tell(self, events: Iterable[MusEvent], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one that begins with a deal, line by line from its events in full."""
        teller = _Teller(players)
        for event in events:
            yield from teller.tell(event)
        yield from teller.tell_rest()


WORDS: Final = MusWords()
"""The words of Mus."""
