"""The command ``ordago``. Bots do not need it, and their distribution lacks its code: it then says what to install."""

import sys
from pathlib import Path
from typing import Final, NoReturn

_OF_THE_SERVER: Final = frozenset(
    {
        "click",
        "filelock",
        "grpc_health",
        "grpc_reflection",
        "jinja2",
        "markupsafe",
        "numpy",
        "ordago_cli",
        "prometheus_client",
        "pydantic",
        "rich",
        "sqlalchemy",
        "structlog",
        "tomlkit",
        "yaml",
    }
)
_OF_POSIX: Final = frozenset({"fcntl", "pwd", "resource"})
"""Modules of Python that Windows lacks."""
_EXIT_USAGE: Final = 2


def main() -> None:
    """Run the command line of the process, and exit with its code."""
    try:
        _check_versions(Path(__file__).parents[1])
        from ordago_cli import main as run

        # Commands are imported on use, so a module may be missing here as well.
        run()
    except ModuleNotFoundError as error:
        sentence = _explained(error)
        if not sentence:
            raise
        _refuse(sentence)


def _check_versions(folder: Path) -> None:
    """Exit if the folder has the two distributions in versions that differ. pip allows that, and only warns."""
    # By the names of folders, since importing importlib.metadata takes longer than the rest of a start.
    names = (path.name.removesuffix(".dist-info").partition("-") for path in folder.glob("ordago*.dist-info"))
    versions = {name: version for name, _, version in names}
    bots, server = versions.get("ordago"), versions.get("ordago_server")
    if bots and server and bots != server:
        _refuse(f"ordago {bots} and ordago-server {server} do not fit together: pip install 'ordago[server]=={server}'")


def _explained(error: ModuleNotFoundError) -> str:
    """Return the sentence for somebody whose installation or system lacks a module; empty if Ordago is at fault."""
    missing = (error.name or "").partition(".")[0]
    if missing in _OF_POSIX:
        return (
            f"servers and events need Linux or macOS (this system has no {missing}). "
            "Bots also run elsewhere: python -m ordago_bot --help"
        )
    if missing in _OF_THE_SERVER:
        return (
            f"the command line needs the extra 'server' ({error.name} is not installed): "
            "pip install 'ordago[server]'. A bot needs no extra: python -m ordago_bot --help"
        )
    return ""


def _refuse(sentence: str) -> NoReturn:
    print(f"ordago: {sentence}", file=sys.stderr)  # noqa: T201 - click may be missing
    sys.exit(_EXIT_USAGE)


if __name__ == "__main__":
    main()
