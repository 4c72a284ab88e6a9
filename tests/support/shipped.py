"""The unit and the image that come with Ordago, read as systemd and podman do, and their commands run beside them."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.ports import free_port

ROOT = Path(__file__).parents[2]
DEPLOYMENT = ROOT / "docs/deployment.md"
SECONDS = 60
_STATE = "/var/lib"
_CACHE = "/var/cache"
_CREDENTIALS = "/run/credentials/ordago.service"


class Unit:
    """A unit in ``deploy``, by default that of the server."""

    def __init__(self, name: str = "ordago.service") -> None:
        lines = (ROOT / "deploy" / name).read_text(encoding="utf-8").splitlines()
        told = [line.partition("=") for line in lines if "=" in line and not line.startswith("#")]
        self._told = [(key, value) for key, _, value in told]

    def all_of(self, key: str) -> list[str]:
        """Return what is told under a key, in order."""
        return [value for name, value in self._told if name == key]

    def one(self, key: str) -> str:
        """Return what is told under a key that stands there once."""
        [value] = self.all_of(key)
        return value

    def environment(self, file: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of the service, where its environment file says this."""
        words = [word for line in self.all_of("Environment") for word in shlex.split(_specified(line))]
        folders = ":".join(f"{_STATE}/{name}" for name in self.one("StateDirectory").split())
        state = {"STATE_DIRECTORY": folders, "CREDENTIALS_DIRECTORY": _CREDENTIALS}
        return {**state, **dict(word.split("=", 1) for word in words), **file}

    def command(self, file: Mapping[str, str]) -> list[str]:
        """Return the words of the command: a variable alone is several, one in braces is a part of its word."""
        environment = self.environment(file)
        words: list[str] = []
        for word in shlex.split(_specified(self.one("ExecStart"))):
            if re.fullmatch(r"\$\w+", word):
                words += environment[word[1:]].split()
            else:
                words.append(re.sub(r"\$\{(\w+)\}", lambda found: environment[found[1]], word))
        return words

    def credentials(self) -> dict[str, str]:
        """Return where each file comes from that systemd hands over, by its name there."""
        return dict(line.split(":", 1) for line in self.all_of("LoadCredential"))

    def starts_anew_after(self, code: int) -> bool:
        """Say whether the service is started again after an exit code, or a signal where it is negative."""
        assert self.one("Restart") == "on-failure"
        return code != 0 and str(code) not in self.one("RestartPreventExitStatus").split()


class Image:
    """``deploy/Containerfile``: the last of its images."""

    def __init__(self) -> None:
        text = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")
        text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").rpartition("\nFROM ")[2]
        self._told = [line.partition(" ") for line in text.splitlines()[1:] if line.strip()]

    def one(self, key: str) -> str:
        """Return what follows an instruction that stands there once."""
        [told] = [told for name, _, told in self._told if name == key]
        return told

    def environment(self) -> dict[str, str]:
        """Return what the image sets, but for where programs lie."""
        told = dict(word.split("=", 1) for word in shlex.split(self.one("ENV")))
        del told["PATH"]
        return told

    def command(self, instead: Sequence[str] = ()) -> list[str]:
        """Return the words of the command, with these in place of those that come with the image."""
        return [*json.loads(self.one("ENTRYPOINT")), *(instead or json.loads(self.one("CMD")))]

    def health_check(self) -> list[str]:
        """Return the words of the health check."""
        words: list[str] = json.loads(self.one("HEALTHCHECK").partition(" CMD ")[2])
        return words


class Place:
    """A folder that stands for the root of a machine, and ports that stand for those of the documentation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ports = {port: str(free_port()) for port in ("7447", "8080", "8443", "9447")}

    def port(self, told: str) -> int:
        """Return the port that stands for one of the documentation."""
        return int(self._ports[told])

    def here(self, word: str) -> str:
        """Return a word of a command, or a value of the environment, as it is here."""
        if word in ("/opt/ordago/bin/ordago", "/opt/ordago/bin/python"):
            return sys.executable
        for told, port in self._ports.items():
            word = re.sub(rf"(?<=:){told}\b", port, word)
        return re.sub(r"(?<![\w./:])/(?=(var|run|etc|data|records)\b)", f"{self.folder}/", word)

    def run(self, words: Sequence[str]) -> list[str]:
        """Return the words of a command as it is run here."""
        module = ["-m", "ordago"] if words[0].endswith("/ordago") else []
        return [self.here(words[0]), *module, *map(self.here, words[1:])]


class Started:
    """A server that was started by a command as it is shipped."""

    def __init__(self, process: "subprocess.Popen[str]", place: Place) -> None:
        self.process = process
        self.place = place

    def said(self, beginning: str) -> str:
        """Wait for a line that begins so."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(beginning):
                return line
        raise AssertionError(f"{beginning!r} was not said: {lines}, {self.process.wait(SECONDS)}")


@contextmanager
def started(words: Sequence[str], environment: Mapping[str, str], place: Place) -> Iterator[Started]:
    """Start a command in a place, with nothing in its environment but this, and end it whatever happens."""
    here = {name: place.here(value) for name, value in environment.items()}
    process = subprocess.Popen(place.run(words), env=here, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    with process:
        try:
            yield Started(process, place)
        finally:
            process.kill()


def section(heading: str) -> str:
    """Return what stands under a heading of docs/deployment.md."""
    return DEPLOYMENT.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def _specified(line: str) -> str:
    for told, meant in (("%S", _STATE), ("%C", _CACHE), ("%d", _CREDENTIALS), ("%%", "%"), ("$$", "$")):
        line = line.replace(told, meant)
    return line
