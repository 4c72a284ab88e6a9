"""What encodings say of a decision, that it is nothing hidden, and that ids and actions are the same."""

from random import Random
from typing import Any

import numpy as np
import pytest
from games.noninterference import look_alikes, take
from gym.tables import SHORT, TABLES, decision_at, decisions, filled, seen, ways_of
from support.figures import Size

from ordago.cards import french_rank
from ordago.games import find_game
from ordago.games.mittlere.pack import PACK, SUIT_OF
from ordago.games.mittlere.rules import MittlereState
from ordago.games.mittlere.values import PLAY, MittlereOptions
from ordago.games.taihe.pack import FOUR_OF_HEARTS
from ordago_gym import Encoding, EncodingError, Field, Layout, encoding_of
from ordago_gym.table import Table


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_hidden_shows(name: str, seats: int, size: Size) -> None:
    """Cards that a seat cannot see are dealt otherwise: each observation and mask of the deal stays the same."""
    game, ways, rng = find_game(name), ways_of(name), Random(seats)
    different = 0
    for number in range(size(8, 400)):
        options = ways.options[number % len(ways.options)]
        encoding = encoding_of(name, seats=seats, options=options)
        start = game.rules.new_match(seats=seats, options=game.rules.options(options))
        chosen = {"choose": rng.choice(ways.choices)} if ways.choices else {}
        seat, steps, other_steps = look_alikes(game, start, rng=rng, **ways.of_look_alikes(), **chosen)
        assert told(encoding, start.clone(), steps, seat) == told(encoding, start.clone(), other_steps, seat)
        different += list(steps) != list(other_steps)
    assert different, "the other deals are others"


def told(encoding: Encoding, state: Any, steps: Any, seat: int) -> list[tuple[bytes, bytes]]:
    observed = []
    for step in steps:
        take(state, step)
        if state.actor >= 0:
            observed.append(seen(encoding, decision_at(encoding, state, seat)))
    return observed


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_each_legal_action_there_and_back(name: str, seats: int, size: Size) -> None:
    rng = Random(seats)
    for number, (encoding, state) in enumerate(decisions(name, seats, rng)):
        if number == size(300, 10_000):
            break
        decision = decision_at(encoding, state, state.actor)
        for legal in decision.legal:
            action = filled(legal, decision.extras, rng, find_game(name).rules.fill)
            back, asked = None, decision
            for part in encoding.ids(decision, action):
                assert seen(encoding, asked)[1][part] == 1
                back = encoding.action(decision, (*asked.parts, part))
                asked = asked._replace(parts=(*asked.parts, part))
            assert same(name, back, action)


def same(name: str, one: Any, other: Any) -> bool:
    if name == "taihe" and one.cards:
        return sorted(map(french_rank, one.cards)) == sorted(map(french_rank, other.cards))
    return bool(one == other)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_each_id_of_a_mask_is_legal_and_its_own(name: str, seats: int) -> None:
    rng = Random(seats)
    for number, (encoding, state) in enumerate(decisions(name, seats, rng)):
        if number == 150:
            break
        decision = decision_at(encoding, state, state.actor)
        actions = []
        for first in np.flatnonzero(np.frombuffer(seen(encoding, decision)[1], np.int8)):
            ids = chosen_on(encoding, decision, int(first), rng)
            action = encoding.action(decision, ids)
            assert state.check(action) is None
            if len(ids) == 1:
                assert encoding.ids(decision, action) == ids
                actions.append(action)
        assert len(set(actions)) == len(actions)


def chosen_on(encoding: Encoding, decision: Any, first: int, rng: Random) -> tuple[int, ...]:
    """Choose on by chance until an action is complete."""
    ids = (first,)
    while encoding.action(decision, ids) is None:
        mask = np.frombuffer(seen(encoding, decision._replace(parts=ids))[1], np.int8)
        ids = (*ids, int(rng.choice(list(np.flatnonzero(mask)))))
    return ids


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_remembered_changes_nothing(name: str, seats: int) -> None:
    """A seat that remembers what it has written sees the same as one that begins anew, and so do those that watch."""
    table, rng = Table(name, seats=seats, options=SHORT[name]), Random(seats)
    for match in range(20 if name == "mus" else 3):
        table.begin(bytes([match]) * 32)
        while table.actor >= 0:
            decision, watching = table.decision, rng.randrange(seats)
            assert seen(table.encoding, decision) == seen(table.encoding, decision._replace(memory=None))
            if watching != table.actor and rng.random() < 0.5:
                other = table.watching(watching)
                anew = table.encoding.decision(other.view)
                assert seen(table.encoding, other) == seen(table.encoding, anew)
            mask = np.frombuffer(seen(table.encoding, decision)[1], np.int8)
            table.choose(int(rng.choice(list(np.flatnonzero(mask)))))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_fields_stay_in_their_bounds_and_all_are_used(name: str, seats: int) -> None:
    rng, used, encoding = Random(seats), set(), None
    for number, (encoding, state) in enumerate(decisions(name, seats, rng)):
        if number == 2_000:
            break
        row = np.frombuffer(seen(encoding, decision_at(encoding, state, rng.randrange(seats)))[0], np.float32)
        assert (row <= 1).all()
        assert (row >= encoding.layout.lows()).all()
        for field in encoding.layout.fields:
            first = encoding.layout.at[field.name]
            used |= {field.name} if row[first : first + field.size].any() else set()
    assert encoding is not None
    # Seldom or never in matches by chance; what is chosen so far is written in the midst of a turn alone.
    seldom = {"chosen", "game", "games", "passed_out", "reshuffled", "struck"}
    assert {field.name for field in encoding.layout.fields} - used <= seldom


def test_the_names_of_suits_do_not_show_in_mittlere_jass() -> None:
    encoding = encoding_of("mittlere")
    for seed in range(20):
        rng = Random(seed)
        suits = rng.sample(range(4), 4)
        renamed = {card: card + 14 * (suits[SUIT_OF[card]] - SUIT_OF[card]) for card in PACK}
        one, other = (MittlereState(MittlereOptions()) for _ in range(2))
        order = rng.sample(PACK, len(PACK))
        one.supply(order)
        other.supply([renamed[card] for card in order])
        for _ in range(36):
            first, second = (decision_at(encoding, state, state.actor) for state in (one, other))
            assert seen(encoding, first) == seen(encoding, second)
            action = rng.choice(one.legal_actions()).action
            same_action = PLAY[renamed[action.card]]
            number = encoding.ids(first, action)
            # Cards of suits that have looked alike so far may stand for each other.
            if encoding.action(second, number) != same_action:
                break
            one.apply(action)
            other.apply(same_action)


def test_the_seat_does_not_show_in_mittlere_jass() -> None:
    encoding, order = encoding_of("mittlere"), Random(1).sample(PACK, len(PACK))
    rows = []
    for deal in range(3):
        state = MittlereState(MittlereOptions(), deal=deal)
        state.supply(order)
        row = np.frombuffer(seen(encoding, decision_at(encoding, state, state.actor))[0], np.float32).copy()
        row[encoding.layout.at["deal"]] = 0
        rows.append(row.tobytes())
    assert len(set(rows)) == 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_suits_of_a_rank_do_not_show_in_taihe(seats: int) -> None:
    """Cards of a rank change their names: a player whose hand has others of the same ranks sees the same."""
    rng = Random(seats)
    for seed in range(10):
        encoding, state = next(decisions("taihe", seats, Random(seed)))
        view = state.view(state.actor)
        assert FOUR_OF_HEARTS in view.hand
        renamed = tuple(sorted(_renamed(card, rng) for card in view.hand))
        if len(set(renamed)) == len(renamed):
            other = encoding.decision(view._replace(hand=renamed), state.legal_actions())
            assert seen(encoding, other) == seen(encoding, decision_at(encoding, state, state.actor))


def _renamed(card: int, rng: Random) -> int:
    return card if french_rank(card) == 4 else french_rank(card) + 14 * rng.randrange(4)


def test_fields_follow_each_other() -> None:
    layout = Layout([Field("one", (2, 3), "a"), Field("two", (4,), "b", low=-1.0)])
    assert (layout.size, dict(layout.at)) == (10, {"one": 0, "two": 6})
    assert layout.lows() == [0] * 6 + [-1] * 4


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("mittelre", {}, ["no game 'mittelre'", "mittlere"]),
        ("mus_v7", {}, ["no encoding mus_v7", "mus_v0"]),
        ("mus", {"seats": 3}, ["not played by 3", "4"]),
    ],
)
def test_what_there_is_not_is_refused(name: str, settings: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(EncodingError) as found:
        encoding_of(name, **settings)
    assert all(word in str(found.value) for word in words)


def test_a_name_may_have_the_version() -> None:
    assert encoding_of("mus_v0").id == encoding_of("mus", options=SHORT["mus"]).id == "mus_v0"
