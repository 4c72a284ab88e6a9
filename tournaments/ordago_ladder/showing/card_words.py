"""The words that names of cards are made of, for the alternative texts of their pictures."""

from typing import Final

from ordago.scene import Sentence, sentence

CARD_WORDS: Final[tuple[Sentence, ...]] = (
    *(sentence("{rank} of {suit}"), sentence("trump {number}"), sentence("Fool")),
    *(sentence("clubs"), sentence("diamonds"), sentence("hearts"), sentence("spades")),
    *(sentence("oros"), sentence("copas"), sentence("espadas"), sentence("bastos")),
    *(sentence("ace"), sentence("two"), sentence("three"), sentence("four"), sentence("five")),
    *(sentence("six"), sentence("seven"), sentence("eight"), sentence("nine"), sentence("ten")),
    *(sentence("jack"), sentence("knight"), sentence("queen"), sentence("king")),
    *(sentence("sota"), sentence("caballo"), sentence("rey")),
)
"""All of them; ``assets/cards.js`` puts them together."""
