"""Policies as bots: environment, referee in process and server show the same bytes, and the same moves come of them."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clients.hashing_policy import HashingPolicy
from gym.tables import SHORT, TABLES
from support.commands import ordago

import ordago_bot
import ordago_gym.table
from ordago import v1
from ordago.record import read_record
from ordago_bot.house.baselines import RandomBot
from ordago_gym import EncodingError
from ordago_gym.arrays import mask_of, observation_of
from ordago_gym.table import Table


def played_again(
    record: v1.MatchRecord, name: str, options: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], tuple[int, ...]]:
    """Return what the policy sees in an environment with the deals of a record, and the scores."""
    monkeypatch.setattr(ordago_gym.table, "_SEED_TEXT", record.deal_seed)
    table = Table(name, seats=len(record.seats), options=options)
    table.begin(record.secret)
    policy = HashingPolicy()
    while table.actor >= 0:
        observed, mask = observation_of(table.encoding, table.decision), mask_of(table.encoding, table.decision)
        table.choose(int(policy(observed[None], mask[None])[0]))
    return policy.seen, table.state.outcome.scores


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_referee_in_process_shows_what_an_environment_shows(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = HashingPolicy()
    bots = [ordago_bot.policy(policy, game=name)] * seats
    [match] = ordago_bot.play_locally(bots, name, options=SHORT[name], seed=3, strict=True)
    seen, scores = played_again(match.record, name, SHORT[name], monkeypatch)
    assert policy.seen == seen
    assert tuple(match.record.outcome.scores) == scores


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mittlere", "mus"])
def test_a_server_shows_what_an_environment_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, log, file = Path(__file__).with_name("hashing_policy.py"), tmp_path / "seen", tmp_path / "match.record"
    seats = {"mittlere": 3, "mus": 4}[name]
    bots = [word for _ in range(seats) for word in ("--bot", f"cmd:{sys.executable} {program} {name} {log}")]
    played = ordago("play", name, *bots, "--record", file)
    assert played.exit_code == 0, played.output
    record = read_record(file.read_bytes())
    seen, scores = played_again(record, name, None, monkeypatch)
    assert log.read_text(encoding="utf-8").split() == seen
    assert tuple(record.outcome.scores) == scores


def test_what_a_policy_cannot_play_is_said() -> None:
    with pytest.raises(EncodingError, match="no encoding mus_v9"):
        ordago_bot.policy(HashingPolicy(), game="mus_v9")
    bot = ordago_bot.policy(HashingPolicy(), game="mus")
    with pytest.raises(ValueError, match="plays mus, and the match is of mittlere"):
        list(ordago_bot.play_locally([bot, RandomBot, RandomBot], "mittlere", options={"deals": 3}))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.array([np.nan]), "needs a whole number"),
        (np.array([0, 1]), "got int64 of shape \\(2,\\)"),
        (np.array([36]), "illegal id 36"),
        (None, "got object"),
    ],
)
def test_a_policy_that_returns_nonsense_fails_with_a_sentence(answer: Any, words: str) -> None:
    bot = ordago_bot.policy(lambda _obs, _mask: answer, game="mittlere")
    with pytest.raises(ValueError, match=f"the policy .*{words}"):
        list(ordago_bot.play_locally([bot, RandomBot, RandomBot], "mittlere", options={"deals": 3}))
