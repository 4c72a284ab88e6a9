"""``ordago game conformance``: files against which ports of the rules are checked, short here and long by torture."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import mittlere_port
from support.commands import assert_told, ordago
from support.conformance import KEYS, Reader
from support.figures import Size
from support.mittlere_port import hold

from ordago import v1
from ordago.games import find_game, game_names
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE
from ordago_cli.game.conformance import Plan, lines
from ordago_cli.game.conformance.kinds import own_message
from ordago_cli.game.conformance.settings import values_of
from ordago_ladder.showing.rule_page import bot_rule_page

ROOT = Path(__file__).parents[2]
DIGESTS = json.loads((ROOT / "clients/vectors/conformance.json").read_text(encoding="utf-8"))
STEPS = (1_000, 10_000)

PAGE = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.slow
each_game = pytest.mark.parametrize("game", game_names())


@cache
def file_of(game: str, steps: int) -> list[str]:
    return list(lines(Plan(find_game(game), steps, seed=1)))


@cache
def read(game: str, steps: int) -> Reader:
    reader = Reader()
    reader.read(file_of(game, steps))
    return reader


@each_game
def test_the_file_is_the_published_one(game: str, size: Size) -> None:
    steps = size(*STEPS)
    assert game in DIGESTS, "run tools/conformance.py"
    published = DIGESTS[game]
    assert published["rules_version"] == find_game(game).rules.version
    digest = hashlib.sha256("".join(f"{line}\n" for line in file_of(game, steps)).encode()).hexdigest()
    assert digest == published["sha256"][str(steps)], "if the change is meant, run tools/conformance.py"


@each_game
def test_a_reader_without_rules_agrees(game: str, size: Size) -> None:
    reader = read(game, size(*STEPS))
    assert reader.game == game
    assert reader.counts["lines"]["unfinished"]
    assert reader.counts["lines"]["outcome"] or size(1, 0), "most games have a match that ends within few steps"


def test_rules_written_from_the_pages_alone_agree(size: Size) -> None:
    reader = read("mittlere", size(*STEPS))
    assert hold(file_of("mittlere", size(*STEPS))) == reader.counts["lines"]["shuffle"] + len(reader.actions)


def test_another_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mittlere_port, "TRUMPS", mittlere_port.PLAIN)
    with pytest.raises(AssertionError):
        hold(file_of("mittlere", STEPS[0]))


def test_the_page_names_each_kind_of_line_and_its_keys() -> None:
    table = PAGE.partition("| kind | keys | meaning |")[2].partition("\n\n")[0]
    rows = [row.split(" | ")[:2] for row in table.splitlines()[2:]]
    assert {kind.strip("| `"): set(re.findall(r"`(\w+)`", keys)) for kind, keys in rows} == KEYS


@each_game
def test_all_seats_and_all_values_of_options_occur(game: str, size: Size) -> None:
    rules, reader = find_game(game).rules, read(game, size(*STEPS))
    assert reader.seats == set(rules.seat_counts)
    for spec in rules.option_specs:
        wanted = {_written(game, spec.name, value) for value in values_of(spec)}
        assert {played.get(spec.name) for played in reader.options} >= wanted, spec.name


def _written(game: str, name: str, value: object) -> object:
    """Return the value of an option as JSON has it: nothing for zero and false, unless the field can be absent."""
    options = find_game(game).rules.options({name: value})
    own = getattr(find_game(game).codec.options(options), game)
    field: Any = own.DESCRIPTOR.fields_by_name[name]
    number = getattr(own, name)
    if field.enum_type:
        return number and field.enum_type.values_by_number[number].name
    return number if number or field.has_presence else None


@each_game
def test_all_kinds_of_actions_and_events_and_all_reasons_occur(game: str, size: Size) -> None:
    reader = read(game, size(*STEPS))
    found: dict[str, set[int]] = {}
    for message in [*reader.actions, *reader.events]:
        for field, value in own_message(message).ListFields():
            if field.enum_type is not None and field.enum_type.name != "Card" and not field.is_repeated:
                found.setdefault(field.enum_type.full_name, set()).add(value)
    assert found
    for enum, values in found.items():
        wanted = {value.number for value in _enum(enum).values if value.number}
        assert wanted == values or size(1, 0), f"{enum}: {wanted - values} never occur"


def _enum(full_name: str) -> Any:
    return getattr(v1, full_name.rpartition(".")[2]).DESCRIPTOR


@each_game
def test_all_rules_of_the_page_are_broken(game: str, size: Size) -> None:
    page = bot_rule_page(find_game(game))
    table = page.partition("| rule | ")[2].partition("\n\n")[0]
    rules = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) | {"answer"}
    broken = set(read(game, size(*STEPS)).counts["rules"])
    assert broken <= rules
    assert broken == rules or size(1, 0), f"{rules - broken} are never broken"


@each_game
def test_the_command_writes_it(game: str, tmp_path: Path) -> None:
    out = tmp_path / "steps.jsonl"
    result = ordago("game", "conformance", game, "--out", out, "--steps", 50, "--json")
    assert_told(result, 0)
    content = out.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    assert json.loads(result.output) == {"file": str(out), "bytes": len(content), "sha256": sha256}
    assert_told(ordago("game", "conformance", game, "--out", out, "--steps", 50, "--seed", 2), 0, "SHA-256")
    assert out.read_bytes() != content
    out.write_text("mine")
    assert_told(ordago("game", "conformance", game, "--out", out), EXIT_OUTSIDE, "--force")
    assert_told(ordago("game", "conformance", f"{game}x", "--out", out), EXIT_USAGE, game)
    assert out.read_text() == "mine"
