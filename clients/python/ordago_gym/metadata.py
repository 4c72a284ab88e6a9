"""The metadata of a model: the encoding and the sizes for which it was trained."""

from typing import Final

from ordago_gym.encoding import Encoding

ENCODING: Final = "ordago.encoding"
"""The key of the encoding, with its version."""
SIZE: Final = "ordago.floats"
"""The key of the number of floats of an observation."""
ACTIONS: Final = "ordago.actions"
"""The key of the number of action ids."""


def model_metadata(encoding: Encoding) -> dict[str, str]:
    """Return what a model has to say of itself, to be written into its metadata when it is exported."""
    return {ENCODING: encoding.id, SIZE: str(encoding.size), ACTIONS: str(encoding.actions)}
