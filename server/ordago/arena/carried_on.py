"""Matches that go on after a restart of the server."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from operator import gt
from typing import TypeVar

from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.play import HERE, Referees, play
from ordago.arena.seat import BotSeat
from ordago.journal import MatchPage, Outage, terms_of
from ordago.journal.v1 import JournaledMatch
from ordago.match import MatchTerms, Progress, match_start, progress_of
from ordago.record import FinishedRecord
from ordago.record.opening import UnplayableError
from ordago.telemetry.telemetry import Telemetry


class NotCarriedOnError(Exception):
    """A match from before the restart cannot go on; the text says why. The bots have not been notified yet."""


T = TypeVar("T")


class CarriedMatch:
    """A match from before the restart. It goes on once its bots are back, or without those that stay away."""

    def __init__(
        self,
        match: JournaledMatch,
        seats: Sequence[BotSeat],
        page: MatchPage,
        *,
        outage: Outage,
        terms: Callable[[JournaledMatch], MatchTerms] = terms_of,
    ) -> None:
        """Prepare a match from a journal.

        Args:
            match: the match as far as it was journaled.
            seats: its seats, which its bots have taken again.
            page: the journal page for its further choices.
            outage: the length of the outage, and whether the machine stayed up.
            terms: returns the terms of the match, or raises ``UnplayableError``.
        """
        self._match = match
        self._seats = seats
        self._page = page
        self._outage = outage
        self._terms = terms

    @property
    def match_id(self) -> str:
        """The ID of the match, the same as before the restart."""
        return self._match.record.match_id

    @property
    def game(self) -> str:
        """The game, by its short name."""
        return self._match.record.game

    async def play(self, telemetry: Telemetry, *, referees: Referees = HERE) -> FinishedRecord | None:
        """Wait for the bots, play the match to its end and return its record; ``None`` if the match is void.

        Args:
            telemetry: receives what happens to the match.
            referees: run its referee.

        Raises:
            MatchFailedError: the server failed.
        """
        try:
            return await self.carry_on(telemetry, partial(play, goes_on_later=True, referees=referees))
        except NotCarriedOnError as error:
            self.tell_void(str(error))
            return None

    async def carry_on(self, telemetry: Telemetry, playing: Callable[..., Awaitable[T]]) -> T:
        """Wait for the bots, play on, and return the result of ``playing``.

        Args:
            telemetry: receives what happens to the match.
            playing: ``play``, or ``play_untold``.

        Raises:
            NotCarriedOnError: the match cannot go on.
            MatchFailedError: the server failed.
        """
        past = self._match.record.entries
        try:
            terms = self._terms(self._match)
            objection = await self._objection(progress_of(terms, past))
        except UnplayableError as error:
            objection = f"the restarted server cannot play the match: {error}"
        except Exception:  # noqa: BLE001 - any failure voids this match, so that its bots do not wait for it
            telemetry.failed_at("resuming a match")
            objection = "the restarted server failed in the match"
        if objection:
            telemetry.not_carried_on(self.match_id, self.game, objection)
            raise NotCarriedOnError(objection)
        with telemetry.match(terms, goes_on_later=True):
            return await playing(terms, self._seats, past=past, choice_log=self._page)

    async def _objection(self, reached: Progress) -> str:
        """Wait for the bots, and return the reason why the match cannot go on; empty if it can."""
        if reached.over:
            return ""
        awaited = [number for number, gone in enumerate(reached.forfeited) if not gone]
        for number in awaited:
            await self._seats[number].channel.expect()
        return self._objection_to_absence(awaited) or self._objection_to_what_is_known(reached)

    def _objection_to_absence(self, awaited: Sequence[int]) -> str:
        """Return the reason why the match is void without the absent bots; empty if they forfeit it.

        Absence alone must not void a match: else a losing bot would wait for a restart and stay away. It does after an
        outage longer than the resume window, and for a bot of the server's own, which is not to blame.
        """
        missing = [number for number in awaited if not self._seats[number].channel.has_come]
        if any(not self._match.seats[number].session_id for number in missing):
            return "the server restarted, and could not restart its own bot"
        if missing and self._outage.seconds > RESUME_WINDOW_SECONDS:
            return "the server was down for too long, and not all bots reconnected"
        return ""

    def _objection_to_what_is_known(self, reached: Progress) -> str:
        """Return the reason why the match is void if a bot has seen more decisions than the journal holds; else empty.

        A power cut may lose the last choices, and no bot may be asked again after it has seen the outcome. If the
        machine stayed up, the journal is complete, and a bot that claims more only wants the match to be void.
        """
        known = [seat.known_decision for seat in self._seats]
        if not self._outage.machine_stayed_up and any(map(gt, known, reached.asked)):
            return "the server restarted and lost the last decisions"
        return ""

    def tell_void(self, sentence: str) -> None:
        """Notify the connected bots, and the others when they come back, that the match is void, and why."""
        record = self._match.record
        for number, (seat, terms) in enumerate(zip(self._seats, self._match.seats, strict=True)):
            made = sum(entry.HasField("choice") and entry.choice.seat == number for entry in record.entries)
            seat.begin(match_start(record, number, seed=terms.seed, last_decision=made))
            seat.abandon(sentence)
