"""The stages of all games: what they show fits what the rules know, and no more than whoever is shown may see."""

import random

import pytest

from ordago.cards import NO_CARD
from ordago.game import CHANCE, FINISHED, Parts
from ordago.games import find_game, game_names
from ordago.scene import Section

TABLES = [(name, seats) for name in game_names() for seats in find_game(name).rules.seat_counts]
MATCHES = 4


def complete(legal, rng):
    """Fill in the open parts of a legal action by chance, until the rules take it."""
    amount = rng.randint(legal.amount.min, min(legal.amount.max, legal.amount.min + 20)) if legal.amount else None
    cards = [card for pick in legal.picks for card in rng.sample(pick.cards, rng.randint(pick.min, pick.max))]
    return Parts(amount=amount, cards=tuple(cards))


def played(game, seats, seed):
    """Play a match by chance, and yield after each step the events that it caused, with the state."""
    rng = random.Random(seed)
    rules = game.rules
    state = rules.new_match(seats=seats, options=rules.options({}))
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            cards = list(state.shuffle_due().cards)
            rng.shuffle(cards)
            yield state, state.supply(cards)
        else:
            legal = rng.choice(state.legal_actions())
            action = rules.fill(legal, complete(legal, rng))
            yield state, state.apply(action if state.check(action) is None else state.default_action())


def begun(game, seats):
    names = [f"player {seat}" for seat in range(seats)]
    return game.staging.begin(players=names, options=game.rules.options({}))


def groups_of(scene):
    for seat in scene.seats:
        yield from (seat.hand, seat.front, *seat.piles)
    yield from scene.table


def cards_of(group):
    """Return the cards of a group that are seen."""
    return set(group.cards) - {NO_CARD}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_hands_are_those_that_the_rules_know(name, seats):
    game = find_game(name)
    for seed in range(MATCHES):
        stage = begun(game, seats)
        for state, events in played(game, seats, seed):
            for event in events:
                stage.apply(event.full)
            if state.actor >= 0:
                hands = [sorted(seat.hand.cards) for seat in stage.scene().seats]
                assert hands == [sorted(state.view(seat).hand) for seat in range(seats)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_seat_is_shown_its_own_hand_and_as_many_cards_of_the_others_as_they_hold(name, seats):
    game = find_game(name)
    for seed in range(MATCHES):
        whole, own = begun(game, seats), [begun(game, seats) for _ in range(seats)]
        for _, events in played(game, seats, seed):
            for event in events:
                whole.apply(event.full)
                for seat, stage in enumerate(own):
                    if (seen := event.seen_by(seat)) is not None:
                        stage.apply(seen)
            for seat, stage in enumerate(own):
                shown, known = stage.scene(), whole.scene()
                assert sorted(shown.seats[seat].hand.cards) == sorted(known.seats[seat].hand.cards)
                sizes = [[len(group.cards) for group in groups_of(scene)] for scene in (shown, known)]
                assert sizes[0] == sizes[1]
                for other in range(seats):
                    assert cards_of(shown.seats[other].hand) <= cards_of(known.seats[other].hand)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_onlooker_is_shown_no_card_that_the_public_events_do_not_name(name, seats):
    game = find_game(name)
    for seed in range(MATCHES):
        whole, public = begun(game, seats), begun(game, seats)
        named = set()
        for _, events in played(game, seats, seed):
            for event in events:
                whole.apply(event.full)
                if event.public is not None:
                    public.apply(event.public)
                    named |= {event.public.card} if hasattr(event.public, "card") else set()
                    named |= set(event.public.cards)
            cards = {card for group in groups_of(public.scene()) for card in group.cards}
            assert cards - {NO_CARD} <= named
            sizes = [[len(group.cards) for group in groups_of(stage.scene())] for stage in (whole, public)]
            assert sizes[0] == sizes[1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_each_choice_is_told_and_each_deal_can_be_jumped_to(name, seats):
    game = find_game(name)
    for seed in range(MATCHES):
        stage = begun(game, seats)
        deals = 0
        for _, events in played(game, seats, seed):
            told = [stage.apply(event.full) for event in events]
            deals += sum(event.full.kind.name == "DEAL_STARTED" for event in events)
            assert any(telling.sentence is not None for telling in told)
            assert all(telling.sentence.written().strip() for telling in told if telling.sentence is not None)
            assert all(telling.mark is None or telling.sentence is not None for telling in told)
            deals -= sum(telling.mark is not None and telling.mark.section is Section.DEAL for telling in told)
            assert deals == 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_scene_shows_no_card_twice(name, seats):
    game = find_game(name)
    stage = begun(game, seats)
    for _, events in played(game, seats, seed=2):
        for event in events:
            stage.apply(event.full)
        cards = [card for group in groups_of(stage.scene()) for card in group.cards if card != NO_CARD]
        assert len(cards) == len(set(cards))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_each_legal_action_is_offered_by_words_of_its_own(name, seats):
    game = find_game(name)
    for state, _ in played(game, seats, seed=3):
        if state.actor >= 0:
            offers = [game.staging.offer(legal) for legal in state.legal_actions()]
            assert len({(offer.sentence.written(), offer.cards) for offer in offers}) == len(offers)
            assert all(set(offer.cards) <= set(state.view(state.actor).hand) for offer in offers)
