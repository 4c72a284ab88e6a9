"""A Dask cluster as the workforce of an event: each duplicate set is a task for a worker on any machine.

Dask reassigns a set when its worker is lost. The results come back once the whole set is played. Each record is then
checked against the match that was issued, and the worker is notified when it is committed. If the scheduler goes away,
the run ends, and the next run continues with the sets that are not committed.
"""

import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

import trio
from distributed import Client, Future
from distributed.scheduler import KilledWorker
from google.protobuf.message import DecodeError

from ordago import v1
from ordago.match.audit import audit
from ordago.match.messages import record_heading
from ordago.record import FinishedRecord, RecordError, read_record, verify
from ordago.store import PlannedMatch, PlayedMatch, played_match
from ordago.version import __version__
from ordago_ladder.run.attempts import void_again
from ordago_ladder.run.commit_queue import Uncommitted
from ordago_ladder.run.playing import Opening, RunContext, Workforce, WorkforceError
from ordago_ladder.schedule.conduct import Suspension
from ordago_ladder.schedule.tables import sets_of
from ordago_ladder.workers.member import Outcome, hear, play_set
from ordago_ladder.workers.messages import (
    Committed,
    Failed,
    Issued,
    Played,
    ReportedMatch,
    Retire,
    Setup,
    Suspend,
    Task,
    ToWorker,
    Voided,
    issued,
    setup_of,
    task_of,
    terms_issued,
)


def inspected(issued: Issued, played: Played) -> PlayedMatch | str:
    """Return the match to be committed, or the problem with its record as a sentence.

    The record has to belong to this attempt at this match, with its terms and deals. It also has to obey the rules of
    the game and of the referee. No check can prove that the bots made these choices. An inspection takes milliseconds,
    so call this function in a worker thread.
    """
    try:
        record = read_record(played.played.record)
    except (RecordError, DecodeError) as error:
        return f"it cannot be read: {error}"
    begun = issued.journaled
    terms = terms_issued(begun)
    heading = v1.MatchRecord()
    heading.CopyFrom(record)
    heading.ClearField("entries")
    heading.ClearField("outcome")
    if heading != record_heading(terms):
        return "it is of another match, or has other terms"
    problems = [*verify(record, secret=begun.record.secret), *audit(record).problems]
    return problems[0].sentence if problems else played_match(FinishedRecord.of(record))


_CONNECT_SECONDS: Final = 10
"""Seconds to connect to the scheduler."""
_AWAY_SECONDS: Final = 10
"""Seconds that the scheduler may be unreachable before the run gives up."""
_REPORT_SECONDS: Final = 5.0
"""Seconds to wait for a worker to receive its messages. Nothing depends on their arrival."""
_RETRIES: Final = 5
"""Retries of a set whose Ordago process has ended. Lost workers do not count here: Dask has its own limit for them."""
_MOST_SETS: Final = 256
"""The most sets submitted to the cluster at once."""


class ForgedRecordError(WorkforceError):
    """A result from the cluster does not belong to the match that was issued."""


class Cluster:
    """The workers of a Dask cluster: a ``Workforce``."""

    def __init__(self, context: RunContext, client: Client, *, address: str) -> None:
        """Prepare to use the cluster of a connected client; error messages name its scheduler by ``address``."""
        self.context = context
        self._client = client
        self._address = address
        self._run = secrets.token_hex(8)
        self._room = trio.Semaphore(_MOST_SETS)
        self._to_say: dict[str, list[ToWorker]] = defaultdict(list)
        self._something_to_say = trio.Event()
        self._suspended: set[Suspension] = set()
        self._voids = Counter[str]()
        self._warned: set[str] = set()
        self._uncommitted = 0
        """The number of returned matches that are not committed yet."""
        self._awaits_commits = trio.lowlevel.ParkingLot()

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play the matches that are due. See ``Workforce``."""
        async with trio.open_nursery() as sets:
            for matches in sets_of(due):
                await self._room.acquire()
                still_due = [planned for planned in matches if not self.context.is_dropped(planned)]
                if still_due:
                    sets.start_soon(self._play, task_of(self.context, still_due), finished)
                else:
                    self._room.release()

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches."""
        if suspension not in self._suspended:
            self._suspended.add(suspension)
            self.say("", Suspend(suspension))

    def say(self, address: str, message: ToWorker) -> None:
        """Queue a message to a worker, or to all of them if the address is empty."""
        self._to_say[address].append(message)
        self._something_to_say.set()

    def _committed(self, address: str, message: Committed) -> None:
        """Queue the message that tells a worker about a committed match."""
        self.say(address, message)
        self._uncommitted -= 1
        self._awaits_commits.unpark_all()

    async def all_committed(self) -> None:
        """Wait until all returned matches are committed."""
        while self._uncommitted:
            await self._awaits_commits.park()

    async def watch(self) -> None:
        """Check every second that the scheduler is connected, until cancelled.

        Raises:
            WorkforceError: it was unreachable for ``_AWAY_SECONDS``.
        """
        away = 0
        while away < _AWAY_SECONDS:
            await trio.sleep(1)
            away = 0 if self._client.status == "running" else away + 1
        raise self._gone()

    async def speak(self) -> None:
        """Send queued messages to workers, until cancelled."""
        while True:
            await self._something_to_say.wait()
            await self.tell_all()

    async def tell_all(self) -> None:
        """Send all queued messages. A lost worker gets none, and needs none."""
        self._something_to_say = trio.Event()
        said, self._to_say = self._to_say, defaultdict(list)
        for address, messages in said.items():
            to = [address] if address else None
            call = partial(self._client.run, hear, self._run, messages, workers=to, on_error="ignore")
            with trio.move_on_after(_REPORT_SECONDS), suppress(Exception):
                await trio.to_thread.run_sync(call, abandon_on_cancel=True)

    def retire(self) -> None:
        """Queue the message that ends the processes of this run on all workers."""
        self.say("", Retire())

    def _gone(self) -> WorkforceError:
        return WorkforceError(f"lost the connection to the cluster at {self._address}")

    def _setup(self) -> Setup:
        """Return the setup for workers. The paths in it are placeholders: each worker sets its own."""
        nowhere = self.context.folder.private
        return setup_of(self.context, journal=nowhere, logs=nowhere, parallel=self.context.settings.event.parallel)

    async def _play(self, task: Task, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play a set, and play its void matches again."""
        try:
            again: Task | None = task
            while again is not None:
                again = await self._take_in(again, await self._outcome(again), finished)
        finally:
            self._room.release()

    async def _outcome(self, task: Task) -> Outcome:
        future = self._client.submit(
            *(play_set, __version__, self._run, self._setup(), task),
            key=f"ordago-{self._run}-{secrets.token_hex(8)}",
            pure=False,
            retries=_RETRIES,
        )
        try:
            await _done(future)
            outcome = await trio.to_thread.run_sync(future.result, abandon_on_cancel=True)
        except (CancelledError, OSError, TimeoutError):
            raise self._gone() from None
        except KilledWorker as error:
            raise WorkforceError(f"the cluster at {self._address} lost every worker that had a set: {error}") from None
        except Exception as error:
            raise WorkforceError(f"a worker of the cluster at {self._address} cannot play: {error}") from error
        finally:
            future.release()  # type: ignore[no-untyped-call]  # Dask is only partly typed
        if not isinstance(outcome, Outcome):
            raise ForgedRecordError(f"the cluster at {self._address} returned something other than a result")
        return outcome

    async def _take_in(
        self, task: Task, outcome: Outcome, finished: trio.MemorySendChannel[Uncommitted]
    ) -> Task | None:
        """Hand on the results of a task. Return a task with the matches to play again, or ``None``."""
        self._warn(outcome.warnings)
        again = []
        for match, ended in zip(task.matches, outcome.ended, strict=True):
            if isinstance(ended, Failed):
                again.append(await self._begin_anew(match, ended, outcome.address))
            else:
                result = await self._inspected(match, ended, outcome.address)
                self._uncommitted += 1
                say = partial(self._committed, outcome.address)
                await finished.send(
                    ReportedMatch(match.match_id, match.planned.entrants, result, self.context.journal, say)
                )
        return Task(tuple(again)) if again else None

    def _warn(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            if sentence not in self._warned:
                self._warned.add(sentence)
                self.context.warn(sentence)

    async def _inspected(self, match: Issued, played: Played, address: str) -> PlayedMatch:
        result = await trio.to_thread.run_sync(inspected, match, played)
        if isinstance(result, str):
            raise ForgedRecordError(
                f"the record of match {match.match_id} that {address} returned is refused: {result}"
            )
        return result

    async def _begin_anew(self, match: Issued, failed: Failed, address: str) -> Issued:
        await self.context.begin_anew(match.match_id, failed.failure)
        self.say(address, Voided(match.match_id, self.context.head()))
        self._voids[match.match_id] += 1
        if self._voids[match.match_id] > self.context.settings.event.attempts:
            raise void_again(match.planned, times=self._voids[match.match_id], logs=self.context.folder.logs)
        return issued(self.context, match.planned)


async def _done(future: "Future[Outcome]") -> None:
    """Wait until a task has finished, failed or been cancelled."""
    over, trio_thread = trio.Event(), trio.lowlevel.current_trio_token()

    def wake(_: object) -> None:
        # If the run has ended in the meantime, nothing waits for this task.
        with suppress(trio.RunFinishedError):
            trio_thread.run_sync_soon(over.set)

    future.add_done_callback(wake)  # type: ignore[no-untyped-call]  # as above
    await over.wait()


def cluster_at(address: str) -> Opening:
    """Return an opener for the cluster of the scheduler at ``tcp://HOST:PORT`` or ``tls://HOST:PORT``."""

    @asynccontextmanager
    async def opened(context: RunContext) -> AsyncIterator[Workforce]:
        # Errors are reported in one sentence; the log of Dask would repeat them at length.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        client = await _connected(address)
        if not address.startswith("tls://"):
            context.warn(
                f"{address} is without TLS: anyone who can connect to it can read the secret and forge results"
            )
        cluster = Cluster(context, client, address=address)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(cluster.watch)
                nursery.start_soon(cluster.speak)
                yield cluster
                await cluster.all_committed()
                nursery.cancel_scope.cancel()
        finally:
            cluster.retire()
            with trio.CancelScope(shield=True), trio.move_on_after(_REPORT_SECONDS):
                await cluster.tell_all()
                await trio.to_thread.run_sync(partial(client.close, timeout=1), abandon_on_cancel=True)

    return opened


async def _connected(address: str) -> Client:
    connect = partial(Client, address, timeout=_CONNECT_SECONDS, set_as_default=False)
    try:
        return await trio.to_thread.run_sync(connect, abandon_on_cancel=True)
    except (OSError, ValueError) as error:
        raise WorkforceError(f"cannot connect to a cluster at {address} ({error})") from None
