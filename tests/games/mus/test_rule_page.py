"""The rule pages say what the rules do."""

import re
from pathlib import Path

from games.mus.table import NAMES, cards, dealing_order, new_match
from support.stages import told

from ordago import v1
from ordago.cards import card_of, card_set
from ordago.games.mus import GAME
from ordago.games.mus.hands import hand_table
from ordago.games.mus.refusals import SIGNAL_WORDS
from ordago.games.mus.values import ActionKind, EventKind, MusAction

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "mus-for-bots.md").read_text(encoding="utf-8")
FOR_PEOPLE = (ROOT / "docs" / "rules" / "mus.md").read_text(encoding="utf-8")
EXAMPLE = FOR_PEOPLE.split("```\n")[1]
PLAYERS = ["Alice", "Bob", "Carol", "Dave"]
SAID = re.compile(rf"(?:{'|'.join(PLAYERS)})(?:: ([^,.]+)| (discards(?: \w\w)+))")
DREW = re.compile(rf"(?:{'|'.join(PLAYERS)}) draws((?: \w\w)+)")


def test_the_example_was_played_and_is_told_as_the_game_tells_it() -> None:
    state = new_match()
    text = " ".join(EXAMPLE.split())
    hands = [card_set(cards(line[9:])) for line in EXAMPLE.splitlines()[2:6]]
    stock = [card for drawn in DREW.findall(text) for card in cards(drawn)]
    events = list(state.supply(dealing_order(hands, mano=0, stock=stock)))
    for said in (action_told(said or discarded) for said, discarded in SAID.findall(text)):
        assert state.check(said) is None, said
        events += state.apply(said)
    assert "\n".join(told(GAME, [event.full for event in events], PLAYERS)) + "\n" == EXAMPLE


def action_told(text: str) -> MusAction:
    binding = text.endswith("queremos")
    words = text.lower().replace("queremos", "quiero").split()
    if words[0] == "discards":
        return MusAction(ActionKind.DISCARD, cards=tuple(sorted(map(card_of, text.split()[1:]))))
    if words[0] == "envido":
        return MusAction(ActionKind.ENVIDO, int(words[1]))
    return MusAction(NAMES[" ".join(words)], binding=binding)


def test_the_default_discard_is_in_the_order_of_the_page() -> None:
    usual, with_four = re.findall(r"in the order ([^(]*) \(with four kings ([^)]*)\)", PAGE)[0]
    for kings, order in ((8, usual), (4, with_four)):
        useful = hand_table(kings).usefulness
        heights = [{useful[card_of(f"{rank}o")] for rank in entry.split(" or ")} for entry in order.split(", ")]
        assert all(len(height) == 1 for height in heights)
        assert heights == sorted(heights, key=min)


def test_every_field_and_kind_of_the_contract_is_on_the_page() -> None:
    messages = (v1.MusView, v1.MusAction, v1.MusEvent, v1.MusOptions)
    fields = {name for message in messages for name in message.DESCRIPTOR.fields_by_name}
    names = [*fields, *(kind.name for kind in EventKind)]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_option_is_on_the_page_with_its_default_and_values() -> None:
    for spec in GAME.rules.option_specs:
        (values,) = re.findall(rf"^\| `{spec.name}` \| ([^|]*) \| {spec.default} \|", PAGE, re.MULTILINE)
        for value in spec.choices or (spec.min, spec.max):
            assert str(value) in values


def test_every_signal_is_on_the_page() -> None:
    assert all(f"\n| {words} |" in PAGE for words in SIGNAL_WORDS.values())


def test_every_rule_of_a_refusal_is_on_the_page_and_no_other() -> None:
    code = (ROOT / "server" / "ordago" / "games" / "mus" / "refusals.py").read_text(encoding="utf-8")
    refusals = set(re.findall(r'Violation\("(\w+)"', code))
    on_page = set(re.findall(r"^\| `(\w+)` \|", PAGE.split("## What a bot says")[1], re.MULTILINE))
    assert on_page == refusals
