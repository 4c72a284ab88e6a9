"""ONNX models as bots: they make the same moves in an environment, in process and at a server, or say why not."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gym.tables import SHORT, TABLES
from support.commands import ordago
from support.models import write_highest_card, write_linear

import ordago_bot
import ordago_gym.table
from ordago import v1
from ordago.record import read_record
from ordago_bot.house.baselines import RandomBot
from ordago_gym import EncodingError, ModelPolicy, encoding_of
from ordago_gym.arrays import mask_of, observation_of
from ordago_gym.table import Table

TEMPLATE = Path(__file__).parents[2] / "clients/python/template-policy"


def scores_in_an_environment(
    policy: ModelPolicy, record: v1.MatchRecord, options: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return what the seats choose with the deals of a record, in the order of their answers, and the scores."""
    monkeypatch.setattr(ordago_gym.table, "_SEED_TEXT", record.deal_seed)
    table = Table(policy.encoding, seats=len(record.seats), options=options)
    table.begin(record.secret)
    chosen = []
    while table.actor >= 0:
        observed, mask = observation_of(table.encoding, table.decision), mask_of(table.encoding, table.decision)
        choice = int(policy(observed[None], mask[None])[0])
        chosen.append((table.actor, choice))
        table.choose(choice)
    return chosen, list(table.state.outcome.scores)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_model_makes_the_same_moves_in_process_and_in_an_environment(
    name: str, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_linear(tmp_path / "model.onnx", encoding_of(name, seats=seats, options=SHORT[name]))
    policy, chosen = ModelPolicy(path), []
    noting = lambda obs, mask: chosen.append(policy(obs, mask)) or chosen[-1]  # noqa: E731 - it notes and returns
    bots = [ordago_bot.policy(noting, game=name)] * (seats - 1) + [ordago_bot.policy(path, game=name)]
    [match] = ordago_bot.play_locally(bots, name, options=SHORT[name], seed=3, strict=True)
    expected, scores = scores_in_an_environment(policy, match.record, SHORT[name], monkeypatch)
    assert [int(ids[0]) for ids in chosen] == [choice for seat, choice in expected if seat != seats - 1]
    assert list(match.record.outcome.scores) == scores


@pytest.mark.slow
def test_the_project_of_the_template_plays_by_its_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, file = tmp_path / "my-bot", tmp_path / "match.record"
    assert ordago("bot", "new", "python", project, "--template", "policy").exit_code == 0
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=project, capture_output=True, text=True)
    assert tested.returncode == 0, tested.stdout
    bots = [word for _ in range(3) for word in ("--bot", f"cmd:{sys.executable} {project / 'bot.py'}")]
    played = ordago("play", "mittlere", *bots, "--record", file)
    assert played.exit_code == 0, played.output
    record = read_record(file.read_bytes())
    _, scores = scores_in_an_environment(ModelPolicy(project / "model.onnx"), record, None, monkeypatch)
    assert list(record.outcome.scores) == scores


def test_the_model_of_the_template_takes_the_highest_card_of_the_last_suit(tmp_path: Path) -> None:
    kept, written = ModelPolicy(TEMPLATE / "model.onnx"), ModelPolicy(write_highest_card(tmp_path / "model.onnx"))
    rng = np.random.default_rng(1)
    obs = rng.integers(0, 2, (20, kept.size)).astype(np.float32)
    mask = np.maximum(obs[:, :36], np.eye(36, dtype=np.float32)[:20]).astype(np.int8)
    assert kept(obs, mask).tolist() == written(obs, mask).tolist()
    in_hand = (obs[:, :36] * mask).astype(bool)
    assert kept(obs, mask).tolist() == [int(np.flatnonzero(row)[-1]) for row in in_hand]


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"encoding": "mittlere_v7"}, "no encoding mittlere_v7"),
        ({"encoding": "mus_v0"}, "model.onnx plays mus_v0, not mittlere_v0"),
        ({"encoding": "nothing"}, "no ordago.encoding in its metadata"),
        ({"encoding": "chess_v0"}, "no game 'chess'"),
        ({"floats": "many"}, "'many' as its ordago.floats"),
        ({"floats": "340"}, "340 32-bit floats; it has"),
        ({"actions": "nothing"}, "no ordago.actions"),
    ],
)
def test_a_model_for_something_else_is_refused(tmp_path: Path, metadata: dict[str, str], words: str) -> None:
    path = write_linear(tmp_path / "model.onnx", encoding_of("mittlere"), said=metadata)
    with pytest.raises(EncodingError, match=words):
        ordago_bot.policy(path, game="mittlere")


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"\x08\x08" + bytes(100)])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(EncodingError, match=r"^model.onnx is no ONNX model"):
        ordago_bot.policy(str(path), game="mittlere")


def test_a_missing_file_is_the_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"model\.onnx"):
        ordago_bot.policy(tmp_path / "model.onnx", game="mittlere")


def test_a_model_for_other_options_is_refused_when_the_match_begins(tmp_path: Path) -> None:
    path = write_linear(tmp_path / "model.onnx", encoding_of("mus", options={"target": 30}))
    bots = [ordago_bot.policy(path, game="mus"), RandomBot] * 2
    with pytest.raises(EncodingError, match=r"was trained for 891 floats and 67 ids; mus_v0 has 891 and 77"):
        list(ordago_bot.play_locally(bots, "mus"))


@pytest.mark.parametrize(
    ("sizes", "value", "words"), [((447, 36), np.nan, "model.onnx returned NaN"), ((447, 35), 1.0, "scores of shape")]
)
def test_scores_that_are_none_fail_with_a_sentence(
    tmp_path: Path, sizes: tuple[int, int], value: float, words: str
) -> None:
    path = write_linear(tmp_path / "model.onnx", encoding_of("mittlere"), weights=np.full(sizes, value))
    bots = [ordago_bot.policy(path, game="mittlere"), RandomBot, RandomBot]
    with pytest.raises(ValueError, match=words):
        list(ordago_bot.play_locally(bots, "mittlere", options={"deals": 3}))
