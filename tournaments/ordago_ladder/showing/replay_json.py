"""A record as the JSON that its replay is drawn from."""

from collections.abc import Iterable, Iterator
from typing import Final

from ordago import v1
from ordago.games import find_game
from ordago.names import visible
from ordago.record.moments import Moment, moments
from ordago.record.replay import Replay
from ordago.record.text import players_of
from ordago.scene import Section
from ordago_ladder.showing.scene_json import Json, SceneWriter, Translate, patch

FORMAT: Final = 1
_NO_FAULT: Final = 0


def replay_json(
    record: v1.MatchRecord, translate: Translate = str, *, replayed: Replay | None = None
) -> dict[str, Json]:
    """Return a match, deal by deal and step by step, all hands open.

    The shape; a deal begins with a whole scene, and each step after its first with what changed in it::

        {"format": 1, "matchId": "…", "game": "mittlere", "title": "Mittlere Jass", "faces": "jass",
         "seats": [{"name": "…", "version": "…", "side": 0}],
         "deals": [{"title": "Deal 1", "scene": SCENE, "steps": [STEP]}]}

        STEP: {"told": "…", "seat": 0, "mark": "Trick 1", "choice": CHOICE, "patch": PATCH}
        CHOICE: {"entry": 17, "seat": 0, "chargedMs": 12, "strikes": 1, "fault": "FAULT_…"}

    ``entry`` is the place of the choice among the entries of the record, ``seat`` of a step whom it is about. What a
    step does not have is missing in it.

    Args:
        record: the match.
        translate: gives the texts in another language.
        replayed: what came of playing it again, if that is known.

    Raises:
        UnplayableError: nothing of the record can be shown.
    """
    game = find_game(record.game)
    return {
        "format": FORMAT,
        "matchId": record.match_id,
        "game": record.game,
        "title": game.rules.title,
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
