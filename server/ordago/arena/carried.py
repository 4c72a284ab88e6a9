"""Matches that a server had begun before it was started anew, and how they go on."""

from collections.abc import Sequence

from ordago import v1
from ordago.arena.play import play
from ordago.arena.seat import BotSeat
from ordago.journal import MatchPage, terms_of
from ordago.match import Progress, match_start, progress_of
from ordago.record.opening import UnplayableError
from ordago.telemetry.telemetry import Telemetry


class CarriedMatch:
    """A match of an earlier server. It goes on when its bots are back."""

    def __init__(self, match: v1.JournaledMatch, seats: Sequence[BotSeat], page: MatchPage) -> None:
        """Prepare a match that a journal holds, at seats that its bots have taken again."""
        self._match = match
        self._seats = seats
        self._page = page

    @property
    def match_id(self) -> str:
        """The name of the match for ever."""
        return self._match.record.match_id

    @property
    def game(self) -> str:
        """The game, by its short name."""
        return self._match.record.game

    async def play(self, telemetry: Telemetry) -> v1.MatchRecord | None:
        """Wait for the bots, play the match to its end and return its record; ``None`` if the match is void.

        Raises:
            MatchFailedError: the server failed.
        """
        past = self._match.record.entries
        try:
            terms = terms_of(self._match)
            objection = await self._objection(progress_of(terms, past))
        except UnplayableError as error:
            objection = f"the server that was started anew cannot play the match: {error}"
        except Exception:  # noqa: BLE001 - whatever it is, the bots are not to wait for this match
            telemetry.failed_at("taking up a match")
            objection = "the server that was started anew failed in the match"
        if objection:
            telemetry.not_carried_on(self.match_id, self.game, objection)
            self._end(objection)
            return None
        with telemetry.match(terms, goes_on_later=True):
            return await play(terms, self._seats, past=past, choice_log=self._page, goes_on_later=True)

    async def _objection(self, reached: Progress) -> str:
        """Wait for the bots, and return why the match cannot go on; nothing if it can."""
        if reached.over:
            return ""
        awaited = [seat.line for seat, gone in zip(self._seats, reached.forfeited, strict=True) if not gone]
        for line in awaited:
            await line.expect()
        if not all(line.has_come for line in awaited):
            return "the server was started anew, and not all bots came back"
        # A power cut may cost a server what it decided last. Nobody can be asked again what he saw the answer to.
        known = [seat.known_decision for seat in self._seats]
        if any(number > asked for number, asked in zip(known, reached.asked, strict=True)):
            return "the server was started anew and does not know any more what was decided last"
        return ""

    def _end(self, sentence: str) -> None:
        """Tell those who are there, and those who may come, that the match is void."""
        record = self._match.record
        for number, (seat, sitting) in enumerate(zip(self._seats, self._match.seats, strict=True)):
            made = sum(entry.HasField("choice") and entry.choice.seat == number for entry in record.entries)
            seat.begin(match_start(record, number, seed=sitting.seed, last_decision=made))
            seat.abandon(sentence)
