"""The stages of an event whose file changed while it was played, and the matches of a round robin through them."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ordago.record.ledgers.event import ChangeEntry
from ordago.store import PlannedMatch
from ordago_ladder.settings.settings import Settings

Issued: TypeAlias = dict[tuple[str, int], PlannedMatch]
"""Matches by set and seating, in the order of their rows."""


class Stage(NamedTuple):
    """An event from one change of its file to the next."""

    settings: Settings
    change: ChangeEntry | None
    """The change that the stage begins with; ``None`` for the first."""

    @property
    def issued(self) -> int:
        """The number of matches that were issued before the stage."""
        return self.change.issued if self.change is not None else 0


class StagedMatches:
    """The matches of a round robin or gauntlet, stage after stage. Those that were issued before stay, and come first.

    A table that joined entrants make possible plays as often as the file says. Where ``sets`` counts the sets of a
    game, a larger number adds the difference, and withdrawals add none.
    """

    def __init__(self, matches_of: Callable[[Settings], Iterable[PlannedMatch]]) -> None:
        """Begin before the first stage; ``matches_of`` lists the matches of an event that has only one."""
        self._matches_of = matches_of
        self._wanted: Counter[str] = Counter()
        self.issued: Issued = {}
        """The matches that were issued in the stages before."""

    def enter(self, stage: Stage) -> Issued:
        """Return the matches that were issued, followed by those that come due in the next stage."""
        self._wanted.update(_more_sets(stage))
        due, room = dict(self.issued), self._wanted - _set_counts(self.issued.values())
        counted = {game.name for game in stage.settings.games if game.sets is not None}
        if stage.change is not None and stage.change.joined:
            counted = set()
        taken = False
        for planned in self._matches_of(stage.settings.present):
            if (planned.set_key, planned.seating) in due:
                continue
            # The matches of a set follow one another, and its first has seating 0.
            if planned.seating == 0:
                taken = planned.game not in counted or room[planned.game] > 0
                room[planned.game] -= 1
            if taken:
                due[planned.set_key, planned.seating] = planned._replace(row=len(due))
        self._wanted |= _set_counts(due.values())
        return due

    def leave(self, due: Issued, *, issued: int) -> None:
        """End a stage in which this many of the matches that were due had been issued."""
        self.issued = dict(list(due.items())[:issued])


def staged_matches(
    stages: Sequence[Stage], matches_of: Callable[[Settings], Iterable[PlannedMatch]]
) -> tuple[PlannedMatch, ...]:
    """Return all matches of a round robin or gauntlet, in the order of their rows."""
    staged = StagedMatches(matches_of)
    for stage, following in itertools.pairwise(stages):
        staged.leave(staged.enter(stage), issued=following.issued)
    return tuple(staged.enter(stages[-1]).values())


def _more_sets(stage: Stage) -> Counter[str]:
    """Return the number of sets of each game that a stage asks for in addition, where ``sets`` counts them."""
    if stage.change is None:
        return Counter({game.name: game.sets for game in stage.settings.games if game.sets is not None})
    return Counter(
        {
            changed.section: changed.now - changed.was
            for changed in stage.change.keys
            if changed.key == "sets" and isinstance(changed.now, int) and isinstance(changed.was, int)
        }
    )


def _set_counts(matches: Iterable[PlannedMatch]) -> Counter[str]:
    return Counter(planned.game for planned in matches if planned.seating == 0)
