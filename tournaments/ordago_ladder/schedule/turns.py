"""Turns: the order in which matches begin where a process plays several seatings of a set.

The seatings of such a set follow one another in their order, so that a bot never has one deal in two matches at once.
The order holds over restarts, since it follows from the matches without a result, and the ledger shows it: results of
the set come in the order of its seatings.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from ordago.store import PlannedMatch
from ordago_ladder.schedule.process_slots import takes_turns
from ordago_ladder.schedule.tables import sets_of
from ordago_ladder.settings.settings import Settings


def in_turns(due: Iterable[PlannedMatch], settings: Settings) -> list[PlannedMatch]:
    """Return matches without a result in the order in which they begin.

    Between two turns of a set come as many other sets as matches are played at once, as far as there are so many. So
    the next turn seldom has to wait, and a set is over soon.
    """
    return [planned for _, planned in sorted(_places(due, settings), key=itemgetter(0))]


def _places(due: Iterable[PlannedMatch], settings: Settings) -> Iterator[tuple[int, PlannedMatch]]:
    """Yield each match with the number of the set that it comes after."""
    for number, matches in enumerate(sets_of(due)):
        between = settings.event.parallel if follow_one_another(matches[0], settings) else 0
        yield from ((number + turn * between, planned) for turn, planned in enumerate(matches))


def follow_one_another(planned: PlannedMatch, settings: Settings) -> bool:
    """Return True if the seatings of the set of a match follow one another."""
    return takes_turns(settings, settings.game_named(planned.game), planned.entrants)
