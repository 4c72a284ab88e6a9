"""The card tables of the Rust SDK."""

import json
from collections.abc import Iterable, Mapping

from facts import CardFacts, Facts, GameFacts, ValuesFacts

_PLACE = "src/cards/facts.rs"
_HEAD = """\
// Generated from proto/cards.json by tools/facts/rust.py: do not edit.

use super::{CardFacts, GameCards, Values};
use crate::v1::Suit;
"""


def written(facts: Facts) -> Mapping[str, str]:
    """Return the file, by path in the folder of the SDK."""
    constants = ", ".join(f"&{_constant(game)}" for game in facts.games)
    games = f"pub(super) static GAMES: [&GameCards; {len(facts.games)}] = [{constants}];\n"
    return {_PLACE: "\n".join([_HEAD, games, *map(_game, facts.games), _cards(facts)])}


def _constant(game: GameFacts) -> str:
    return game.game.upper()


def _game(game: GameFacts) -> str:
    values = "".join(map(_values, game.values))
    names = "\n".join(f"/// - `{values.name}`: {values.when}" for values in game.values)
    return f"""\
/// The cards of {game.title}. Their values are
///
{names}
pub static {_constant(game)}: GameCards = GameCards {{
    game: {_text(game.game)},
    title: {_text(game.title)},
    pack: &[{_list(game.pack)}],
    held: &[{_list(game.held)}],
    values: &[
{values}    ],
}};
"""


def _values(values: ValuesFacts) -> str:
    worth = _list((card, values.heights[card], values.points[card]) for card in values.heights)
    return f"""\
        Values {{
            name: {_text(values.name)},
            when: {_text(values.when)},
            compares: {_text(values.compares)},
            worth: &[{worth}],
        }},
"""


def _cards(facts: Facts) -> str:
    suits = {suit.suit: f"Some(Suit::{suit.name.title()})" for suit in facts.suits}
    cards = "".join(_card(card, suits.get(card.suit, "None")) for card in sorted(facts.cards))
    return f"pub(super) static CARDS: [CardFacts; {len(facts.cards)}] = [\n{cards}];\n"


def _card(card: CardFacts, suit: str) -> str:
    fields = f"card: {card.card}, suit: {suit}, rank: {card.rank}, sign: {_text(card.sign)}, name: {_text(card.name)}"
    return f"    CardFacts {{ {fields} }},\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(items: Iterable[object]) -> str:
    return ", ".join(map(str, items))
