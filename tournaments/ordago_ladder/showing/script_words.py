"""The words that scripts put into a page themselves, in the language of the page."""

from typing import Final

from ordago.scene import Sentence, sentence
from ordago_ladder.showing.scene_json import Translate

WORDS: Final[tuple[Sentence, ...]] = (
    sentence("unseen card"),
    sentence("cards"),
    sentence("cards: {number}"),
    sentence("seat {number}: {name}"),
    sentence("hand of {name}"),
    sentence("before {name}"),
    sentence("{number} ms"),
    sentence("{number} s"),
    sentence("1 strike"),
    sentence("{number} strikes"),
    sentence("What would the house have played?"),
    sentence("The house goes through the match."),
    sentence("{done} of {all} decisions"),
    sentence("The house could not go through the match."),
    sentence("The dearest choices"),
    sentence("No choice cost more than chance explains."),
    sentence("The house plays it in the same way."),
    sentence("The house: {best}. The difference is within chance."),
    sentence("The house: {best}, better by {amount}."),
    sentence("The house, by a rule of thumb: {best}, better by {amount}."),
    sentence("{number} points"),
    sentence("{number} chips"),
    sentence("{number} % of the chance to win the game"),
    sentence("{number} of the value of the hand"),
    sentence("{deal}, step {number} of {all}"),
    sentence("It is your turn."),
    sentence("It is your turn: choose cards, or say something."),
    sentence("It is your turn: choose a card."),
    sentence("It is your turn: confirm what you chose."),
    sentence("It is your turn: these cards need more."),
    sentence("default"),
    sentence("{min} to {max}"),
    sentence("{words}: a number from {min} to {max}"),
    sentence("nothing"),
    sentence("Say along with it"),
    sentence("Take the default: {words}"),
    sentence("The server does not tell this match any more. Load the page again."),
    sentence("The connection is lost. It is tried again."),
    sentence("{name} is to play."),
    sentence("The server cannot be reached. Try again."),
)
"""All that ``ordago.say`` is called with in ``assets``."""


def script_words(translate: Translate) -> dict[str, str]:
    """Return the words that are others in a language, by the English ones."""
    translated = {words.words: words.written(translate) for words in WORDS}
    return {english: words for english, words in translated.items() if words != english}
