"""``ordago doctor``: finds what is wrong with a bot before an event does."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ordago.shell_words import NoCommandError, check_program
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, EXIT_WRONG, CommandError
from ordago_cli.options.arguments import option_pairs
from ordago_cli.options.outputs import json_option
from ordago_cli.options.watching import check_address
from ordago_doctor import (
    Case,
    CaseError,
    Checkup,
    Finding,
    Kind,
    Mark,
    Practice,
    check_exercise,
    chosen,
    read_cases,
    shipped_cases,
)

_SIGNS: Final = {Mark.PASSED: "✓", Mark.FAILED: "✗", Mark.NOT_TRIED: "?", Mark.LEFT_OUT: "–"}
_STYLES: Final = {Mark.PASSED: "green", Mark.FAILED: "red", Mark.NOT_TRIED: "yellow", Mark.LEFT_OUT: "dim"}
_ADVICE: Final = "!"
"""The sign of a case that failed and is not required."""


@click.command(epilog="Example: ordago doctor -- python my_bot.py")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--only", multiple=True, metavar="CASE", help="Run only this case; may be repeated.")
@click.option("--list", "as_list", is_flag=True, help="List the cases without running them.")
@json_option
@click.option("--cases", type=click.Path(path_type=Path), help="Folder with other cases.")
@click.option("--address", metavar="HOST:PORT", help="Listen here and wait for a bot that you start yourself.")
@click.option("--env", "environment", multiple=True, metavar="KEY=VALUE", help="Add to the environment of the bot.")
@click.option(
    "--patience",
    default=5.0,
    show_default=True,
    type=click.FloatRange(0.1, 600),
    help="Seconds that an answer may take.",
)
@click.option("--jobs", default=4, show_default=True, type=click.IntRange(1, 64), help="Cases to run at the same time.")
@click.option("--slow", is_flag=True, help="Run the slow cases, too.")
def doctor(
    command: tuple[str, ...],
    only: tuple[str, ...],
    cases: Path | None,
    address: str | None,
    environment: tuple[str, ...],
    patience: float,
    jobs: int,
    *,
    as_list: bool,
    as_json: bool,
    slow: bool,
) -> None:
    """Examine the bot that COMMAND starts: what is wrong with it, why it matters and how to fix it."""
    picked = _cases(cases, only)
    console = Console(highlight=False)
    if as_list:
        _list(picked, console, as_json=as_json)
        return
    practice = _practice(command, address, option_pairs(environment), patience)
    shown = _Shown(console, quiet=as_json)
    if address:
        click.echo(f"start your bot and let it connect to {address}; some cases ask it to reconnect", err=True)
    try:
        findings = Checkup(practice, picked, lanes=jobs, slow=slow or bool(only), report=shown.tell).run()
    except OSError as error:
        raise CommandError(f"cannot examine the bot: {error.strerror or error}", exit_code=EXIT_OUTSIDE) from error
    if as_json:
        click.echo(json.dumps(_report(command, picked, findings), indent=2))
    else:
        shown.conclude(picked, findings)
    if not _is_well(picked, findings):
        raise SystemExit(EXIT_WRONG)


def _cases(folder: Path | None, only: Sequence[str]) -> list[Case]:
    try:
        found = read_cases(folder) if folder is not None else shipped_cases()
        for case in found:
            check_exercise(case)
        return chosen(found, only)
    except CaseError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from None


def _practice(
    command: tuple[str, ...], address: str | None, environment: Mapping[str, str], patience: float
) -> Practice:
    if bool(command) == bool(address):
        sentence = "give the command that starts the bot after --, or --address where to wait for it, not both"
        raise CommandError(
            sentence if command else "give the command that starts the bot after --", exit_code=EXIT_USAGE
        )
    try:
        check_program(command)
    except NoCommandError as error:
        raise CommandError(f"the command {error}", exit_code=EXIT_USAGE) from None
    if command and shutil.which(command[0]) is None:
        raise CommandError(f"there is no program {command[0]!r}; give its path", exit_code=EXIT_USAGE)
    host, port = check_address(address, option="--address", least_port=1) if address else ("127.0.0.1", 0)
    start_seconds = 20.0 if command else 600.0
    return Practice(command, environment, host, port, patience_seconds=patience, start_seconds=start_seconds)


def _is_well(cases: Sequence[Case], findings: Mapping[str, Finding]) -> bool:
    """Return True if a case passed, and no required one failed or could not be tried."""
    marks = [findings[case.name].mark for case in cases if case.required]
    tried = any(finding.mark is Mark.PASSED for finding in findings.values())
    return tried and not any(mark in (Mark.FAILED, Mark.NOT_TRIED) for mark in marks)


def _counts(cases: Sequence[Case], findings: Mapping[str, Finding]) -> Mapping[str, int]:
    """Count the cases by result. Advice that failed is counted apart, since it does not cost the bot its pass."""
    found = [(findings[case.name].mark, case.kind is Kind.REQUIRED) for case in cases]
    counts = {mark.value: sum(one is mark for one, _required in found) for mark in Mark}
    advice = found.count((Mark.FAILED, False))
    counts |= {Mark.FAILED.value: counts[Mark.FAILED.value] - advice, "failed (advice)": advice}
    return {result: number for result, number in counts.items() if number}


def _list(cases: Sequence[Case], console: Console, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_case_json(case) for case in cases], indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("case", "", "what is tested"):
        table.add_column(heading)
    for case in cases:
        table.add_row(case.name, case.kind.value + (", slow" if case.slow else ""), Text(case.about))
    console.print(table)


def _case_json(case: Case) -> dict[str, Any]:
    return {
        "name": case.name,
        "about": case.about,
        "required": case.required,
        "slow": case.slow,
        "expected": case.expected,
        "why": case.why,
        "mend": case.mend,
    }


def _report(command: Sequence[str], cases: Sequence[Case], findings: Mapping[str, Finding]) -> dict[str, Any]:
    return {
        "command": list(command),
        "well": _is_well(cases, findings),
        "cases": [
            {
                **_case_json(case),
                "result": finding.mark.value,
                "seconds": round(finding.seconds, 3),
                "came": finding.came,
                "messages": list(finding.course),
                "output": list(finding.output),
                "figures": dict(finding.figures),
            }
            for case in cases
            for finding in [findings[case.name]]
        ],
    }


class _Shown:
    """The output of an examination for people."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet
        self._seconds = 0.0

    def tell(self, case: Case, finding: Finding) -> None:
        """Show the finding of a case in one line."""
        if self._quiet:
            return
        advice = finding.mark is Mark.FAILED and not case.required
        style = "yellow" if advice else _STYLES[finding.mark]
        line = Table.grid(padding=(0, 1), expand=False)
        line.add_column(width=1)
        line.add_column(width=6, justify="right")
        line.add_column()
        sign = Text(_ADVICE if advice else _SIGNS[finding.mark], style=style)
        line.add_row(sign, Text(f"{finding.seconds:.1f} s", style="dim"), self._sentence(case, finding, style))
        self._console.print(line)

    def _sentence(self, case: Case, finding: Finding, style: str) -> Text:
        text = Text(f"{case.name}: ", style="bold" if finding.mark is Mark.FAILED else "")
        text.append(case.about, style="")
        if finding.mark is not Mark.PASSED:
            text.append(
                f" ({finding.mark.value}" + (f": {finding.came})" if finding.mark is not Mark.FAILED else ")"), style
            )
        if finding.figures:
            figures = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in finding.figures.items())
            text.append(f" [{figures}]", style="dim")
        return text

    def conclude(self, cases: Sequence[Case], findings: Mapping[str, Finding]) -> None:
        """Explain the failed cases, and show the overall result."""
        for case in cases:
            if findings[case.name].mark is Mark.FAILED:
                self._explain(case, findings[case.name])
        counts = ", ".join(f"{number} {result}" for result, number in _counts(cases, findings).items())
        well = _is_well(cases, findings)
        verdict = "all required cases passed" if well else "not all required cases passed"
        self._console.print()
        self._console.print(Text(f"{counts}: {verdict}", style="bold green" if well else "bold red"))

    def _explain(self, case: Case, finding: Finding) -> None:
        kind = "" if case.kind is Kind.REQUIRED else " (advice)"
        self._console.print()
        self._console.print(Text(f"{case.name}: {case.about}{kind}", style="bold"))
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, text in (("expected", case.expected), ("came", finding.came), ("why", case.why), ("mend", case.mend)):
            table.add_row(name, Text(text.strip(), style="red" if name == "came" else ""))
        for name, lines in (("messages", finding.course), ("it printed", finding.output)):
            if lines:
                table.add_row(name, Text("\n".join(lines)))
        self._console.print(Padding(table, (0, 0, 0, 2)))
