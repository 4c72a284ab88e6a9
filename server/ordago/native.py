"""What classes say to the compiler about themselves. Where they are not compiled it means nothing.

A compiled class cannot be derived from in Python that is not compiled, and its ``__new__`` calls ``__init__``, unless
it says ``allow_interpreted_subclasses``. Those that copy themselves past ``__init__``, or are copied by ``copy``, say
``serializable`` beside it: so the compiler does not take for granted that every attribute is there.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The compiler knows the decorator by its place, and nobody else needs the package that it is from.
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes):
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated
