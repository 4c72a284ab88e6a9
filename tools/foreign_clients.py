"""Build the clients in other languages than Python, and generate or check their stubs.

``make clients``, ``make proto`` and ``make drift`` run it in the environment of the project, which has buf. If the
tools of a language are missing or incomplete, its client is skipped, and a line names the missing part. A client that
fails for another reason does not stop the others, and is reported at the end.
"""

import argparse
import filecmp
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from missing import what_is_missing

ROOT = Path(__file__).parents[1]
PROTO = ROOT / "proto"
STAMPS = ROOT / "out" / "built"
"""The folder with the outcome of the last build of each client, and the digest of its sources."""


class FailedError(Exception):
    """A command of a client failed."""

    def __init__(self, sentence: str, printed: str = "") -> None:
        super().__init__(sentence)
        self.missing = what_is_missing(printed)
        """The missing requirement that made it fail; empty for another reason."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the last build of a client."""

    digest: str
    """The digest of its sources."""
    missing: str = ""
    """The reason why it was skipped, as the end of a sentence; empty if it was not."""
    failed: str = ""
    """The failure, as a sentence; empty if there was none."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client in another language than Python, as described by ``client.toml`` in its folder."""

    language: str
    """The display name of its language."""
    folder: Path
    """Its folder, in which all commands run except those of its bots."""
    needs: tuple[str, ...]
    """The programs that it requires."""
    build: tuple[str, ...]
    """The command that builds its bots."""
    slow: bool
    """True if the first build takes minutes."""
    test: tuple[str, ...]
    """The command that runs its tests."""
    built: Path
    """A file that exists once it is built."""
    command: tuple[str, ...]
    """The command that starts its bot ``random``, from the root of the checkout."""
    simple: tuple[str, ...]
    """The command that starts its bot ``simple``, from the root of the checkout; empty if it has none."""
    stubs: tuple[Path, ...]
    """The folders of its checked-in stubs, relative to its own; empty if its build generates them."""
    generate: tuple[str, ...]
    """The command that generates them, with ``{proto}`` for the contract and ``{output}`` for the target folder."""

    @property
    def name(self) -> str:
        """The name of its bot."""
        return f"random-{self.folder.name}"

    @property
    def missing(self) -> str:
        """The first required program that is not installed; empty if all are."""
        return next((program for program in self.needs if shutil.which(program) is None), "")


def read_client(file: Path) -> Client:
    """Return the client that a file describes."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    folder = file.parent
    return Client(
        language=content["language"],
        folder=folder,
        needs=tuple(content["needs"]),
        build=tuple(content["build"]),
        slow=content.get("slow", False),
        test=tuple(content["test"]),
        built=folder / content["built"],
        command=tuple(content["random"]),
        simple=tuple(content["simple"]),
        stubs=tuple(map(Path, content["stubs"])),
        generate=tuple(content["generate"]),
    )


CLIENTS = tuple(map(read_client, sorted((ROOT / "clients").glob("*/client.toml"))))


def say(sentence: str) -> None:
    """Print a sentence."""
    print(sentence)  # noqa: T201 - it is a command


def build(client: Client) -> None:
    """Build a client, unless it was built from exactly these files, since even no-op builds take time.

    Raises:
        FailedError: it cannot be built.
    """
    digest = _digest(client)
    try:
        _install(client)
        # Without git there is no digest, and the client is built every time.
        if digest and client.built.exists() and outcome_of(client) == Outcome(digest):
            say(f"{client.name}: {client.built.relative_to(ROOT)} is built from what is there")
            return
        _run(client, client.build)
    except FailedError as error:
        _note(client, Outcome(digest, missing=error.missing, failed="" if error.missing else str(error)))
        raise
    say(f"{client.name}: built {client.built.relative_to(ROOT)}")
    _note(client, Outcome(digest))


def outcome_of(client: Client) -> Outcome | None:
    """Return the outcome of the last build of a client; ``None`` if its current sources were never built."""
    try:
        outcome = Outcome(**json.loads((STAMPS / client.name).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return outcome if outcome.digest == _digest(client) else None


def is_built(client: Client) -> bool:
    """Return True if the bots of a client can be started."""
    outcome = outcome_of(client)
    return not client.missing and outcome is not None and not (outcome.missing or outcome.failed)


def _note(client: Client, outcome: Outcome) -> None:
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / client.name).write_text(json.dumps(asdict(outcome)), encoding="utf-8")


def _digest(client: Client) -> str:
    """Return a digest of the files of a client and the contract; empty if git does not list them."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--")
    listed = subprocess.run([*command, client.folder, PROTO], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    paths = [ROOT / name for name in sorted(listed.stdout.split("\0")) if name]
    contents = [f"{path} {sha256(path.read_bytes()).hexdigest()}" for path in paths if path.is_file()]
    return sha256("\n".join(contents).encode()).hexdigest() if contents else ""


def generate(client: Client) -> None:
    """Generate the stubs of a client, then replace the old ones."""
    if not client.stubs:
        return
    with _fresh_stubs(client) as fresh:
        for stubs in client.stubs:
            shutil.rmtree(client.folder / stubs, ignore_errors=True)
            shutil.copytree(Path(fresh) / stubs, client.folder / stubs)
    say(f"{client.name}: generated its stubs")


def drift(client: Client) -> None:
    """Compare the stubs of a client with freshly generated ones.

    Raises:
        FailedError: they differ, or cannot be generated.
    """
    if not client.stubs:
        return
    with _fresh_stubs(client) as fresh:
        wrong = [name for stubs in client.stubs for name in _differences(client.folder / stubs, Path(fresh) / stubs)]
    if wrong:
        raise FailedError(f"these stubs are not those of the contract; make proto generates them anew: {wrong}")
    say(f"{client.name}: its stubs are those of the contract")


def _fresh_stubs(client: Client) -> "tempfile.TemporaryDirectory[str]":
    _install(client)
    fresh = tempfile.TemporaryDirectory()
    _run(client, [word.format(proto=PROTO, output=fresh.name) for word in client.generate])
    return fresh


def _differences(tree: Path, fresh: Path) -> Iterator[str]:
    names = {str(path.relative_to(top)) for top in (tree, fresh) for path in top.rglob("*.*")}
    _, different, missing = filecmp.cmpfiles(tree, fresh, names, shallow=False)
    yield from sorted(different + missing)


def _install(client: Client) -> None:
    """Install the npm packages of a client, unless they are up to date. The tools of other languages do that."""
    lock, installed = client.folder / "package-lock.json", client.folder / "node_modules/.package-lock.json"
    if lock.exists() and not (installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime):
        _run(
            client,
            ("npm", "ci", "--prefer-offline", "--engine-strict", "--loglevel", "error", "--no-audit", "--no-fund"),
        )


def _run(client: Client, command: Sequence[str]) -> None:
    """Run a command in the folder of a client, and show its output as it comes."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    # English output, since ``missing.py`` recognises English messages only.
    environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
    printed: list[str] = []
    with subprocess.Popen(  # noqa: S603 - our own
        command,
        cwd=client.folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            printed.append(line)
    if process.returncode:
        raise FailedError(f"this failed in {client.folder}: {shlex.join(command)}", "".join(printed))


TASKS: dict[str, Callable[[Client], None]] = {"build": build, "generate": generate, "drift": drift}


def done(task: str, client: Client) -> str:
    """Do a task for a client, or print the reason for skipping it; return the failure, or empty."""
    try:
        TASKS[task](client)
    except FailedError as error:
        if not error.missing:
            return f"{client.name}: {error}"
        say(f"{client.name}: left out, since {error.missing}")
    return ""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--only", metavar="FOLDER", help="only the client in this folder of clients, such as go")
    parser.add_argument("--quick", action="store_true", help="leave out those whose first build takes minutes")
    arguments = parser.parse_args()
    failed: list[str] = []
    for client in [one for one in CLIENTS if arguments.only in (None, one.folder.name)]:
        if arguments.quick and client.slow and not client.built.exists():
            say(f"{client.name}: left out, since its first build takes minutes; make clients builds it")
        elif client.missing:
            say(f"{client.name}: left out, since there is no program {client.missing!r} on this machine")
        else:
            failed.append(done(arguments.task, client))
    sys.exit("\n".join(filter(None, failed)) or None)


if __name__ == "__main__":
    main()
