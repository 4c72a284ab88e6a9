"""Hints to the compiler on classes. They have no effect where classes are not compiled.

A compiled class cannot be derived from in Python that is not compiled, and its ``__new__`` calls ``__init__``, unless
it says ``allow_interpreted_subclasses``. Classes that are copied past ``__init__``, by themselves or by ``copy``, say
``serializable`` beside it: then the compiler does not assume that every attribute is set.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The compiler knows the decorator by its import, and nothing else needs the package.
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes):
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated
