"""The rule pages say what the rules do."""

import re
from collections.abc import Iterator
from pathlib import Path

from games.taihe.table import ask, dealing_order, give_back, new_match, play
from support.stages import told

from ordago import v1
from ordago.cards import card_of, card_set
from ordago.games.taihe import GAME
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, Bid, EventKind, Phase, TaiheAction

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "taihe-for-bots.md").read_text(encoding="utf-8")
FOR_PEOPLE = (ROOT / "docs" / "rules" / "taihe.md").read_text(encoding="utf-8")
EXAMPLE = FOR_PEOPLE.split("```\n")[1]
PLAYERS = ["Alice", "Bob", "Carol", "Dave"]
CARD = r"(?:10|[AKQJ4-9])[♣♦♥♠]"


def test_the_example_was_played_and_is_told_as_the_game_tells_it() -> None:
    state = new_match()
    events = list(state.supply(dealing_order([hand_of(player) for player in PLAYERS], taker=0)))
    for player, action in actions():
        assert state.actor == PLAYERS.index(player)
        assert state.check(action) is None, action
        events += state.apply(action)
    assert "\n".join(told(GAME, [event.full for event in events], PLAYERS)) + "\n" == EXAMPLE


def hand_of(player: str) -> int:
    line = next(line for line in EXAMPLE.splitlines() if line.startswith(f"  {player} "))
    return card_set(card_of(card) for card in line.split()[1:])


def actions() -> Iterator[tuple[str, TaiheAction]]:
    """Read who did what, in the order in which it is told."""
    told = " ".join(EXAMPLE.split("\n\n")[2].split())
    names = "|".join(PLAYERS)
    bid = r"(declares)\.|asks for (\S+)|gives \w+ (\S+) in"
    play_or_pass = rf"(passes)|(?:leads |plays )?({CARD}(?: {CARD})*)[,.]"
    for player, declares, asked, given, passes, cards in re.findall(rf"({names}) (?:{bid}|{play_or_pass})", told):
        if asked or given:
            yield player, ask(asked) if asked else give_back(given)
        elif declares or passes:
            yield player, DECLARE if declares else PASS
        else:
            yield player, play(cards)


def test_every_field_and_kind_of_the_contract_is_on_the_page() -> None:
    messages = (v1.TaiheView, v1.TaiheEvent, v1.TaiheExchange, v1.TaiheAction)
    names = [name for message in messages for name in message.DESCRIPTOR.fields_by_name]
    names += [one.name for kind in (EventKind, ActionKind, Bid) for one in kind]
    names += [phase.name for phase in Phase if phase]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_every_option_is_on_the_page_with_its_range_and_default() -> None:
    for spec in GAME.rules.option_specs:
        values = f"{spec.min} to {spec.max}"
        assert re.search(rf"^\| `{spec.name}` \| {values} \| {spec.default} \|", PAGE, re.MULTILINE)


def test_every_rule_of_a_refusal_is_on_the_page_and_no_other() -> None:
    code = (ROOT / "server" / "ordago" / "games" / "taihe" / "refusals.py").read_text(encoding="utf-8")
    refusals = set(re.findall(r'Violation\("(\w+)"', code))
    table = PAGE.split("| rule | the action is refused because |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == refusals


def test_the_pack_on_the_page_is_the_pack() -> None:
    ranks = re.findall(r"From high to low: \*\*(.*)\*\*", PAGE)[0].split()
    cards = {card_of(rank + suit) for rank in ranks for suit in "♣♦♥♠"}
    assert cards == set(TaiheState(GAME.rules.options({}), totals=(0,) * 4).shuffle_due().cards)
