"""Observations and masks as numpy arrays."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ordago_gym.encoding import Decision, Encoding, Mask
from ordago_gym.fields import Row

if TYPE_CHECKING:
    import gymnasium

Policy: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8]], NDArray[Any]]
"""Returns an action id for each row of observations, given these and the masks."""


def floats_of(row: NDArray[np.float32]) -> Row:
    """Return the floats of a row, to be written by an encoding."""
    return cast("Row", row.data)


def bytes_of(mask: NDArray[np.int8]) -> Mask:
    """Return the bytes of a mask, to be written by an encoding."""
    return mask.data.cast("B")


def observation_of(encoding: Encoding, decision: Decision) -> NDArray[np.float32]:
    """Return the observation of a decision as an array of its own."""
    row = np.zeros(encoding.size, np.float32)
    encoding.observe(decision, floats_of(row))
    return row


def mask_of(encoding: Encoding, decision: Decision) -> NDArray[np.int8]:
    """Return the mask of a decision as an array of its own."""
    mask: NDArray[Any] = np.zeros(encoding.actions, np.int8)
    encoding.allow(decision, bytes_of(mask))
    return mask


def space_of(encoding: Encoding) -> "gymnasium.spaces.Dict":
    """Return the space of the observations of an encoding, with their masks."""
    import gymnasium  # A bot needs numpy alone.

    low = np.array(encoding.layout.lows(), np.float32)
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(low, np.ones_like(low)),
            "action_mask": gymnasium.spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def legal_ids(actions: NDArray[Any], masks: NDArray[np.int8], matches: NDArray[np.int64], *, source: str) -> list[int]:
    """Return what a policy chose as integers, one for each row of masks.

    Raises:
        ValueError: not one whole number for each row, or an illegal one. The message names the source and the match.
    """
    ids = np.asarray(actions)
    if ids.shape != (len(masks),) or not np.issubdtype(ids.dtype, np.integer):
        found = f"{ids.dtype} of shape {ids.shape}"
        raise ValueError(f"{source} needs a whole number for each of {len(masks)} matches, and got {found}")
    outside = (ids < 0) | (ids >= masks.shape[1])
    illegal = outside | (masks[np.arange(len(masks)), np.where(outside, 0, ids)] == 0)
    if illegal.any():
        first = int(np.flatnonzero(illegal)[0])
        legal = ", ".join(map(str, np.flatnonzero(masks[first])))
        raise ValueError(f"{source} chose the illegal id {ids[first]} in match {matches[first]}; legal are: {legal}")
    chosen: list[int] = ids.tolist()
    return chosen
