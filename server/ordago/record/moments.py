"""A recorded match as it is shown, moment by moment."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ordago import v1
from ordago.game import OutcomeReason
from ordago.record.opening import UnplayableError, opening
from ordago.record.replay import Replay, replay
from ordago.record.text import conceded, players_of
from ordago.scene import Mark, Scene, Sentence, Stage, Telling


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, and the table after it, with all hands open."""

    sentence: Sentence
    """A description of the event."""
    seat: int | None
    """The seat that acted, if any."""
    mark: Mark | None
    """The section that begins here, if any."""
    choice: int | None
    """The index of the choice that caused it among the entries of the record; ``None`` for consequences."""
    scene: Scene
    """The table after the event."""


def moments(record: v1.MatchRecord, *, replayed: Replay | None = None) -> Iterator[Moment]:
    """Yield the moments of a match. An incorrect record is shown as far as the rules can play it.

    Args:
        record: the match.
        replayed: the result of replaying it, if known.

    Raises:
        UnplayableError: nothing of it can be shown.
    """
    begun = opening(record)
    game = begun.game
    replayed = replayed or replay(record)
    if not replayed.events:
        raise UnplayableError(replayed.problems[0].sentence if replayed.problems else "Nothing happened.")
    options = game.codec.options_from(begun.options)
    showing = _Showing(game.staging.begin(players=players_of(record), options=options))
    entries, events = list(record.entries), iter(replayed.events)
    wrong = [problem.entry for problem in replayed.problems if problem.entry is not None]
    for place, entry in enumerate(entries[: min(wrong)] if wrong else entries):
        if entry.HasField("choice"):
            showing.choice = place
        elif entry.HasField("event"):
            # Up to the first problem, the recorded events are those that follow from the rules.
            yield from showing.show(next(events))
    yield from showing.rest()
    if replayed.outcome is not None and replayed.outcome.reason is OutcomeReason.CONCEDED:
        yield showing.end(conceded(replayed.outcome, players_of(record)))


class _Showing:
    """Holds a moment back until it is known what belongs to it."""

    def __init__(self, stage: Stage[Any]) -> None:
        self._stage = stage
        self._telling = Telling()
        self.choice: int | None = None
        """The choice that causes the next event."""
        self._choice: int | None = None

    def show(self, event: object) -> Iterator[Moment]:
        before = self._stage.scene() if self._telling.sentence is not None else None
        telling = self._stage.apply(event)
        if telling.sentence is None:
            return
        if before is not None:
            yield self._moment(before)
        self._telling, self._choice, self.choice = telling, self.choice, None

    def rest(self) -> Iterator[Moment]:
        if self._telling.sentence is not None:
            yield self._moment(self._stage.scene())

    def end(self, said: Sentence) -> Moment:
        """Return a last moment, in which nothing changes on the table."""
        return Moment(said, None, None, None, self._stage.scene())

    def _moment(self, scene: Scene) -> Moment:
        telling = self._telling
        assert telling.sentence is not None
        return Moment(telling.sentence, telling.seat, telling.mark, self._choice, scene)
