"""What was made of values is known again, and what came only once is let go of."""

import gc
import weakref

from ordago.wire.parts import CachedParts

MANY = 10_000


class Value:
    """A value that is equal to all others of its kind."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value)

    def __hash__(self) -> int:
        return 0


def counted() -> tuple[CachedParts[Value, object], list[Value]]:
    """Return parts, and the list of what they were made of."""
    made: list[Value] = []

    def make(value: Value) -> object:
        made.append(value)
        return object()

    return CachedParts(make), made


def watched() -> tuple[CachedParts[Value, object], list[weakref.ref[Value]]]:
    """Return parts, and who were made parts of, without holding them."""
    came: list[weakref.ref[Value]] = []

    def make(value: Value) -> object:
        came.append(weakref.ref(value))
        return object()

    return CachedParts(make), came


def test_a_part_is_made_once_of_a_value_that_comes_again():
    parts, made = counted()
    value = Value()
    first = parts.of(value)
    assert [parts.of(value) for _ in range(5)] == [first] * 5
    assert made == [value]


def test_values_that_are_equal_have_parts_of_their_own():
    parts, _ = counted()
    assert parts.of(Value()) is not parts.of(Value())


def test_what_came_again_outlasts_any_number_of_values_that_come_once():
    parts, made = counted()
    lasting = Value()
    kept = parts.of(lasting), parts.of(lasting)
    made.clear()
    for _ in range(MANY):
        parts.of(Value())
    assert parts.of(lasting) is kept[0]
    assert len(made) == MANY


def test_hardly_any_value_is_held_that_came_only_once():
    parts, came = watched()
    for _ in range(MANY):
        parts.of(Value())
    gc.collect()
    assert sum(value() is not None for value in came) <= 512


def test_what_is_kept_is_held_so_that_no_other_value_can_take_its_place():
    parts, made = counted()
    for _ in range(MANY):
        value = Value()
        # What is not held here is let go of at once, and what is made next would be known as the same.
        assert parts.of(value) is parts.of(value)
        made.clear()
        del value
        parts.of(Value())
        assert len(made) == 1


def test_of_values_that_came_again_only_so_many_are_held():
    parts, came = watched()
    for _ in range(MANY):
        value = Value()
        parts.of(value)
        parts.of(value)
    assert len(came) == MANY
    assert 1000 < sum(value() is not None for value in came) <= 4096 + 512
    assert len(parts.parts) <= 4096


def test_parts_are_those_of_their_values_however_many_come_again():
    named: CachedParts[Value, int] = CachedParts(id)
    values = [Value() for _ in range(MANY)]
    for _ in range(3):
        assert [named.of(value) for value in values] == [id(value) for value in values]
        for value in values:
            assert (named.of(value), named.of(value)) == (id(value), id(value))
