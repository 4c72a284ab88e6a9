"""The rule pages say what the rules do."""

import re
from collections.abc import Iterator
from pathlib import Path

from games.mitaines.table import NO_PAIR, cards, dealing_order, new_match
from support.stages import told

from ordago import v1
from ordago.cards import card_of, card_set, sign
from ordago.games.mitaines import GAME
from ordago.games.mitaines.combinations import POINTS, Combination, laid_points
from ordago.games.mitaines.pack import CHEAPEST_FIRST, TEN_OF_DIAMONDS
from ordago.games.mitaines.values import PLAY, Clear, EventKind, PlayCard

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "mitaines-for-bots.md").read_text(encoding="utf-8")
FOR_PEOPLE = (ROOT / "docs" / "rules" / "mitaines.md").read_text(encoding="utf-8")
EXAMPLE = FOR_PEOPLE.split("```\n")[1]
PLAYERS = ["Alice", "Bob", "Carol", "Dave"]
CARD = r"(?:10|[AKQJ2-9])[♣♦♥♠]"


def test_the_example_was_played_and_is_told_as_the_game_tells_it() -> None:
    state = new_match(seats=4)
    hands = [list(hands_of(part)) for part in parts()]
    laid = cards(re.findall(r"^  pile +(.*)$", EXAMPLE, re.MULTILINE)[0])
    events = list(state.supply(dealing_order(hands, laid=laid, leader=0)))
    for action in actions_played():
        assert state.check(action) is None, sign(action.card)
        events += state.apply(action)
    assert "\n".join(told(GAME, [event.full for event in events], PLAYERS)) + "\n" == EXAMPLE


def parts() -> list[str]:
    """Return what is told of each hand, from the cards held on."""
    return EXAMPLE.split("\n\n")[1::2]


def hands_of(part: str) -> Iterator[int]:
    for player in PLAYERS:
        line = next(line for line in part.splitlines() if line.startswith(f"  {player} "))
        yield card_set(cards(line.removeprefix(f"  {player}")))


def actions_played() -> Iterator[PlayCard]:
    """Read the actions in the order in which they are told."""
    told = " ".join(" ".join(EXAMPLE.split("\n\n")[2::2]).split())
    player = "|".join(PLAYERS)
    for card, said in re.findall(rf"(?:{player}) (?:plays )?({CARD})(?: and declares an? ((?:added )?\w+))?", told):
        yield PLAY[card_of(card)][Combination[said.upper().replace(" ", "_") or "NONE"]]


def test_the_default_choice_is_in_the_order_of_the_page() -> None:
    order = re.findall(r"first in the order `(.*)`, with the ten of diamonds after all others", PAGE)[0].split()
    assert list(dict.fromkeys(sign(card)[:-1] for card in CHEAPEST_FIRST[:-1])) == order
    assert CHEAPEST_FIRST[-1] == TEN_OF_DIAMONDS
    assert [sign(card) for card in CHEAPEST_FIRST[:4]] == ["2♣", "2♦", "2♥", "2♠"]


def test_the_prices_are_those_of_the_page() -> None:
    rows = re.findall(r"^\| (mitten|glove|sock) \(\w+\) \| (\d) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert [row[0] for row in rows] == ["mitten", "glove", "sock"]
    for name, _, points, of_jacks in rows:
        assert POINTS[Combination[name.upper()]][2] == int(points)
        assert POINTS[Combination[name.upper()]][11] == int(of_jacks)


def test_every_field_and_kind_of_the_contract_is_on_the_page() -> None:
    messages = (v1.MitainesView, v1.MitainesDeclaration, v1.MitainesAction, v1.MitainesEvent)
    fields = [field for message in messages for field in message.DESCRIPTOR.fields_by_name]
    names = [*(name for name in fields if name != "kind"), *(kind.name for kind in EventKind)]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_reason_of_a_clear_is_on_the_page() -> None:
    said = re.findall(r"`clear`: ([\w, ]+);", PAGE)[0]
    assert re.findall(r"\w+", said.replace(" or ", " ")) == [clear.name.lower() for clear in Clear]


def test_every_option_is_on_the_page_with_its_range_and_default() -> None:
    for spec in GAME.rules.option_specs:
        row = rf"^\| `{spec.name}` \| {spec.min} to {spec.max} \| {spec.default} \|"
        assert re.search(row, PAGE, re.MULTILINE)


def test_every_rule_of_a_refusal_is_on_the_page_and_no_other() -> None:
    code = (ROOT / "server" / "ordago" / "games" / "mitaines" / "declaring.py").read_text(encoding="utf-8")
    refusals = set(re.findall(r'Violation\(\s*"(\w+)"', code))
    table = PAGE.split("## What a bot says")[1].split("## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == refusals


def test_the_helper_for_tables_lays_no_combination() -> None:
    assert laid_points(cards(NO_PAIR)) == 0
