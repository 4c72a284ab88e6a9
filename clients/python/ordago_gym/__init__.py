"""Ordago's games as environments for people who train policies.

``aec`` makes an environment of PettingZoo, ``VectorEnv`` plays many matches at once, and ``LearnerEnv`` is one seat of
them for Gymnasium. They need the extra ``gym``: ``pip install 'ordago[gym]'``. ``ModelPolicy`` chooses by an ONNX
model, with the extra ``onnx``. Encodings (``encoding_of``) need nothing but Ordago.
"""

from typing import TYPE_CHECKING, Any

from ordago_gym.encoding import ENCODED, Decision, Encoding, EncodingError, encoding_of
from ordago_gym.fields import Field, Layout
from ordago_gym.metadata import model_metadata
from ordago_gym.table import Rewards

if TYPE_CHECKING:
    from ordago_gym.environment import GameEnv, aec
    from ordago_gym.learner import LearnerEnv
    from ordago_gym.models import ModelPolicy
    from ordago_gym.vector import Batch, RandomPolicy, VectorEnv

__all__ = [
    "Batch",
    "ENCODED",
    "Decision",
    "Encoding",
    "EncodingError",
    "Field",
    "GameEnv",
    "Layout",
    "LearnerEnv",
    "ModelPolicy",
    "RandomPolicy",
    "Rewards",
    "VectorEnv",
    "aec",
    "encoding_of",
    "model_metadata",
]

_NEED_LIBRARIES = {
    **dict.fromkeys(("GameEnv", "aec"), "ordago_gym.environment"),
    "LearnerEnv": "ordago_gym.learner",
    "ModelPolicy": "ordago_gym.models",
    **dict.fromkeys(("Batch", "RandomPolicy", "VectorEnv"), "ordago_gym.vector"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - of any of these
    """Import what needs further libraries when it is asked for."""
    if name not in _NEED_LIBRARIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(_NEED_LIBRARIES[name]), name)
    except ModuleNotFoundError as error:
        extra = "onnx" if error.name == "onnxruntime" else "gym"
        raise ModuleNotFoundError(f"{error.name} is missing: pip install 'ordago[{extra}]'", name=error.name) from error
