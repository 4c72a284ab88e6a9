"""The rehearsal of an upgrade and of the way back, by what docs/stability.md promises of versions next to each other.

The next version is made up: the same sources under another number.
"""

import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from archives import kept, version_of
from versions import set_version

from rehearsal.registry import publish
from rehearsal.steps import StepError, Stranger

_EVENT: Final = """
[event]
name = "upgraded"
repetitions = 10
parallel = 2
decision_ms = 60_000
secret = "6f726461676f2d757067726164652d6576656e742d3030303030303030303031"

[[game]]
name = "mittlere"
options = { deals = 3 }
"""
_ENTRANT: Final = """
[[entrant]]
name = "{name}"
house = "{name}"
env = {{ ORDAGO_NONCE = "{nonce}" }}
"""
_BOTS: Final = ("random", "solid", "default")
_RUN: Final = ("ordago", "run", "event.toml", "--out")
_PLAYED: Final = '"type": "played"'
_MATCHES_A_TURN: Final = 8
"""A few of the sixty matches of the event, before it is interrupted, and of the ladder."""
_ADDRESS: Final = re.compile(r"127\.0\.0\.1:\d+")
_AS_GUEST: Final = ("--name", "guest", "--game", "mittlere", "--matches-in-all", str(_MATCHES_A_TURN))
_COMPARED: Final = ("ladder.csv", "ladder.json")


def rehearse(root: Path, registry: Path, address: str, scratch: Path) -> None:
    """Go from this version to the next one and back, with an event, a ladder and bots."""
    older = version_of(root)
    newer = f"{older.rpartition('.')[0]}.{int(older.rpartition('.')[2]) + 1}"
    tree = scratch / "next"
    for path in kept(root):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, tree / path)
    set_version(tree, newer)
    built = tree / "out/packages"
    subprocess.run([sys.executable, "tools/packages.py", built], cwd=tree, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    publish(built.iterdir(), registry / "pypi")
    folder = scratch / "upgrades"
    folder.mkdir()
    both = [_installed(version, address, folder) for version in (older, newer)]
    _go_on_with_an_event(*both)
    _go_on_with_a_ladder(*both)
    _play_with_bots(*both)


def _installed(version: str, address: str, folder: Path) -> Stranger:
    """Return a stranger with a version, in a folder that strangers share."""
    home = folder / version
    subprocess.run([sys.executable, "-m", "venv", home], check=True)  # noqa: S603 - ours
    stranger = Stranger(f"Ordago {version}", folder, {"PIP_INDEX_URL": f"{address}/pypi"}, programs=home / "bin")
    stranger.does("pip", "install", f"ordago[server,web]=={version}")
    stranger.does("sh", "-c", f"ordago --version | grep -F 'version {version},'")
    return stranger


def _go_on_with_an_event(older: Stranger, newer: Stranger) -> None:
    """Begin an event by one version, go on by the other, end it by the first, and compare it with one undisturbed."""
    entrants = [_ENTRANT.format(name=name, nonce=f"{number:032x}") for number, name in enumerate(_BOTS)]
    (older.folder / "event.toml").write_text(_EVENT + "".join(entrants), encoding="utf-8")
    older.does(*_RUN, "undisturbed")
    for stranger in (older, newer):
        with stranger.runs(*_RUN, "shared", "--json-lines", until=_PLAYED, times=_MATCHES_A_TURN):
            pass
    older.does(*_RUN, "shared")
    for stranger in (older, newer):
        stranger.does("ordago", "verify", "shared")
    for name in _COMPARED:
        one, other = (older.folder / place / name for place in ("undisturbed", "shared"))
        if one.read_bytes() != other.read_bytes():
            raise StepError(f"{name} of the event that both versions played is not that of the event of one")


def _go_on_with_a_ladder(older: Stranger, newer: Stranger) -> None:
    """Serve a ladder by each in turn to a bot of the other; what was played stays."""
    words = ("ordago", "serve", "--ladder", "demo", "--data", "data", "--address", "127.0.0.1:0")
    archive = older.folder / "data/ladders/demo/archive"
    for server, author in ((older, newer), (newer, older), (older, newer)):
        with server.runs(*words, until="listening on") as line:
            author.does(*_bot(author, "random"), "--address", _ADDRESS.findall(line)[0], *_AS_GUEST)
        for reader in (older, newer):
            earlier = [
                word for path in sorted(older.folder.glob("ladder-*.json")) for word in ("--standing", path.name)
            ]
            reader.does("ordago", "verify", str(archive), *earlier, fails_with="unfinished")
        shutil.copy(archive / "ladder.json", older.folder / f"ladder-{time.monotonic_ns()}.json")


def _bot(stranger: Stranger, name: str) -> tuple[str, ...]:
    return str(stranger.programs / "python"), "-m", "ordago_bot", name


def _play_with_bots(older: Stranger, newer: Stranger) -> None:
    for server, bots in ((older, newer), (newer, older)):
        bot = f"cmd:{shlex.join(_bot(bots, 'solid'))}"
        server.does("ordago", "play", "mittlere", "--bot", bot, "--bot", bot, "--bot", "house:random", "--json")
