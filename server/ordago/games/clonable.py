"""States that copy themselves attribute by attribute, so that copies never lack a newly added attribute."""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Any, Self

from ordago.build import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Clonable:
    """The base of states: attributes that are lists, dictionaries, sets or states are copied, all others are shared.

    So whatever else an attribute holds has to be immutable, and what a list holds too.
    """

    __slots__ = ()

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable with this one."""
        twin = self.__new__(type(self))
        for name in _slots(type(self).__mro__):
            setattr(twin, name, _copied(getattr(self, name)))
        return twin


@cache
def _slots(classes: tuple[type, ...]) -> tuple[str, ...]:
    """Return the names of the attributes of some classes. Those of a compiled one its compiler lists, under a name."""
    own: Iterable[Iterable[str]] = (
        vars(each).get("__mypyc_attrs__", vars(each).get("__slots__", ())) for each in classes
    )
    return tuple(dict.fromkeys(chain.from_iterable(own)))


def _copied(value: Any) -> Any:  # noqa: ANN401 - the attributes of a state have no type in common
    if isinstance(value, Clonable):
        return value.clone()
    return value.copy() if isinstance(value, (list, dict, set)) else value
