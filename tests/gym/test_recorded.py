"""Decisions of recorded matches: the bytes that environment and server show, and ids that mean what was played."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from clients.hashing_policy import HashingPolicy
from gym.tables import SHORT, TABLES, seen

import ordago_bot
from ordago.cards import french_rank
from ordago.games import find_game
from ordago.record import read_record
from ordago_gym.recorded import RecordedMatch, RecordedStep

CORPUS = Path(__file__).parents[1] / "corpus"


def shown(match: RecordedMatch, step: RecordedStep) -> str:
    observed, mask = seen(match.encoding, step.decision)
    assert np.frombuffer(mask, np.int8)[step.action] == 1
    return hashlib.sha256(observed + mask).hexdigest()


def picks(step: RecordedStep) -> bool:
    """Return True if the seat has cards to pick in several steps."""
    return any(legal.picks for legal in step.decision.legal)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_record_shows_what_was_seen_and_chosen(name: str, seats: int) -> None:
    """A policy of which environment and server show the same bytes: what it saw is in the record's steps."""
    policy = HashingPolicy()
    bots = [ordago_bot.policy(policy, game=name)] * seats
    [played] = ordago_bot.play_locally(bots, name, options=SHORT[name], seed=4, strict=True)
    match = RecordedMatch(played.record)
    steps = list(match.steps())
    assert len(steps) == len(policy.seen)
    for step, digest in zip(steps, policy.seen, strict=True):
        # The cards of a discard have no order in a record: they are chosen in the order of their ids there.
        if name != "mitigati" or not picks(step):
            assert shown(match, step) == digest
            legal = np.flatnonzero(np.frombuffer(seen(match.encoding, step.decision)[1], np.int8))
            assert step.action == legal[int(digest, 16) % len(legal)]


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.record")), ids=lambda path: path.stem)
def test_the_ids_mean_the_action_that_was_played(file: Path) -> None:
    record = read_record(file.read_bytes())
    match, codec = RecordedMatch(record), find_game(record.game).codec
    said = []
    for step in match.steps():
        action = match.encoding.action(step.decision, (*step.decision.parts, step.action))
        if action is not None:
            said.append((step.seat, step.own, action))
    choices = [entry.choice for entry in record.entries if entry.HasField("choice")]
    assert len(said) == len(choices)
    for (seat, own, action), choice in zip(said, choices, strict=True):
        assert (seat, own) == (choice.seat, not choice.fault)
        played = codec.action_from(choice.action)
        if record.game == "taihe" and played.cards:  # its ids leave suits out
            assert sorted(map(french_rank, action.cards)) == sorted(map(french_rank, played.cards))
        else:
            assert action == played


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.record")), ids=lambda path: path.stem)
def test_rewards_add_up_to_the_result(file: Path) -> None:
    record = read_record(file.read_bytes())
    match = RecordedMatch(record)
    assert [sum(gained) for gained in zip(*match.deal_rewards, strict=True)] == list(record.outcome.scores)
    best = [placing == 1 for placing in record.outcome.placings]
    assert [reward == max(match.match_rewards) for reward in match.match_rewards] == best
    assert sum(match.match_rewards) == 0
    assert {step.deal for step in match.steps()} == set(range(len(match.deal_rewards)))
