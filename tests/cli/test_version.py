"""What ``ordago --version`` says."""

from click.testing import CliRunner

from ordago import IS_COMPILED
from ordago.version import __version__
from ordago_cli.program import program


def test_the_version_is_told_and_whether_it_is_compiled():
    build = "compiled" if IS_COMPILED else "pure Python"
    said = CliRunner().invoke(program, ["--version"])
    assert (said.exit_code, said.output) == (0, f"ordago, version {__version__}, {build}\n")
