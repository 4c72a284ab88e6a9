"""The sandboxes of the bots of an event, and the paths that they can reach."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ordago.arena.processes.isolation.bot_user import runs_as_root
from ordago.arena.processes.isolation.choice import NoIsolationError, isolation_here
from ordago.arena.processes.isolation.confinement import Confinement, Isolation, Limits, Sandbox
from ordago.arena.processes.isolation.readable import readable_for
from ordago_ladder.entrants.launch import bot_command, given_to, working_folder
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings

NOT_ISOLATED = "the bots are not isolated: each can read all that you can, including the secret of the event"
BOTS_ARE_ROOT = (
    "Ordago runs as root, and so does each bot and each build: they can change anything on this machine; run Ordago "
    "as a user of its own"
)


@contextmanager
def isolation_of(settings: Settings) -> Iterator[Isolation | None]:
    """Provide the isolation of the bots of an event; ``None`` where the event file asks for none.

    Raises:
        NoIsolationError: the event file asks for isolation, and this machine supports none.
    """
    if settings.event.isolation == "none":
        yield None
        return
    with isolation_here() as isolation:
        yield isolation


def exposures(settings: Settings, isolation: Isolation | None) -> Iterator[str]:
    """Yield a sentence for each exposure of this machine to the bots that the organiser may not expect."""
    if isolation is None:
        yield NOT_ISOLATED
        if runs_as_root():
            yield BOTS_ARE_ROOT
        return
    if isolation.left_open:
        yield isolation.left_open
    guests = [repr(entrant.name) for entrant in settings.entrants if entrant.command is not None and not entrant.folder]
    if guests:
        what = "all files there but those of this event; give each a 'folder' of its own"
        yield f"{', '.join(guests)} will work in {Path.cwd()} and may read {what}"


def isolation_notes(settings: Settings, isolation: Isolation | None) -> Iterator[str]:
    """Yield the sentence of the isolation method, if any, and the exposures that remain."""
    if isolation is not None:
        yield isolation.sentence
    yield from exposures(settings, isolation)


class Sandboxes:
    """The sandboxes of an event: one configuration per entrant, and a sandbox of its own for each process."""

    def __init__(
        self, settings: Settings, isolation: Isolation | None, *, hidden: Sequence[Path], socket: Path | None = None
    ) -> None:
        """Prepare the sandboxes.

        Args:
            settings: the event.
            isolation: the isolation method; ``None`` for none.
            hidden: the paths that no bot may read.
            socket: the Unix socket of the server.

        Raises:
            NoIsolationError: an entrant works in a hidden folder.
        """
        self._settings = settings
        self._isolation = isolation
        self._hidden = tuple(hidden)
        self._socket = socket
        self._made: dict[str, Sandbox] = {}
        if isolation is not None:
            self._refuse_hidden_folders()

    def _refuse_hidden_folders(self) -> None:
        """Refuse entrants in hidden folders, whose bots would not find their own programs."""
        for entrant in self._settings.entrants:
            folder = working_folder(entrant).resolve()
            for path in (path.resolve() for path in self._hidden):
                if entrant.command is not None and folder.is_relative_to(path):
                    raise NoIsolationError(
                        f"{entrant.name!r} would work in {folder}, but {path} is hidden from bots: give it another "
                        "'folder', or name another output folder (--out)"
                    )

    def of(self, entrant: EntrantSettings) -> Sandbox:
        """Return the sandbox for a process of an entrant."""
        if entrant.name not in self._made:
            self._made[entrant.name] = self._sandbox(entrant)
        return self._made[entrant.name]

    def _sandbox(self, entrant: EntrantSettings) -> Sandbox:
        folder = working_folder(entrant)
        if self._isolation is None:
            # The socket of the rules is in a folder that ends with the run, as one in a scratch folder does.
            beside = {"TMPDIR": str(self._socket.parent)} if entrant.rules and self._socket else {}
            return Sandbox(folder=folder, environment=beside)
        return self._isolation.sandbox(
            Confinement(
                folder=folder,
                readable=(
                    *readable_for(bot_command(entrant), folder, built=bool(entrant.build)),
                    *given_to(entrant),
                ),
                hidden=(*self._hidden, *self._folders_of_others(folder)),
                socket=self._socket,
                limits=Limits(**self._settings.limits.model_dump()),
                makes_socket=entrant.rules,
            )
        )

    def _folders_of_others(self, own: Path) -> Iterator[Path]:
        """Yield the folders of all entrants except those that contain ``own``, which its entrant has to read."""
        for entrant in self._settings.entrants:
            folder = working_folder(entrant).resolve()
            if entrant.folder and not own.resolve().is_relative_to(folder):
                yield folder
