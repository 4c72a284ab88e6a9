"""The lances of a deal of Mus as they are shown: what was bet on each, and how it ended."""

from collections.abc import Iterator, Sequence
from typing import Final

from ordago.games.mus.values import ActionKind, Lance, MusEvent, Result
from ordago.scene import Figure, Sentence, sentence

_TITLES: Final = {
    Lance.GRANDE: sentence("Grande"),
    Lance.CHICA: sentence("Chica"),
    Lance.PARES: sentence("Pares"),
    Lance.JUEGO: sentence("Juego"),
    Lance.PUNTO: sentence("Punto"),
}
_TO_COME: Final = sentence("–")
_OPEN: Final = sentence("open")
_ENDED: Final = {
    Result.PASSED: sentence("all pass"),
    Result.NOBODY: sentence("nobody has it"),
    Result.ORDAGO: sentence("the órdago is called"),
}


def lance_title(lance: Lance) -> Sentence:
    """Return what a lance is called."""
    return _TITLES[lance]


class LancesShown:
    """How the lances of one deal stand."""

    def __init__(self, sides: Sequence[str]) -> None:
        """Begin before the first lance, between sides of these names."""
        self._sides = sides
        self._running: Lance | None = None
        self._stake = 0
        self._ordago = False
        self._ended: dict[Lance, Sentence] = {}

    def begin(self, lance: Lance) -> None:
        """Begin a lance."""
        self._running, self._stake, self._ordago = lance, 0, False

    def hear(self, event: MusEvent) -> None:
        """Take in what was said, as far as it is a bet."""
        self._stake += event.amount if event.said is ActionKind.ENVIDO else 0
        self._ordago = self._ordago or event.said is ActionKind.ORDAGO

    def settle(self, event: MusEvent) -> Sentence:
        """End the lance that runs, and say how."""
        assert event.lance is not None
        ended = self._ending(event)
        self._ended[event.lance] = ended
        self._running = None
        return ended

    def _ending(self, event: MusEvent) -> Sentence:
        side = self._sides[event.side] if event.side is not None else ""
        if event.result is Result.CALLED:
            return sentence("called at {stake}", stake=event.amount)
        if event.result is Result.REFUSED:
            return sentence("refused, {stake} to {side}", stake=event.amount, side=side)
        if event.result is Result.UNCONTESTED:
            return sentence("{side} alone", side=side)
        return _ENDED[event.result or Result.PASSED]

    def figures(self) -> Iterator[Figure]:
        """Go through the lances as they stand: punto is one of them once nobody has juego."""
        punto = Lance.PUNTO in (self._running, *self._ended)
        for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.PUNTO if punto else Lance.JUEGO):
            yield Figure(_TITLES[lance], self._standing(lance), stressed=lance is self._running)

    def _standing(self, lance: Lance) -> Sentence:
        if lance is not self._running:
            return self._ended.get(lance, _TO_COME)
        if self._ordago:
            return sentence("órdago")
        return sentence("{stake} bet", stake=self._stake) if self._stake else _OPEN
