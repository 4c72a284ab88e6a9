"""The rule page says what the rules do."""

import re
from collections.abc import Iterator
from pathlib import Path

from games.taihe.table import ask, dealing_order, give_back, new_match, play

from ordago import v1
from ordago.cards import card_of, card_set
from ordago.games.taihe import GAME
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, Bid, EventKind, Phase, TaiheAction

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules" / "taihe.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.split("```\n")[1]
PLAYERS = ["Alice", "Bob", "Carol", "Dave"]


def test_the_example_was_played_and_is_told_as_the_game_tells_it() -> None:
    state = new_match()
    events = list(state.supply(dealing_order([hand_of(player) for player in PLAYERS], taker=0)))
    for player, action in actions():
        while state.declarer is not None and state.actor != PLAYERS.index(player):
            events += state.apply(PASS)
        assert state.actor == PLAYERS.index(player)
        assert state.check(action) is None, action
        events += state.apply(action)
    assert "\n".join(GAME.words.tell([event.full for event in events], players=PLAYERS)) + "\n" == EXAMPLE


def hand_of(player: str) -> int:
    line = next(line for line in EXAMPLE.splitlines() if line.startswith(f"  {player} "))
    return card_set(card_of(card) for card in line.split()[1:])


def actions() -> Iterator[tuple[str, TaiheAction]]:
    """Read who did what, the passes of the play left out."""
    bids, plays = EXAMPLE.split("First round: ")[1].split("is the declarer.")
    for player, word, rest in re.findall(r"(\w+) (passes|declares|asks)(.*)", bids.replace("; ", ";\n")):
        if word == "asks":
            asked, given = re.findall(r"for (\S+),.* gets (\S+) back", rest)[0]
            yield player, ask(asked)
            yield player, give_back(given)
        else:
            yield player, PASS if word == "passes" else DECLARE
    for line in re.findall(r"^ +\d+  (.*)$", plays, re.MULTILINE):
        for turn in line.split(" · "):
            player, cards = turn.split(maxsplit=1)
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
