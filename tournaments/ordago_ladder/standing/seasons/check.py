"""The proof of one standing: it is made anew from the results that it says it counts."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ordago.scene import Sentence
from ordago_ladder.pages.claims import Basis, Claim
from ordago_ladder.publication.reading import UnreadableError
from ordago_ladder.standing.ratings import CareerResult
from ordago_ladder.standing.seasons.careers import Bot, SeasonCareers
from ordago_ladder.standing.seasons.standing import StandingHeader


class PlayedEpoch(NamedTuple):
    """What an epoch was, as far as standings depend on it."""

    number: int
    season: str
    """What its season is called."""
    anchors: Mapping[str, float]
    """Those that its season began with."""
    ended: Sequence[int]
    """When each of its results came, in the order of the ledger."""
    revealed: bool
    results: Sequence[CareerResult] | None
    """The same results, by its records; ``None`` where not all of these are there, or good."""
    bots: Mapping[int, Bot]


class StandingCheck:
    """One verification of a standing, which is shown the epochs of its ladder in their order."""

    def __init__(
        self, name: str, header: StandingHeader, *, digest: bytes, again: Callable[[], bytes], settled: bool
    ) -> None:
        """Take a standing.

        Args:
            name: its file.
            header: what it says of itself.
            digest: the SHA-256 of the file.
            again: reads it again, to say what is wrong with it.
            settled: whether it has to count whole epochs, which are revealed, and no others.
        """
        self.name = name
        self._digest = digest
        self._again = again
        self.season = header.season
        self._counts = dict(header.epochs)
        self._ordered = list(self._counts) == sorted(self._counts) and len(self._counts) == len(header.epochs)
        self.settled = settled
        self._careers: SeasonCareers | None = None
        self._taken: set[int] = set()
        self._latest = 0
        """When the latest result came that it counts."""
        self._first_left = math.inf
        """When the earliest result came that it leaves out."""
        self._unseen = ""
        """Why not all results that it counts can be seen."""
        self._missed = 0
        """The first epoch that it could have counted as a whole, and does not; 0 where there is none."""

    @property
    def last(self) -> int:
        """The last epoch that it counts; 0 where there is none."""
        return max(self._counts, default=0)

    def take(self, epoch: PlayedEpoch) -> Iterator[str]:
        """Look at the next epoch, and yield what is wrong by it."""
        # Who publishes may have been killed between the last epoch that is revealed and the standing with it.
        if self.settled and epoch.revealed and self._missed:
            yield f"It leaves out epoch {self._missed}, and epoch {epoch.number} was revealed since then."
            self._missed = 0
        if epoch.season != self.season:
            if epoch.number in self._counts:
                yield f"It counts epoch {epoch.number}, which is of the season {epoch.season!r}."
            return
        self._taken.add(epoch.number)
        count, results = self._counts.get(epoch.number, 0), len(epoch.ended)
        if self.settled and epoch.number <= self.last and count < results:
            yield f"It leaves out {results - count} of {results} results of epoch {epoch.number}."
        if epoch.revealed and count > results:
            yield f"It counts {count} results of epoch {epoch.number}, which has {results}."
        if epoch.revealed and epoch.number > self.last:
            self._missed = self._missed or epoch.number
        self._note_times(epoch.ended[:count], epoch.ended[count:])
        if epoch.number in self._counts:
            self._rate(epoch, count)

    def _note_times(self, counted: Sequence[int], left: Sequence[int]) -> None:
        if counted:
            self._latest = max(self._latest, counted[-1])
        if left:
            self._first_left = min(self._first_left, left[0])

    def _rate(self, epoch: PlayedEpoch, count: int) -> None:
        if self._unseen:
            return
        if count > len(epoch.ended):
            self._unseen = f"it counts results of epoch {epoch.number} that the ledger here does not have"
        elif epoch.results is None:
            missing = "whose records are not all there" if epoch.revealed else "which is not revealed"
            self._unseen = f"it rests on epoch {epoch.number}, {missing}"
        else:
            self._careers = self._careers or SeasonCareers(self.season, anchors=epoch.anchors)
            self._careers.add(epoch.number, epoch.results[:count], epoch.bots)

    def findings(self) -> Iterator[str]:
        """Yield what is wrong with it once all epochs were looked at."""
        if not self._ordered:
            yield "It does not count epochs that ascend."
        if beyond := sorted(self._counts.keys() - self._taken):
            self._unseen = f"it counts epoch {beyond[0]}, which is not here"
        elif not self._taken:
            self._unseen = "no epoch of this season is here"
        if not self.settled and self._first_left < self._latest:
            yield "It leaves out results that came before others that it counts."
        if not self._unseen:
            # Where it counts nothing anchors do not matter.
            text = (self._careers or SeasonCareers(self.season, anchors={})).standing().text
            if hashlib.sha256(text).digest() != self._digest:
                yield f"It is not what the results make that it counts{self._difference(text)}."

    def _difference(self, made: bytes) -> str:
        """Say where it differs first, as far as that can be said."""
        try:
            where = _first_difference(json.loads(self._again()), json.loads(made))
        except (UnreadableError, ValueError, RecursionError):
            return ""
        return f": {where} is another" if where else ", as it is written"

    def claim(self) -> Claim:
        """Return what it claims. It holds where nothing is wrong."""
        what = f"{self.name}, the standing in the season {self.season!r} by {self._counted()}"
        if not self._unseen:
            return Claim(Basis.PROVED, Sentence(f"{what}, follows from these byte for byte, and from nothing else."))
        later = "" if self.settled else "; a copy of it can be held against the ladder later, by --standing"
        return Claim(Basis.WORD, Sentence(f"{what}: {self._unseen}{later}."))

    def _counted(self) -> str:
        results, first = sum(self._counts.values()), min(self._counts, default=0)
        epochs = f"epoch {first}" if first == self.last else f"epochs {first} to {self.last}"
        return f"{results} {'result' if results == 1 else 'results'}" + (f" of {epochs}" if self._counts else "")


def _first_difference(one: object, other: object) -> str | None:
    """Return the path to the first thing that differs, without a dot before it; ``None`` where nothing does."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(str(key), value, other[key]) for key, value in one.items()]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(at), *both) for at, both in enumerate(zip(one, other, strict=True))]
    else:
        return None if one == other else ""
    for key, mine, theirs in pairs:
        where = _first_difference(mine, theirs)
        if where is not None:
            return f"{key}.{where}".rstrip(".")
    return None
