"""The rule pages say what the rules do."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from games.mitigati.table import PLACES, cards, new_match
from support.stages import told

from ordago import v1
from ordago.cards import card_of, sign
from ordago.game import CHANCE
from ordago.games.mitigati import GAME
from ordago.games.mitigati.pack import CHEAPEST_FIRST, DISCARD_ORDER, PACK
from ordago.games.mitigati.values import (
    CARD,
    PLAY,
    ActionKind,
    EventKind,
    MitigatiAction,
    discard_of,
    statement_of,
)

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "mitigati-for-bots.md").read_text(encoding="utf-8")
FOR_PEOPLE = (ROOT / "docs" / "rules" / "mitigati.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.split("```\n")[1]
BARGAIN, TRICKS = FOR_PEOPLE.split("```\n")[1:4:2]
PLAYERS = ["Alice", "Bob", "Carol"]
CARD_SIGN = r"\d+[♣♦♥♠]|[AKQCJ][♣♦♥♠]|[XVI]+|O"
PLAYED = rf"(?:{'|'.join(PLAYERS)}) (?:leads |plays )?({CARD_SIGN}|the Fool)(?=[,. ])"


@pytest.mark.parametrize("example", [EXAMPLE, BARGAIN], ids=["played", "struck"])
def test_an_example_was_played_and_is_told_as_the_game_tells_it(example: str) -> None:
    state = new_match()
    events = list(state.supply(order_dealt(example)))
    for action in actions(example):
        assert state.check(action) is None, action
        events += state.apply(action)
    assert state.actor == CHANCE
    assert "\n".join(told(GAME, [event.full for event in events], PLAYERS)) + "\n" == example


def test_the_tricks_for_people_are_of_the_example() -> None:
    tricks = TRICKS.splitlines()
    assert len(tricks) == 3
    assert set(tricks) <= set(EXAMPLE.splitlines())


def order_dealt(example: str) -> list[int]:
    """Return the pack in dealing order, each packet read from what a hand has more than before."""
    packets: list[list[int]] = [[], [], []]
    for seat, player in enumerate(PLAYERS):
        for line in re.findall(rf"^  {player} +(\S+[♣♦♥♠] .*)$", example, re.MULTILINE):
            packets[seat] += [card for card in cards(line) if card not in packets[seat]]
    undealt = [card for card in PACK if not any(card in packet for packet in packets)]
    return [(packets[place] or undealt).pop(0) for place in PLACES]


def actions(example: str) -> Iterator[MitigatiAction]:
    """Read the statements, the discard and the cards, in the order in which they are told."""
    text = " ".join(" ".join(example.split("\n\n")[2::2]).split())
    told = rf"\w+: (receive \d+|pay \d+|zero|play)|discards ((?:{CARD_SIGN})(?: (?:{CARD_SIGN}))*)|{PLAYED}"
    for said, laid_away, card in re.findall(told, text):
        if said:
            yield statement_from(said)
        elif laid_away:
            yield discard_of(cards(laid_away))
        else:
            yield CARD[card_of("O" if card == "the Fool" else card)]


def statement_from(text: str) -> MitigatiAction:
    if text == "play":
        return PLAY
    amount = int(text.split()[-1]) if text != "zero" else 0
    return statement_of(-amount if text.startswith("pay") else amount)


def test_the_default_choices_are_in_the_order_of_the_page() -> None:
    discarding, playing = (
        re.search(rf"^\| {name} \| (.*) \|$", PAGE, re.MULTILINE) for name in ("discarding", "playing")
    )
    assert discarding is not None
    assert playing is not None
    may_go = [name for name in order(DISCARD_ORDER[0]) if name not in ("K", "XXI", "O")]
    assert may_go == list(spelled_out(discarding[1]))
    assert order(CHEAPEST_FIRST[0]) == list(spelled_out(playing[1]))


def order(pack: Sequence[int]) -> list[str]:
    """Name the cards by rank, each name once."""
    return list(dict.fromkeys(sign(card).rstrip("♣♦♥♠") for card in pack))


def spelled_out(text: str) -> Iterator[str]:
    trumps = [sign(card) for card in range(58, 77)]
    for part in text.replace("then ", "").split(", "):
        if part == "trumps II to XX":
            yield from trumps
        else:
            yield from part.removeprefix("the ").removeprefix("pips ").split()


def test_every_field_and_kind_of_the_contract_is_on_the_page() -> None:
    messages = (v1.MitigatiView, v1.MitigatiEvent, v1.MitigatiAction, v1.MitigatiBargain, v1.MitigatiDeclaration)
    fields = [field for message in messages for field in message.DESCRIPTOR.fields_by_name]
    names = [*fields, *(kind.name for kind in EventKind), *(kind.name for kind in ActionKind)]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_option_is_on_the_page_with_its_values_and_default() -> None:
    for spec in GAME.rules.option_specs:
        values = ", ".join(f"`{choice}`" for choice in spec.choices) or f"{spec.min} to {spec.max}"
        assert f"| `{spec.name}` | {values} | {str(spec.default).lower()} |" in PAGE


def test_every_rule_of_a_refusal_is_on_the_page_and_no_other() -> None:
    folder = ROOT / "server" / "ordago" / "games" / "mitigati"
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    refusals = set(re.findall(r'Violation\(\s*"(\w+)"', code))
    table = PAGE.split("| rule | the action")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == refusals
