"""NamedTuples made quickly: their own constructors take three times as long, more with names of fields."""

from typing import Any, TypeVar

TupleT = TypeVar("TupleT", bound=tuple[Any, ...])  # NamedTuples have values of all types


def made(kind: type[TupleT], values: tuple[object, ...]) -> TupleT:
    """Make a NamedTuple of the values of all its fields, in their order.

    Nobody looks whether there is one for each field, or whether they are of their types: a test of all views and events
    does. It is for those that are made for every decision.
    """
    return tuple.__new__(kind, values)
