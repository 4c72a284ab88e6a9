"""The names of combinations."""

from typing import Final

from ordago.cards import ACE, JACK, KING, QUEEN
from ordago.games.mitaines.combinations import Combination
from ordago.scene import Sentence, sentence

_COMBINATIONS: Final = {
    Combination.MITTEN: sentence("mitten of {rank}"),
    Combination.GLOVE: sentence("glove of {rank}"),
    Combination.SOCK: sentence("sock of {rank}"),
    Combination.ADDED_GLOVE: sentence("added glove of {rank}"),
    Combination.ADDED_SOCK: sentence("added sock of {rank}"),
}
RANK_WORDS: Final = {
    2: sentence("twos"),
    3: sentence("threes"),
    4: sentence("fours"),
    5: sentence("fives"),
    6: sentence("sixes"),
    7: sentence("sevens"),
    8: sentence("eights"),
    9: sentence("nines"),
    10: sentence("tens"),
    JACK: sentence("jacks"),
    QUEEN: sentence("queens"),
    KING: sentence("kings"),
    ACE: sentence("aces"),
}
"""The cards of a rank, in the plural."""


def combination_words(combination: Combination, rank: int) -> Sentence:
    """Return the name of a combination of a rank, for instance ``added glove of sevens``."""
    return _COMBINATIONS[combination].filled(rank=RANK_WORDS[rank])
