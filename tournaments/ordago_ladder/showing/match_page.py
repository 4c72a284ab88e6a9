"""The page of a finished match, with its replay and a text version, made from its record alone."""

from collections.abc import Iterable, Iterator, Mapping
from gettext import NullTranslations
from typing import Any, Final

from jinja2.utils import htmlsafe_json_dumps

from ordago import v1
from ordago.games import find_game
from ordago.names import visible
from ordago.record import replay, tell
from ordago.record.moments import Moment, moments
from ordago.record.opening import UnplayableError
from ordago.record.replay import Replay
from ordago.record.text import players_of
from ordago.scene import Section, Sentence, sentence
from ordago_ladder.folder import record_name
from ordago_ladder.pages.assets import FACE_FOLDERS, FOLDER, SERVED_FACE_FOLDERS, pack_of
from ordago_ladder.pages.rendering import ENGLISH, template, translated
from ordago_ladder.showing.card_words import CARD_WORDS
from ordago_ladder.showing.scene_json import Json, SceneWriter, Translate, patch

FORMAT: Final = 1
"""The version of the JSON format of replays."""
_NO_FAULT: Final = 0


def replay_json(
    record: v1.MatchRecord, translate: Translate = str, *, replayed: Replay | None = None
) -> dict[str, Json]:
    """Return a match as JSON, deal by deal and step by step, with all hands visible.

    A deal begins with a whole scene; each step has a merge patch to the scene before it. The shape::

        {"format": 1, "matchId": "…", "game": "mittlere", "title": "Mittlere Jass", "faces": "jass",
         "seats": [{"name": "…", "version": "…", "side": 0}],
         "deals": [{"title": "Deal 1", "scene": SCENE, "steps": [STEP]}]}

        STEP: {"told": "…", "seat": 0, "mark": "Trick 1", "choice": CHOICE, "patch": PATCH}
        CHOICE: {"entry": 17, "seat": 0, "chargedMs": 12, "strikes": 1, "fault": "FAULT_…"}

    ``entry`` is the index of the choice among the entries of the record, ``seat`` the seat that the step is about. Keys
    without a value are left out.

    Args:
        record: the match.
        translate: translates the English texts.
        replayed: the replay of the record, if the caller has one already.

    Raises:
        UnplayableError: nothing of the record can be shown.
    """
    game = find_game(record.game)
    return {
        "format": FORMAT,
        "matchId": record.match_id,
        "game": record.game,
        "title": translated(game.rules.title, translate),
        "faces": game.staging.faces,
        "seats": [
            {"name": name, "version": visible(seat.version), "side": seat.side}
            for name, seat in zip(players_of(record), record.seats, strict=True)
        ],
        "deals": list(_deals(record, moments(record, replayed=replayed), translate)),
    }


def _deals(record: v1.MatchRecord, shown: Iterable[Moment], translate: Translate) -> Iterator[dict[str, Json]]:
    deal: dict[str, Json] | None = None
    before: dict[str, Json] = {}
    writer = SceneWriter(translate)
    for moment in shown:
        scene = writer.written(moment.scene)
        if deal is None or (moment.mark is not None and moment.mark.section is Section.DEAL):
            if deal is not None:
                yield deal
            title = moment.mark.title.written(translate) if moment.mark is not None else ""
            deal, before = {"title": title, "scene": scene, "steps": []}, scene
        deal["steps"].append(_step(record, moment, patch(before, scene), translate))
        before = scene
    if deal is not None:
        yield deal


def _step(record: v1.MatchRecord, moment: Moment, changed: dict[str, Json], translate: Translate) -> dict[str, Json]:
    step: dict[str, Json] = {"told": moment.sentence.written(translate)}
    if moment.seat is not None:
        step["seat"] = moment.seat
    if moment.mark is not None and moment.mark.section is not Section.DEAL:
        step["mark"] = moment.mark.title.written(translate)
    if moment.choice is not None:
        step["choice"] = _choice(moment.choice, record.entries[moment.choice].choice)
    if changed:
        step["patch"] = changed
    return step


def _choice(entry: int, choice: v1.RecordedChoice) -> dict[str, Json]:
    found: dict[str, Json] = {"entry": entry, "seat": choice.seat, "chargedMs": choice.charged_ms}
    if choice.strikes:
        found["strikes"] = choice.strikes
    if choice.fault != _NO_FAULT:
        found["fault"] = v1.Fault.Name(choice.fault)
    return found


WORDS: Final[tuple[Sentence, ...]] = (
    sentence("face-down card"),
    sentence("cards"),
    sentence("cards: {number}"),
    sentence("seat {number}: {name}"),
    sentence("hand of {name}"),
    sentence("in front of {name}"),
    sentence("{number} ms"),
    sentence("{number} s"),
    sentence("1 strike"),
    sentence("{number} strikes"),
    sentence("What would the house have played?"),
    sentence("The house is analysing the match."),
    sentence("{done} of {all} decisions"),
    sentence("The house could not analyse the match."),
    sentence("The costliest choices"),
    sentence("No choice cost more than chance explains."),
    sentence("The house would play the same."),
    sentence("The house: {best}. The difference is within chance."),
    sentence("The house: {best}, better by {amount}."),
    sentence("The house, by a rule of thumb: {best}, better by {amount}."),
    sentence("{number} points"),
    sentence("{number} chips"),
    sentence("{number} % of the chance to win the game"),
    sentence("{number} of the value of the hand"),
    sentence("Cost so far ({unit})"),
    sentence("points"),
    sentence("chips"),
    sentence("% of the chance to win the game"),
    sentence("{deal}, step {number} of {all}"),
    sentence("Your turn."),
    sentence("Your turn: choose cards, or press a button."),
    sentence("Your turn: choose a card."),
    sentence("Your turn: confirm your choice."),
    sentence("Your turn: choose more cards to go with these."),
    sentence("default"),
    sentence("{min} to {max}"),
    sentence("{words}: a number from {min} to {max}"),
    sentence("nothing"),
    sentence("Also"),
    sentence("Default: {words}"),
    sentence("The server stopped showing this match. Reload the page."),
    sentence("Connection lost. Reconnecting …"),
    sentence("Waiting for {name}."),
    sentence("The server cannot be reached. Try again."),
    sentence("{number} of {all}"),
    sentence("Right. {told}"),
    sentence("You could do that. In this lesson: {told}"),
)
"""The texts that scripts in ``assets`` pass to ``ordago.say``."""


def script_words(translate: Translate) -> dict[str, str]:
    """Return the translations that differ from the English texts, by English text."""
    translated = {words.words: words.written(translate) for words in (*WORDS, *CARD_WORDS)}
    return {english: words for english, words in translated.items() if words != english}


SPEEDS = ("0.5", "1", "2", "5", "10", "20", "60")
"""The speeds of automatic replay, in steps a second."""


def match_page(record: v1.MatchRecord) -> str:
    """Return the page of a match in a published folder: its replay, and the text that ``ordago record`` prints."""
    link = f"../{record_name(record.match_id)}"
    values = replay_values(record, root="../", record_link=link, back="../index.html", face_folders=FACE_FOLDERS)
    return template("told").render(home="../index.html", assets=f"../{FOLDER}/", **values)


def replay_values(
    record: v1.MatchRecord,
    *,
    root: str,
    record_link: str,
    back: str,
    analysis: str = "",
    face_folders: Mapping[str, str] = SERVED_FACE_FOLDERS,
    translations: NullTranslations = ENGLISH,
    replayed: Replay | None = None,
) -> dict[str, Any]:
    """Return the values for the template ``told``.

    Args:
        record: the match.
        root: the relative URL from the page to the parent of the assets folder.
        record_link: the URL of the record; empty if it is not open, and the match is shown as spectators saw it.
        back: the URL of the link back.
        analysis: the URL that a script requests the analysis of the match from; empty for none.
        face_folders: the folder of the card faces of each pack, relative to ``root``.
        translations: the message catalogue.
        replayed: the replay of the record, if the caller has one already.
    """
    replayed = replayed or replay(record)
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
        "speeds": SPEEDS,
        "text": "\n".join(
            tell(record, replayed=replayed, with_proof=bool(record_link), translate=translations.gettext)
        ),
    }


def _shown(record: v1.MatchRecord, replayed: Replay, translations: NullTranslations) -> dict[str, Any] | None:
    """Return the replay of a match; ``None`` if there are no card faces for it, or nothing of it can be shown."""
    if pack_of(record.game) is None:
        return None
    try:
        return replay_json(record, translations.gettext, replayed=replayed)
    except UnplayableError:
        return None
