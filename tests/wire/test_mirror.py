"""Values and messages mirror each other, and what drifts apart is refused when a mirror is made: at import."""

from collections.abc import Mapping
from enum import Enum, IntEnum, StrEnum
from typing import Any, NamedTuple

import pytest
from google.protobuf.message import Message

from ordago import v1
from ordago.cache import Cache
from ordago.cards import NO_CARD
from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.values import Declaration
from ordago.games.mus.values import ActionKind, Lance, MusAction, Result, Settlement, Signal, Statement
from ordago.games.taihe.values import TaiheOptions
from ordago.wire.mirror import DriftError, Mirror

SETTLEMENT: Mapping[str, object] = {"lance": Lance, "result": Result, "side": int | None, "stake": int}


def values(**hints: object) -> type[Any]:
    """Return a type of values with these fields."""
    return NamedTuple("Values", list(hints.items()))  # type: ignore[misc] # that they differ is what is tested


class Shifted(IntEnum):
    GRANDE, CHICA, PARES, JUEGO, PUNTO = range(2, 7)


class Renamed(IntEnum):
    GRANDE, CHICA, PARES, JUEGO, GAME = range(1, 6)


class Shortened(IntEnum):
    GRANDE, CHICA, PARES, JUEGO = range(1, 5)


class WithNone(IntEnum):
    NONE, GRANDE, CHICA, PARES, JUEGO, PUNTO = range(6)


class Words(StrEnum):
    GRANDE, CHICA, PARES, JUEGO, PUNTO = "ABCDE"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"pot": int}, "Values has a field 'pot' that ordago.v1.MusSettlement has not"),
        ({"stake": bool}, "Values.stake is of another type than ordago.v1.MusSettlement.stake"),
        ({"stake": str}, "Values.stake is of another type than ordago.v1.MusSettlement.stake"),
        ({"stake": Lance}, "Values.stake is of another type than ordago.v1.MusSettlement.stake"),
        ({"stake": Statement}, "Values.stake is of another type than ordago.v1.MusSettlement.stake"),
        ({"stake": tuple[int, ...]}, "Values.stake asks for a field that is repeated"),
        ({"stake": int | None}, "Values.stake asks for a field that is optional"),
        ({"side": int}, "Values.side asks for a field that is not optional"),
        ({"lance": int}, "Values.lance is of another type than ordago.v1.MusSettlement.lance"),
        ({"lance": Shifted}, "Values.lance: Shifted has other names or numbers than ordago.v1.MusLance"),
        ({"lance": Renamed}, "Values.lance: Renamed has other names or numbers than ordago.v1.MusLance"),
        ({"lance": Shortened}, "Values.lance: Shortened has other names or numbers than ordago.v1.MusLance"),
        ({"lance": WithNone | None}, "Values.lance can be None, but WithNone has a name for 0"),
    ],
)
def test_a_field_that_drifts_is_refused(change: Mapping[str, object], sentence: str) -> None:
    with pytest.raises(DriftError) as caught:
        Mirror(values(**{**SETTLEMENT, **change}), v1.MusSettlement)
    assert str(caught.value) == sentence


def test_a_number_whose_default_is_not_zero_may_be_optional_and_zero_is_written() -> None:
    mirror = Mirror(TaiheOptions, v1.TaiheOptions)
    written = v1.TaiheOptions.FromString(mirror.write(TaiheOptions(deals=1, max_passes=0)).SerializeToString())
    assert (written.HasField("max_passes"), mirror.read(written)) == (True, TaiheOptions(deals=1, max_passes=0))


@pytest.mark.parametrize("missing", SETTLEMENT)
def test_a_field_that_only_the_message_has_is_refused(missing: str) -> None:
    fields = {name: hint for name, hint in SETTLEMENT.items() if name != missing}
    with pytest.raises(DriftError, match=f"MusSettlement has a field '{missing}' that Values has not"):
        Mirror(values(**fields), v1.MusSettlement)


def test_a_part_that_drifts_is_refused() -> None:
    part = values(seat=int, combination=Combination, rank=bool)
    whole = values(seat=int, combination=Combination, rank=int, cards_left=int, points=int, stolen=tuple[part, ...])
    with pytest.raises(DriftError, match=r"Values.rank is of another type than ordago.v1.MitainesStolen.rank"):
        Mirror(whole, v1.MitainesDeclaration)


def test_a_message_of_a_bot_has_no_parts() -> None:
    with pytest.raises(DriftError, match=r"Declaration.stolen is a part, .*: messages of bots are flat"):
        Mirror(Declaration, v1.MitainesDeclaration, pack=())


@pytest.mark.parametrize("lance", [Lance, Lance | None, WithNone, Words])
def test_an_enumeration_of_the_same_names_is_a_mirror(lance: type[Enum]) -> None:
    Mirror(values(**{**SETTLEMENT, "lance": lance}), v1.MusSettlement)


def test_words_stand_for_the_numbers_of_the_same_names() -> None:
    mirror = Mirror(values(**{**SETTLEMENT, "lance": Words}), v1.MusSettlement)
    value = mirror.read(v1.MusSettlement(lance=v1.MUS_LANCE_JUEGO, result=v1.MUS_RESULT_CALLED))
    assert value.lance is Words.JUEGO
    assert mirror.write(value).lance == v1.MUS_LANCE_JUEGO


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Settlement(Lance.CHICA, Result.CALLED), v1.MusSettlement(lance=2, result=2)),  # type: ignore[arg-type]
        (Settlement(Lance.CHICA, Result.REFUSED, 0, 7), v1.MusSettlement(lance=2, result=3, side=0, stake=7)),  # type: ignore[arg-type]
        (Statement(3, ActionKind.PASO), v1.MusStatement(seat=3, kind=4)),  # type: ignore[arg-type]
    ],
)
def test_values_go_over_and_come_back(value: Any, message: Message) -> None:
    mirror = Mirror(type(value), type(message))
    assert mirror.write(value) == message
    assert mirror.write(value).SerializeToString() == message.SerializeToString()
    assert mirror.read(message) == value
    assert type(mirror.read(message)) is type(value)


def test_a_number_that_nothing_stands_for_is_not_read() -> None:
    mirror = Mirror(Settlement, v1.MusSettlement)
    for message in (v1.MusSettlement(lance=9, result=1), v1.MusSettlement(result=1)):  # type: ignore[arg-type]
        with pytest.raises(KeyError):
            mirror.read(message)


def test_cards_of_another_pack_are_not_read_and_those_of_a_list_are_put_in_order() -> None:
    mirror = Mirror(MusAction, v1.MusAction, pack=(79, 80, 81))
    assert mirror.read(v1.MusAction(kind=3, cards=[81, 79])) == MusAction(ActionKind.DISCARD, cards=(79, 81))  # type: ignore[arg-type,list-item]
    for card in (NO_CARD, 1, 82):
        with pytest.raises(KeyError):
            mirror.read(v1.MusAction(kind=3, cards=[80, card]))  # type: ignore[arg-type,list-item]


def test_no_card_is_read_where_it_is_the_default() -> None:
    class Played(NamedTuple):
        card: int

    class MaybePlayed(NamedTuple):
        card: int = NO_CARD

    assert Mirror(MaybePlayed, v1.MittlereAction, pack=(6,)).read(v1.MittlereAction()) == MaybePlayed()
    with pytest.raises(KeyError):
        Mirror(Played, v1.MittlereAction, pack=(6,)).read(v1.MittlereAction())
    assert Mirror(Played, v1.MittlereAction).read(v1.MittlereAction()) == Played(NO_CARD)


def test_what_stands_aside_is_not_in_the_message() -> None:
    mirror = Mirror(values(seat=int, **SETTLEMENT), v1.MusSettlement, aside=("seat",))
    value = mirror.read(v1.MusSettlement(lance=1, result=1), 3)  # type: ignore[arg-type]
    assert (value.seat, value.lance) == (3, Lance.GRANDE)
    assert mirror.write(value) == v1.MusSettlement(lance=1, result=1)  # type: ignore[arg-type]


def test_what_stands_aside_comes_first() -> None:
    with pytest.raises(DriftError, match="Values has to begin with seat"):
        Mirror(values(**SETTLEMENT, seat=int), v1.MusSettlement, aside=("seat",))


def test_members_tell_what_numbers_stand_for() -> None:
    members = Mirror(MusAction, v1.MusAction, pack=(79,)).members
    assert set(members) == {"kind", "cards", "signal"}
    assert members["signal"] == {0: None, **{int(signal): signal for signal in Signal}}
    assert members["cards"] == {79: 79}


def test_what_is_kept_is_made_once_and_begins_anew_when_it_is_too_much() -> None:
    made: list[int] = []
    kept = Cache[int, int](lambda number: made.append(number) or -number)  # type: ignore[func-returns-value]
    for number in (*range(4096), *range(4096)):
        assert kept[number] == -number
    assert made == list(range(4096))
    assert kept[4096] == -4096
    assert list(kept) == [4096]
