"""What a match of a standing ladder is played under follows from ledger, settings and secret."""

import hashlib
import json
from dataclasses import replace

import pytest
from support.standing_ladder import PLAYERS, SETTINGS, StandingLadder

from ordago.chance import commitment, keyed_name
from ordago.match import FaultTerms, MatchTerms, TimeTerms
from ordago.record.ledgers.ladder import EpochBegin, SeatingEntry
from ordago_ladder.standing.epoch_settings import EpochSettingsError, parse_epoch_settings
from ordago_ladder.standing.terms import ladder_match_terms


@pytest.fixture
def ladder() -> StandingLadder:
    """A ladder whose first epoch has begun."""
    ladder = StandingLadder()
    ladder.begin(1)
    return ladder


def terms_of(ladder: StandingLadder, seating: SeatingEntry) -> MatchTerms:
    begin = ladder.entries[1][0]
    assert isinstance(begin, EpochBegin)
    secret = ladder.chain.secret(1)
    return ladder_match_terms(seating, begin=begin, players=PLAYERS, settings=SETTINGS, secret=secret)


def test_terms_are_those_of_seating_and_settings(ladder: StandingLadder) -> None:
    seating = ladder.seat(1, "mittlere", 3, 1, 2)
    terms = terms_of(ladder, seating)
    assert terms.match_id == seating.match_id == keyed_name(ladder.chain.secret(1), "match", 0).hex()
    assert [(seat.name, seat.version, seat.build) for seat in terms.seats] == [
        ("solid", "", ""),
        ("ana", "1.0", "a1"),
        ("ben", "1.0", ""),
    ]
    assert terms.time == TimeTerms(decision_ms=1_000, disconnect_bank_ms=5_000)
    assert (terms.faults, terms.attempt) == (FaultTerms(strikes=3, forfeit_after=10), 0)
    assert terms.game.codec.options(terms.options).mittlere.deals == 3
    assert terms.deals.commitment == commitment(ladder.chain.secret(1))
    assert terms.deals.revealed_secret == b""
    nonces = ",".join(
        f"{name}:{seat.nonce}" for name, seat in sorted(zip(("solid", "ana", "ben"), seating.seats, strict=True))
    )
    assert terms.deals.seed == f"ordago-shuffle-1|mittlere|demo/1|{nonces}|0|0"


def test_every_seat_has_a_seed_of_its_own(ladder: StandingLadder) -> None:
    matches = [ladder.seat(1, "mitaines", 1, 2), ladder.seat(1, "mitaines", 1, 2)]
    seeds = {seat.seed for seating in matches for seat in terms_of(ladder, seating).seats}
    assert len(seeds) == 4


def test_nothing_in_what_bots_are_told_gives_the_secret_away(ladder: StandingLadder) -> None:
    terms = terms_of(ladder, ladder.seat(1, "mitaines", 1, 2))
    shown = repr(replace(terms, game=None))  # type: ignore[arg-type]  # only what is shown of the rest
    for told in (ladder.chain.link(1), ladder.chain.secret(1)):
        assert repr(told) not in shown
        assert told.hex() not in shown


def test_a_game_that_is_not_played_has_no_terms(ladder: StandingLadder) -> None:
    seating = ladder.seating(1, 0, "mus", 1, 2, 3, 4)
    with pytest.raises(EpochSettingsError, match="The game 'mus' is not played in this epoch"):
        terms_of(ladder, seating)


# The settings


def test_settings_are_read_as_they_were_written_and_their_digest_is_that_of_the_file() -> None:
    assert parse_epoch_settings(SETTINGS.text) == SETTINGS
    assert hashlib.sha256(SETTINGS.text.encode()).digest() == SETTINGS.digest
    longer = SETTINGS.model_copy(update={"decision_ms": 1_001})
    assert longer.digest != SETTINGS.digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"decision_ms": 0}, "decision_ms: Input should be greater than or equal to 1"),
        ({"strikes": "3"}, "strikes"),
        ({"ladder": "a/b"}, "small letters"),
        ({"more": 1}, "more"),
        ({"games": [{"name": "mus", "rules_version": 1, "seats": 4, "options": {"jokers": 2}}]}, "cannot be played"),
        ({"games": [{"name": "mus", "rules_version": 1, "seats": 4, "options": {}}] * 2}, "A game is listed twice"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_a_sentence(change: dict[str, object], words: str) -> None:
    content = json.loads(SETTINGS.text) | change
    with pytest.raises(EpochSettingsError, match=words) as refused:
        parse_epoch_settings(json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n")
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, SETTINGS.text.strip(), SETTINGS.text * 2])
def test_what_are_no_settings_is_refused(text: str) -> None:
    with pytest.raises(EpochSettingsError):
        parse_epoch_settings(text)
