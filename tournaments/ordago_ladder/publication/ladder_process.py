"""Ladder process: fits and publishes the ladder of an event in a process of its own while matches are played.

A fit takes longer with every match, and would hold up all matches of the process that runs it. So another process
fits and publishes, and then pauses for longer than it worked.
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
"""The shortest pause: people do not notice more frequent updates."""
_REST: Final = 9.0
"""The pause after an update, as a multiple of its duration, so that it takes a tenth of a core."""
_MOST_SECONDS: Final = 30.0
"""The longest pause after an update that took less. A page that stands still for minutes looks dead: most of an early
update goes into the pages of matches, which have to be made some time. One that takes longer pauses as long as it
took, and leaves half a core to the matches."""


class LadderProcess:
    """Repeated publication of the ladder of an event, whenever there are new results."""

    def __init__(
        self, folder: EventFolder, *, place: str | None, tell: Callable[[Ladder], None], warn: Callable[[str], None]
    ) -> None:
        """Prepare to publish.

        Args:
            folder: the folder of the event.
            place: the URL of the event's database; ``None`` for the file in the folder.
            tell: called with each ladder, once it is published.
            warn: called at most once, with a sentence, if the ladder cannot be published.
        """
        self._folder = folder
        self._place = place
        self._tell = tell
        self._warn = warn
        self._news = trio.Event()
        self._warned = False
        self._known: Mapping[str, ThinkTimes] = {}
        """The think times of matches whose records are published already."""

    def more(self) -> None:
        """Signal that more results are committed."""
        self._news.set()

    async def run(self) -> None:
        """Publish until cancelled."""
        took = 0.0
        while True:
            await trio.sleep(pause_after(took))
            await self._news.wait()
            self._news = trio.Event()
            began = trio.current_time()
            await self._publish()
            took = trio.current_time() - began

    async def _publish(self) -> None:
        # A process group of its own, since Ctrl-C is for the runner alone.
        done = await trio.run_process(
            command_of(__name__, self._folder.path),
            env=environment(self._place or ""),
            stdin=pickle.dumps(self._known),
            check=False,
            capture_stdout=True,
            capture_stderr=True,
            process_group=0,
        )
        if done.returncode == 0:
            ladder, self._known = pickle.loads(done.stdout)  # noqa: S301 - our own process wrote it into a pipe of ours
            self._tell(ladder)
        elif not self._warned:
            self._warned = True
            self._warn(f"the ladder cannot be published while matches are played: {last_line(done.stderr)}")


def pause_after(took: float) -> float:
    """Return the pause after an update, in seconds."""
    return max(_LEAST_SECONDS, took, min(_REST * took, _MOST_SECONDS))


def main(path: str) -> None:
    """Publish the event in a folder, and write a pickled ``Published`` to the standard output.

    The standard input holds the think times of matches published before, pickled too.
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
