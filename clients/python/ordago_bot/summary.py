"""The summary of a bot process, its last log line: matches, placings, the slowest decision, and faults."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ordago import v1
from ordago_bot.events import cause_of, fault_name
from ordago_bot.log import Event


@dataclass(frozen=True, slots=True)
class Slowest:
    """The decision that a bot thought about for the longest time."""

    milliseconds: int
    """The thinking time, as sent to the server."""
    match_id: str
    """The match."""
    decision: int
    """The number of the decision."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Results and faults of all matches that a bot process played."""

    matches: int
    """The number of matches that have ended."""
    placings: Mapping[int, int]
    """The number of matches for each placing, from 1."""
    void: int
    """The number of void matches."""
    slowest: Slowest | None
    """The slowest decision; ``None`` if nothing was asked."""
    refused: Mapping[str, int]
    """The number of refused answers for each cause."""
    default_answers: Mapping[str, int]
    """The number of default answers that were taken for each fault."""
    forfeited: int
    """The number of matches that the bot forfeited."""
    failures: int
    """The number of times that the bot raised, or returned no answer."""

    @property
    def is_clean(self) -> bool:
        """True if no answer was refused or replaced, no match was forfeited, and the bot never failed."""
        return not (self.refused or self.default_answers or self.forfeited or self.failures)

    def event(self) -> Event:
        """Return the log line."""
        fields: dict[str, Any] = {
            "matches": self.matches,
            "placings": {str(placing): count for placing, count in self.placings.items()},
            "void": self.void,
        }
        if self.slowest is not None:
            fields |= {
                "slowest_ms": self.slowest.milliseconds,
                "slowest_match": self.slowest.match_id,
                "slowest_decision": self.slowest.decision,
            }
        fields |= {"refused": dict(self.refused), "default_answers": dict(self.default_answers)}
        fields |= {"forfeited": self.forfeited, "failures": self.failures}
        return Event("summary", self._sentence(), fields)

    def _sentence(self) -> str:
        placings = [f"placing {placing}: {count}" for placing, count in self.placings.items()]
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        parts = [f"{matches}: {', '.join([*placings, f'void: {self.void}'])}"]
        if (slowest := self.slowest) is not None:
            where = f"match {slowest.match_id}, decision {slowest.decision}"
            parts.append(f"slowest decision: {slowest.milliseconds} ms ({where})")
        parts += _by_cause("refused", self.refused) + _by_cause("default answers", self.default_answers)
        parts += [f"forfeited: {self.forfeited}"] if self.forfeited else []
        parts += [f"failures: {self.failures}"] if self.failures else []
        return "; ".join(parts)


def _by_cause(words: str, counts: Mapping[str, int]) -> list[str]:
    causes = ", ".join(f"{cause} {count}" for cause, count in counts.items())
    return [f"{words}: {sum(counts.values())} ({causes})"] if counts else []


class Tally:
    """Counter of what a summary tells."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._placings: Counter[int] = Counter()
        self._void = 0
        self._slowest: Slowest | None = None
        self._refused: Counter[str] = Counter()
        self._default_answers: Counter[str] = Counter()
        self.forfeited = 0
        """The number of matches that the bot forfeited."""
        self.failures = 0
        """The number of failures of the bot."""

    def answered(self, choice: v1.Choice, *, match_id: str) -> None:
        """Count an answer with its thinking time."""
        if self._slowest is None or choice.thought_ms > self._slowest.milliseconds:
            self._slowest = Slowest(choice.thought_ms, match_id, choice.number)

    def refuse(self, refused: v1.Refused) -> None:
        """Count a refused answer."""
        self._refused[cause_of(refused)] += 1

    def take_default(self, accepted: v1.Accepted) -> None:
        """Count a default answer that was taken for a fault."""
        self._default_answers[fault_name(accepted.fault)] += 1

    def end(self, end: v1.MatchEnd, *, seat: int) -> None:
        """Count a match that ended."""
        if end.HasField("outcome"):
            self._placings[end.outcome.placings[seat]] += 1
        else:
            self._void += 1

    def summary(self) -> Summary:
        """Return what has been counted."""
        return Summary(
            matches=self._placings.total() + self._void,
            placings=_sorted(self._placings),
            void=self._void,
            slowest=self._slowest,
            refused=_sorted(self._refused),
            default_answers=_sorted(self._default_answers),
            forfeited=self.forfeited,
            failures=self.failures,
        )


def _sorted(counts: "Counter[Any]") -> Mapping[Any, int]:
    return MappingProxyType(dict(sorted(counts.items())))
