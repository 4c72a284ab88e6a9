"""The command ``ordago``. Bots do not need it, and their distribution lacks its code: it then says what to install."""

import sys
from typing import Final

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
_EXIT_USAGE: Final = 2


def main() -> None:
    """Run the command line of the process, and exit with its code."""
    try:
        from ordago_cli import main as run

        # Commands are imported on use, so a module may be missing here as well.
        run()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _OF_THE_SERVER:
            raise
        print(  # noqa: T201 - click is not there to do it
            f"ordago: the command line needs the extra 'server' ({error.name} is not installed): "
            "pip install 'ordago[server]'. A bot needs no extra: python -m ordago_bot --help",
            file=sys.stderr,
        )
        sys.exit(_EXIT_USAGE)


if __name__ == "__main__":
    main()
