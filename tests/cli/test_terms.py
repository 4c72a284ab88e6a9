"""The options of matches, as commands get them."""

from dataclasses import asdict, fields

import click
import pytest
from click.testing import CliRunner

from ordago.match import TERM_BOUNDS, FaultTerms, TermBounds, TimeTerms
from ordago_cli.errors import EXIT_USAGE
from ordago_cli.options.terms import terms_options
from ordago_cli.program import program
from ordago_ladder.event_file.file import EventFileError, parse_event

EVENT = """
[event]
name = "event"
{}
[[game]]
name = "mittlere"
[[entrant]]
name = "ana"
house = "random"
[[entrant]]
name = "ben"
house = "random"
[[entrant]]
name = "cleo"
house = "random"
"""


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


def test_every_term_of_a_match_has_its_bounds() -> None:
    assert list(TERM_BOUNDS) == [field.name for kind in (TimeTerms, FaultTerms) for field in fields(kind)]


def test_what_is_not_given_has_a_default() -> None:
    assert terms_of() == (TimeTerms(decision_ms=10_000, disconnect_bank_ms=30_000), FaultTerms(3, 10), "mus")


def test_every_option_is_handed_over() -> None:
    times = ("--decision-ms=1", "--bank-ms=2", "--increment-ms=3", "--lag-credit-ms=4", "--lag-bank-ms=5")
    given = terms_of(*times, "--disconnect-bank-ms=6", "--strikes=7", "--forfeit-after=8")
    assert given == (TimeTerms(1, 2, 3, 4, 5, 6), FaultTerms(7, 8), "mus")


@pytest.mark.parametrize(("term", "bounds"), TERM_BOUNDS.items())
def test_event_files_and_commands_have_the_same_bounds(term: str, bounds: TermBounds) -> None:
    option = f"--{term.replace('_', '-')}"
    for value in (bounds.least, bounds.most):
        time, faults, _ = terms_of(f"{option}={value}")
        assert getattr(parse_event(EVENT.format(f"{term} = {value}")).event, term) == value
        assert {**asdict(time), **asdict(faults)}[term] == value
    for value, wanted in (
        (bounds.least - 1, f"of at least {bounds.least},"),
        (bounds.most + 1, f"of at most {bounds.most},"),
    ):
        refused = CliRunner().invoke(program, ["serve", "--tables", "mittlere", f"{option}={value}"])
        assert (refused.exit_code, "is not in the range" in refused.output) == (EXIT_USAGE, True)
        with pytest.raises(EventFileError, match=f"{term!r} takes a number {wanted} not {value}"):
            parse_event(EVENT.format(f"{term} = {value}"))


@pytest.mark.parametrize("option", ["--decision-ms", "--bank-ms", "--increment-ms", "--strikes", "--forfeit-after"])
def test_what_could_not_be_told_to_a_bot_is_refused(option: str) -> None:
    refused = CliRunner().invoke(program, ["serve", "--tables", "mittlere", f"{option}={2**32}"])
    assert refused.exit_code == EXIT_USAGE
    assert "is not in the range" in refused.output
