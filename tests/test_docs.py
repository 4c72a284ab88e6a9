"""The pages name nothing that is not there, and say of the contract what the code does."""

import itertools
import re
import shlex
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import click
import pytest

from ordago import v1
from ordago.arena.connection import Status
from ordago.chance import SecretDeals, commitment
from ordago.game import Shuffle
from ordago.games import find_game, game_names
from ordago.games.mittlere.pack import PACK
from ordago.match import FAULT_RULES
from ordago.protocol import ConnectionState, SeatState, Sender
from ordago.protocol.states import LINK_TABLE, SEAT_TABLE
from ordago.record.ledgers.event import Entry, read_ledger
from ordago.record.ledgers.event_order import order_problems
from ordago_bot.house import HOUSE_BOTS
from ordago_cli.bot.languages import languages_of_checkout
from ordago_cli.program import program

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "proto", "server", "clients", "tournaments", "tests", "research")
FOUND = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))]
PAGES = sorted(path for path in FOUND if "node_modules" not in path.parts)
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SHUFFLES = (ROOT / "docs" / "shuffles.md").read_text(encoding="utf-8")


def test_there_are_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "protocol.md", "mittlere.md"} <= {
        page.name for page in PAGES
    }


# Links


def test_links_lead_somewhere() -> None:
    dead = [(page, link) for page in PAGES for link in relative_links(page) if not leads_somewhere(page, link)]
    assert dead == []


def relative_links(page: Path) -> Iterator[str]:
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z]+:", link):
            yield link


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if page.parent.name == "template" and path.startswith("ordago-sdk/"):
        # The page of a project, in which the SDK lies beside it.
        sdk = dict(languages_of_checkout(ROOT)[page.parents[1].name].sdk_files())
        target = sdk.get(Path(path), target)
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or anchor in anchors(target.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    """Return the names that headings have when a page is shown."""
    headings = re.findall(r"^#+ (.+)$", without_code(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[a](no.md) [b](#there) [c](#not-there)\n\n# There\n", encoding="utf-8")
    assert [leads_somewhere(page, link) for link in ("no.md", "#not-there")] == [False, False]
    assert list(relative_links(page)) == ["no.md", "#there", "#not-there"]
    assert "there" in anchors(page.read_text(encoding="utf-8"))


# Commands


def test_commands_exist() -> None:
    wrong = [(page, words) for page in PAGES for words in commands(read(page), "ordago") if not can_be_parsed(words)]
    assert wrong == []


def test_bots_that_are_named_exist() -> None:
    named = {words[0] for page in PAGES for words in commands(read(page), "python -m ordago_bot")}
    assert named <= {*HOUSE_BOTS, "NAME", "--help"}


def test_targets_of_make_exist() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {words[0] for page in PAGES for words in commands(read(page), "make")} <= set(targets)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def can_be_parsed(words: list[str]) -> bool:
    try:
        parse(words)
    except (AssertionError, click.ClickException):
        return False
    return True


def commands(text: str, start: str) -> Iterator[list[str]]:
    """Yield the words after the start of each command in a line of a block, in ``$(…)`` there, or in code marks."""
    blocks = "".join(re.findall(r"^```.*?\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE))
    in_blocks = re.findall(rf"^\$? ?{start} (.+)$", blocks, flags=re.MULTILINE)
    in_blocks += re.findall(rf"\$\({start} ([^)]+)\)", blocks)
    for command in itertools.chain(in_blocks, re.findall(rf"`{start} ([^`]+)`", without_code(text))):
        yield shlex.split(command.partition(" > ")[0], comments=True)


def parse(words: list[str]) -> None:
    """Parse a command of ``ordago`` without running it. What it leaves out is of no interest here."""
    command: click.Command = program
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, words
        command, words = command.commands[words[0]], words[1:]
    try:
        if words:
            command.make_context("ordago", list(words))
    except (click.MissingParameter, click.exceptions.Exit):
        return


def test_commands_that_do_not_exist_are_found() -> None:
    text = '```sh\nordago dance # now\necho "$(ordago game sing)"\n```\n`ordago play --loudly`'
    unknown, within, wrong_option = commands(text, "ordago")
    for words in (unknown, within):
        with pytest.raises(AssertionError):
            parse(words)
    with pytest.raises(click.NoSuchOption):
        parse(wrong_option)


# The contract


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table of protocol.md whose row of headings begins like this."""
    found = re.search(rf"^\| {re.escape(heading)} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", PROTOCOL, flags=re.MULTILINE)
    assert found is not None, heading
    return [cells(line) for line in found[1].splitlines()]


def cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def state_rows(which: type[ConnectionState] | type[SeatState], steps: Any) -> list[list[str]]:
    """Return a table of the session machine as protocol.md has it; both tables have the same form."""
    return [[state.value, *(written(steps.get((sender, state), {})) for sender in Sender)] for state in which]


def written(steps: dict[str, Enum]) -> str:
    return ", ".join(f"{kind} → {after.value}" for kind, after in steps.items())


def test_the_tables_of_states_are_those_of_the_code() -> None:
    tables = re.findall(r"^\| state \|.*\n\|[-| ]+\n((?:\|.*\n)+)", PROTOCOL, flags=re.MULTILINE)
    link, seat = ([cells(line) for line in rows.splitlines()] for rows in tables)
    assert link == state_rows(ConnectionState, LINK_TABLE)
    assert seat == state_rows(SeatState, SEAT_TABLE)


def test_the_table_of_faults_is_that_of_the_code() -> None:
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    found = re.search(r"^\| fault \|.*\n\|[-| ]+\n((?:\|.*\n)+)", page, flags=re.MULTILINE)
    assert found is not None
    rows = [cells(line) for line in found[1].splitlines()]
    assert [(name, decision, standing) for name, _, decision, standing in rows] == [
        (v1.Fault.Name(fault).removeprefix("FAULT_"), rule.decision.value, rule.seat.value)
        for fault, rule in FAULT_RULES.items()
    ]
    assert set(FAULT_RULES) == set(v1.Fault.values()) - {v1.FAULT_UNSPECIFIED}


def test_every_status_is_in_the_table() -> None:
    assert [row[0] for row in table("status")] == [status.value for status in Status]


# The worked example


def worked_example() -> dict[str, str]:
    example = SHUFFLES.partition("## A worked example")[2]
    return {name: value.strip("`") for name, value in map(cells, re.findall(r"^\| [a-z].*$", example, re.MULTILINE))}


def test_the_worked_example_is_what_the_engine_does() -> None:
    example = worked_example()
    secret = bytes.fromhex(example["secret"])
    assert tuple(map(int, example["cards"].split())) == PACK
    dealt = SecretDeals(secret, example["seed text"]).shuffled(Shuffle(0, 0, PACK))
    assert list(map(int, example["dealing order"].split())) == list(dealt)
    assert bytes.fromhex(example["commitment"]) == commitment(secret)


def test_the_python_on_the_page_gives_the_worked_example() -> None:
    example = worked_example()
    found = re.search(r"^```python\n(.*?)^```", SHUFFLES, flags=re.DOTALL | re.MULTILINE)
    assert found is not None
    defined: dict[str, Any] = {}
    exec("import hmac, itertools, struct\n" + found[1], defined)  # noqa: S102 - it is our own page
    cards = [int(card) for card in example["cards"].split()]
    dealt = defined["shuffled"](cards, bytes.fromhex(example["secret"]), example["seed text"], 0, 0)
    assert dealt == [int(card) for card in example["dealing order"].split()]


# The games


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_told_of(name: str) -> None:
    """Where games are listed, each is: add the new one there."""
    title = find_game(name).rules.title
    readme, changelog = ((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "CHANGELOG.md"))
    [complete] = re.findall(r"^\| (.*), complete \|", readme, flags=re.MULTILINE)
    assert title in re.split(r", | and ", complete), f"add {title} to the row of complete games in the README"
    assert f"[{title}](docs/rules/{name}.md)" in readme.replace("\n  ", " "), "the README leads to the rule pages"
    assert title in changelog, "the changelog names every game"
    assert (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_one_number_in_all_unions(name: str) -> None:
    unions = (v1.GameOptions, v1.View, v1.Action, v1.Event)
    assert len({union.DESCRIPTOR.fields_by_name[name].number for union in unions}) == 1


@pytest.mark.parametrize("name", game_names())
def test_the_messages_of_every_game_stand_in_the_contract_s_package(name: str) -> None:
    message = v1.View.DESCRIPTOR.fields_by_name[name].message_type.name
    assert hasattr(v1, message), f"server/ordago/v1/__init__.py has to import {name}_pb2"


# The Makefile


def test_what_the_makefile_names_is_there() -> None:
    """A target that names tests which have moved runs none of them."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:tests|tools|tournaments)/[\w./-]+", text))
    assert len(named) > 5
    assert not [name for name in named if not (ROOT / name).exists()]


# The glossary


def test_every_word_of_the_glossary_stands_there_once_and_they_are_few() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [word for bold in re.findall(r"\*\*(.+?)\*\*", text) for word in bold.split(", ")]
    assert len(words) > 50
    assert sorted(words) == sorted(set(words))
    assert len(text.splitlines()) <= 100


def test_the_ledger_on_the_page_is_what_the_engine_writes() -> None:
    page = (ROOT / "docs/proof.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\{.*\}$", page, re.MULTILINE)
    ledger = read_ledger(lines)
    assert list(order_problems(ledger)) == []
    assert [entry.kind for entry in ledger.entries] == ["begin", "check_in"]
    for length in (1, 2):
        assert f"# {ledger.head_at(length).digest.hex()[:8]}…" in page
    table = page[page.index("## The ledger") : page.index("## Receipts")]
    kinds = {get_args(entry.model_fields["kind"].annotation)[0] for entry in get_args(Entry)}
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) - {"kind"} == kinds
