"""Sparse matrices that many rows are multiplied by at once."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Entries(NamedTuple):
    """What stands in a sparse matrix; what stands at the same place adds up."""

    rows: Integers
    columns: Integers
    factors: Floats


class SparseMatrix(NamedTuple):
    """A sparse matrix, in the ascending order of its rows."""

    height: int
    """The number of its rows."""
    filled: Integers
    """The rows in which something stands,"""
    starts: Integers
    """where each of them begins,"""
    columns: Integers
    """and the column of each factor."""
    factors: Floats

    @classmethod
    def of(cls, entries: Entries, *, height: int) -> "SparseMatrix":
        """Return the matrix of entries, in whatever order they come."""
        order = np.lexsort((entries.columns, entries.rows))
        filled, starts = np.unique(entries.rows[order], return_index=True)
        return cls(height, filled, starts, entries.columns[order], entries.factors[order])

    def times(self, vectors: Floats) -> Floats:
        """Return the product of the matrix with each row of some vectors, as rows too."""
        products = np.zeros((len(vectors), self.height))
        if len(self.filled):
            parts = np.take(vectors, self.columns, axis=1)
            parts *= self.factors
            products[:, self.filled] = np.add.reduceat(parts, self.starts, axis=1)
        return products
