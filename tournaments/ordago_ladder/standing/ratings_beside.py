"""The ratings of a ladder while it is played, and what is published of it: by a process of its own.

A fit and an archive take the longer the more was played, and whoever makes them holds up every match of the process
that he is in. So another process does both, and no more often than it costs: it rests some times as long as it works.
It reads the store by itself, goes on from the results that it knows, and ends with whoever started it.
"""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

import trio

from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_rows import LadderResult, PlayerRow
from ordago_ladder.standing.archive import ArchiveError, publish_epochs
from ordago_ladder.standing.careers import CareerResult, Careers, Player, Scale, StandingRatings
from ordago_ladder.writing import write_published

_PLACE: Final = "ORDAGO_STORE_BESIDE"
_LENGTH_BYTES: Final = 8
_LEAST_SECONDS: Final = 1.0
"""No author sees more."""
_REST: Final = 4.0
"""So many times as long as it works the process rests."""
_RESTART_SECONDS: Final = 5.0
NO_RATINGS: Final = StandingRatings(0, Scale((), ()), ())
"""Those of a ladder on which nobody has played."""


@dataclass(frozen=True, slots=True)
class Published:
    """What is published, and where."""

    place: str
    """The store: a path, or the URL of a database."""
    archive: Path
    """The folder that is published."""
    anchors: Mapping[str, float]
    """The ratings of house bots that are known."""
    file: bytes
    """The ladder file."""


class RatingsBeside:
    """Keeps the ratings up to date, as long as there are new results."""

    def __init__(
        self, published: Published, *, told: Callable[[StandingRatings], None], warn: Callable[[str], None]
    ) -> None:
        """Prepare to rate.

        Args:
            published: what is read, and where it is published.
            told: is called with new ratings, which are published by then.
            warn: is told in a sentence if ratings are not up to date.
        """
        self._published = published
        self._told = told
        self._warn = warn
        self._news = trio.Event()
        self.current = NO_RATINGS
        """The ratings as they are known. Any thread may look."""

    def more(self) -> None:
        """Say that something was committed, or revealed."""
        self._news.set()

    async def run(self) -> None:
        """Rate and publish until it is cancelled; by a new process where one ends."""
        self.more()
        while True:
            try:
                await self._run_process()
            except (trio.BrokenResourceError, EOFError, OSError) as error:
                self._warn(f"the ratings are not up to date, and the archive is not: {error or 'their process ended'}")
                await trio.sleep(_RESTART_SECONDS)
                self.more()

    async def _run_process(self) -> None:
        # Nothing is imported from the folder that the server was started in, and Ctrl-C is for the server alone. Where
        # the store is stands in the environment: it may hold a password.
        async with _pipes(
            await trio.lowlevel.open_process(
                [sys.executable, "-P", "-m", __name__],
                env={**os.environ, _PLACE: self._published.place},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        ) as (asking, answers):
            await asking.send_all(_framed(pickle.dumps(self._published)))
            await self._ask(asking, answers)

    async def _ask(self, asking: trio.abc.SendStream, answers: trio.abc.ReceiveStream) -> None:
        while True:
            await self._news.wait()
            self._news = trio.Event()
            began = trio.current_time()
            await asking.send_all(b"\n")
            answer: Answer = pickle.loads(await _received(answers))  # noqa: S301 - our own process wrote it
            if answer.problem:
                self._warn(f"the ladder is not published: {answer.problem}")
            self.current = answer.ratings
            self._told(self.current)
            await trio.sleep(max(_LEAST_SECONDS, _REST * (trio.current_time() - began)))


@asynccontextmanager
async def _pipes(process: trio.Process) -> AsyncIterator[tuple[trio.abc.SendStream, trio.abc.ReceiveStream]]:
    """Give the pipes of a process, which is ended when they are given back."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with process.stdin, process.stdout:
            yield process.stdin, process.stdout
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH_BYTES) + content


async def _received(stream: trio.abc.ReceiveStream) -> bytes:
    """Return what a process wrote.

    Raises:
        EOFError: it ended.
    """
    content, length = bytearray(), _LENGTH_BYTES
    while len(content) < length:
        part = await stream.receive_some()
        if not part:
            raise EOFError
        content += part
        if len(content) >= _LENGTH_BYTES:
            length = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES])
    return bytes(content[_LENGTH_BYTES:])


@dataclass(slots=True)
class Publisher:
    """Rates and publishes a ladder, again and again. It belongs to a process that plays nothing."""

    published: Published
    queries: LadderQueries
    careers: Careers = field(init=False)
    players: dict[int, PlayerRow] = field(default_factory=dict)
    position: int = 0
    """How far the results are known."""
    complete: frozenset[int] = frozenset()
    """The epochs that are published to their ends."""

    def __post_init__(self) -> None:
        """Begin without results."""
        self.careers = Careers(anchors=self.published.anchors)

    def answer(self) -> "Answer":
        """Rate and publish how things are now."""
        ratings = self._rated()
        try:
            self._publish(ratings)
        except (ArchiveError, OSError) as error:
            return Answer(ratings, str(error))
        return Answer(ratings, "")

    def _rated(self) -> StandingRatings:
        # Whoever has a result was entered before it: he is among the players that are read after it.
        results = list(self.queries.results_since(self.position))
        new = [player for player in self.queries.players() if player.player not in self.players]
        self.players |= {player.player: player for player in new}
        self.careers.enter(Player(one.player, one.name, one.predecessor, one.house) for one in new)
        self.careers.add(map(_career_result, results))
        self.position = results[-1].position if results else self.position
        return self.careers.ratings()

    def _publish(self, ratings: StandingRatings) -> None:
        write_published(self.published.archive / "ladder.toml", self.published.file)
        self.complete = publish_epochs(PublishedStore(self.queries), self.published.archive, complete=self.complete)
        write_published(self.published.archive / "ladder.json", self._as_json(ratings))

    def _as_json(self, ratings: StandingRatings) -> bytes:
        players = {str(number): _player_as_json(player) for number, player in sorted(self.players.items())}
        return (json.dumps({"players": players, "ratings": ratings.as_json()}, indent=1) + "\n").encode()


class Answer(NamedTuple):
    """What the process says."""

    ratings: StandingRatings
    problem: str
    """Why nothing could be published, in a sentence; empty if it could."""


class PublishedStore:
    """What is published of a store: a ``LadderSource``."""

    def __init__(self, queries: LadderQueries) -> None:
        """Read a store."""
        self._queries = queries

    def epochs(self) -> Sequence[int]:
        """Return the numbers of the epochs that have begun, ascending."""
        return [epoch.epoch for epoch in self._queries.epochs()]

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch."""
        row = next(row for row in self._queries.epochs() if row.epoch == epoch)
        return self._queries.settings(row.settings_digest)

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of the ledger of an epoch, as far as it has come."""
        return list(self._queries.ledger(epoch))

    def record(self, match_id: str) -> bytes:
        """Return the record of a match as it was committed."""
        return self._queries.record(match_id)


def _career_result(row: LadderResult) -> CareerResult:
    return CareerResult(
        game=row.seating.game,
        players=row.seating.players,
        placings=row.result.placings,
        forfeits=tuple(forfeit.seat for forfeit in row.result.forfeits),
        ended=row.ended,
    )


def _player_as_json(player: PlayerRow) -> dict[str, object]:
    return {name: getattr(player, name) for name in ("name", "version", "account", "house", "predecessor")}


def main(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Publish whenever a line comes, and write the ratings behind their length."""
    length = int.from_bytes(asked.read(_LENGTH_BYTES))
    published: Published = pickle.loads(asked.read(length))  # noqa: S301 - the server wrote it
    with LadderQueries.open(os.environ[_PLACE]) as queries:
        publisher = Publisher(published, queries)
        while asked.read(1):
            answers.write(_framed(pickle.dumps(publisher.answer())))
            answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
