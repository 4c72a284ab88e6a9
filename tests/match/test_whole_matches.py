"""Whole matches: what is told to the players, and the record that comes of it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from support.matches import SECRET, match_terms
from support.players import FakePlayer, Strategy, by_default, by_number, by_type, play_match

from ordago import v1
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game
from ordago.record import verify

CARDS_OF_A_MATCH = 3 * 36


def played(*strategies: Strategy, **changes: Any) -> tuple[v1.MatchRecord, Sequence[FakePlayer]]:
    players = [FakePlayer(strategy) for strategy in strategies]
    return play_match(match_terms(**changes), players), players


@pytest.mark.parametrize("strategy", [by_number, by_type, by_default])
def test_a_match_is_played_to_its_end_by_any_kind_of_answer(strategy: Strategy) -> None:
    record, players = played(strategy, strategy, strategy)
    assert not verify(record)
    assert sum(record.outcome.scores) == 0
    assert record.outcome.reason == v1.OUTCOME_REASON_DEALS_PLAYED
    for player in players:
        assert len(player.decisions) == len(player.accepted) == CARDS_OF_A_MATCH / 3
        assert not player.refused
        assert [type(message) for message in player.told[-1:]] == [v1.MatchEnd]
        assert player.told[-1].outcome == record.outcome
        assert not any(accepted.fault or accepted.HasField("answer") for accepted in player.accepted)


def test_a_deal_of_mus_with_as_many_exchanges_as_there_may_be_is_played_to_its_end() -> None:
    """What a seat has discarded by then are more cards than a pack has, and than one byte of a length can tell: 127."""
    game = find_game("mus")
    options = game.rules.options({"max_mus": 40, "max_deals": 1})
    record, players = played(*[mus_and_more_mus] * 4, game=game, options=options)
    assert not verify(record)
    seen = [decision.view.mus for player in players for decision in player.decisions]
    assert max(len(view.discarded) for view in seen) == max(len(view.drawn) for view in seen) == 4 * 40


def mus_and_more_mus(decision: v1.Decision, _refused: Sequence[v1.Refused]) -> v1.Answer:
    """Ask for mus and discard all four cards."""
    for legal in decision.actions:
        if legal.picks:
            discard = v1.Action(mus=v1.MusAction(kind=v1.MUS_ACTION_KIND_DISCARD, cards=legal.picks[0].cards))
            return v1.Answer(action=discard)
        if legal.action.mus.kind == v1.MUS_ACTION_KIND_MUS:
            return v1.Answer(legal_action=legal.id)
    return decision.default_answer


def test_answers_by_number_and_by_type_give_the_same_match() -> None:
    by_numbers, _ = played(by_number, by_number, by_number)
    by_types, _ = played(by_type, by_type, by_type)
    assert by_numbers == by_types


def test_other_answers_give_another_match() -> None:
    by_numbers, _ = played(by_number, by_number, by_number)
    by_defaults, _ = played(by_default, by_default, by_default)
    assert by_numbers.entries != by_defaults.entries


def test_each_player_is_told_what_the_match_is_played_under() -> None:
    _, players = played(by_number, by_number, by_number, decision_ms=1234, strikes=2)
    for seat, player in enumerate(players):
        start = player.told[0]
        assert isinstance(start, v1.MatchStart)
        assert (start.game, start.seat, start.faults.strikes, start.clock.decision_ms) == ("mittlere", seat, 2, 1234)
        assert [other.name for other in start.players] == ["bot 0", "bot 1", "bot 2"]
        assert [other.side for other in start.players] == [0, 1, 2]
        assert start.options.mittlere.deals == 3
        assert start.seed == bytes([seat]) * 16
        assert len(start.commitment) == 32
        assert start.last_decision == 0


def test_a_secret_is_told_at_the_end_and_only_if_it_is_to_be_revealed() -> None:
    kept, players = played(by_number, by_number, by_number)
    assert not kept.secret
    assert not players[0].told[-1].secret
    revealed, players = played(by_number, by_number, by_number, revealed_secret=SECRET)
    assert revealed.secret == players[0].told[-1].secret == SECRET
    assert not any(SECRET in message.SerializeToString() for message in players[0].told[:-1])


def test_a_decision_says_everything() -> None:
    _, players = played(by_number, by_number, by_number)
    for decision in (decision for player in players for decision in player.decisions):
        legal = [legal.action for legal in decision.actions]
        assert [legal.id for legal in decision.actions] == list(range(1, len(legal) + 1))
        assert decision.default_answer.action in legal
        assert decision.view.mittlere.hand
        assert decision.clock.decision_ms == 10_000


def test_decisions_and_events_are_numbered_for_each_seat_without_a_gap() -> None:
    _, players = played(by_number, by_default, by_type)
    for seat, player in enumerate(players):
        assert {decision.seat for decision in player.decisions} == {seat}
        numbers = [decision.number for decision in player.decisions]
        assert numbers == [accepted.number for accepted in player.accepted] == list(range(1, len(numbers) + 1))
        parts = [*player.decisions, player.told[-1]]
        assert parts[0].first_event == 1
        for part, following in pairwise(parts):
            assert following.first_event == part.first_event + len(part.events)


def test_each_seat_is_told_once_and_in_order_what_it_may_see_of_what_happened() -> None:
    """What a seat may see is worked out here by playing the record again."""
    record, players = played(by_number, by_default, by_type)
    game = match_terms().game
    state = game.rules.new_match(seats=3, options=match_terms().options)
    seen: list[list[v1.Event]] = [[], [], []]
    views: list[list[v1.View]] = [[], [], []]
    for entry in record.entries:
        if entry.HasField("event"):
            continue
        if entry.HasField("shuffle"):
            assert state.actor == CHANCE
            events = state.supply(list(entry.shuffle.cards))
        else:
            views[state.actor].append(v1.View.FromString(game.codec.views()(state.view(state.actor))))
            events = state.apply(game.codec.action_from(entry.choice.action))
        for seat in range(3):
            seen[seat] += [game.codec.event(event.seen_by(seat)) for event in events]
    assert state.actor == FINISHED
    for player, events_seen, views_seen in zip(players, seen, views, strict=True):
        parts = [*player.decisions, player.told[-1]]
        assert [event for part in parts for event in part.events] == events_seen
        assert [decision.view for decision in player.decisions] == views_seen


def test_nobody_is_shown_the_hand_of_another() -> None:
    record, players = played(by_number, by_default, by_type)
    hands = [entry.event.mittlere for entry in record.entries if entry.event.mittlere.cards]
    assert len(hands) == 9, "the record has all three hands of all three deals"
    for seat, player in enumerate(players):
        dealt = [
            event.mittlere
            for part in player.decisions
            for event in part.events
            if event.mittlere.kind == v1.MITTLERE_EVENT_KIND_HAND_DEALT
        ]
        assert len(dealt) == 9
        assert [hand for hand in dealt if hand.cards] == [hand for hand in hands if hand.seat == seat]
        for decision in player.decisions:
            deal = decision.view.mittlere.deal
            [own] = [hand for place, hand in enumerate(hands) if place // 3 == deal and hand.seat == seat]
            assert set(decision.view.mittlere.hand) <= set(own.cards)


def test_the_entries_of_the_record_stand_in_the_order_in_which_they_happened() -> None:
    record, _ = played(by_number, by_number, by_number)
    kinds = [entry.WhichOneof("entry") for entry in record.entries]
    assert kinds.count("shuffle") == 3
    assert kinds.count("choice") == CARDS_OF_A_MATCH
    assert kinds[0] == "shuffle"
    assert kinds[1:5] == ["event"] * 4, "a deal begins, three hands are dealt"
    assert kinds[5:7] == ["choice", "event"]
    choices = [entry.choice for entry in record.entries if entry.HasField("choice")]
    assert not any(choice.fault or choice.strikes or choice.charged_ms for choice in choices)
