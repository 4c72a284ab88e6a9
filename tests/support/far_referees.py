"""Referees behind a wire in memory: what is said arrives a little later, in frames, as between processes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

import pytest
import trio

from ordago.arena.play import HERE, SeatedMatch
from ordago.arena.referees.pooled_match import PooledMatch, hear
from ordago.arena.referees.steps import Call, Frames, framed
from ordago.arena.referees.worker import RefereeWorker
from ordago.journal import NO_JOURNAL
from ordago.match import PlayedOut


class FarReferees:
    """Referees whose process can be lost. See ``play.Referees``."""

    def __init__(self) -> None:
        self.matches: dict[object, PooledMatch] = {}
        self.held = False
        """Whether nothing arrives at the referees for the moment."""
        self.journal = NO_JOURNAL
        """Where the choices are entered that are heard."""
        self._numbers = count()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.worker = RefereeWorker()
        self._to_worker: list[Call] = []
        self._due = False

    async def play(self, match: SeatedMatch) -> PlayedOut:
        number = next(self._numbers)
        refereed = self.matches[number] = PooledMatch(number, match)
        refereed.begin_at(self.send)
        try:
            return await refereed.played_out()
        finally:
            del self.matches[number]
            self.send(("drop", number))

    def lose(self) -> None:
        """End the process, and let all matches go on in another one."""
        self._begin_anew()
        for match in list(self.matches.values()):
            if match.lose_referee():
                match.begin_at(self.send)

    def let_go(self) -> None:
        """Let everything arrive again."""
        self.held = False
        self._soon()

    def send(self, call: Call) -> None:
        """Say something to the referees."""
        self._to_worker.append(call)
        self._soon()

    def _soon(self) -> None:
        if not self._due and not self.held:
            self._due = True
            trio.lowlevel.current_trio_token().run_sync_soon(self._arrive, self.worker)

    def _arrive(self, worker: RefereeWorker) -> None:
        """Let the referees hear what was said, unless they are gone by now."""
        self._due = False
        if self.held or worker is not self.worker:
            return
        calls, self._to_worker = self._to_worker, []
        worker.hear(_over_the_wire(calls))
        if worker.rests:
            worker.go_on_with_one()
        said, worker.said = worker.said, []
        trio.lowlevel.current_trio_token().run_sync_soon(self._hear, worker, _over_the_wire(said))
        if worker.rests:
            self._soon()

    def _hear(self, worker: RefereeWorker, calls: Sequence[Call]) -> None:
        if worker is self.worker:
            hear(calls, self.matches, journal=self.journal)


def _over_the_wire(calls: Sequence[Call]) -> Sequence[Call]:
    [arrived] = Frames().taken(framed(calls))
    return arrived


@contextmanager
def referees_far_away() -> Iterator[FarReferees]:
    """Play all matches here by referees that are far away."""
    with pytest.MonkeyPatch.context() as patch:
        far = FarReferees()
        patch.setattr(type(HERE), "play", staticmethod(far.play))
        yield far
