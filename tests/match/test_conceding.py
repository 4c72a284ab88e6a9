"""Conceding a match: who can, what it settles, and what partner and opponents learn of half of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Strategy, Thought, by_default, play_match

from ordago import v1
from ordago.games import find_game, game_names
from ordago.match import Match, MatchTerms, audit, decisions_of
from ordago.record import replay, rewritten, tell, to_file_bytes, verify
from ordago.record.moments import moments

MUS = find_game("mus")
MITAINES = find_game("mitaines")


def conceding(when: Callable[[int], bool], strategy: Strategy = by_default) -> Strategy:
    """Return a strategy that concedes with its answers to these decisions."""

    def play(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        assert decision.may_concede
        thought = strategy(decision, refusals)
        if not isinstance(thought, v1.Answer) or not when(decision.number):
            return thought
        answer = v1.Answer()
        answer.CopyFrom(thought)
        answer.concede = True
        return answer

    return play


def terms_of(game: Any = MUS, seats: int = 4, **changes: Any) -> MatchTerms:
    terms = match_terms(game, conceding=True, options=game.rules.options({}), **changes)
    return replace(terms, seats=(terms.seats * 2)[:seats])


def played(*strategies: Strategy, terms: MatchTerms | None = None, **options: Any) -> v1.MatchRecord:
    return play_match(terms or terms_of(), [FakePlayer(strategy, thinks=0.1) for strategy in strategies], **options)


def choices(record: v1.MatchRecord) -> list[v1.RecordedChoice]:
    return [entry.choice for entry in record.entries if entry.HasField("choice")]


def is_proved(record: v1.MatchRecord) -> bool:
    return not verify(record) and not audit(record).problems and rewritten(to_file_bytes(record)) is not None


def test_a_side_of_one_concedes_and_the_other_has_the_target() -> None:
    record = played(by_default, conceding(lambda number: number == 60), terms=terms_of(MITAINES, 2))
    assert is_proved(record)
    last = choices(record)[-1]
    assert (last.seat, last.concede) == (1, True)
    assert record.outcome.reason == v1.OUTCOME_REASON_CONCEDED
    assert (record.outcome.scores[0], list(record.outcome.placings)) == (500, [1, 2])
    totals = next(entry.event.mitaines.totals for entry in reversed(record.entries) if entry.event.mitaines.totals)
    assert 0 < totals[1] <= record.outcome.scores[1] < 500, "the loser keeps what it has"
    assert "bot 1 conceded." in list(tell(record))
    assert [*moments(record)][-1].sentence.written() == "bot 1 conceded."


def test_partners_concede_together() -> None:
    """Seat 0 says so from its third decision on, and its partner first at the fifth."""
    record = played(
        conceding(lambda number: number >= 3), by_default, conceding(lambda number: number == 5), by_default
    )
    assert is_proved(record)
    assert (record.outcome.reason, choices(record)[-1].seat) == (v1.OUTCOME_REASON_CONCEDED, 2)
    assert [choice.seat for choice in choices(record) if choice.concede].count(2) == 1
    assert (record.outcome.scores[1], list(record.outcome.placings)) == (40, [2, 1, 2, 1])
    for seat in range(4):
        assert [past.choice for past in decisions_of(record, seat)] == [
            choice for choice in choices(record) if choice.seat == seat
        ]


ALONE: dict[str, tuple[Strategy, Strategy]] = {
    "the partner never says so": (conceding(lambda _: True), conceding(lambda _: False)),
    "only the opponent does": (by_default, by_default),
    "the first takes it back": (conceding(lambda number: number == 3), conceding(lambda number: number == 8)),
    "a silent partner": (conceding(lambda _: True), conceding(lambda _: True, lambda *_: None)),
    "a partner that crashed": (
        conceding(lambda number: number > 4),
        lambda decision, _: v1.FAULT_CRASHED if decision.number == 2 else decision.default_answer,
    ),
}


@pytest.mark.parametrize("way", ALONE)
def test_no_seat_concedes_for_its_partner(way: str) -> None:
    first, partner = ALONE[way]
    record = played(first, conceding(lambda number: number % 2 == 0), partner, by_default, terms=terms_of())
    assert record.outcome.reason == v1.OUTCOME_REASON_TARGET_REACHED
    assert is_proved(record)


def test_nobody_is_told_of_half_a_concession() -> None:
    """All seats and spectators are sent the same, byte for byte, and the same questions follow in the same order."""
    sent = []
    for when in (lambda _: False, lambda _: True):
        players = [FakePlayer(conceding(when)), *(FakePlayer(by_default) for _ in range(3))]
        spectators = _Spectator()
        record = play_match(terms_of(), players, onlookers=[spectators])
        sent.append(([[one.SerializeToString() for one in player.told] for player in players], spectators.news))
        for choice in choices(record):
            assert choice.concede == (when(0) and choice.seat == 0)
    assert sent[0] == sent[1]


class _Spectator:
    def __init__(self) -> None:
        self.news: list[bytes] = []


def test_an_answer_that_is_too_late_concedes_nothing() -> None:
    late = FakePlayer(conceding(lambda _: True), thinks=11.0)
    record = play_match(terms_of(MITAINES, 2), [late, FakePlayer(by_default)])
    assert not any(choice.concede for choice in choices(record))


def test_the_last_action_counts_before_a_concession() -> None:
    """A match that its last action ends by the rules ended so, whatever was said with it."""
    record = played(by_default, by_default, terms=terms_of(MITAINES, 2))
    choices(record)[-1].concede = True
    assert is_proved(record)
    assert record.outcome.reason == v1.OUTCOME_REASON_TARGET_REACHED


@pytest.mark.parametrize(
    "terms",
    [match_terms(MUS), match_terms(find_game("mittlere"), conceding=True), terms_of(MITAINES, 3)],
    ids=["not wanted", "three sides", "Mitaines for three"],
)
def test_where_a_match_cannot_be_conceded_the_answer_is_refused(terms: MatchTerms) -> None:
    def insist(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        assert not decision.may_concede
        if decision.number > 1 or refusals:
            return decision.default_answer
        return v1.Answer(legal_action=1, concede=True)

    players = [FakePlayer(insist) for _ in terms.seats]
    record = play_match(terms, players)
    refused = [player.refused[0] for player in players]
    assert {(one.rule, one.field, one.strikes) for one in refused} == {("answer", "concede", 1)}
    assert is_proved(record)
    assert not record.conceding


@pytest.mark.parametrize("answer", [v1.Answer(concede=True), v1.Answer(concede=True, legal_action=99)])
def test_a_concession_without_a_legal_action_is_refused(answer: v1.Answer) -> None:
    """The word alone is no answer: the rest of it is judged as ever, and a refused answer concedes nothing."""
    players = [
        FakePlayer(lambda decision, refusals: by_default(decision) if refusals else answer),
        FakePlayer(by_default),
    ]
    record = play_match(terms_of(MITAINES, 2), players)
    assert players[0].refused
    assert not any(choice.concede for choice in choices(record))


def test_an_answer_with_open_parts_can_concede() -> None:
    def bet(decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
        opened = next((action for action in decision.actions if action.HasField("amount")), None)
        if opened is None:
            return by_default(decision)
        return v1.Answer(legal_action=opened.id, amount=opened.amount.min)

    always = conceding(lambda _: True, bet)
    record = played(always, by_default, always, by_default)
    assert record.outcome.reason == v1.OUTCOME_REASON_CONCEDED
    assert is_proved(record)


def test_a_match_that_is_resumed_remembers_every_word() -> None:
    strategies = (conceding(lambda number: number >= 3), by_default, conceding(lambda number: number == 5), by_default)
    whole = played(*strategies)
    past = [entry for entry in whole.entries if not (entry.HasField("event") or entry.HasField("shuffle"))]
    for kept in range(len(past) + 1):
        assert played(*strategies, past=past[:kept]) == whole


def _second_of(record: v1.MatchRecord, seat: int) -> v1.RecordedChoice:
    return [choice for choice in choices(record) if choice.seat == seat][1]


FORGERIES: dict[str, Callable[[v1.MatchRecord], object]] = {
    "a word for the partner": lambda record: setattr(_second_of(record, 2), "concede", True),
    "a word taken away": lambda record: setattr(choices(record)[-1], "concede", False),
    "a match that could not be conceded": lambda record: setattr(record, "conceding", False),
    "a default answer that concedes": lambda record: setattr(choices(record)[-1], "fault", v1.FAULT_TOO_LATE),
    "another reason": lambda record: setattr(record.outcome, "reason", v1.OUTCOME_REASON_TARGET_REACHED),
    "a higher score": lambda record: record.outcome.scores.__setitem__(0, 39),
    "more after it": lambda record: record.entries.add().CopyFrom(record.entries[-1]),
    "less before it": lambda record: record.entries.pop(),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_concession_is_found(name: str) -> None:
    record = played(conceding(lambda _: True), by_default, conceding(lambda number: number > 2), by_default)
    assert is_proved(record)
    FORGERIES[name](record)
    assert verify(record)
    assert rewritten(to_file_bytes(record)) is None


def test_a_record_of_a_game_without_a_settlement_is_found() -> None:
    record = play_match(match_terms(find_game("mittlere")), [FakePlayer(by_default) for _ in range(3)])
    record.conceding = True
    for choice in choices(record):
        choice.concede = True
    assert replay(record).outcome is not None
    assert verify(record)
    assert rewritten(to_file_bytes(record)) is None


def test_two_sides_can_concede_where_the_rules_settle_it() -> None:
    able = {(name, seats) for name in game_names() for seats in find_game(name).rules.seat_counts}
    able = {(name, seats) for name, seats in able if find_game(name).can_be_conceded(seats)}
    assert able == {("mus", 4), ("mitaines", 2), ("mitaines", 4)}


@pytest.mark.parametrize(("games", "wanted"), [(1, (0, 40)), (5, (0, 3))])
def test_mus_gives_the_winner_what_a_match_takes(games: int, wanted: tuple[int, int]) -> None:
    always = conceding(lambda _: True)
    terms = replace(terms_of(), options=MUS.rules.options({"games": games}))
    record = played(always, by_default, always, by_default, terms=terms)
    assert tuple(record.outcome.scores[:2]) == wanted
    assert is_proved(record)


def test_a_loser_that_is_ahead_still_loses_mitaines() -> None:
    """In the midst of a deal a total may be above the target; the side that concedes stays behind all the same."""
    assert MITAINES.conceded is not None
    state = MITAINES.rules.new_match(seats=4, options=MITAINES.rules.options({"target": 100}))
    state.totals = (130, 90, 130, 90)
    assert MITAINES.conceded(state, 0)[1:] == ((130, 131, 130, 131), (2, 1, 2, 1))
    assert MITAINES.conceded(state, 1)[1:] == ((130, 90, 130, 90), (1, 2, 1, 2))


def test_the_decision_says_so_behind_the_view() -> None:
    question = Match(terms_of())
    question.begin()
    asked = question.step(None).question
    assert asked is not None
    assert asked.message().may_concede
    assert asked.message().SerializeToString(deterministic=True) == asked.serialized()
