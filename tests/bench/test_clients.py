"""The SDKs are measured by what the server counts, and a bot that does not play is not a figure."""

import sys

import pytest
from click.testing import CliRunner

from ordago_bench.clients import measure_clients
from ordago_bench.server import NothingMeasuredError
from ordago_cli.errors import EXIT_USAGE
from ordago_cli.program import program

PYTHON = (sys.executable, "-m", "ordago_bot", "random")


@pytest.mark.slow
def test_a_bot_that_plays_has_figures() -> None:
    rates = measure_clients({"Python": PYTHON}, game="mittlere", matches=4, seconds=0.5, warm_up_seconds=0)
    rate = rates["Python"]
    assert rate.decisions_per_s > 10
    assert 1 < rate.cpu_us_per_decision < 1e6
    assert rate.memory_mib > 5
    assert 0 < rate.start_seconds < 30


@pytest.mark.slow
def test_a_bot_that_ends_is_told_with_its_last_words() -> None:
    broken = (sys.executable, "-c", "raise SystemExit('out of cards')")
    with pytest.raises(NothingMeasuredError, match="broken does not play; the last that it said: out of cards"):
        measure_clients({"broken": broken}, game="mittlere", matches=1, seconds=0.5)


def test_a_bot_without_a_name_is_refused() -> None:
    done = CliRunner().invoke(program, ["bench", "clients", "--bot", "./my-bot"])
    assert (done.exit_code, done.output) == (EXIT_USAGE, "ordago: --bot takes NAME=COMMAND, not './my-bot'\n")
