"""The rule pages say what the rules do."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.mittlere.table import dealing_order, new_match
from support.stages import told

from ordago import v1
from ordago.cards import card_of, card_set, french_rank, sign
from ordago.games.mittlere import GAME
from ordago.games.mittlere.pack import CHEAPEST_FIRST, NO_TRUMP, SUIT_OF
from ordago.games.mittlere.values import PLAY, EventKind

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "mittlere-for-bots.md").read_text(encoding="utf-8")
FOR_PEOPLE = (ROOT / "docs" / "rules" / "mittlere.md").read_text(encoding="utf-8")
EXAMPLE = FOR_PEOPLE.split("```\n")[1]
PLAYERS = ["Alice", "Bob", "Carol"]


def test_the_example_was_played_and_is_told_as_the_game_tells_it() -> None:
    state = new_match()
    events = list(state.supply(dealing_order([hand_of(player) for player in PLAYERS], leader=0)))
    for card in cards_played():
        assert state.check(PLAY[card]) is None, sign(card)
        events += state.apply(PLAY[card])
    assert "\n".join(told(GAME, [event.full for event in events], PLAYERS)) + "\n" == EXAMPLE


def hand_of(player: str) -> int:
    line = next(line for line in EXAMPLE.splitlines() if line.startswith(f"  {player} "))
    return card_set(card_of(card) for card in line.split()[1:])


def cards_played() -> Iterator[int]:
    """Read the cards in the order in which they are told."""
    told = " ".join(EXAMPLE.split("\n\n")[2].split())
    played = rf"(?:{'|'.join(PLAYERS)}) (?:leads |plays )?((?:10|[AKQJ6-9])[♣♦♥♠])"
    yield from map(card_of, re.findall(played, told))


def test_the_default_choice_is_in_the_order_of_the_page() -> None:
    plain, trumped = re.findall(r"^\| (?:no|a) trump suit \| (.*) \|$", PAGE, re.MULTILINE)
    assert order(CHEAPEST_FIRST[NO_TRUMP], NO_TRUMP) == [f"plain {rank}" for rank in plain.split()]
    assert order(CHEAPEST_FIRST[2], 2) == list(spelled_out(trumped))


def order(cards: Sequence[int], trump: int) -> list[str]:
    """Name the cards by kind and rank, each name once."""
    names = [f"{'trump' if SUIT_OF[card] == trump else 'plain'} {sign(french_rank(card))[:-1]}" for card in cards]
    return list(dict.fromkeys(names))


def spelled_out(text: str) -> Iterator[str]:
    for part in text.split(", "):
        kind, *ranks = part.split()
        yield from (f"{kind} {rank}" for rank in ranks)


def test_every_field_and_kind_of_the_contract_is_on_the_page() -> None:
    fields = [*v1.MittlereView.DESCRIPTOR.fields_by_name, *v1.MittlereEvent.DESCRIPTOR.fields_by_name]
    names = [*(name for name in fields if name != "kind"), *(kind.name for kind in EventKind)]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_option_is_on_the_page_with_its_default() -> None:
    for spec in GAME.rules.option_specs:
        assert re.search(rf"^\| `{spec.name}` \|.*\| {spec.default} \|", PAGE, re.MULTILINE)


def test_every_rule_of_a_refusal_is_on_the_page_and_no_other() -> None:
    code = (ROOT / "server" / "ordago" / "games" / "mittlere" / "following.py").read_text(encoding="utf-8")
    refusals = set(re.findall(r'Violation\("(\w+)"', code))
    on_page = set(re.findall(r"^\| `(\w+)` \| (?:the|trump)", PAGE.split("## What a bot says")[1], re.MULTILINE))
    assert on_page == refusals
