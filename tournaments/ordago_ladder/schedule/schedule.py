"""The schedule of an event, by its format."""

from collections.abc import Iterable

from ordago.store import MatchResult
from ordago_ladder.schedule.open_rounds import OpenRounds
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.rounds import Plan, RoundSchedule
from ordago_ladder.schedule.sets import SetMaker
from ordago_ladder.schedule.swiss import Swiss
from ordago_ladder.settings.settings import Settings


class Schedule:
    """The schedule of an event, for whoever asks again and again while the results come in.

    Each time it is given all results so far, and goes on from what it knew: a result, once given, does not change.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin with no results."""
        self._course: RoundSchedule | None = None
        self._plan = Plan((), complete=False)
        match settings.event.format:
            case "swiss":
                self._course = RoundSchedule(settings, Swiss(settings))
            case "open":
                self._course = RoundSchedule(settings, OpenRounds(settings))
            case "round-robin" | "gauntlet":
                self._plan = Plan(tuple(SetMaker(settings).matches(round_robin(settings))), complete=True)

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return what is known of the schedule by the results so far, in whatever order they come.

        With more results it has the same matches and perhaps more. Results of matches that are not in it do not count.
        """
        return self._plan if self._course is None else self._course.plan(results)


def plan(settings: Settings, results: Iterable[MatchResult] = ()) -> Plan:
    """Return what is known of the schedule of an event by the results so far: the same for the same, always."""
    return Schedule(settings).plan(results)
