"""Commands as they are typed, and what they say of mistakes."""

from pathlib import Path

from click.testing import CliRunner, Result

from ordago_cli.program import program

EVENT = """
[event]
name = "small"
start_timeout = 10.0

[[game]]
name = "mittlere"
options = { deals = 3 }

[[entrant]]
name = "alpha"
house = "random"

[[entrant]]
name = "beta"
house = "default"

[[entrant]]
name = "gamma"
house = "random"
"""


def ordago(*arguments: object) -> Result:
    return CliRunner().invoke(program, [str(argument) for argument in arguments])


def assert_told(result: Result, exit_code: int, *words: str) -> None:
    assert result.exit_code == exit_code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    for word in words:
        assert word in result.output
    assert "Traceback" not in result.output


def event_file(folder: Path, text: str = EVENT, *, name: str = "event.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
