"""Shuffles beside their definition, those among them in which numbers have to be discarded."""

import copy
import hashlib
import hmac
import itertools
import struct
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from support.copies import pickled

from ordago import IS_COMPILED, chance
from ordago.chance import SecretDeals
from ordago.game import Shuffle

SECRET = bytes(range(32))
SEED = "ordago-shuffle-1|test"


def numbers_of(secret: bytes, text: str) -> Iterator[int]:
    for block in itertools.count():
        yield from struct.unpack(">8I", hmac.digest(secret, f"{text}{block}".encode(), "sha256"))


def shuffled_by_definition(number_of_cards: int, numbers: Iterator[int]) -> tuple[int, ...]:
    cards = list(range(1, number_of_cards + 1))
    for position in range(number_of_cards - 1, 0, -1):
        bound = position + 1
        other = next(number for number in numbers if number < 2**32 - 2**32 % bound) % bound
        cards[position], cards[other] = cards[other], cards[position]
    return tuple(cards)


def due(number_of_cards: int) -> Shuffle:
    return Shuffle(3, 2, tuple(range(1, number_of_cards + 1)))


@pytest.mark.parametrize("cards", [1, 2, 8, 9, 10, 36, 40, 52, 78, 113, 300])
@pytest.mark.parametrize("secret", [SECRET, hashlib.sha512(SECRET).digest() + SECRET])
def test_a_shuffle_is_as_it_is_defined(cards: int, secret: bytes) -> None:
    expected = shuffled_by_definition(cards, numbers_of(secret, f"{SEED}|3|2|"))
    assert SecretDeals(secret, SEED).shuffled(due(cards)) == expected


@pytest.mark.parametrize("share", [0.5, 8])
@pytest.mark.parametrize("cards", [2, 3, 40, 78, 257, 300])
def test_numbers_are_discarded_in_every_build_and_more_are_drawn_where_they_do_not_last(
    cards: int, share: float
) -> None:
    rng = Random(cards)
    numbers = [2**32 - rng.randrange(1, cards) if rng.random() < 0.5 else rng.getrandbits(32) for _ in range(8 * cards)]
    first = numbers[: int(share * cards)]
    begun, around = hashlib.sha256(b"begun"), hashlib.sha256(b"around")
    more = struct.unpack(f">{8 * cards}I", chance._Hashed(begun, around).drawn(8 * cards))
    drawn = struct.pack(f">{len(first)}I", *first)
    taken = chance._taken(chance._Hashed(begun, around), drawn, most=cards)
    dealt: list[object] = list(range(1, cards + 1))
    chance.change_places_by_bytes(dealt, taken)
    assert tuple(dealt) == shuffled_by_definition(cards, itertools.chain(first, more))


@pytest.mark.parametrize("change_places", [chance.change_places_by_numbers, chance.change_places_by_bytes])
@pytest.mark.parametrize("cards", [0, 1, 2, 40, 78, 300])
def test_places_are_changed_in_the_same_way_by_numbers_and_by_their_bytes(
    cards: int, change_places: Callable[[list[object], bytes], None]
) -> None:
    drawn = Random(cards).randbytes(4 * cards)
    dealt: list[object] = list(range(1, cards + 1))
    change_places(dealt, drawn)
    assert tuple(dealt) == shuffled_by_definition(cards, iter(struct.unpack(f">{cards}I", drawn)))


@pytest.mark.skipif(IS_COMPILED, reason="compiled classes cannot be replaced: what hashes is made up here")
@pytest.mark.parametrize("highest", [2**32 - 1, 2**32 - 3, 2**32 - 38, 2**32 - 40, 2**32 - 41])
@pytest.mark.parametrize("places", [(0,), (38,), (5, 6, 7), (39, 40)])
def test_numbers_that_would_favour_a_position_are_discarded(
    highest: int, places: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = [highest if place in places else 1_000_003 * place for place in range(80)]

    class Scripted:
        def __init__(self, _secret: bytes, _text: str) -> None:
            self.left = list(drawn)

        def drawn(self, least: int) -> bytes:
            blocks = -(-least // 8) * 8
            taken, self.left = self.left[:blocks], self.left[blocks:]
            return struct.pack(f">{len(taken)}I", *taken)

    monkeypatch.setattr(chance, "_Hashed", Scripted)
    assert SecretDeals(SECRET, SEED).shuffled(due(40)) == shuffled_by_definition(40, iter(drawn))


def test_shuffles_are_known_by_what_they_come_from_and_do_not_show_their_secret() -> None:
    deals = SecretDeals(SECRET, SEED)
    assert deals == SecretDeals(SECRET, SEED)
    assert hash(deals) == hash(SecretDeals(SECRET, SEED))
    assert deals not in (SecretDeals(SECRET, f"{SEED} "), SecretDeals(bytes(32), SEED), SEED)
    assert SECRET.hex() not in repr(deals)
    assert repr(SECRET) not in repr(deals)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_copies_deal_the_same_and_nobody_changes_what_is_dealt(copied: Callable[[SecretDeals], SecretDeals]) -> None:
    deals = SecretDeals(SECRET, SEED)
    assert copied(deals) == deals
    assert copied(deals).shuffled(due(40)) == deals.shuffled(due(40))
    with pytest.raises(AttributeError):
        deals.seed = f"{SEED} "  # type: ignore[misc]  # that is what is tried
