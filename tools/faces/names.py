"""The names of cards, as a script for the site."""

import json

from facts import Facts

_FRAME = """// @ts-check
"use strict";

/*
 * The names of cards: `ordago.cards[36]` is ["10♥", "ten of hearts"]. Written by tools/faces from proto/cards.json.
 */
(() => {{
  const ordago = (globalThis.ordago ??= /** @type {{Ordago}} */ ({{}}));

  /** Sign and name of each card, by number. @type {{Readonly<Record<number, readonly [string, string]>>}} */
  ordago.cards = Object.freeze({{
{lines}
  }});
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
