"""The ladder of an event while it is played: fitted and published by a process of its own.

A fit takes the longer the more was played, and whoever fits holds up every match of the process that he is in. So
another process does both, and no more often than it costs: it sleeps nine times as long as it works.
"""

import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import trio

from ordago.store.event.store import Store
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.helpers import command_of, environment, last_line, place_of_store
from ordago_ladder.publication.archive import publish_event
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.rating.think_times import ThinkTimes

_LEAST_SECONDS: Final = 2.0
"""A person who watches sees no more."""
_REST: Final = 9.0
"""So many times as long as it works the process rests."""


class LadderProcess:
    """Tells the ladder of an event from time to time, as long as there is something new to tell."""

    def __init__(
        self, folder: EventFolder, *, place: str | None, tell: Callable[[Ladder], None], warn: Callable[[str], None]
    ) -> None:
        """Prepare to tell it.

        Args:
            folder: the folder of the event.
            place: the URL of the database that the event is kept in; ``None`` for the file in the folder.
            tell: is told the ladder, which is published by then.
            warn: is told, once, in a sentence that it cannot be published.
        """
        self._folder = folder
        self._place = place
        self._tell = tell
        self._warn = warn
        self._news = trio.Event()
        self._warned = False
        self._known: Mapping[str, ThinkTimes] = {}
        """What is published already, which is not looked at again."""

    def more(self) -> None:
        """Say that more results are committed."""
        self._news.set()

    async def run(self) -> None:
        """Tell it until cancelled."""
        took = 0.0
        while True:
            await trio.sleep(max(_LEAST_SECONDS, _REST * took))
            await self._news.wait()
            self._news = trio.Event()
            began = trio.current_time()
            await self._publish()
            took = trio.current_time() - began

    async def _publish(self) -> None:
        # Ctrl-C is for the runner alone.
        done = await trio.run_process(
            command_of(__name__, self._folder.path),
            env=environment(self._place or ""),
            stdin=pickle.dumps(self._known),
            check=False,
            capture_stdout=True,
            capture_stderr=True,
            start_new_session=True,
        )
        if done.returncode == 0:
            ladder, self._known = pickle.loads(done.stdout)  # noqa: S301 - our own process wrote it into a pipe of ours
            self._tell(ladder)
        elif not self._warned:
            self._warned = True
            self._warn(f"the ladder cannot be published while matches are played: {last_line(done.stderr)}")


def main(path: str) -> None:
    """Publish what is known of the event in a folder, and write its ladder to the standard output.

    What was published before stands in the standard input; what is now, behind the ladder.
    """
    known = pickle.load(sys.stdin.buffer)  # noqa: S301 - the runner wrote it
    folder = EventFolder(Path(path))
    with Store.open(place_of_store() or folder.store) as store:
        text = store.event().settings
        settings = parse_event(text)
        published = publish_event(settings, text, store, folder, known=known)
    sys.stdout.buffer.write(pickle.dumps(published))


if __name__ == "__main__":
    main(sys.argv[1])
