"""A match that is over as a page, with its replay and in words: a function of its record."""

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Any, Final

from jinja2.utils import htmlsafe_json_dumps

from ordago import v1
from ordago.games import find_game
from ordago.names import visible
from ordago.record import Replay, replay, tell
from ordago.record.opening import UnplayableError
from ordago.scene import Sentence, sentence
from ordago_ladder.folder import record_name
from ordago_ladder.pages.assets import FACE_FOLDERS, SERVED_FACE_FOLDERS, pack_of
from ordago_ladder.pages.rendering import ENGLISH, template
from ordago_ladder.showing.replay_json import replay_json
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


SPEEDS = ("0.5", "1", "2", "5", "10", "20", "60")
"""The speeds at which a replay goes on by itself, in steps a second."""


def match_page(record: v1.MatchRecord) -> str:
    """Return the page of a match in a published folder: its replay, and as ``ordago record`` tells it."""
    link = f"../{record_name(record.match_id)}"
    values = replay_values(record, root="../", record_link=link, back="../index.html", face_folders=FACE_FOLDERS)
    return template("told").render(home="../index.html", **values)


def replay_values(
    record: v1.MatchRecord,
    *,
    root: str,
    record_link: str,
    back: str,
    analysis: str = "",
    face_folders: Mapping[str, str] = SERVED_FACE_FOLDERS,
    translations: NullTranslations = ENGLISH,
) -> dict[str, Any]:
    """Return what the template ``told`` is filled in with.

    Args:
        record: the match.
        root: the way from the page to the place where the folder of the assets lies.
        record_link: where the record lies.
        back: where the page leads back to.
        analysis: where a script asks for the analysis of the match; empty where there is none.
        face_folders: where the faces of each pack lie, from the same place.
        translations: the catalogue of the language.
    """
    replayed = replay(record)
    shown = _shown(record, replayed, translations)
    return {
        "root": root,
        "title": find_game(record.game).rules.title,
        "names": [visible(name) for name in dict.fromkeys(seat.name for seat in record.seats)],
        "record_link": record_link,
        "back": back,
        "analysis": analysis if shown else "",
        "pictures": f"{root}{face_folders[shown['faces']]}/" if shown else "",
        "players": [seat["name"] for seat in shown["seats"]] if shown else [],
        "match": htmlsafe_json_dumps(shown, separators=(",", ":")) if shown else "",
        "catalogue": htmlsafe_json_dumps(words) if (words := script_words(translations.gettext)) else "",
        "speeds": SPEEDS,
        "text": "\n".join(tell(record, replayed=replayed)),
    }


def _shown(record: v1.MatchRecord, replayed: Replay, translations: NullTranslations) -> dict[str, Any] | None:
    """Return the replay of a match, if anything of it can be shown."""
    if pack_of(record.game) is None:
        return None
    try:
        return replay_json(record, translations.gettext, replayed=replayed)
    except UnplayableError:
        return None
