"""The options of matches, as commands get them."""

import click
import pytest
from click.testing import CliRunner

from ordago.cli.errors import EXIT_USAGE
from ordago.cli.program import program
from ordago.cli.terms import terms_options
from ordago.match import FaultTerms, TimeTerms


def terms_of(*arguments: str) -> tuple[TimeTerms, FaultTerms, str]:
    """Return what a command is told for some arguments."""
    told: list[tuple[TimeTerms, FaultTerms, str]] = []

    @click.command()
    @click.argument("game")
    @terms_options
    def command(game: str, *, time: TimeTerms, faults: FaultTerms) -> None:
        told.append((time, faults, game))

    CliRunner().invoke(command, ["mus", *arguments], catch_exceptions=False)
    return told[0]


def test_what_is_not_given_has_a_default() -> None:
    assert terms_of() == (TimeTerms(decision_ms=10_000, disconnect_bank_ms=30_000), FaultTerms(3, 10), "mus")


def test_every_option_is_handed_over() -> None:
    times = ("--decision-ms=1", "--bank-ms=2", "--increment-ms=3", "--lag-credit-ms=4", "--lag-bank-ms=5")
    given = terms_of(*times, "--disconnect-bank-ms=6", "--strikes=7", "--forfeit-after=8")
    assert given == (TimeTerms(1, 2, 3, 4, 5, 6), FaultTerms(7, 8), "mus")


@pytest.mark.parametrize("option", ["--decision-ms", "--bank-ms", "--increment-ms", "--strikes", "--forfeit-after"])
def test_what_could_not_be_told_to_a_bot_is_refused(option: str) -> None:
    refused = CliRunner().invoke(program, ["serve", "--tables", "mittlere", f"{option}={2**32}"])
    assert refused.exit_code == EXIT_USAGE
    assert "is not in the range" in refused.output
