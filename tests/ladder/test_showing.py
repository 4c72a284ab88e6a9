"""Replays as JSON: the patches lead from scene to scene, and they are the same every time and small."""

import json
from pathlib import Path

import pytest

from ordago.record import read_record
from ordago.record.moments import moments
from ordago_ladder.showing.match_page import replay_json
from ordago_ladder.showing.scene_json import patch, scene_json

CORPUS = Path(__file__).parents[1] / "corpus"
RECORDS = sorted(CORPUS.glob("*.record"))
STEP_BYTES = 400
"""So much a step may take on average: what a page of a long match can hold."""


def merged(old, changed):
    """Apply a merge patch, as RFC 7396 says."""
    if not isinstance(changed, dict):
        return changed
    new = dict(old) if isinstance(old, dict) else {}
    for name, value in changed.items():
        if value is None:
            new.pop(name, None)
        else:
            new[name] = merged(new.get(name), value)
    return new


@pytest.fixture(scope="module", params=RECORDS, ids=lambda path: path.stem)
def record(request):
    return read_record(request.param.read_bytes())


@pytest.fixture(scope="module")
def deals(record):
    """The deals of the record's replay, as a browser reads them."""
    return json.loads(json.dumps(replay_json(record)))["deals"]


@pytest.mark.slow
def test_patches_applied_one_after_the_other_give_every_scene(record, deals):
    scenes = []
    for deal in deals:
        scene = deal["scene"]
        for step in deal["steps"]:
            scene = merged(scene, step.get("patch", {}))
            scenes.append(scene)
    assert scenes == [scene_json(moment.scene) for moment in moments(record)]


def test_a_step_says_only_what_changed(deals):
    steps = sum(len(deal["steps"]) for deal in deals)
    assert len(json.dumps(deals, ensure_ascii=False)) < STEP_BYTES * steps
    assert all("patch" not in deal["steps"][0] for deal in deals)


def test_a_replay_is_the_same_every_time():
    record = read_record((CORPUS / "mittlere-3.record").read_bytes())
    assert json.dumps(replay_json(record)) == json.dumps(replay_json(record))


def test_a_patch_takes_away_what_is_no_longer_there():
    old = {"seats": {"0": {"piles": {"0": {"cards": [1]}}}, "1": {}}, "said": "Paso"}
    new = {"seats": {"0": {"piles": {}}, "1": {}}, "said": "Paso"}
    assert patch(old, new) == {"seats": {"0": {"piles": {"0": None}}}}
    assert merged(old, patch(old, new)) == new
    assert patch(new, new) == {}
