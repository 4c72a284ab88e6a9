"""The names of cards, as a script for the site."""

import json

from facts import Facts

_FRAME = r"""// @ts-check
"use strict";

/*
 * The names of cards: `ordago.cards[36]` is ["10♥", "ten of hearts"]. Written by tools/faces from proto/cards.json.
 * A name in another language is made of its words.
 */
(() => {{
  const ordago = (globalThis.ordago ??= /** @type {{Ordago}} */ ({{}}));

  /** Sign and name of each card, by number. @type {{Readonly<Record<number, readonly [string, string]>>}} */
  ordago.cards = Object.freeze({{
{lines}
  }});

  ordago.nameOf = (card) => {{
    const name = ordago.cards?.[card]?.[1] ?? String(card);
    const [, rank, suit, trump] = name.match(/^(\w+) of (\w+)$|^trump (\w+)$/) ?? [];
    if (trump) return ordago.say("trump {{number}}", {{ number: trump }});
    return suit ? ordago.say("{{rank}} of {{suit}}", {{ rank: ordago.say(rank), suit: ordago.say(suit) }}) : ordago.say(name);
  }};
}})();
"""


def script(facts: Facts) -> str:
    """Return the script with the sign and name of each card."""
    lines = (
        f"    {card.card}: [{_quoted(card.sign)}, {_quoted(card.name)}],"
        for card in sorted(facts.cards, key=lambda card: card.card)
    )
    return _FRAME.format(lines="\n".join(lines))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
